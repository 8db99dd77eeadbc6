import PropertyLists

/// A link, as its file carries it.
public struct Link: Hashable, Sendable {
    public var url: String
    /// What the file calls it, in the forms that can say so.
    public var name: String?

    public init(url: String, name: String? = nil) {
        self.url = url
        self.name = name
    }
}

/// Files that are links (FORMATS 6): what they say, and the plainest file that says it.
public enum LinkFile {
    /// Longest file that is looked at: links are short, and what is longer is something else.
    public static let limit = 1 << 20

    /// Throws `.unfit` when the file is no link of this form.
    public static func parse(_ content: any ByteSource, form: LinkForm) throws(DocumentFault) -> Link {
        guard content.byteCount <= Int64(limit) else { throw .unfit("The file is too long for a link.") }
        return try parse(try content.few(at: 0, count: Int(content.byteCount)), form: form)
    }

    public static func parse(_ bytes: [UInt8], form: LinkForm) throws(DocumentFault) -> Link {
        guard bytes.count <= limit else { throw .unfit("The file is too long for a link.") }
        let link: Link?
        switch form {
        case .url: link = InternetShortcut.parse(LinkText(bytes))
        case .desktop: link = DesktopEntry.parse(LinkText(bytes))
        case .webloc: link = Webloc.parse(bytes)
        case .html: link = LinkPage.parse(LinkText(bytes))
        }
        guard let link, !link.url.isEmpty else { throw .unfit(form == .html ? "The page redirects nowhere, and a single link is not all that is on it." : "The file holds no link.") }
        guard !link.url.unicodeScalars.contains(where: isControl) else { throw .unfit("The link holds control characters.") }
        return link
    }

    /// The file that says no more than this. What cannot stand in a URL is percent-encoded, so that a hostile
    /// address cannot add lines to the file.
    public static func canonical(form: LinkForm, name: String, url: String) -> [UInt8] {
        let url = encoded(url)
        switch form {
        case .url: return Array("[InternetShortcut]\nURL=\(url)\n".utf8)
        case .desktop: return Array(DesktopEntry.canonical(name: name, url: url).utf8)
        case .webloc: return PropertyList.dictionary([.init("URL", .string(url))]).xml() ?? []
        case .html: return Array(LinkPage.canonical(name: name, url: url).utf8)
        }
    }

    /// Characters that end lines, or are none.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0xFFFE, 0xFFFF: true
        default: false
        }
    }

    /// The address as a file has it.
    package static func encoded(_ url: String) -> String {
        guard url.unicodeScalars.contains(where: isControl) else { return url }
        let digits = Array("0123456789ABCDEF".utf8)
        var result = ""
        for scalar in url.unicodeScalars {
            guard isControl(scalar) else {
                result.unicodeScalars.append(scalar)
                continue
            }
            for byte in String(scalar).utf8 {
                result += String(decoding: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]], as: UTF8.self)
            }
        }
        return result
    }
}

/// The text of a link file: UTF-8, UTF-16 behind a mark, or else one character a byte, as old Windows has it.
struct LinkText {
    let utf8: [UInt8]

    init(_ bytes: [UInt8]) {
        utf8 = UnicodeText(bytes)?.utf8 ?? Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8)
    }

    /// The lines, whatever ends them, without the spaces around them.
    var lines: [String] {
        utf8.split { $0 == 0x0A || $0 == 0x0D }.map { LinkText.trimmed($0) }
    }

    static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }

    /// Key and value of a line, without the spaces around the sign between them.
    static func assignment(_ line: String) -> (key: String, value: String)? {
        let bytes = Array(line.utf8)
        guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return (trimmed(bytes[..<sign]), trimmed(bytes[(sign + 1)...]))
    }
}

/// `.webloc`: a property list, XML or binary, with a `URL`.
enum Webloc {
    static func parse(_ bytes: [UInt8]) -> Link? {
        guard let list = try? PropertyList(reading: Bytes(bytes)), let url = list["URL"]?.text else { return nil }
        return Link(url: url)
    }
}
