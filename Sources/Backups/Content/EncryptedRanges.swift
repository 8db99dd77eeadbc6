import Glibc
import LinuxFiles

/// A file encrypted by AES-256-CBC from an initial vector of zeros, of which any range is read: a block depends on
/// nothing but its key and the block before it.
struct EncryptedRanges: Sendable {
    let file: OpenFile
    let key: SecretBytes
    let crypto: Crypto
    /// How long the file is, as it lies there: whole blocks.
    let encryptedSize: Int64

    init(_ file: OpenFile, size: Int64, key: SecretBytes, _ crypto: Crypto) {
        (self.file, self.key, self.crypto) = (file, key, crypto)
        encryptedSize = max(0, size) / Int64(Crypto.blockSize) * Int64(Crypto.blockSize)
    }

    /// The bytes from an offset on, so many, or up to the end of the last block.
    func bytes(at offset: Int64, count: Int) throws(Errno) -> ArraySlice<UInt8> {
        guard offset >= 0, count > 0, offset < encryptedSize else { return [] }
        let block = Int64(Crypto.blockSize), end = offset + min(Int64(count), encryptedSize - offset)
        let first = offset / block * block, before = max(0, first - block), last = (end + block - 1) / block * block
        var bytes = try file.descriptor.read(at: before, count: Int(last - before), expecting: Int(last - before))
        // It became shorter than it was.
        guard bytes.count == Int(last - before) else { throw .inputOutput }
        let head = Int(first - before)
        let isDone = unsafe bytes.withUnsafeMutableBytes { memory in
            guard let start = memory.baseAddress else { return false }
            let zeros: (UInt64, UInt64) = (0, 0)
            return unsafe withUnsafeBytes(of: zeros) { zeros in
                guard let none = zeros.baseAddress else { return false }
                // The block before is still as it was: only what follows it is decrypted.
                return unsafe crypto.decryptCBC(
                    UnsafeMutableRawBufferPointer(rebasing: memory[head...]), key: key,
                    before: head == 0 ? none : UnsafeRawPointer(start))
            }
        }
        guard isDone else { throw .inputOutput }
        let skipped = head + Int(offset - first)
        return bytes[skipped..<skipped + Int(end - offset)]
    }

    /// How long the content is by the padding of its last block (PKCS#7); nil where there is none, as with another key.
    func lengthByPadding() throws(Errno) -> Int64? {
        let block = Crypto.blockSize
        guard encryptedSize >= Int64(block) else { return nil }
        let last = try bytes(at: encryptedSize - Int64(block), count: block)
        guard let padding = last.last, padding > 0, Int(padding) <= block,
            last.suffix(Int(padding)).allSatisfy({ $0 == padding })
        else { return nil }
        return encryptedSize - Int64(padding)
    }

    /// How long a content is encrypted.
    static func encryptedSize(of length: Int64) -> Int64? {
        let (size, isMore) = (length / Int64(Crypto.blockSize) + 1).multipliedReportingOverflow(
            by: Int64(Crypto.blockSize))
        return isMore ? nil : size
    }
}
