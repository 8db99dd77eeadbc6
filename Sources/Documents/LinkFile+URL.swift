/// `.url`: the Internet shortcut of Windows, which nearly every desktop opens.
extension LinkFile {
    static func internetShortcut(_ bytes: [UInt8]) throws(LinkFault) -> LinkFile {
        guard let text = SectionedText.utf8(bytes) else { throw LinkFault(reason: "it is not UTF-16 text") }
        guard let entries = SectionedText.entries(in: text, section: "InternetShortcut") else {
            throw LinkFault(reason: "it has no [InternetShortcut] section")
        }
        guard let url = entries["url"] else { throw LinkFault(reason: "it has no URL= line under [InternetShortcut]") }
        return LinkFile(url: try checkedURL(url), title: nil)
    }

    static func canonicalInternetShortcut(url: String) -> [UInt8] {
        Array("[InternetShortcut]\nURL=\(url)\n".utf8)
    }
}
