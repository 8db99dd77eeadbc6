/// A package as one ZIP with stored entries, which is never built: any range of it is known from the entries, and the bytes of files
/// stay where they are. docs/FORMATS.md has it byte by byte. The same entries are always the same ZIP.
public struct ZipLayout: Sendable {
    public let tree: PackageTree
    public let byteCount: Int64
    /// Where each entry begins, and where the directory does.
    private let starts: [Int64]
    /// Where each entry's record in the directory begins, and where the end does.
    private let records: [Int64]

    public enum Piece: Hashable, Sendable {
        case bytes([UInt8])
        /// A range of the file that is this entry of the tree.
        case content(entry: Int, offset: Int64, length: Int64)
    }

    /// No bytes of files are needed: lengths alone say where everything is.
    public init(_ tree: PackageTree) throws(ZipFault) {
        var starts: [Int64] = [], records: [Int64] = [], offset: Int64 = 0
        starts.reserveCapacity(tree.entries.count + 1)
        records.reserveCapacity(tree.entries.count + 1)
        for entry in tree.entries {
            starts.append(offset)
            offset += Int64(ZipHeader.localLength(of: entry)) + entry.length
            if offset > 1 << 60 { throw .excessive("The files together are longer than a file can be.") }
        }
        starts.append(offset)
        for (entry, start) in zip(tree.entries, starts) {
            records.append(offset)
            offset += Int64(ZipHeader.centralLength(of: entry, at: start))
        }
        records.append(offset)
        (self.tree, self.starts, self.records) = (tree, starts, records)
        byteCount = offset + Int64(ZipHeader.end(count: tree.entries.count, from: starts[starts.count - 1], to: offset).count)
    }

    /// The pieces of a range, as far as there is one. The checksum of a file's content (`CRC32`) is asked for where the range touches one
    /// of its two headers; the caller keeps it, because that is one pass over the file.
    public func pieces<Fault: Error>(of range: Range<Int64>, checksum: (_ entry: Int) throws(Fault) -> UInt32) throws(Fault) -> [Piece] {
        var pieces = PieceList(range: max(0, range.lowerBound)..<max(0, min(byteCount, range.upperBound)))
        if pieces.range.isEmpty { return [] }
        let count = tree.entries.count
        func sum(_ index: Int) throws(Fault) -> UInt32 {
            switch tree.entries[index].kind {
            case .file(length: 0), .folder: 0
            case .file: try checksum(index)
            case .link(let target): CRC32.value(of: target)
            }
        }
        var index = Self.last(of: starts, notAfter: pieces.range.lowerBound)
        while index < count, starts[index] < pieces.range.upperBound {
            let entry = tree.entries[index], content = starts[index + 1] - entry.length
            if content > pieces.range.lowerBound { pieces.add(ZipHeader.local(of: entry, sum: try sum(index)), at: starts[index]) }
            if case .link(let target) = entry.kind {
                pieces.add(target, at: content)
            } else {
                pieces.add(contentOf: index, entry.length, at: content)
            }
            index += 1
        }
        index = Self.last(of: records, notAfter: max(records[0], pieces.range.lowerBound))
        while index < count, records[index] < pieces.range.upperBound {
            pieces.add(ZipHeader.central(of: tree.entries[index], at: starts[index], sum: try sum(index)), at: records[index])
            index += 1
        }
        if pieces.range.upperBound > records[count] {
            pieces.add(ZipHeader.end(count: count, from: starts[count], to: records[count]), at: records[count])
        }
        return pieces.finish()
    }

    /// The index of the last that is not after `offset`. The first is 0.
    private static func last(of sorted: [Int64], notAfter offset: Int64) -> Int {
        var low = 0, high = sorted.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if sorted[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// The pieces of one range, one after the other; bytes that follow each other are one piece.
    private struct PieceList {
        let range: Range<Int64>
        private var pieces: [Piece] = []
        private var bytes: [UInt8] = []

        init(range: Range<Int64>) { self.range = range }

        /// What of these bytes is in the range.
        mutating func add(_ more: [UInt8], at offset: Int64) {
            let part = range.clamped(to: offset..<(offset + Int64(more.count)))
            if !part.isEmpty { bytes += more[Int(part.lowerBound - offset)..<Int(part.upperBound - offset)] }
        }

        mutating func add(contentOf entry: Int, _ length: Int64, at offset: Int64) {
            let part = range.clamped(to: offset..<(offset + length))
            if part.isEmpty { return }
            finishBytes()
            pieces.append(.content(entry: entry, offset: part.lowerBound - offset, length: part.upperBound - part.lowerBound))
        }

        mutating func finish() -> [Piece] {
            finishBytes()
            return pieces
        }

        private mutating func finishBytes() {
            if !bytes.isEmpty { pieces.append(.bytes(bytes)) }
            bytes = []
        }
    }
}
