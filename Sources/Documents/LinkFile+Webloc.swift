import PropertyLists

/// `.webloc`: the link file of macOS, a property list with a URL in it.
extension LinkFile {
    static func webloc(_ bytes: [UInt8]) throws(LinkFault) -> LinkFile {
        guard let url = weblocURL(bytes) else { throw LinkFault(reason: "it is no property list with a URL string") }
        return LinkFile(url: try checkedURL(url), title: nil)
    }

    /// The URL string in the top dictionary, whatever the property list is written in.
    static func weblocURL(_ bytes: [UInt8]) -> String? {
        XMLPropertyList.strings(in: bytes, limit: longest)?["URL"]
    }

    static func canonicalWebloc(url: String) -> [UInt8] {
        XMLPropertyList.dictionary([("URL", url)])
    }
}
