/// `.desktop`: a desktop entry of type Link, as freedesktop.org describes it.
extension LinkFile {
    static func desktopEntry(_ bytes: [UInt8]) throws(LinkFault) -> LinkFile {
        guard let text = SectionedText.utf8(bytes) else { throw LinkFault(reason: "it is not UTF-16 text") }
        guard let entries = SectionedText.entries(in: text, section: "Desktop Entry") else {
            throw LinkFault(reason: "it has no [Desktop Entry] section")
        }
        guard let type = entries["type"], String(decoding: type, as: UTF8.self).lowercased() == "link" else {
            throw LinkFault(reason: "it has no Type=Link line under [Desktop Entry]")
        }
        guard let url = entries["url"] else { throw LinkFault(reason: "it has no URL= line under [Desktop Entry]") }
        let name = entries["name"].flatMap { String(validating: unescaped($0), as: UTF8.self) }
        return LinkFile(url: try checkedURL(unescaped(url)), title: name == "" ? nil : name)
    }

    static func canonicalDesktopEntry(name: String, url: String) -> [UInt8] {
        Array("[Desktop Entry]\nType=Link\nName=\(escaped(name))\nURL=\(escaped(url))\n".utf8)
    }

    /// A reader trims spaces, so the outermost ones are written as escapes. There are no others to
    /// write: what comes here is one line.
    private static func escaped(_ text: String) -> String {
        var scalars = text.unicodeScalars[...]
        var head = "", tail = ""
        if scalars.first == " " {
            scalars.removeFirst()
            head = "\\s"
        }
        if scalars.last == " " {
            scalars.removeLast()
            tail = "\\s"
        }
        var body = ""
        for scalar in scalars {
            if scalar == "\\" { body += "\\\\" } else { body.unicodeScalars.append(scalar) }
        }
        return head + body + tail
    }

    /// An escape that means nothing stays as it is: a path of Windows is not worth a refusal.
    private static func unescaped(_ value: ArraySlice<UInt8>) -> [UInt8] {
        let backslash = UInt8(ascii: "\\")
        var result: [UInt8] = []
        result.reserveCapacity(value.count)
        var bytes = value.makeIterator()
        while let byte = bytes.next() {
            guard byte == backslash, let letter = bytes.next() else {
                result.append(byte)
                continue
            }
            switch letter {
            case UInt8(ascii: "s"): result.append(0x20)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "r"): result.append(0x0D)
            case backslash: result.append(backslash)
            default: result += [backslash, letter]
            }
        }
        return result
    }
}
