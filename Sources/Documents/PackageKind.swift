import PropertyLists

/// A kind of which nothing is to be known but what its packages are made of: the content is one of their files, as it is.
///
/// None is shipped. It is for kinds that are nothing but data.
public struct PackageKind: DocumentKind {
    public let name: String
    /// That of the packages.
    public let itemExtension: String
    /// The content first.
    public let parts: [DocumentPart]?
    /// What stands in the other files of a new document, by their names.
    public let beginnings: [String: [UInt8]]
    public let typeIdentifier: String
    public let isText: Bool

    public let contentStart: Int64? = 0
    public let storedNameFollowsShown = true
    public var contentType: (identifier: String, itemExtension: String) { (typeIdentifier, itemExtension) }

    public init(name: String, itemExtension: String, parts: [DocumentPart], beginnings: [String: [UInt8]] = [:], typeIdentifier: String, isText: Bool) {
        (self.name, self.itemExtension, self.parts, self.beginnings) = (name, itemExtension, parts, beginnings)
        (self.typeIdentifier, self.isText) = (typeIdentifier, isText)
    }

    public func mayBe(storedName: [UInt8], isFolder: Bool) -> Bool { isFolder && ItemName.stem(storedName, before: itemExtension) != nil }

    public func read(_ parts: [(any ByteSource)?], storedName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> DocumentReading {
        try read(parts, called: [], storedName: storedName, options: options)
    }

    public func read(
        _ parts: [(any ByteSource)?], called names: [[UInt8]], storedName: [UInt8], options: ShowingOptions
    ) throws(DocumentFault) -> DocumentReading {
        guard let stem = ItemName.stem(storedName, before: itemExtension) else { throw .foreign("It is not named as a \(name) is.") }
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
    private var extensions: [String] {
        switch parts?.first {
        case .files(_, let extensions)?: extensions
        case .file(let name)?: ItemName.parts(Array(name.utf8)).map { [$0.fileExtension] } ?? []
        case .folder?, nil: []
        }
    }

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
