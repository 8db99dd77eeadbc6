import PropertyLists

/// What a browser knew of a link and its bookmark has no place for: when it was added, its tags, a note, its picture. It goes into the link file, where
/// Windows has room for more, in a section that other programs pass over:
///
///     [InternetShortcut]
///     URL=https://www.swift.org/
///     [Valise]
///     Added=2024-03-01T09:30:15Z
///     Tags=swift,language
public enum LinkNotes {
    private static let section = "[Valise]"

    /// What comes behind the plainest link file; nothing where nothing has to be said besides the address.
    public static func section(of link: ListedLink) -> [UInt8] {
        var lines: [String] = []
        if let added = link.added { lines.append("Added=\(MomentText.text(added))") }
        if !link.tags.isEmpty { lines.append("Tags=\(link.tags.map(line).joined(separator: ","))") }
        if let note = link.note { lines.append("Note=\(line(note))") }
        if let icon = link.icon { lines.append("Icon=\(line(icon))") }
        return lines.isEmpty ? [] : Array(([section] + lines).map { $0 + "\n" }.joined().utf8)
    }

    /// Adds what a link file says.
    public static func add(_ file: [UInt8], to link: inout ListedLink) {
        var isSection = false
        for line in file.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let text = String(decoding: line, as: UTF8.self)
            if text.hasPrefix("[") {
                isSection = text == section
                continue
            }
            guard isSection, let sign = text.firstIndex(of: "=") else { continue }
            let value = String(text[text.index(after: sign)...])
            switch text[..<sign] {
            case "Added": link.added = MomentText.seconds(value)
            case "Tags": link.tags = MomentText.words(value, between: ",")
            case "Note": link.note = value
            case "Icon": link.icon = value
            default: continue
            }
        }
    }

    private static func line(_ text: String) -> String { ListedLink.name(text, for: "") }
}
