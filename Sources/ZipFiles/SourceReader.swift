import PropertyLists

/// The bytes of a range of a source, one after the other, read a window at a time.
struct SourceReader: Sendable {
    private let source: any ByteSource
    /// Of the next byte.
    private(set) var offset: Int64
    private let end: Int64
    private let window: Int
    private var buffer: [UInt8] = []
    private var position = 0

    init(_ source: any ByteSource, from start: Int64, to end: Int64, window: Int) {
        (self.source, offset, self.end, self.window) = (source, start, end, window)
    }

    /// How many are left.
    var count: Int64 { end - offset }

    mutating func bytes(_ count: Int) throws(ZipFault) -> [UInt8] {
        if buffer.count - position < count {
            guard Int64(count) <= self.count else { throw .damaged("A record reaches past the end of its part of the ZIP.") }
            try fill(atLeast: count)
        }
        defer {
            position += count
            offset += Int64(count)
        }
        return Array(buffer[position..<(position + count)])
    }

    /// At least one byte and at most so many; none where there are no more.
    mutating func some(_ most: Int) throws(ZipFault) -> ArraySlice<UInt8> {
        if position == buffer.count, count > 0 { try fill(atLeast: 1) }
        let taken = buffer[position..<min(buffer.count, position + most)]
        position += taken.count
        offset += Int64(taken.count)
        return taken
    }

    private mutating func fill(atLeast count: Int) throws(ZipFault) {
        do throws(SourceFailure) { buffer = try source.bytes(at: offset, count: Int(min(Int64(max(window, count)), self.count))) } catch {
            throw .unreadable(error)
        }
        position = 0
    }
}
