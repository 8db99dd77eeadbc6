import PropertyLists

/// `.webloc`: a property list, XML or binary, with a `URL`.
enum Webloc {
    static func parse(_ bytes: [UInt8]) -> Link? {
        guard let list = try? PropertyList(reading: Bytes(bytes)), let url = list["URL"]?.text else { return nil }
        return Link(url: url)
    }
}
