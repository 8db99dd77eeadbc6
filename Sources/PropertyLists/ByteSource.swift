/// Where bytes are read from: an array, a file, or a range of either.
///
/// The pure layers read through this, a few bytes at a time, and never learn what lies behind it.
public protocol ByteSource: Sendable {
    var byteCount: Int64 { get }

    /// Fills the whole buffer with the bytes from `offset` on, or throws.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceFailure)
}

/// A source could not give the bytes: they ended early (the file became shorter), or reading failed.
public struct SourceFailure: Error, Hashable, Sendable {
    /// The kernel's error number, or nil where the bytes just end.
    public let errno: Int32?

    public init(errno: Int32?) { self.errno = errno }

    public static let ended = SourceFailure(errno: nil)
}

/// Bytes in memory.
public struct Bytes: ByteSource {
    public let bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    public var byteCount: Int64 { Int64(bytes.count) }

    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceFailure) {
        guard offset >= 0, let start = Int(exactly: offset), start <= bytes.count, bytes.count - start >= buffer.count else {
            throw .ended
        }
        // SAFETY: the guard has shown that `buffer.count` bytes lie behind `start`.
        unsafe bytes.withUnsafeBytes { unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<(start + buffer.count)])) }
    }
}

extension ByteSource {
    /// The bytes of a range that the caller knows to be small.
    public func bytes(at offset: Int64, count: Int) throws(SourceFailure) -> [UInt8] {
        guard offset >= 0, count >= 0, offset <= byteCount, Int64(count) <= byteCount - offset else { throw .ended }
        var failure: SourceFailure?
        // SAFETY: the array is given exactly the count that was filled.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(SourceFailure) {
                try unsafe read(into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[0..<count])), at: offset)
                filled = count
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }
}

/// Where in a source some bytes lie.
public struct ByteRange: Hashable, Sendable {
    public let offset: Int64
    public let length: Int64

    public init(offset: Int64, length: Int64) {
        self.offset = offset
        self.length = length
    }
}
