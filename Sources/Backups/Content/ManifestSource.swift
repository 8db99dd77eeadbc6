import Databases
import LinuxFiles

/// The file Manifest.db as SQLite reads it. An encrypted one is decrypted where it is read, and lies decrypted nowhere.
final class ManifestSource: DatabaseSource {
    private enum Form {
        case plain(OpenFile)
        case encrypted(EncryptedRanges)
    }

    private let form: Form
    let byteCount: Int64
    /// A database has whole pages, and these are the smallest: what padding there is behind the last one is left out.
    private static let smallestPage: Int64 = 512

    init(plain file: OpenFile, size: Int64) {
        form = .plain(file)
        byteCount = size
    }

    init(_ ranges: EncryptedRanges) {
        form = .encrypted(ranges)
        byteCount = ranges.encryptedSize / Self.smallestPage * Self.smallestPage
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Bool {
        switch form {
        case .plain(let file): return unsafe (try? file.descriptor.read(into: buffer, at: offset)) == buffer.count
        case .encrypted(let ranges):
            guard let bytes = try? ranges.bytes(at: offset, count: buffer.count), bytes.count == buffer.count else {
                return false
            }
            unsafe buffer.copyBytes(from: bytes)
            return true
        }
    }

    /// What each SQLite database begins with.
    static let beginning = Array("SQLite format 3\0".utf8)
}
