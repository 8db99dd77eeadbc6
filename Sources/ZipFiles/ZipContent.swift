import PropertyLists

/// The bytes of one entry, a chunk at a time. Memory does not grow with them.
public struct ZipContent: Sendable {
    public static let longestChunk = 1 << 16

    private let name: [UInt8]
    private let length: Int64
    private let wanted: UInt32
    private var input: SourceReader
    private var inflater: Inflater?
    private var given: Int64 = 0
    private var sum = CRC32()

    init(_ source: any ByteSource, _ content: ZipReader.Content) {
        (name, length, wanted) = (content.name, content.length, content.sum)
        let window = max(1, Int(min(Int64(Self.longestChunk), content.packed)))
        input = SourceReader(source, from: content.start, to: content.start + content.packed, window: window)
        if content.isDeflated { inflater = Inflater(length: content.length) }
    }

    /// The next bytes: at least one, and at most `longestChunk`. Nil at the end, and then length and checksum were right. After a fault there is
    /// nothing more to be had.
    public mutating func next() throws(ZipFault) -> [UInt8]? {
        let chunk: [UInt8]?
        if inflater != nil {
            do throws(Inflater.Fault) { chunk = try inflater?.next(from: &input) } catch {
                switch error {
                case .broken(let reason): throw .damaged("\(ZipFault.shown(name)) cannot be unpacked: \(reason).")
                case .input(let fault): throw fault
                }
            }
        } else {
            let bytes = try input.some(Self.longestChunk)
            chunk = bytes.isEmpty ? nil : Array(bytes)
        }
        guard let chunk else {
            guard given == length else { throw .damaged("\(ZipFault.shown(name)) has \(given) bytes. The ZIP says \(length).") }
            guard sum.value == wanted else { throw .damaged("\(ZipFault.shown(name)) does not have the checksum that the ZIP says.") }
            return nil
        }
        given += Int64(chunk.count)
        sum.add(chunk)
        return chunk
    }
}
