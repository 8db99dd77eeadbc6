import Documents
import LinuxFiles
import PropertyLists

/// What a drive shows of a document, wherever it lies: in its place, in a draft, or in staging.
struct ShownContent {
    private enum Lies {
        case bytes([UInt8])
        case file(OpenFile, offset: Int64)
        case flat(FlatPackage)
    }

    private let lies: Lies
    private let length: Int64

    init(of draft: Draft) throws(Errno) { (lies, length) = (.file(draft.file, offset: draft.contentStart), try draft.length()) }

    init(_ flat: FlatPackage) { (lies, length) = (.flat(flat), flat.byteCount) }

    /// `files` are a document's parts. Nil where it has none, or is shown as one flat file.
    init?(_ reading: DocumentReading, _ files: [OpenFile?]) {
        switch reading.content {
        case .bytes(let bytes): lies = .bytes(bytes)
        case .range(let part, let offset, _):
            guard files.indices.contains(part), let file = files[part] else { return nil }
            lies = .file(file, offset: offset)
        case .flat, .elsewhere: return nil
        }
        length = reading.length
    }

    func isSame(as other: ShownContent) throws(Errno) -> Bool {
        guard length == other.length else { return false }
        switch (lies, other.lies) {
        case (.flat, _), (_, .flat): return try source.hasSameBytes(as: other.source)
        case (.bytes(let one), .bytes(let two)): return one == two
        case (.bytes(let bytes), .file(let file, let offset)), (.file(let file, let offset), .bytes(let bytes)):
            return try file.descriptor.read(at: offset, count: bytes.count) == bytes
        case (.file(let one, let offset), .file(let two, let otherOffset)):
            return try one.descriptor.hasSameBytes(at: offset, as: two.descriptor, at: otherOffset, count: length)
        }
    }

    private var source: any ByteSource {
        switch lies {
        case .bytes(let bytes): Bytes(bytes)
        case .file(let file, let offset): RangeSource(FileSource(file, byteCount: offset + length), from: offset, count: length)
        case .flat(let flat): flat
        }
    }
}
