// Reading JSON that another process sent: bounded in size and depth, and never trusted.

extension JSON {
    public static let largest = 8 << 20
    public static let deepest = 32

    /// Reads one value with nothing after it; nil where that is not what the bytes are.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.largest else { return nil }
        var reader = JSONReader(bytes: bytes)
        guard let value = reader.value(depth: 0) else { return nil }
        reader.skipSpace()
        guard reader.peek == nil else { return nil }
        self = value
    }
}

private struct JSONReader {
    let bytes: [UInt8]
    var position = 0

    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    /// Goes past a byte, if it is the next one.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let byte = peek, byte == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func take(word: StaticString) -> Bool {
        let start = position
        for scalar in "\(word)".unicodeScalars where !take(scalar) {
            position = start
            return false
        }
        return true
    }

    mutating func value(depth: Int) -> JSON? {
        guard depth < JSON.deepest else { return nil }
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "\""): return string().map(JSON.string)
        case UInt8(ascii: "t"): return take(word: "true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return take(word: "false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return take(word: "null") ? .null : nil
        default: return number()
        }
    }

    private mutating func object(depth: Int) -> JSON? {
        guard take("{") else { return nil }
        var members: [JSON.Member] = []
        skipSpace()
        if take("}") { return .object([]) }
        while true {
            skipSpace()
            guard let key = string() else { return nil }
            skipSpace()
            guard take(":"), let value = value(depth: depth + 1) else { return nil }
            members.append(JSON.Member(key, value))
            skipSpace()
            if take("}") { return .object(members) }
            guard take(",") else { return nil }
        }
    }

    private mutating func array(depth: Int) -> JSON? {
        guard take("[") else { return nil }
        var elements: [JSON] = []
        skipSpace()
        if take("]") { return .array([]) }
        while true {
            guard let value = value(depth: depth + 1) else { return nil }
            elements.append(value)
            skipSpace()
            if take("]") { return .array(elements) }
            guard take(",") else { return nil }
        }
    }

    private mutating func number() -> JSON? {
        let start = position
        while let byte = peek, (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        // Swift's own parsing takes "+1" and "01", which JSON does not.
        let digits = text.drop { $0 == "-" }
        guard let first = digits.first, first.isNumber, text.count - digits.count <= 1 else { return nil }
        if first == "0", let second = digits.dropFirst().first, second.isNumber { return nil }
        if let value = Int64(text) { return .integer(value) }
        guard let last = text.last, last.isNumber, !text.contains(".e"), !text.contains(".E"),
            let value = Double(text), value.isFinite
        else { return nil }
        return .number(value)
    }

    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escaped() else { return nil }
                text += Array(String(Character(scalar)).utf8)
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escaped() -> Unicode.Scalar? {
        guard let byte = peek else { return nil }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return unicodeEscape()
        default: return nil
        }
    }

    /// Four digits, or twice four where a character takes a pair. Half a pair becomes "�".
    private mutating func unicodeEscape() -> Unicode.Scalar? {
        guard let first = fourDigits() else { return nil }
        if let scalar = Unicode.Scalar(first) { return scalar }
        let start = position
        guard first < 0xDC00, take("\\"), take("u"), let second = fourDigits(), (0xDC00...0xDFFF).contains(second) else {
            position = start
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func fourDigits() -> UInt32? {
        guard bytes.count - position >= 4 else { return nil }
        let digits = bytes[position..<position + 4]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        position += 4
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
