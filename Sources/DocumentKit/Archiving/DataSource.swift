import Foundation
import PropertyLists

/// The bytes of `Data`, as the pure layers read them.
struct DataSource: ByteSource {
    let data: Data

    init(_ data: Data) { self.data = data }

    var byteCount: Int64 { Int64(data.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceFailure) {
        guard offset >= 0, let start = Int(exactly: offset), start <= data.count, data.count - start >= buffer.count else { throw .ended }
        // SAFETY: the guard has shown that so many bytes lie behind `start`.
        unsafe data.withUnsafeBytes { bytes in
            if buffer.count > 0 { unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + buffer.count)])) }
        }
    }
}
