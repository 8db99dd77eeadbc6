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

    /// The link file that says all of it; nil where nothing has to be said besides the address.
    public static func file(_ link: ListedLink) -> [UInt8]? {
        var lines: [String] = []
        if let added = link.added { lines.append("Added=\(MomentText.text(added))") }
        if !link.tags.isEmpty { lines.append("Tags=\(link.tags.map(line).joined(separator: ","))") }
        if let note = link.note { lines.append("Note=\(line(note))") }
        if let icon = link.icon { lines.append("Icon=\(line(icon))") }
        guard !lines.isEmpty else { return nil }
        return Array(("[InternetShortcut]\nURL=\(encoded(link.url))\n\(section)\n" + lines.joined(separator: "\n") + "\n").utf8)
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

    /// An address ends no line.
    private static func encoded(_ url: String) -> String {
        guard url.unicodeScalars.contains(where: isControl) else { return url }
        let digits = Array("0123456789ABCDEF".utf8)
        return url.unicodeScalars.map { scalar in
            isControl(scalar) ? String(scalar).utf8.map { String(decoding: [UInt8(ascii: "%"), digits[Int($0 >> 4)], digits[Int($0 & 15)]], as: UTF8.self) }.joined() : String(scalar)
        }.joined()
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || [0x2028, 0x2029, 0xFFFE, 0xFFFF].contains(scalar.value) }
}
