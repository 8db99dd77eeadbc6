/// JSON from its beginning to its end, a token after another: it is never in memory as a whole. What follows a fault is not read.
struct JSONTokens {
    enum Token: Equatable {
        case beginObject, endObject, beginArray, endArray
        case key(String)
        case text(String)
        case number(Int64)
        case other
        /// It is no JSON from here on, or ends early.
        case fault(String)
        case end
    }

    private var stream: ByteStream
    /// What is open: whether it is an object.
    private var open: [Bool] = []
    private var isKeyNext = false
    private var isEnded = false

    /// Longer ones are cut: a browser keeps long secrets of its own there.
    private static let longestText = 1 << 19, deepest = 1000

    init(_ stream: ByteStream) { self.stream = stream }

    var place: String { stream.place }

    mutating func next() -> Token {
        guard !isEnded else { return .end }
        while let byte = stream.peek() {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ":"): _ = stream.next()
            case UInt8(ascii: ","):
                _ = stream.next()
                isKeyNext = open.last == true
            default: return token(byte)
            }
        }
        isEnded = true
        if stream.failure != nil { return .fault("the file cannot be read from here on") }
        return open.isEmpty ? .end : .fault("the file ends early")
    }

    private mutating func token(_ byte: UInt8) -> Token {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            _ = stream.next()
            guard open.count < Self.deepest else { return fault("it is nested more than \(Self.deepest) deep") }
            open.append(byte == UInt8(ascii: "{"))
            isKeyNext = byte == UInt8(ascii: "{")
            return isKeyNext ? .beginObject : .beginArray
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            _ = stream.next()
            guard let last = open.popLast(), last == (byte == UInt8(ascii: "}")) else { return fault("a bracket closes what is not open") }
            isKeyNext = false
            return last ? .endObject : .endArray
        case UInt8(ascii: "\""):
            _ = stream.next()
            guard let text = text() else { return fault("the file ends in the middle of a text") }
            if isKeyNext {
                isKeyNext = false
                return .key(text)
            }
            return .text(text)
        default:
            var word: [UInt8] = []
            stream.take(into: &word, limit: 64) { [0x20, 0x09, 0x0A, 0x0D].contains($0) || ",]}:".utf8.contains($0) }
            let text = String(decoding: word, as: UTF8.self)
            if ["true", "false", "null"].contains(text) { return .other }
            if let number = Int64(text) { return .number(number) }
            if let number = Double(text) { return Int64(exactly: number.rounded(.towardZero)).map(Token.number) ?? .other }
            return fault("“\(text.prefix(20))” is no JSON")
        }
    }

    private mutating func fault(_ reason: String) -> Token {
        isEnded = true
        return .fault(reason)
    }

    /// Behind its quotation mark.
    private mutating func text() -> String? {
        var bytes: [UInt8] = []
        while true {
            stream.take(into: &bytes, limit: Self.longestText) { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
            guard let byte = stream.next() else { return nil }
            if byte == UInt8(ascii: "\"") { return GuessedText.text(bytes) }
            guard let escaped = stream.next() else { return nil }
            switch escaped {
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "b"), UInt8(ascii: "f"): bytes.append(0x20)
            case UInt8(ascii: "u"): bytes.append(contentsOf: Array(String(Character(scalar())).utf8))
            default: bytes.append(escaped)
            }
        }
    }

    /// Four digits, or twice four where a character takes a pair.
    private mutating func scalar() -> Unicode.Scalar {
        guard let first = fourDigits() else { return "\u{FFFD}" }
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, stream.peek() == UInt8(ascii: "\\") else { return "\u{FFFD}" }
        _ = stream.next()
        guard stream.peek() == UInt8(ascii: "u") else { return "\u{FFFD}" }
        _ = stream.next()
        guard let second = fourDigits(), (0xDC00...0xDFFF).contains(second) else { return "\u{FFFD}" }
        return Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func fourDigits() -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = stream.peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            _ = stream.next()
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
