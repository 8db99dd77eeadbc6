/// `.url`: the Internet shortcut of Windows.
enum InternetShortcut {
    /// The first `URL` of its section. Names of sections and keys are in any case there.
    static func parse(_ text: LinkText) -> Link? {
        var isInside = false
        for line in text.lines {
            if line.hasPrefix("[") {
                isInside = ItemName.lowercased(line) == "[internetshortcut]"
            } else if isInside, let (key, value) = LinkText.assignment(line), ItemName.lowercased(key) == "url" {
                return Link(url: value)
            }
        }
        return nil
    }
}

/// `.desktop`: the entry of freedesktop.org, when it is a link and not a program.
enum DesktopEntry {
    static func parse(_ text: LinkText) -> Link? {
        var isInside = false
        var members: [String: String] = [:]
        for line in text.lines where !line.hasPrefix("#") {
            if line.hasPrefix("[") {
                // The first group it is, and the only one that says what the entry is.
                if isInside { break }
                guard line == "[Desktop Entry]" else { return nil }
                isInside = true
            } else if isInside, let (key, value) = LinkText.assignment(line), members[key] == nil {
                members[key] = unescaped(value)
            }
        }
        guard members["Type"] == "Link", let url = members["URL"] else { return nil }
        return Link(url: url, name: members["Name"])
    }

    static func canonical(name: String, url: String) -> String {
        "[Desktop Entry]\nType=Link\nName=\(escaped(name))\nURL=\(escaped(url))\n"
    }

    /// A space at the beginning would be lost, and other characters would end the line.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for (position, scalar) in text.unicodeScalars.enumerated() {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case " " where position == 0 || position == text.unicodeScalars.count - 1: result += "\\s"
            case "\u{0}"..."\u{1F}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func unescaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isEscape = false
        for scalar in text.unicodeScalars {
            if isEscape {
                isEscape = false
                switch scalar {
                case "s": result.append(" ")
                case "n": result.append("\n")
                case "t": result.append("\t")
                case "r": result.append("\r")
                case "\\": result.append("\\")
                default: result.append(contentsOf: ["\\", scalar])
                }
            } else if scalar == "\\" {
                isEscape = true
            } else {
                result.append(scalar)
            }
        }
        if isEscape { result.append("\\") }
        return String(result)
    }
}
