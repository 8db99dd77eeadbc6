import CLinux
import Glibc

// Reading and writing an open file, and what belongs to its content.
extension Descriptor {
    /// Reads as much as there is, up to the buffer's size; 0 at the end.
    /// `expected`: where so many were read, it is the end, and nobody asks whether there is more.
    public borrowing func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, expecting expected: Int? = nil) throws(Errno) -> Int {
        let raw = rawValue
        var done = 0
        while done < buffer.count {
            // SAFETY: the pointer and the count stay inside the caller's buffer.
            let count = try retrying {
                unsafe pread(raw, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done, off_t(offset + Int64(done)))
            }
            if count == 0 { break }
            done += count
            if done == expected { break }
        }
        return done
    }

    /// Reads up to `count` bytes.
    public borrowing func read(at offset: Int64, count: Int, expecting expected: Int? = nil) throws(Errno) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // SAFETY: `read(into:)` stays inside the array's buffer.
        let read: Result<Int, Errno> = unsafe bytes.withUnsafeMutableBytes { buffer in
            do throws(Errno) { return .success(try unsafe self.read(into: buffer, at: offset, expecting: expected)) } catch { return .failure(error) }
        }
        bytes.removeLast(count - (try read.get()))
        return bytes
    }

    /// What a pipe or a queue has to give now, up to `count` bytes; empty at its end.
    borrowing func readSome(count: Int) throws(Errno) -> [UInt8] {
        let raw = rawValue
        var bytes = [UInt8](repeating: 0, count: count)
        // SAFETY: read writes at most the array's count.
        let done = try retrying { unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(raw, $0.baseAddress, $0.count) } }
        bytes.removeLast(count - done)
        return bytes
    }

    /// Whether the store has a byte of it. A file without one has only its size. Stores that cannot tell say that there is content.
    public borrowing func hasContent() throws(Errno) -> Bool {
        let raw = rawValue
        do throws(Errno) { _ = try retrying { lseek(raw, 0, CLinux_SEEK_DATA) } } catch {
            if error == .noSuchDevice { return false }
            throw error
        }
        return true
    }

    /// How much there is to read now, of a pipe or a queue.
    borrowing func readableBytes() throws(Errno) -> Int {
        let raw = rawValue
        var count: Int32 = 0
        _ = try retrying { unsafe CLinux_readable(raw, &count) }
        return Int(count)
    }

    /// The whole file, which the caller expects to be small. Throws `.fileTooLarge` over `limit`.
    public borrowing func readAll(limit: Int) throws(Errno) -> [UInt8] { try readAll(limit: limit, status()) }

    /// The same for who has asked for its status a moment ago.
    public borrowing func readAll(limit: Int, _ status: FileStatus) throws(Errno) -> [UInt8] {
        let size = status.size
        guard size <= Int64(limit) else { throw .fileTooLarge }
        // One more than the size: a file that grew meanwhile is noticed, and one in /proc has size 0.
        var bytes: [UInt8] = []
        while true {
            // A file of a disk that gives as many as it has, and not the one more, ends there.
            let left = Int(size) - bytes.count, expected = status.type == .regular && left > 0 ? left : nil
            let wanted = max(4096, left + 1), more = try read(at: Int64(bytes.count), count: wanted, expecting: expected)
            if bytes.isEmpty { bytes = more } else { bytes += more }
            guard bytes.count <= limit else { throw .fileTooLarge }
            // Less is read at the end alone.
            if more.count < wanted { return bytes }
        }
    }

    /// Writes all of the bytes.
    public borrowing func write(_ bytes: [UInt8], at offset: Int64) throws(Errno) {
        let raw = rawValue
        var done = 0
        while done < bytes.count {
            // SAFETY: the pointer and the count stay inside the array.
            done += try retrying {
                unsafe bytes.withUnsafeBytes { buffer in
                    unsafe pwrite(raw, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done, off_t(offset + Int64(done)))
                }
            }
        }
    }

    public borrowing func truncate(to size: Int64) throws(Errno) {
        let raw = rawValue
        _ = try retrying { ftruncate(raw, off_t(size)) }
    }

    /// What was written is on the store, with all that is needed to read it.
    public borrowing func synchronize(dataOnly: Bool = false) throws(Errno) {
        let raw = rawValue
        _ = try retrying { dataOnly ? fdatasync(raw) : fsync(raw) }
    }

    /// Everything on the file system that this file lies on is on the store.
    public borrowing func synchronizeFileSystem() throws(Errno) {
        let raw = rawValue
        _ = try retrying { CLinux_syncfs(raw) }
    }

    /// Whether another file has the same bytes.
    public borrowing func hasSameContent(as other: borrowing Descriptor) throws(Errno) -> Bool {
        let size = try status().size
        guard try other.status().size == size else { return false }
        return try hasSameBytes(at: 0, as: other, at: 0, count: size)
    }

    /// Whether so many bytes from here on are those of another file from there on.
    public borrowing func hasSameBytes(at offset: Int64, as other: borrowing Descriptor, at otherOffset: Int64, count: Int64) throws(Errno) -> Bool {
        var done: Int64 = 0
        while done < count {
            let bytes = try read(at: offset + done, count: Int(min(count - done, 1 << 16)))
            guard !bytes.isEmpty, try other.read(at: otherOffset + done, count: bytes.count) == bytes else { return false }
            done += Int64(bytes.count)
        }
        return true
    }

    /// `fallocate`, with the kernel's mode bits.
    public borrowing func allocate(mode: Int32 = 0, at offset: Int64, count: Int64) throws(Errno) {
        let raw = rawValue
        _ = try retrying { CLinux_fallocate(raw, mode, offset, count) }
    }

    public borrowing func seek(to offset: Int64, whence: Int32) throws(Errno) -> Int64 {
        let raw = rawValue
        return Int64(try retrying { lseek(raw, off_t(offset), whence) })
    }

    /// Makes this file's content that of another, sharing the store's blocks.
    /// Throws `.notSupported` or `.crossDevice` where the store cannot.
    public borrowing func shareContent(of other: borrowing Descriptor) throws(Errno) {
        let to = rawValue, from = other.rawValue
        _ = try retrying { CLinux_clone(to, from) }
    }

    /// Copies inside the kernel, without the bytes passing through here; 0 at the end of the source.
    public borrowing func copyRange(
        at fromOffset: Int64, to other: borrowing Descriptor, at toOffset: Int64, count: Int
    ) throws(Errno) -> Int {
        let from = rawValue, to = other.rawValue
        var source = fromOffset, target = toOffset
        return try retrying { unsafe CLinux_copy_file_range(from, &source, to, &target, count, 0) }
    }

    /// Copies the whole range, by whatever means the two stores have.
    public borrowing func copyAll(
        from fromOffset: Int64, count: Int64, to other: borrowing Descriptor, at toOffset: Int64
    ) throws(Errno) {
        var done: Int64 = 0
        while done < count {
            let step = Int(min(count - done, 1 << 30))
            var moved: Int
            do throws(Errno) {
                moved = try copyRange(at: fromOffset + done, to: other, at: toOffset + done, count: step)
            } catch {
                guard [.crossDevice, .notSupported, .invalid, .notImplemented].contains(error) else { throw error }
                let bytes = try read(at: fromOffset + done, count: min(step, 1 << 20))
                try other.write(bytes, at: toOffset + done)
                moved = bytes.count
            }
            // The source became shorter than it was.
            guard moved > 0 else { throw .inputOutput }
            done += Int64(moved)
        }
    }
}
