import PropertyLists

/// What a plain file is where its earlier versions are asked for: a document of one file, under its own name, whose content is all of the file.
///
/// It is in no registry, so no item is ever found to be one, and no file becomes one.
public struct PlainKind: DocumentKind {
    public init() {}

    public let name = "plain"
    public let parts: [DocumentPart]? = nil
    public let contentStart: Int64? = 0
    public let storedNameFollowsShown = true
    public let isMadeFromFiles = false

    public func mayBe(storedName: [UInt8], isFolder: Bool) -> Bool { false }
    public func takes(shownName: [UInt8]) -> Bool { false }

    public func read(_ parts: [(any ByteSource)?], storedName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> DocumentReading {
        guard let file = parts.first ?? nil else { throw .damaged("The file is missing.") }
        // An extension that is no text stays in the name, byte by byte.
        let (stem, fileExtension) = ItemName.parts(storedName) ?? (storedName, "")
        return DocumentReading(name: stem, fileExtension: fileExtension, content: .range(part: 0, offset: 0, length: file.byteCount))
    }

    public func write(
        content: any ByteSource, shownName: [UInt8], over existing: [(any ByteSource)?]?, spelling: Spelling?
    ) throws(DocumentFault) -> [PartWriting] { [.around(head: [], tail: [])] }

    public func rename(
        _ parts: [(any ByteSource)?], storedName: [UInt8], to shownName: [UInt8], options: ShowingOptions
    ) throws(DocumentFault) -> [PartWriting] { [.keep] }

    public func storedName(forShown shownName: [UInt8], at time: UnixMicroseconds, attempt: Int) -> [UInt8] {
        guard attempt > 0 else { return shownName }
        guard let (stem, fileExtension) = ItemName.parts(shownName) else { return shownName + Array(" \(attempt)".utf8) }
        return stem + Array(" \(attempt).\(fileExtension)".utf8)
    }
}
