import CHash

/// The SHA-256 of bytes that come piece by piece.
public struct SHA256: Sendable {
    private var state = CHash_SHA256()

    public init() { unsafe CHash_begin(&state) }

    public mutating func add(_ bytes: Span<UInt8>) {
        // SAFETY: C reads `count` bytes from where they lie, while the span is borrowed.
        unsafe bytes.withUnsafeBufferPointer { unsafe CHash_add(&state, $0.baseAddress, $0.count) }
    }

    public mutating func add(_ bytes: [UInt8]) { add(bytes.span) }

    public consuming func finish() -> Digest {
        var digest = Digest.zero
        // SAFETY: a digest is 32 bytes, which is what C writes.
        unsafe withUnsafeMutableBytes(of: &digest) { bytes in
            if let start = unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress { unsafe CHash_finish(&state, start) }
        }
        return digest
    }

    public static func digest(of bytes: [UInt8]) -> Digest {
        var hash = SHA256()
        hash.add(bytes)
        return hash.finish()
    }

    /// Whether the processor has instructions for it, and they are used. Tests compare with and without.
    package static func useInstructions(_ wanted: Bool) { CHash_use_instructions(wanted ? 1 : 0) }
    package static var hasInstructions: Bool { CHash_has_instructions() != 0 }
}
