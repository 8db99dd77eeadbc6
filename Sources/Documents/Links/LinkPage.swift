import PropertyLists

/// `.html`: a page that is a link, because it redirects, or because one link is about all that is on it.
/// Any other page is a page, and stays the file that it is.
enum LinkPage {
    /// How much text a page may have besides its only link. "Click here if nothing happens", and no article.
    static let textLimit = 256

    static func canonical(name: String, url: String) -> String {
        let isInert = ProgramAddress.isOne(url)
        let (name, url) = (MarkupEntity.escaped(name), MarkupEntity.escaped(url))
        if isInert {
            return """
                <!DOCTYPE html>
                <html><head><meta charset="utf-8"><title>\(name)</title>
                <meta name="\(Self.inert)" content="\(url)"></head>
                <body><p>\(name)</p></body></html>

                """
        }
        return """
            <!DOCTYPE html>
            <html><head><meta charset="utf-8"><title>\(name)</title>
            <meta http-equiv="refresh" content="0; url=\(url)"></head>
            <body><a href="\(url)">\(name)</a></body></html>

            """
    }

    /// Under this name a page says an address that no browser is to follow.
    private static let inert = "valise-address"

    static func parse(_ text: LinkText) -> Link? {
        var page = Markup(bytes: text.utf8)
        var title: String?
        var links: [String] = []
        var words = 0
        var isInLink = false
        while let piece = page.next() {
            switch piece {
            case .text(let range):
                if !isInLink { words += text.utf8[range].count { $0 > 0x20 } }
            case .tag("meta", let attributes) where ItemName.lowercased(attributes["http-equiv"] ?? "") == "refresh":
                if let url = target(attributes["content"] ?? "") { return Link(url: url, name: title) }
            case .tag("meta", let attributes) where attributes["name"] == inert:
                if let url = attributes["content"] { return Link(url: url, name: title) }
            case .tag("title", _):
                let content = page.raw(until: "title")
                title = title ?? Markup.unescaped(content)
            case .tag("script", _): _ = page.raw(until: "script")
            case .tag("style", _): _ = page.raw(until: "style")
            case .tag("a", let attributes):
                isInLink = true
                if let url = attributes["href"] { links.append(url) }
            case .tag("/a", _): isInLink = false
            case .tag: break
            }
        }
        guard links.count == 1, words <= textLimit else { return nil }
        return Link(url: LinkText.trimmed(Array(links[0].utf8)[...]), name: title)
    }

    /// The address in `0; url=…`.
    private static func target(_ content: String) -> String? {
        let bytes = Array(content.utf8)
        guard let end = bytes.firstIndex(where: { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }) else { return nil }
        guard let (key, value) = LinkText.assignment(LinkText.trimmed(bytes[(end + 1)...])), ItemName.lowercased(key) == "url" else { return nil }
        for quote in ["'", "\""] where value.count > 1 && value.hasPrefix(quote) && value.hasSuffix(quote) {
            return String(value.dropFirst().dropLast())
        }
        return value
    }
}

/// The tags and texts of a page, one after the other; forgiving, as browsers are.
private struct Markup {
    enum Piece {
        /// A lowercased name, with "/" before it when it closes; attributes by their lowercased names, the first of each.
        case tag(String, [String: String])
        case text(Range<Int>)
    }

    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Piece? {
        guard position < bytes.count else { return nil }
        if bytes[position] == UInt8(ascii: "<"), position + 1 < bytes.count {
            if bytes[position...].starts(with: "<!--".utf8) {
                skipComment()
                return .tag("!--", [:])
            }
            let after = bytes[position + 1]
            if (0x61...0x7A).contains(after | 0x20) || after == UInt8(ascii: "/") || after == UInt8(ascii: "!") || after == UInt8(ascii: "?") {
                return tag()
            }
        }
        let start = position
        position = bytes[(position + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        return .text(start..<position)
    }

    private mutating func skipComment() {
        position += 4
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "-"), bytes[position...].starts(with: "-->".utf8) {
                position += 3
                return
            }
            position += 1
        }
    }

    /// What stands before the closing tag of an element that holds no tags.
    mutating func raw(until name: String) -> ArraySlice<UInt8> {
        let start = position
        let closing = Array("</\(name)".utf8)
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "<"), bytes.count - position >= closing.count,
               zip(bytes[position..<(position + closing.count)], closing).allSatisfy({ ItemName.lowercased($0) == $1 }) { break }
            position += 1
        }
        return bytes[start..<position]
    }

    private mutating func tag() -> Piece {
        position += 1
        let start = position
        while position < bytes.count, !isSpace(bytes[position]), bytes[position] != UInt8(ascii: ">"),
              bytes[position] != UInt8(ascii: "/") || position == start { position += 1 }
        let name = ItemName.lowercased(String(decoding: bytes[start..<position], as: UTF8.self))
        var attributes: [String: String] = [:]
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
            if isSpace(bytes[position]) || bytes[position] == UInt8(ascii: "/") {
                position += 1
                continue
            }
            let (key, value) = attribute()
            if attributes[key] == nil { attributes[key] = value }
        }
        position = min(position + 1, bytes.count)
        return .tag(name, attributes)
    }

    private mutating func attribute() -> (String, String) {
        let start = position
        position += 1
        while position < bytes.count, !isSpace(bytes[position]), bytes[position] != UInt8(ascii: "="), bytes[position] != UInt8(ascii: ">") { position += 1 }
        let key = ItemName.lowercased(String(decoding: bytes[start..<position], as: UTF8.self))
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return (key, "") }
        position += 1
        skipSpace()
        guard position < bytes.count else { return (key, "") }
        let quote = bytes[position]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let end = bytes[(position + 1)...].firstIndex(of: quote) ?? bytes.count
            let value = bytes[(position + 1)..<end]
            position = min(end + 1, bytes.count)
            return (key, Self.unescaped(value))
        }
        let valueStart = position
        while position < bytes.count, !isSpace(bytes[position]), bytes[position] != UInt8(ascii: ">") { position += 1 }
        return (key, Self.unescaped(bytes[valueStart..<position]))
    }

    static func unescaped(_ slice: ArraySlice<UInt8>) -> String {
        let bytes = Array(slice)
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "&"), let scalar = MarkupEntity.scalar(in: bytes, at: &position) {
                result += Array(String(scalar).utf8)
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(byte) }

    private mutating func skipSpace() {
        while position < bytes.count, isSpace(bytes[position]) { position += 1 }
    }
}
