import PropertyLists

/// A text of the editor: `<title>.stedoc`, UTF-8, shown as `<title>.txt`.
public struct TextKind: DocumentKind {
    public let name = "text"
    public let partNames: [String]? = nil
    public let room: Int64? = 0
    public let storedNameFollowsShown = true

    private static let storedExtension = "stedoc", shownExtension = "txt"

    public init() {}

    public func mayBe(storedName: [UInt8], isFolder: Bool) -> Bool {
        !isFolder && FileName.hasExtension(storedName, Self.storedExtension)
    }

    /// Whatever its bytes are, they are shown: an old text in another encoding is a text all the same.
    public func read(_ parts: [(any ByteSource)?], storedName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> DocumentReading {
        guard let text = parts.first ?? nil else { throw .damaged("its file is missing") }
        return DocumentReading(
            name: FileName.split(storedName).stem, fileExtension: Self.shownExtension,
            content: .range(part: 0, offset: 0, length: text.byteCount))
    }

    public func claims(shownName: [UInt8]) -> Bool { FileName.hasExtension(shownName, Self.shownExtension) }

    public func write(
        content: any ByteSource, shownName: [UInt8], over existing: [(any ByteSource)?]?, spelling: Spelling?
    ) throws(DocumentFault) -> [PartWriting] {
        guard try UTF8Check.isValid(content) else { throw .unfit("it is no UTF-8 text, which is what the app reads") }
        return [.around(head: [], tail: [])]
    }

    public func rename(
        _ parts: [(any ByteSource)?], storedName: [UInt8], to shownName: [UInt8], options: ShowingOptions
    ) throws(DocumentFault) -> [PartWriting] { [.keep] }

    public func storedName(forShown shownName: [UInt8], at time: UnixMicroseconds, attempt: Int) -> [UInt8] {
        FileName.stored(FileName.split(shownName).stem, number: attempt, suffix: "." + Self.storedExtension)
    }
}

/// Whether bytes are UTF-8, found out a piece at a time.
enum UTF8Check {
    private static let pieceSize = 64 * 1024

    static func isValid(_ source: any ByteSource) throws(DocumentFault) -> Bool {
        var rest: [UInt8] = []
        var offset: Int64 = 0
        while offset < source.byteCount {
            let count = Int(min(Int64(pieceSize), source.byteCount - offset))
            let piece: [UInt8]
            do throws(SourceFailure) { piece = rest + (try source.bytes(at: offset, count: count)) } catch { throw DocumentFault(error) }
            offset += Int64(count)
            let end = offset < source.byteCount ? lastBoundary(piece) : piece.count
            guard String(validating: piece[..<end], as: UTF8.self) != nil else { return false }
            rest = Array(piece[end...])
        }
        return true
    }

    /// Where the last character begins that may go on in the next piece.
    private static func lastBoundary(_ bytes: [UInt8]) -> Int {
        var end = bytes.count
        while end > 0, bytes.count - end < 3, bytes[end - 1] & 0xC0 == 0x80 { end -= 1 }
        return end > 0 && bytes[end - 1] >= 0xC0 ? end - 1 : bytes.count
    }
}
