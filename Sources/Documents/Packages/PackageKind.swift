import PropertyLists

/// A kind of which nothing is to be known but what its packages are made of: the content is one of their files, as it is.
///
/// It is for kinds that are nothing but data: those that are shipped (`ShippedPackages.swift`), and those that are
/// written down (`KindsFile.swift`).
public struct PackageKind: DocumentKind {
    public let name: String
    /// That of the packages.
    public let itemExtension: String
    /// The content first.
    public let parts: [DocumentPart]?
    /// What stands in the other files of a new document, by their names.
    public let beginnings: [String: [UInt8]]
    /// A folder of such a name is a package of this kind only where one of these is in it.
    public let required: [DocumentPart]
    public let typeIdentifier: String
    public let isText: Bool
    public let isMadeFromFiles: Bool

    /// That of a package of which nothing else is known.
    public static let packageType = "com.apple.package"

    public var section: String? {
        guard beginnings.isEmpty, !isMadeFromFiles else { return nil }
        func list(_ parts: [DocumentPart]) -> String { parts.map(\.written).joined(separator: ", ") }
        return """
            [\(name)]
            extension = \(itemExtension)
            parts = \(list(parts ?? []))
            required = \(list(required))
            type = \(typeIdentifier)

            """
    }

    public var folderExtension: String? { itemExtension }
    public let contentStart: Int64? = 0
    public let storedNameFollowsShown = true
    public var contentType: (identifier: String, itemExtension: String) { (typeIdentifier, itemExtension) }

    public init(
        name: String, itemExtension: String, parts: [DocumentPart], required: [DocumentPart]? = nil, beginnings: [String: [UInt8]] = [:],
        typeIdentifier: String, isText: Bool, isMadeFromFiles: Bool = true
    ) {
        (self.name, self.itemExtension, self.parts, self.beginnings) = (name, itemExtension, parts, beginnings)
        self.required = required ?? Array(parts.prefix(1))
        (self.typeIdentifier, self.isText, self.isMadeFromFiles) = (typeIdentifier, isText, isMadeFromFiles)
    }

    public func mayBe(storedName: [UInt8], isFolder: Bool) -> Bool { isFolder && ItemName.stem(storedName, before: itemExtension) != nil }

    /// A folder of a person's own may be called so.
    public func isMeant(storedName: [UInt8]) -> Bool { false }

    public func read(_ parts: [(any ByteSource)?], storedName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> DocumentReading {
        try read(parts, called: [], storedName: storedName, options: options)
    }

    public func read(
        _ parts: [(any ByteSource)?], called names: [[UInt8]], storedName: [UInt8], options: ShowingOptions
    ) throws(DocumentFault) -> DocumentReading {
        guard let stem = ItemName.stem(storedName, before: itemExtension) else { throw .foreign("It is not named as a \(name) is.") }
        guard zip(written, parts).contains(where: { part, file in file != nil && required.contains(part) }) else {
            throw .foreign("None of the files is in it that each \(name) has.")
        }
        let called = names.first ?? Array((self.parts?.first?.newName() ?? "").utf8)
        guard let content = parts.first ?? nil else { throw .damaged("Its \(String(decoding: called, as: UTF8.self)) is missing.") }
        return DocumentReading(
            name: stem, fileExtension: ItemName.parts(called)?.fileExtension ?? "", content: .range(part: 0, offset: 0, length: content.byteCount))
    }

    public func takes(shownName: [UInt8]) -> Bool {
        guard ItemName.isPlain(shownName), let shown = ItemName.parts(shownName) else { return false }
        return extensions.contains(ItemName.lowercased(shown.fileExtension))
    }

    /// What documents are shown with.
    private var extensions: [String] { parts?.first?.extensions ?? [] }

    public func write(
        content: any ByteSource, shownName: [UInt8], over existing: [(any ByteSource)?]?, spelling: Spelling?
    ) throws(DocumentFault) -> [PartWriting] {
        if isText, let reason = try TextKind.encodingFault(of: content) { throw .unfit(reason) }
        return [.around(head: [], tail: [])] + written.enumerated().dropFirst().map { index, part in
            let isThere = existing.flatMap { $0.indices.contains(index) ? $0[index] : nil } != nil
            return isThere ? .keep : beginnings[part.newName()].map { .bytes($0) } ?? .keep
        }
    }

    public func rename(_ parts: [(any ByteSource)?], storedName: [UInt8], to shownName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> [PartWriting] {
        written.map { _ in .keep }
    }

    public func storedName(forShown shownName: [UInt8], at time: UnixMicroseconds, attempt: Int) -> [UInt8] {
        ItemName.numbered(ItemName.parts(shownName)?.stem ?? shownName, itemExtension, attempt: attempt)
    }

    public func tells(shownName: [UInt8], storedName: [UInt8]) -> Bool {
        guard let shown = ItemName.parts(shownName) else { return false }
        return ItemName.stem(storedName, before: itemExtension) == shown.stem && extensions.contains(shown.fileExtension)
    }
}
