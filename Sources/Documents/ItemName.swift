/// Names of files, taken apart and put together. A name is bytes; nothing here makes text of one
/// except to find where a character ends.
enum ItemName {
    /// Longest name of a file, in bytes.
    static let limit = 255

    /// The name without its extension, and the extension without its dot.
    /// A dot at the beginning hides a file and begins no extension.
    static func parts(_ name: [UInt8]) -> (stem: [UInt8], fileExtension: String)? {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, dot < name.count - 1,
              let fileExtension = String(validating: name[(dot + 1)...], as: UTF8.self) else { return nil }
        return (Array(name[..<dot]), fileExtension)
    }

    /// The stem of a name with this extension, in any case of its letters.
    static func stem(_ name: [UInt8], before fileExtension: String) -> [UInt8]? {
        let wanted = fileExtension.utf8
        guard name.count > wanted.count + 1, name[name.count - wanted.count - 1] == UInt8(ascii: "."),
              zip(name.suffix(wanted.count), wanted).allSatisfy({ lowercased($0) == $1 }) else { return nil }
        return Array(name.dropLast(wanted.count + 1))
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    static func lowercased(_ text: String) -> String {
        String(decoding: text.utf8.map(lowercased), as: UTF8.self)
    }

    /// A name that documents can be made from: hidden files are what programs use on the way,
    /// and what is no Unicode no app could take.
    static func isPlain(_ name: [UInt8]) -> Bool {
        name.first != UInt8(ascii: ".") && String(validating: name, as: UTF8.self) != nil
    }

    /// As many whole characters of a name as fit into `count` bytes.
    static func shortened(_ name: [UInt8], to count: Int) -> [UInt8] {
        if name.count <= count { return name }
        var text = String(decoding: name, as: UTF8.self)
        while text.utf8.count > max(0, count), !text.isEmpty { text.removeLast() }
        if !text.isEmpty { return Array(text.utf8) }
        // One character alone may be longer than that: a letter under a tower of accents.
        var scalars = String(decoding: name, as: UTF8.self).unicodeScalars
        while scalars.reduce(0, { $0 + UTF8.width($1) }) > max(0, count), !scalars.isEmpty { scalars.removeLast() }
        return Array(String(scalars).utf8)
    }

    /// Bytes that no name of a file may have, as the drive shows them.
    static func withoutForbidden(_ name: [UInt8]) -> [UInt8] {
        guard name.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") }) else { return name }
        return name.flatMap { byte -> [UInt8] in
            switch byte {
            case 0: Array("\u{2400}".utf8)
            case UInt8(ascii: "/"): Array("\u{2215}".utf8)
            default: [byte]
            }
        }
    }

    /// The name that is shown as this one.
    static func withForbidden(_ name: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for scalar in String(decoding: name, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\u{2215}": text.append("/")
            case "\u{2400}": text.append("\u{0}")
            default: text.append(scalar)
            }
        }
        return String(text)
    }

    /// `<stem>.ext`, `<stem> 1.ext`, …, the stem shortened where it must be.
    static func numbered(_ stem: [UInt8], _ fileExtension: String, attempt: Int) -> [UInt8] {
        let number = attempt > 0 ? Array(" \(attempt)".utf8) : []
        let ending = number + [UInt8(ascii: ".")] + Array(fileExtension.utf8)
        return shortened(withoutForbidden(stem), to: limit - ending.count) + ending
    }
}
