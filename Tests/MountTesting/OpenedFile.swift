import Foundation

/// A call that the kernel refused.
public struct Refused: Error, Equatable, CustomStringConvertible {
    public let call: String
    public let number: Int32

    public init(call: String, number: Int32) {
        self.call = call
        self.number = number
    }

    public var description: String { "\(call): \(String(cString: strerror(number)))" }
}

/// A file as a program has it open: one kernel call a method, and the errno where it is refused.
///
/// The calls of programs that Debian does not have are recorded with it. It is closed once, even where that fails because the drive was killed:
/// Foundation's `FileHandle` then closes its number again when it is let go of, and by that time another test has it.
public final class OpenedFile {
    private var descriptor: Int32

    public init(_ path: String, _ flags: Int32 = O_RDONLY, mode: mode_t = 0o644) throws {
        descriptor = Glibc.open(path, flags | O_CLOEXEC, mode)
        if descriptor < 0 { throw Refused(call: "open", number: errno) }
    }

    private init(adopting descriptor: Int32) { self.descriptor = descriptor }

    deinit { if descriptor >= 0 { _ = Glibc.close(descriptor) } }

    /// Another descriptor for it, as a shell gives its children.
    public func duplicate() throws -> OpenedFile { OpenedFile(adopting: try checked("dup", fcntl(descriptor, F_DUPFD_CLOEXEC, 0))) }

    public func write(_ bytes: Data) throws {
        let count = try checked("write", bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) })
        guard count == bytes.count else { throw Failed("\(count) of \(bytes.count) bytes were written") }
    }

    public func write(_ bytes: Data, at offset: Int) throws {
        let count = try checked("pwrite", bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset) })
        guard count == bytes.count else { throw Failed("\(count) of \(bytes.count) bytes were written") }
    }

    public func write(_ text: String) throws { try write(Data(text.utf8)) }
    public func write(_ text: String, at offset: Int) throws { try write(Data(text.utf8), at: offset) }

    /// All of its bytes.
    public func content() throws -> Data {
        var bytes = Data(count: Int(try status().st_size) + 1)
        let count = try checked("pread", bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) })
        return bytes.prefix(count)
    }

    public func text() throws -> String { String(decoding: try content(), as: UTF8.self) }

    public func status() throws -> stat {
        var facts = stat()
        _ = try checked("fstat", fstat(descriptor, &facts))
        return facts
    }

    public func truncate(to size: Int) throws { _ = try checked("ftruncate", ftruncate(descriptor, size)) }
    public func synchronize() throws { _ = try checked("fsync", fsync(descriptor)) }
    /// The kernel is to ask for the bytes again.
    public func forgetKept() { posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) }
    public func setMode(_ mode: mode_t) throws { _ = try checked("fchmod", fchmod(descriptor, mode)) }
    public func setModified(_ seconds: Int) throws {
        let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        _ = try checked("futimens", futimens(descriptor, times))
    }
    public func seek(to offset: Int, _ whence: Int32) throws -> Int { try checked("lseek", lseek(descriptor, offset, whence)) }
    public func allocate(_ length: Int) throws {
        let error = posix_fallocate(descriptor, 0, length)
        if error != 0 { throw Refused(call: "fallocate", number: error) }
    }
    public func mapped(_ length: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void) throws {
        guard let start = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), start != MAP_FAILED else {
            throw Refused(call: "mmap", number: errno)
        }
        body(UnsafeMutableRawBufferPointer(start: start, count: length))
        munmap(start, length)
    }

    public func close() throws {
        let closed = descriptor
        descriptor = -1
        _ = try checked("close", Glibc.close(closed))
    }
}

/// The answer of a call, or why there is none.
public func checked<Value: SignedInteger>(_ call: String, _ value: Value) throws -> Value {
    if value < 0 { throw Refused(call: call, number: errno) }
    return value
}

extension MountedDrive {
    /// As `cp` does: open with O_TRUNC, write, close.
    public func put(_ name: String, _ bytes: Data) throws {
        let file = try OpenedFile(path(name), O_WRONLY | O_CREAT | O_TRUNC)
        try file.write(bytes)
        try file.close()
    }

    public func put(_ name: String, _ text: String) throws { try put(name, Data(text.utf8)) }

    public func get(_ name: String) throws -> Data { try OpenedFile(path(name)).content() }
    public func text(_ name: String) throws -> String { String(decoding: try get(name), as: UTF8.self) }

    public func rename(_ old: String, _ new: String) throws { _ = try checked("rename", Glibc.rename(path(old), path(new))) }
    public func remove(_ name: String) throws { _ = try checked("unlink", Glibc.unlink(path(name))) }
    public func makeFolder(_ name: String) throws { _ = try checked("mkdir", Glibc.mkdir(path(name), 0o755)) }

    public func status(of name: String) throws -> stat {
        var facts = stat()
        _ = try checked("stat", lstat(path(name), &facts))
        return facts
    }

    /// `user.valise.` with this label; nil where it has none.
    public func fact(_ label: String, of name: String) -> String? {
        let told = try? run("getfattr", "--only-values", "-n", "user.valise." + label, path(name)).good()
        return told?.output
    }

    /// All files that it shows, by their paths in it.
    public func files() throws -> [String] {
        try run("find", ".", "!", "-type", "d", in: mountpoint).good().lines.map { String($0.dropFirst(2)) }.filter { !$0.isEmpty }.sorted()
    }
}
