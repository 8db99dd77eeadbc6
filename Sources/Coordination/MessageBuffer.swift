/// What came over a connection and was not understood yet.
struct MessageBuffer {
    private var bytes: [UInt8] = []
    private var start = 0

    mutating func add(_ more: ArraySlice<UInt8>) {
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            start = 0
        }
        bytes += more
    }

    enum Next {
        case message(ArraySlice<UInt8>)
        case incomplete
        /// Longer than any message is.
        case nonsense
    }

    mutating func next() -> Next {
        guard bytes.count - start >= 4 else { return .incomplete }
        var length = 0
        for index in 0..<4 { length |= Int(bytes[start + index]) << (8 * index) }
        guard (1...CoordinationProtocol.longest).contains(length) else { return .nonsense }
        guard bytes.count - start >= 4 + length else {
            // What was understood is let go of, so that no more than one message is kept.
            bytes.removeFirst(start)
            start = 0
            return .incomplete
        }
        defer { start += 4 + length }
        return .message(bytes[(start + 4)..<(start + 4 + length)])
    }
}
