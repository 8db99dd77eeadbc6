/// One piece of an XML document that matters to a property list.
enum XMLToken: Equatable {
    case open(name: String, isEmpty: Bool)
    case close(name: String)
    case text(String)
}

/// The document is not well formed, or says something that a property list never does.
struct XMLFault: Error {}

/// Cuts XML into tokens, front to back and once: comments, instructions and the document type are
/// skipped, references to anything but characters are faults.
struct XMLTokens {
    private let bytes: [UInt8]
    private var at: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        at = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// The next token, or nil at the end.
    mutating func next() throws(XMLFault) -> XMLToken? {
        while at < bytes.count {
            if bytes[at] != UInt8(ascii: "<") { return .text(try text()) }
            if skip("<!--") { _ = try upTo("-->") }
            else if skip("<?") { _ = try upTo("?>") }
            else if skip("<![CDATA[") { return .text(try Self.decoded(upTo("]]>"), references: false)) }
            else if skip("<!DOCTYPE") { try documentType() }
            else { return try tag() }
        }
        return nil
    }

    private mutating func skip(_ prefix: String) -> Bool {
        guard bytes[at...].starts(with: prefix.utf8) else { return false }
        at += prefix.utf8.count
        return true
    }

    /// What lies before the first `mark`, and goes behind it.
    private mutating func upTo(_ mark: String) throws(XMLFault) -> ArraySlice<UInt8> {
        let start = at
        while at < bytes.count {
            let here = at
            if skip(mark) { return bytes[start..<here] }
            at += 1
        }
        throw XMLFault()
    }

    private mutating func text() throws(XMLFault) -> String {
        let end = bytes[at...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        let raw = bytes[at..<end]
        at = end
        return try Self.decoded(raw, references: true)
    }

    private mutating func tag() throws(XMLFault) -> XMLToken {
        at += 1
        let isClosing = at < bytes.count && bytes[at] == UInt8(ascii: "/")
        if isClosing { at += 1 }
        let start = at
        while at < bytes.count, Self.isNameByte(bytes[at]) { at += 1 }
        guard at > start, let name = String(validating: bytes[start..<at], as: UTF8.self) else { throw XMLFault() }
        var quote: UInt8?
        var last: UInt8 = 0
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "<") {
                throw XMLFault()
            } else if byte == UInt8(ascii: ">") {
                return isClosing ? .close(name: name) : .open(name: name, isEmpty: last == UInt8(ascii: "/"))
            }
            last = byte
        }
        throw XMLFault()
    }

    /// Goes behind a document type, whatever it declares: quotes, comments and the inner subset may
    /// hold a `>` that does not end it.
    private mutating func documentType() throws(XMLFault) {
        var isInSubset = false
        var quote: UInt8?
        while at < bytes.count {
            if quote == nil, skip("<!--") {
                _ = try upTo("-->")
                continue
            }
            let byte = bytes[at]
            at += 1
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "["): isInSubset = true
            case UInt8(ascii: "]"): isInSubset = false
            case UInt8(ascii: ">") where !isInSubset: return
            default: break
            }
        }
        throw XMLFault()
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"): true
        default: false
        }
    }

    /// Text as XML means it: references resolved, every line end a newline.
    private static func decoded(_ raw: ArraySlice<UInt8>, references: Bool) throws(XMLFault) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(raw.count)
        var place = raw.startIndex
        while place < raw.endIndex {
            let byte = raw[place]
            if references, byte == UInt8(ascii: "&") {
                guard let (scalar, end) = CharacterReference.read(in: raw, at: place) else { throw XMLFault() }
                result.append(contentsOf: String(Character(scalar)).utf8)
                place = end
                continue
            }
            place += 1
            switch byte {
            case 0x0D:
                if place == raw.endIndex || raw[place] != 0x0A { result.append(0x0A) }
            case 0x09, 0x0A, 0x20...: result.append(byte)
            default: throw XMLFault()
            }
        }
        guard let text = String(validating: result, as: UTF8.self) else { throw XMLFault() }
        return text
    }
}
