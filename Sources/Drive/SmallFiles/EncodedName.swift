import LinuxFiles

/// Any text as a name in a folder, so that each text has one name and each name stands for one text.
///
/// What a name cannot hold is “%” and two hexadecimal digits: “/”, NUL, a “.” at the beginning, and a “%” that would look like
/// that. So are the marks of the files that programs make beside the one that they save, which are no texts: “.” or “#” at the
/// beginning, “~” at the end, and the name 4913, which vim makes to see whether it may. A text that is longer than a name goes over
/// several, one in the other: each but the last ends with “%+”.
enum EncodedName {
    private static let percent = UInt8(ascii: "%"), plus = UInt8(ascii: "+"), probe = Array("4913".utf8)

    /// The names of a text, none for an empty one.
    static func names(of text: String) -> [Name] {
        let whole = pieces(of: text, longest: .max)
        if let name = whole.first.flatMap({ Name($0) }) { return [name] }
        let pieces = pieces(of: text, longest: Name.longest - 2)
        return pieces.enumerated().compactMap { Name($0.offset == pieces.count - 1 ? $0.element : $0.element + [percent, plus]) }
    }

    private static func pieces(of text: String, longest: Int) -> [[UInt8]] {
        var pieces: [[UInt8]] = [[]], index = 0
        let bytes = Array(text.utf8)
        for scalar in text.unicodeScalars {
            let own = Array(String(scalar).utf8), isFirst = index == 0
            index += own.count
            let isMark = isFirst && (own == [UInt8(ascii: "#")] || bytes == probe) || index == bytes.count && own == [UInt8(ascii: "~")]
            let isOdd = own == [UInt8(ascii: "/")] || own == [0] || own == [percent] && looksEncoded(bytes[index...])
            func written(atBeginning: Bool) -> [UInt8] { isMark || isOdd || atBeginning && own == [UInt8(ascii: ".")] ? encoded(own) : own }
            var next = written(atBeginning: pieces[pieces.count - 1].isEmpty)
            if pieces[pieces.count - 1].count + next.count > longest {
                pieces.append([])
                next = written(atBeginning: true)
            }
            pieces[pieces.count - 1] += next
        }
        return pieces
    }

    /// The text that a name stands for, or the beginning of one that goes on in the folder of that name; nil for what is no text, and
    /// with `strictly` for what is another name's text.
    static func text(of names: [Name], strictly: Bool = true) -> String? {
        var bytes: [UInt8] = []
        for (index, name) in names.enumerated() {
            var part = name.bytes[...]
            if index < names.count - 1 {
                guard goesOn(name) else { return nil }
                part = part.dropLast(2)
            }
            bytes += decoded(part)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return strictly && Self.names(of: text) != names ? nil : text
    }

    /// Whether a text goes on in the folder of this name.
    static func goesOn(_ name: Name) -> Bool { name.bytes.suffix(2) == [percent, plus] }

    /// A name of those that programs give to files beside the one that they save.
    static func isPassing(_ name: Name) -> Bool {
        [UInt8(ascii: "."), UInt8(ascii: "#")].contains(name.bytes.first) || name.bytes.last == UInt8(ascii: "~") || name.bytes == probe
    }

    /// Whether a “%” before this would be taken for the beginning of something else.
    private static func looksEncoded(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.count > 1 && rest.prefix(2).allSatisfy { digit($0) != nil } || rest.elementsEqual([plus])
    }

    private static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte in [percent] + [byte >> 4, byte & 15].map { Array("0123456789ABCDEF".utf8)[Int($0)] } }
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = [], index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == percent, index + 2 < bytes.endIndex, let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2]) {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
