import LinuxFiles
import PropertyLists

/// The bytes of an open file, as the pure layers read them.
public struct FileSource: ByteSource {
    public let file: OpenFile
    public let byteCount: Int64

    public init(_ file: OpenFile, byteCount: Int64) {
        self.file = file
        self.byteCount = byteCount
    }

    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceFailure) {
        guard offset >= 0 else { throw .ended }
        let count: Int
        do throws(Errno) { count = try unsafe file.descriptor.read(into: buffer, at: offset) }
        catch { throw SourceFailure(errno: error.rawValue) }
        guard count == buffer.count else { throw .ended }
    }
}

/// A range of another source, as if it were all there is.
public struct RangeSource: ByteSource {
    public let base: any ByteSource
    public let start: Int64
    public let byteCount: Int64

    public init(_ base: any ByteSource, from start: Int64, count: Int64) {
        self.base = base
        self.start = start
        byteCount = count
    }

    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceFailure) {
        guard offset >= 0, Int64(buffer.count) <= byteCount, offset <= byteCount - Int64(buffer.count) else { throw .ended }
        try unsafe base.read(into: buffer, at: start + offset)
    }
}
