import PropertyLists

/// Finds the opening tags of a page, front to back and once. Comments and scripts are passed over:
/// what looks like a tag in there is none.
struct HTMLTags {
    struct Tag {
        /// In lower case.
        var name: String
        /// The first value of every attribute, as written; names in lower case.
        var attributes: [String: ArraySlice<UInt8>] = [:]
    }

    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Tag? {
        while let open = bytes[at...].firstIndex(of: UInt8(ascii: "<")) {
            at = open + 1
            if bytes[at...].starts(with: "!--".utf8) {
                at += 3
                guard skip(behind: "-->") else { return nil }
            } else if let first = current, Self.isLetter(first) {
                guard let tag = tag() else { return nil }
                if ["script", "style", "textarea", "template"].contains(tag.name) { _ = text(until: tag.name) }
                return tag
            }
        }
        return nil
    }

    /// What lies before the closing tag of an element that holds nothing but text; all the rest without one.
    mutating func text(until name: String) -> ArraySlice<UInt8> {
        let start = at
        let wanted = Array("</\(name)".utf8)
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "<"), bytes[at...].prefix(wanted.count).lazy.map(Self.lowered).elementsEqual(wanted) {
                return bytes[start..<at]
            }
            at += 1
        }
        return bytes[start...]
    }

    private var current: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func skip(behind mark: String) -> Bool {
        while at < bytes.count {
            if bytes[at...].starts(with: mark.utf8) {
                at += mark.utf8.count
                return true
            }
            at += 1
        }
        return false
    }

    /// The tag whose name begins here; nil when the page ends in it.
    private mutating func tag() -> Tag? {
        var tag = Tag(name: name())
        while let byte = current {
            if byte == UInt8(ascii: ">") {
                at += 1
                return tag
            }
            if Self.isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=") {
                at += 1
                continue
            }
            let attribute = name()
            skipSpaces()
            var value: ArraySlice<UInt8> = []
            if current == UInt8(ascii: "=") {
                at += 1
                skipSpaces()
                guard let read = self.value() else { return nil }
                value = read
            }
            if tag.attributes[attribute] == nil { tag.attributes[attribute] = value }
        }
        return nil
    }

    private mutating func name() -> String {
        let start = at
        while let byte = current, !Self.isSpace(byte), byte != UInt8(ascii: "/"), byte != UInt8(ascii: ">"), byte != UInt8(ascii: "=") { at += 1 }
        return String(decoding: bytes[start..<at].lazy.map(Self.lowered), as: UTF8.self)
    }

    private mutating func value() -> ArraySlice<UInt8>? {
        guard let quote = current else { return nil }
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let start = at + 1
            guard let end = bytes[start...].firstIndex(of: quote) else { return nil }
            at = end + 1
            return bytes[start..<end]
        }
        let start = at
        while let byte = current, !Self.isSpace(byte), byte != UInt8(ascii: ">") { at += 1 }
        return bytes[start..<at]
    }

    private mutating func skipSpaces() {
        while let byte = current, Self.isSpace(byte) { at += 1 }
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(lowered(byte)) }

    /// References resolved; what is none stays as it is, as browsers have it.
    static func decoded(_ raw: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(raw.count)
        var place = raw.startIndex
        while place < raw.endIndex {
            if let (scalar, end) = CharacterReference.read(in: raw, at: place) {
                result.append(contentsOf: String(Character(scalar)).utf8)
                place = end
            } else {
                result.append(raw[place])
                place += 1
            }
        }
        return result
    }
}
