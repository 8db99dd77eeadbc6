/// What a link to a mail program may ask for (RFC 6068): whom to write to, about what, and a text to begin with. Nothing else,
/// because some programs attach any file of the user's that a link names, and whoever sends the mail need not notice.
enum MailLink {
    private static let fields: Set<String> = ["to", "cc", "bcc", "subject", "body", "in-reply-to", "keywords"]

    static func check(_ url: String) throws(DocumentFault) {
        let rest = Array(url.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst())
        let mark = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
        // Some programs take what stands behind it for a field, although no “?” was there.
        guard !rest[..<mark].contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "#") }) else {
            throw .unfit("A “&” or “#” stands in the address that it asks to write to, by which a link can make mail programs attach files of yours.")
        }
        try checkText(try decoded(rest[..<mark]), of: "to")
        for field in rest[mark...].dropFirst().split(separator: UInt8(ascii: "&")) {
            let sign = field.firstIndex(of: UInt8(ascii: "=")) ?? field.endIndex
            let name = ItemName.lowercased(String(decoding: try decoded(field[..<sign]), as: UTF8.self))
            guard fields.contains(name) else {
                throw .unfit("It asks a mail program for “\(name)”, which is not handed on: mail programs may attach files of yours for it. Links to mail may have \(fields.sorted().joined(separator: ", ")).")
            }
            try checkText(try decoded(field[sign...].dropFirst()), of: name)
        }
    }

    /// xdg-email builds a call out of them, in which an apostrophe ends the text and begins what may be an attachment, and reads
    /// backslashes once more. Lines end in no header.
    private static func checkText(_ text: [UInt8], of field: String) throws(DocumentFault) {
        let odd = text.first { byte in
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\\"), 0x7F: true
            case 0x0A, 0x0D, 0x09: field != "body"
            default: byte < 0x20
            }
        }
        guard let odd else { return }
        let what = odd == UInt8(ascii: "'") ? "an apostrophe" : odd == UInt8(ascii: "\\") ? "a backslash" : "a control character"
        throw .unfit("Its “\(field)” holds \(what), by which a link can make mail programs attach files of yours.")
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) throws(DocumentFault) -> [UInt8] {
        var result: [UInt8] = [], rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            // "+1" is a number to Swift.
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { throw .unfit("It is written wrongly: two hexadecimal digits are missing after a “%”.") }
            result.append(value)
            rest = rest.dropFirst(2)
        }
        return result
    }
}
