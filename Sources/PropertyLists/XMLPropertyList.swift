/// Property lists written as XML, as far as link files need them: the strings of the top
/// dictionary in, a dictionary of strings out.
public enum XMLPropertyList {
    /// Deeper nesting than any honest list has; the names of open elements are all that is kept.
    static let deepest = 512

    /// The string entries of the top dictionary, or nil when the bytes are no XML property list
    /// with a dictionary on top. The last of equal keys counts.
    public static func strings(in bytes: [UInt8], limit: Int = 1 << 20) -> [String: String]? {
        guard bytes.count <= limit else { return nil }
        do throws(XMLFault) { return try dictionary(in: XMLTokens(bytes)) } catch { return nil }
    }

    private static func dictionary(in document: XMLTokens) throws(XMLFault) -> [String: String] {
        var tokens = document
        var result: [String: String] = [:]
        var open: [String] = []
        var key: String?
        var gathered = ""
        var hasDictionary = false
        var isDone = false

        while let token = try tokens.next() {
            switch token {
            case .text(let text):
                // A string's text can come in pieces, around comments.
                if open.count == 3, open.last == "key" || open.last == "string" { gathered += text }
                else if open.count <= 2 { try mustBeBlank(text) }
            case .open(let name, let isEmpty):
                guard !isDone, open.count < deepest else { throw XMLFault() }
                switch open.count {
                case 0: guard name == "plist", !isEmpty else { throw XMLFault() }
                case 1:
                    guard name == "dict", !hasDictionary else { throw XMLFault() }
                    hasDictionary = true
                case 2: guard (name == "key") == (key == nil) else { throw XMLFault() }
                case 3: guard open.last != "key", open.last != "string" else { throw XMLFault() }
                default: break
                }
                if open.count == 2 { gathered = "" }
                open.append(name)
                if isEmpty { try close(name) }
            case .close(let name):
                try close(name)
            }
        }
        guard isDone, hasDictionary else { throw XMLFault() }
        return result

        func close(_ name: String) throws(XMLFault) {
            guard open.popLast() == name else { throw XMLFault() }
            switch open.count {
            case 0: isDone = true
            case 1: guard key == nil else { throw XMLFault() }
            case 2:
                if name == "key" {
                    key = gathered
                } else {
                    if name == "string", let key { result[key] = gathered }
                    key = nil
                }
            default: break
            }
        }
    }

    private static func mustBeBlank(_ text: String) throws(XMLFault) {
        guard text.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) else { throw XMLFault() }
    }

    /// The entries as Apple writes them: its document type, tabs, and the order that was given.
    public static func dictionary(_ entries: [(key: String, value: String)]) -> [UInt8] {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        if entries.isEmpty {
            text += "<dict/>\n"
        } else {
            text += "<dict>\n"
            for (key, value) in entries { text += "\t<key>\(escaped(key))</key>\n\t<string>\(escaped(value))</string>\n" }
            text += "</dict>\n"
        }
        return Array((text + "</plist>\n").utf8)
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            // Readers turn a bare one into a newline.
            case "\r": result += "&#13;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            // XML has no way to write these.
            case "\u{0}"..<" ": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
