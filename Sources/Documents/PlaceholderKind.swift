import PropertyLists

/// What iCloud left of a file or a package that a Mac had not downloaded (`CloudStub.swift`): shown under its true name and size, and nobody here has
/// its content. It is renamed, deleted and found as any document, and nothing can be read of it or saved over it.
public struct PlaceholderKind: DocumentKind {
    public init() {}

    public let name = "placeholder"
    public let parts: [DocumentPart]? = nil
    public let contentStart: Int64? = nil
    public let storedNameFollowsShown = true
    public let isMadeFromFiles = false

    /// What `valise info` and `user.valise.downloading` say.
    public static let remark = "no: it is in iCloud, and was not downloaded where this copy was made"

    public func mayBe(storedName: [UInt8], isFolder: Bool) -> Bool { !isFolder && CloudStub.mayBe(storedName) }
    public func mayBe(storedName: [UInt8], byteCount: Int64) -> Bool { byteCount <= CloudStub.mostBytes }
    /// It may be a file of somebody's own.
    public func isMeant(storedName: [UInt8]) -> Bool { false }
    public func takes(shownName: [UInt8]) -> Bool { false }
    public func keeps(shownName: [UInt8]) -> Bool { ItemName.isPlain(shownName) }

    public func read(_ parts: [(any ByteSource)?], storedName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> DocumentReading {
        guard let file = parts.first ?? nil, let stub = CloudStub(named: storedName, file) else { throw .foreign("It is no stub of iCloud's.") }
        // The name of the file, and not the one in it: that stays when it is renamed here.
        let shown = CloudStub.missing(storedName) ?? stub.name
        let (stem, fileExtension) = ItemName.parts(shown) ?? (shown, "")
        return DocumentReading(
            name: stem, fileExtension: fileExtension, content: .elsewhere(length: stub.byteCount ?? 0),
            facts: [DocumentReading.Fact("downloading", Self.remark)])
    }

    public func write(
        content: any ByteSource, shownName: [UInt8], over existing: [(any ByteSource)?]?, spelling: Spelling?
    ) throws(DocumentFault) -> [PartWriting] { throw .unfit("The document is in iCloud and was not downloaded, so nothing is saved over it here") }

    public func rename(
        _ parts: [(any ByteSource)?], storedName: [UInt8], to shownName: [UInt8], options: ShowingOptions
    ) throws(DocumentFault) -> [PartWriting] { [.keep] }

    public func storedName(forShown shownName: [UInt8], at time: UnixMicroseconds, attempt: Int) -> [UInt8] {
        let (stem, fileExtension) = ItemName.parts(shownName) ?? (shownName, ""), number = attempt > 0 ? " \(attempt)" : ""
        return Array(".".utf8) + stem + Array("\(number)\(fileExtension.isEmpty ? "" : ".")\(fileExtension).icloud".utf8)
    }
}
