import LinuxFiles

/// File names for documents, whose own names may be any text.
public enum ShownName {
    /// The stem with its extension, and the number that tells it from others of the same name (0: none).
    /// "/" is shown as "∕" and NUL as "␀"; too long a stem is cut on a character boundary.
    public static func make(stem: [UInt8], fileExtension: String, number: Int = 0) -> Name {
        var tail = number > 0 ? Array(" \(number)".utf8) : []
        if !fileExtension.isEmpty { tail += [UInt8(ascii: ".")] + Array(fileExtension.utf8) }
        var shown = mapped(stem)
        if shown.isEmpty { shown = Array("Untitled".utf8) }
        shown = cut(shown, to: Name.longest - tail.count)
        // "." and ".." without an extension are the only names left that are none.
        return Name(shown + tail) ?? Name(constant: "Untitled")
    }

    /// The same name with a number before its extension: "a.url" with 2 is "a 2.url".
    public static func numbered(_ name: Name, _ number: Int) -> Name {
        let (stem, suffix) = split(name)
        let tail = Array(" \(number)".utf8) + suffix
        return Name(cut(stem, to: Name.longest - tail.count) + tail) ?? name
    }

    /// The same name with the first number from `first` on that nobody has; nil where it cannot have one, because it is all extension.
    public static func free(_ name: Name, from first: Int = 1, _ isTaken: (Name) -> Bool) -> (name: Name, number: Int)? {
        for number in first... {
            let numbered = numbered(name, number)
            if numbered == name { return nil }
            if !isTaken(numbered) { return (numbered, number) }
        }
        return nil
    }

    /// The name itself where nobody has it, or else with the first number that is free.
    public static func unused(_ name: Name, _ isTaken: (Name) -> Bool) -> Name { isTaken(name) ? free(name, from: 1, isTaken)?.name ?? name : name }

    /// The stem, and the extension with its dot (empty where there is none: "a", ".profile").
    public static func split(_ name: Name) -> (stem: [UInt8], suffix: [UInt8]) {
        let bytes = name.bytes
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return (bytes, []) }
        return (Array(bytes[..<dot]), Array(bytes[dot...]))
    }

    private static func mapped(_ stem: [UInt8]) -> [UInt8] {
        guard stem.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 }) else { return stem }
        var shown: [UInt8] = []
        for byte in stem {
            switch byte {
            case UInt8(ascii: "/"): shown += Array("∕".utf8)
            case 0: shown += Array("␀".utf8)
            default: shown.append(byte)
            }
        }
        return shown
    }

    /// At most `limit` bytes, ending where a character ends.
    private static func cut(_ bytes: [UInt8], to limit: Int) -> [UInt8] {
        guard bytes.count > limit else { return bytes }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { return Array(bytes.prefix(max(limit, 0))) }
        var kept: [UInt8] = []
        for character in text {
            if kept.count + character.utf8.count > limit { break }
            kept += Array(character.utf8)
        }
        guard kept.isEmpty else { return kept }
        // One character alone may be longer than that: a letter under a tower of accents, of which as many stay as there is room for.
        var end = max(limit, 0)
        while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(bytes[..<end])
    }
}
