/// The entities that XML and HTML share: five names, and characters by number. No others exist here.
public enum MarkupEntity {
    private static let names: [(name: [UInt8], scalar: Unicode.Scalar)] = [
        (Array("amp;".utf8), "&"), (Array("lt;".utf8), "<"), (Array("gt;".utf8), ">"), (Array("quot;".utf8), "\""), (Array("apos;".utf8), "'"),
    ]

    /// The character for the entity that begins with the "&" at `position`, which moves behind it.
    public static func scalar(in bytes: [UInt8], at position: inout Int) -> Unicode.Scalar? {
        let rest = bytes.dropFirst(position + 1)
        for entry in names where rest.starts(with: entry.name) {
            position += 1 + entry.name.count
            return entry.scalar
        }
        guard rest.first == UInt8(ascii: "#"), let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let digits = String(decoding: rest[(position + 2)..<end], as: UTF8.self)
        let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
        guard let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits),
              let scalar = Unicode.Scalar(value) else { return nil }
        position = end + 1
        return scalar
    }

    /// Text between tags or quotation marks. Control characters, which XML cannot hold, become U+FFFD.
    public static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case "\r": result += "&#13;"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// Addresses that a page names without a link to them.
public enum ProgramAddress {
    /// The attribute that has one in the place of “href”: no browser follows it.
    public static let attribute = "DATA-ADDRESS"

    /// Whether a browser that follows it would carry out what it says, in a page of the own disk's. Browsers pass over signs before an address,
    /// and over the ends of lines in it.
    public static func isOne(_ url: String) -> Bool {
        let signs = url.utf8.drop { $0 <= 0x20 }.filter { ![0x09, 0x0A, 0x0D].contains($0) }
        guard let colon = signs.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = signs[..<colon].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return ["javascript", "data", "vbscript", "blob", "view-source"].contains { $0.utf8.elementsEqual(scheme) }
    }
}
