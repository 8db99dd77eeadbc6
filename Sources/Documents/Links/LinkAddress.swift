extension Link {
    /// What leads to a browser, a mail program and their like. Never `file`, nor what starts a program of the system's:
    /// a link comes from anywhere, and whoever opens one expects a page.
    static let schemes: Set<String> = ["http", "https", "ftp", "ftps", "mailto", "tel", "geo", "irc", "ircs", "xmpp", "news", "webcal"]

    /// The address to open. One without a scheme, as people type them, is that of a site.
    public func address() throws(DocumentFault) -> String {
        guard let scheme else {
            guard let first = url.utf8.first, first != UInt8(ascii: "/"), first != UInt8(ascii: "-"), first != UInt8(ascii: ".") else {
                throw .unfit("“\(url)” is a place in this system and no address of the web.")
            }
            return "https://" + asURI
        }
        let lowercased = ItemName.lowercased(scheme)
        guard Self.schemes.contains(lowercased) else {
            throw .unfit("Addresses that begin with “\(scheme):” are not opened, because they may do anything; those of \(Self.schemes.sorted().joined(separator: ", ")) are.")
        }
        if lowercased == "mailto" { try MailLink.check(url) }
        return asURI
    }

    /// Without what stands in no URI (RFC 3986), and would be several words or a quotation to a program that makes a command of it.
    private var asURI: String {
        let parting = Array(" \"<>`{}|^".utf8)
        guard url.utf8.contains(where: parting.contains) else { return url }
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = url.utf8.flatMap { parting.contains($0) ? [UInt8(ascii: "%"), digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] : [$0] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The site that it leads to, where it says one: behind the scheme, without who and by which port.
    var host: String? {
        var rest = Substring(url)
        if let scheme {
            rest = rest.dropFirst(scheme.count + 1)
            // The others have no sites: mail, telephones, files. A port looks like one of those.
            guard rest.hasPrefix("//") else { return nil }
            rest = rest.dropFirst(2)
        }
        let authority = rest.prefix { !"/?#".contains($0) }
        var host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        if let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...].allSatisfy(\.isNumber) { host = host[..<colon] }
        return host.isEmpty ? nil : String(host)
    }

    /// RFC 3986: a letter, then letters, digits, "+", "-" and ".", before the first colon.
    private var scheme: String? {
        guard let colon = url.firstIndex(of: ":"), let first = url.utf8.first, Self.isLetter(first) else { return nil }
        let scheme = url[..<colon]
        guard scheme.utf8.allSatisfy({ Self.isLetter($0) || "0123456789+-.".utf8.contains($0) }) else { return nil }
        return String(scheme)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
