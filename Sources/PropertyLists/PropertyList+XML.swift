/// Reads the XML form. Not an XML parser: only what property lists are made of. A document type may be
/// named and is not looked at; one that declares something (an entity, say) is refused, so that nothing
/// ever grows by being read.
extension PropertyList {
    public init(xml bytes: [UInt8], limits: PropertyListLimits = .standard) throws(PropertyListFault) {
        guard let text = UnicodeText(bytes)?.utf8 else { throw .foreign("It is no text.") }
        var reader = XMLReader(bytes: text, limits: limits)
        self = try reader.document()
    }

    /// The binary form of the list that a file holds as XML. Nil where it holds none: its first bytes tell, and of
    /// anything else no more is read.
    public static func binary(ofXML source: any ByteSource, limits: PropertyListLimits = .standard) throws(PropertyListFault) -> [UInt8]? {
        let prefix = try bytes(of: source, count: min(source.byteCount, 512)), tag = Array("<plist".utf8)
        guard prefix.indices.contains(where: { prefix[$0...].starts(with: tag) }) else { return nil }
        guard source.byteCount <= limits.markupLength else {
            throw .excessive("It is XML of more than \(limits.markupLength >> 20) MiB.")
        }
        let list = try PropertyList(xml: try bytes(of: source, count: source.byteCount), limits: limits)
        return try list.binary()
    }

    static func bytes(of source: any ByteSource, count: Int64) throws(PropertyListFault) -> [UInt8] {
        do throws(SourceFailure) { return try source.bytes(at: 0, count: Int(count)) } catch { throw .unreadable(error) }
    }
}

private struct XMLReader {
    let bytes: [UInt8]
    let limits: PropertyListLimits
    var position = 0
    var values: Int

    init(bytes: [UInt8], limits: PropertyListLimits) {
        self.bytes = bytes
        self.limits = limits
        values = limits.objectCount
    }

    struct Tag {
        let name: String
        var closes = false
        var isEmpty = false
    }

    mutating func document() throws(PropertyListFault) -> PropertyList {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "<") else { throw .foreign("It is no property list.") }
        var opening = try tag()
        let isWrapped = opening.name == "plist"
        if isWrapped {
            guard !opening.closes, !opening.isEmpty else { throw .damaged("It is empty.") }
            opening = try tag()
        } else if Self.elements.contains(opening.name) == false {
            throw .foreign("It is no property list.")
        }
        let value = try value(opening, depth: 1)
        if isWrapped {
            let closing = try tag()
            guard closing.closes, closing.name == "plist" else { throw .damaged("There is more than one value.") }
        }
        try skipMarkup()
        guard position == bytes.count else { throw .damaged("Something follows the list.") }
        return value
    }

    static let elements: Set<String> = ["dict", "array", "string", "integer", "real", "true", "false", "date", "data"]

    mutating func value(_ opening: Tag, depth: Int) throws(PropertyListFault) -> PropertyList {
        guard !opening.closes else { throw .damaged("</\(opening.name)> closes nothing.") }
        guard depth <= limits.depth else { throw .excessive("It is deeper than \(limits.depth) levels.") }
        guard values > 0 else { throw .excessive("It has more than \(limits.objectCount) values.") }
        values -= 1
        switch opening.name {
        case "dict": return try dictionary(opening, depth)
        case "array":
            var result: [PropertyList] = []
            if opening.isEmpty { return .array([]) }
            while true {
                let next = try tag()
                if next.closes, next.name == "array" { return .array(result) }
                result.append(try value(next, depth: depth + 1))
            }
        case "true", "false":
            guard try text(of: opening).isEmpty else { throw .damaged("A boolean holds text.") }
            return .boolean(opening.name == "true")
        case "string": return .string(try text(of: opening))
        case "integer": return try integer(try trimmed(opening))
        case "real":
            guard let value = Double(try trimmed(opening)) else { throw .damaged("A number cannot be read.") }
            return .real(value)
        case "date":
            guard let value = PlainDate.seconds(try trimmed(opening)) else { throw .damaged("A date cannot be read.") }
            return .date(value)
        case "data":
            guard let value = Base64.decoded(try content(of: opening)) else { throw .damaged("Data cannot be read.") }
            return .data(value)
        default:
            throw .damaged("<\(opening.name)> is no part of a property list.")
        }
    }

    private mutating func dictionary(_ opening: Tag, _ depth: Int) throws(PropertyListFault) -> PropertyList {
        var members: [PropertyList.Member] = []
        while !opening.isEmpty {
            let next = try tag()
            if next.closes, next.name == "dict" { break }
            guard next.name == "key", !next.closes else { throw .damaged("A member has no key.") }
            let key = try text(of: next)
            members.append(.init(key, try value(try tag(), depth: depth + 1)))
        }
        // How the XML form spells a reference of a keyed archive.
        if members.count == 1, members[0].key == "CF$UID", case .integer(let number) = members[0].value, let uid = UInt64(exactly: number) {
            return .uid(uid)
        }
        return .dictionary(members)
    }

    private func integer(_ text: String) throws(PropertyListFault) -> PropertyList {
        var digits = Substring(text)
        var isNegative = false
        if let sign = digits.first, sign == "-" || sign == "+" {
            isNegative = sign == "-"
            digits = digits.dropFirst()
        }
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        guard digits.count <= 40, digits.first != "-", digits.first != "+",
              let magnitude = isHexadecimal ? Int128(digits.dropFirst(2), radix: 16) : Int128(digits) else {
            throw .damaged("A number cannot be read.")
        }
        return .integer(isNegative ? 0 - magnitude : magnitude)
    }

    private mutating func trimmed(_ opening: Tag) throws(PropertyListFault) -> String {
        let text = try text(of: opening)
        let space: (Character) -> Bool = { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }
        guard let first = text.firstIndex(where: { !space($0) }), let last = text.lastIndex(where: { !space($0) }) else { return "" }
        return String(text[first...last])
    }

    private mutating func text(of opening: Tag) throws(PropertyListFault) -> String {
        String(decoding: try content(of: opening), as: UTF8.self)
    }

    /// The bytes up to the closing tag, entities and character data resolved.
    private mutating func content(of opening: Tag) throws(PropertyListFault) -> [UInt8] {
        if opening.isEmpty { return [] }
        var result: [UInt8] = []
        while position < bytes.count {
            let run = position
            while position < bytes.count, bytes[position] != UInt8(ascii: "<"), bytes[position] != UInt8(ascii: "&") { position += 1 }
            result += bytes[run..<position]
            guard position < bytes.count else { break }
            if bytes[position] == UInt8(ascii: "&") {
                guard let scalar = MarkupEntity.scalar(in: bytes, at: &position) else { throw .damaged("An entity is unknown.") }
                result += Array(String(scalar).utf8)
            } else if skip("<![CDATA[") {
                let start = position
                guard find("]]>") else { throw .damaged("Character data has no end.") }
                result += bytes[start..<(position - 3)]
            } else if starts("<!--") || starts("<?") {
                try skipMarkup()
            } else {
                let closing = try tag()
                guard closing.closes, closing.name == opening.name else { throw .damaged("<\(opening.name)> holds a tag.") }
                return result
            }
        }
        throw .damaged("<\(opening.name)> has no end.")
    }

    // MARK: Tags

    /// The next tag, behind space, comments, instructions and a document type.
    mutating func tag() throws(PropertyListFault) -> Tag {
        try skipMarkup()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "<") else { throw .damaged("A tag is missing.") }
        position += 1
        let closes = skip("/")
        let start = position
        while position < bytes.count, isNameByte(bytes[position]), position - start < 32 { position += 1 }
        var tag = Tag(name: String(decoding: bytes[start..<position], as: UTF8.self), closes: closes)
        var quote: UInt8?
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                tag.isEmpty = bytes[position - 2] == UInt8(ascii: "/") && !closes
                return tag
            } else if byte == UInt8(ascii: "<") {
                break
            }
        }
        throw .damaged("A tag has no end.")
    }

    private mutating func skipMarkup() throws(PropertyListFault) {
        while true {
            skipSpace()
            if skip("<!--") {
                guard find("-->") else { throw .damaged("A comment has no end.") }
            } else if skip("<?") {
                guard find("?>") else { throw .damaged("An instruction has no end.") }
            } else if skip("<!DOCTYPE") {
                while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
                    guard bytes[position] != UInt8(ascii: "["), bytes[position] != UInt8(ascii: "<") else {
                        throw .damaged("A property list may not declare anything.")
                    }
                    position += 1
                }
                guard position < bytes.count else { throw .damaged("A tag has no end.") }
                position += 1
            } else {
                return
            }
        }
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
    }

    private func starts(_ word: String) -> Bool {
        bytes[position...].starts(with: word.utf8)
    }

    private mutating func skip(_ word: String) -> Bool {
        guard starts(word) else { return false }
        position += word.utf8.count
        return true
    }

    /// Moves behind the next occurrence of a word.
    private mutating func find(_ word: String) -> Bool {
        while position < bytes.count {
            if skip(word) { return true }
            position += 1
        }
        return false
    }
}
