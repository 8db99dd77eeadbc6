/// Files of `[section]` headers and `key=value` lines, as `.url` and `.desktop` files are.
///
/// Works on bytes: a line that nobody asks for may be in any old encoding.
enum SectionedText {
    /// The first value of every key in a section, keys in lower case; nil without that section.
    static func entries(in text: [UInt8], section: String) -> [String: ArraySlice<UInt8>]? {
        let wanted = section.lowercased()
        var isInside = false
        var found: [String: ArraySlice<UInt8>]?
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let line = trimmed(line)
            guard let first = line.first, first != UInt8(ascii: ";"), first != UInt8(ascii: "#") else { continue }
            if first == UInt8(ascii: "[") {
                isInside = line.last == UInt8(ascii: "]") && word(line.dropFirst().dropLast()) == wanted
                if isInside, found == nil { found = [:] }
            } else if isInside, let equals = line.firstIndex(of: UInt8(ascii: "=")) {
                let key = word(line[..<equals])
                if found?[key] == nil { found?[key] = trimmed(line[(equals + 1)...]) }
            }
        }
        return found
    }

    /// The bytes as UTF-8 without a byte order mark; nil for UTF-16 that is none.
    static func utf8(_ bytes: [UInt8]) -> [UInt8]? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
        guard bytes.count.isMultiple(of: 2) else { return nil }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var rest = bytes.dropFirst(2).makeIterator()
        while let first = rest.next(), let second = rest.next() {
            units.append(isLittle ? UInt16(second) << 8 | UInt16(first) : UInt16(first) << 8 | UInt16(second))
        }
        return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
    }

    static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line.drop(while: isBlank)
        while let last = line.last, isBlank(last) { line = line.dropLast() }
        return line
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func word(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: trimmed(bytes), as: UTF8.self).lowercased()
    }
}
