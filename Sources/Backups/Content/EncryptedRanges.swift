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
        let head = Int(first - before), length = Int(last - before)
        var failure: Errno?
        // Not filled with zeros first: it is half a megabyte for each request.
        // SAFETY: what is read and decrypted stays in the buffer, and all of it was read where the count is given.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: length) { (buffer, filled) in
            let memory = unsafe UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[..<length]))
            do throws(Errno) {
                // Less is there where it became shorter.
                guard try unsafe file.descriptor.read(into: memory, at: before, expecting: length) == length,
                    unsafe decrypt(memory, from: head)
                else { throw .inputOutput }
                filled = length
            } catch { failure = error }
        }
        if let failure { throw failure }
        let skipped = head + Int(offset - first)
        return bytes[skipped..<skipped + Int(end - offset)]
    }

    /// What is before it is the block before, which stays as it is, or nothing.
    private func decrypt(_ memory: UnsafeMutableRawBufferPointer, from head: Int) -> Bool {
        guard let start = memory.baseAddress else { return false }
        let zeros: (UInt64, UInt64) = (0, 0)
        return unsafe withUnsafeBytes(of: zeros) { zeros in
            guard let none = zeros.baseAddress else { return false }
            return unsafe crypto.decryptCBC(
                UnsafeMutableRawBufferPointer(rebasing: memory[head...]), key: key,
                before: head == 0 ? none : UnsafeRawPointer(start))
        }
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
