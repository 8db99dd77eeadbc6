/// `.html`: a page that sends its reader on, or that has a link.
extension LinkFile {
    /// A page that only leads to another one is short; a longer one has content of its own.
    static let longestPage = 64 << 10

    static func page(_ bytes: [UInt8]) throws(LinkFault) -> LinkFile {
        guard bytes.count <= longestPage else { throw LinkFault(reason: "it is a page of more than 64 KiB, not a link") }
        guard let text = SectionedText.utf8(bytes) else { throw LinkFault(reason: "it is not UTF-16 text") }
        var tags = HTMLTags(text)
        var title: String?
        var refresh: [UInt8]?
        var link: [UInt8]?
        while let tag = tags.next() {
            switch tag.name {
            case "title":
                let text = tags.text(until: "title")
                if title == nil { title = Self.title(text) }
            case "meta" where refresh == nil:
                if let kind = tag.attributes["http-equiv"], kind.lazy.map(HTMLTags.lowered).elementsEqual("refresh".utf8),
                    let content = tag.attributes["content"]
                {
                    refresh = target(ofRefresh: HTMLTags.decoded(content))
                }
            case "a" where link == nil: link = tag.attributes["href"].map(HTMLTags.decoded)
            default: break
            }
        }
        guard let target = refresh ?? link else { throw LinkFault(reason: "it has neither a meta refresh nor a link") }
        return LinkFile(url: try checkedURL(spacesTrimmed(target[...])), title: title)
    }

    /// The URL of `0; url=…`, quoted or not. Nil for a page that only reloads itself.
    private static func target(ofRefresh content: [UInt8]) -> [UInt8]? {
        var rest = content.drop(while: HTMLTags.isSpace)
        rest = rest.drop { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }.drop(while: HTMLTags.isSpace)
        guard rest.first == UInt8(ascii: ";") || rest.first == UInt8(ascii: ",") else { return nil }
        rest = rest.dropFirst().drop(while: HTMLTags.isSpace)
        guard rest.prefix(3).lazy.map(HTMLTags.lowered).elementsEqual("url".utf8) else { return nil }
        rest = rest.dropFirst(3).drop(while: HTMLTags.isSpace)
        guard rest.first == UInt8(ascii: "=") else { return nil }
        rest = rest.dropFirst().drop(while: HTMLTags.isSpace)
        if let quote = rest.first, isQuote(quote) { rest = rest.dropFirst().prefix { $0 != quote } }
        return Array(rest)
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    private static func spacesTrimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text.drop(while: HTMLTags.isSpace)
        while let last = text.last, HTMLTags.isSpace(last) { text = text.dropLast() }
        return text
    }

    /// Spaces around it and line breaks in it are how the page is laid out, unless they are written as references.
    private static func title(_ raw: ArraySlice<UInt8>) -> String? {
        let line = spacesTrimmed(raw).map { HTMLTags.isSpace($0) ? 0x20 : $0 }
        guard let title = String(validating: HTMLTags.decoded(line[...]), as: UTF8.self), !title.isEmpty else { return nil }
        return oneLine(title)
    }

    static func canonicalPage(name: String, url: String) -> [UInt8] {
        let href = escaped(url)
        let title = escaped(name)
        // In a refresh, a quote in front is taken for one around the URL. Then the link alone must do.
        let refresh = url.utf8.first.map(isQuote) == true ? "" : "<meta http-equiv=\"refresh\" content=\"0; url=\(href)\">\n"
        let page = """
            <!DOCTYPE html>
            <html>
            <head>
            <meta charset="utf-8">
            <title>\(title)</title>
            \(refresh)</head>
            <body>
            <p><a href="\(href)">\(title.isEmpty ? href : title)</a></p>
            </body>
            </html>

            """
        return Array(page.utf8)
    }

    /// Readers trim spaces, so the outermost ones are written as references.
    private static func escaped(_ text: String) -> String {
        let scalars = text.unicodeScalars
        var result = ""
        for place in scalars.indices {
            switch scalars[place] {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case " " where place == scalars.startIndex || scalars.index(after: place) == scalars.endIndex: result += "&#32;"
            case let scalar: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
