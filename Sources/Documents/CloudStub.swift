import PropertyLists

/// What iCloud leaves in place of a file or a package that a Mac did not download: a small hidden file, `.Letter.pages.icloud`, with a property list that
/// says what is missing. What is only called so is none.
public struct CloudStub: Hashable, Sendable {
    /// What is missing is called so.
    public let name: [UInt8]
    /// nil where the list does not say it.
    public let byteCount: Int64?
    public let isPackage: Bool

    /// Real ones have a few hundred bytes.
    public static let mostBytes: Int64 = 1 << 16

    public init?(named stubName: [UInt8], _ source: any ByteSource) {
        guard let between = Self.missing(stubName), source.byteCount <= Self.mostBytes, let list = try? PropertyList(reading: source),
            let text = list["NSURLNameKey"]?.text
        else { return nil }
        // The list is the copy's, and may name anything.
        name = ItemName.isPlain(Array(text.utf8)) ? Array(text.utf8) : between
        if case .integer(let count)? = list["NSURLFileSizeKey"], count >= 0 { byteCount = Int64(exactly: count) } else { byteCount = nil }
        isPackage = list["NSURLFileResourceTypeKey"]?.text == "NSURLFileResourceTypeDirectory"
    }

    public static func mayBe(_ name: [UInt8]) -> Bool { missing(name) != nil }

    /// The name between the point and the extension of a stub's. Some systems put “-tef” before the extension.
    static func missing(_ name: [UInt8]) -> [UInt8]? {
        var name = name[...]
        guard name.first == UInt8(ascii: "."), name.hasSuffix(".icloud") else { return nil }
        name = name.dropFirst().dropLast(".icloud".utf8.count)
        if name.hasSuffix("-tef") { name = name.dropLast("-tef".utf8.count) }
        return name.isEmpty ? nil : Array(name)
    }
}

extension ArraySlice<UInt8> {
    fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
