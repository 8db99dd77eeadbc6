import PropertyLists

/// What a folder that is one item is among the deleted, and where its earlier versions are asked for: all that is in it as one flat file.
///
/// As `PlainKind` it is in no registry: on a drive such a folder is the folder that it is.
public struct FolderItemKind: DocumentKind {
    public init() {}

    public let name = "folder"
    public let parts: [DocumentPart]? = nil
    public let contentStart: Int64? = nil
    public let storedNameFollowsShown = true
    public let isMadeFromFiles = false
    public var flat: FlatForm? { FlatForm(kind: name, itemExtension: "", required: []) }

    public func mayBe(storedName: [UInt8], isFolder: Bool) -> Bool { false }
    public func takes(shownName: [UInt8]) -> Bool { false }

    public func read(_ parts: [(any ByteSource)?], storedName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> DocumentReading {
        guard let file = parts.first ?? nil else { throw .damaged("The folder is missing.") }
        let (stem, fileExtension) = ItemName.parts(storedName) ?? (storedName, "")
        return DocumentReading(name: stem, fileExtension: fileExtension, content: .flat(length: file.byteCount))
    }

    /// No part is written by itself: the whole folder comes out of the ZIP of a version.
    public func write(
        content: any ByteSource, shownName: [UInt8], over existing: [(any ByteSource)?]?, spelling: Spelling?
    ) throws(DocumentFault) -> [PartWriting] {
        _ = try flat?.package(in: content)
        return []
    }

    public func rename(
        _ parts: [(any ByteSource)?], storedName: [UInt8], to shownName: [UInt8], options: ShowingOptions
    ) throws(DocumentFault) -> [PartWriting] { [] }

    public func storedName(forShown shownName: [UInt8], at time: UnixMicroseconds, attempt: Int) -> [UInt8] {
        PlainKind().storedName(forShown: shownName, at: time, attempt: attempt)
    }
}
