import CLinux
import Glibc

// Calls on one name in this folder. Each takes the folder's descriptor and a name, never a path.
extension Descriptor {
    /// What the name stands for; of a symbolic link, the link itself.
    public borrowing func status(of name: Name) throws(Errno) -> FileStatus {
        let raw = rawValue
        var facts = stat()
        // SAFETY: fstatat fills the struct it is given; the name is a C string through the call.
        _ = try unsafe name.withCString { (text) throws(Errno) in
            try retrying { unsafe fstatat(raw, text, &facts, AT_SYMLINK_NOFOLLOW) }
        }
        return FileStatus(facts)
    }

    /// Which node the name stands for; without a name, this one. nil where the file system does not know when it was made.
    public borrowing func birth(of name: Name? = nil) throws(Errno) -> NodeBirth? {
        let (status, made) = try statusAndBirth(of: name)
        return NodeBirth(status, made: made)
    }

    /// What whoever serves the file system says of it now, and not what the kernel remembers of that.
    public borrowing func freshStatus(of name: Name) throws(Errno) -> FileStatus { try statusAndBirth(of: name, isFresh: true).status }

    /// The same with all that is told of it, in one call.
    public borrowing func statusAndBirth(of name: Name? = nil, isFresh: Bool = false) throws(Errno) -> (status: FileStatus, made: Timestamp?) {
        let raw = rawValue
        var facts = stat(), seconds: Int64 = 0, nanoseconds: UInt32 = 0
        // SAFETY: fills the struct and the numbers it is given; the name is a C string through the call.
        func ask(_ text: UnsafePointer<CChar>) throws(Errno) -> Int32 {
            try retrying { unsafe CLinux_status_and_birth(raw, text, isFresh ? 1 : 0, &facts, &seconds, &nanoseconds) }
        }
        let isKnown = if let name { try unsafe name.withCString(ask) } else { try unsafe ask("") }
        guard isKnown == 1, let rest = Int32(exactly: nanoseconds), (0..<1_000_000_000).contains(rest) else { return (FileStatus(facts), nil) }
        return (FileStatus(facts), Timestamp(seconds: seconds, nanoseconds: rest))
    }

    public borrowing func exists(_ name: Name) throws(Errno) -> Bool {
        do throws(Errno) {
            _ = try status(of: name)
            return true
        } catch {
            if error == .noSuchEntry { return false }
            throw error
        }
    }

    public borrowing func makeFolder(_ name: Name, mode: UInt32 = 0o777) throws(Errno) {
        let raw = rawValue
        _ = try unsafe name.withCString { (text) throws(Errno) in try retrying { unsafe mkdirat(raw, text, mode) } }
    }

    /// A pipe, a socket, a device or an empty file, as `mknod` makes them.
    public borrowing func makeNode(_ name: Name, mode: UInt32, device: UInt64) throws(Errno) {
        let raw = rawValue
        _ = try unsafe name.withCString { (text) throws(Errno) in
            try retrying { unsafe mknodat(raw, text, mode, dev_t(device)) }
        }
    }

    public borrowing func makeSymbolicLink(_ name: Name, to target: [UInt8]) throws(Errno) {
        guard !target.contains(0) else { throw .invalid }
        let raw = rawValue
        let destination = target.map { CChar(bitPattern: $0) } + [0]
        _ = try unsafe name.withCString { (text) throws(Errno) in
            try retrying { unsafe symlinkat(destination, raw, text) }
        }
    }

    public borrowing func readSymbolicLink(_ name: Name) throws(Errno) -> [UInt8] {
        let raw = rawValue
        return try unsafe name.withCString { (text) throws(Errno) in try unsafe Self.linkTarget(raw, text) }
    }

    /// Where a symbolic link leads to that is open as a place.
    public borrowing func readSymbolicLink() throws(Errno) -> [UInt8] { try unsafe Self.linkTarget(rawValue, "") }

    private static func linkTarget(_ raw: Int32, _ text: UnsafePointer<CChar>) throws(Errno) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = try retrying {
            // SAFETY: readlinkat writes at most the buffer's count, and no zero.
            unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe readlinkat(raw, text, bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
            }
        }
        return Array(buffer.prefix(count))
    }

    public borrowing func unlink(_ name: Name) throws(Errno) {
        let raw = rawValue
        _ = try unsafe name.withCString { (text) throws(Errno) in try retrying { unsafe unlinkat(raw, text, 0) } }
    }

    public borrowing func removeFolder(_ name: Name) throws(Errno) {
        let raw = rawValue
        _ = try unsafe name.withCString { (text) throws(Errno) in try retrying { unsafe unlinkat(raw, text, AT_REMOVEDIR) } }
    }

    /// Another name for a file: `source` in this folder becomes `name` in `folder`. A symbolic link is linked itself.
    public borrowing func link(_ source: Name, to folder: borrowing Descriptor, as name: Name) throws(Errno) {
        let from = rawValue, to = folder.rawValue
        _ = try unsafe source.withCString { (old) throws(Errno) in
            try unsafe name.withCString { (new) throws(Errno) in try retrying { unsafe linkat(from, old, to, new, 0) } }
        }
    }

    /// Gives an open file a name: one that has none yet, or one more.
    public borrowing func linkOpenFile(_ file: borrowing Descriptor, as name: Name) throws(Errno) {
        let to = rawValue
        let path = Array("/proc/self/fd/\(file.rawValue)".utf8CString)
        _ = try unsafe name.withCString { (new) throws(Errno) in
            try retrying { unsafe linkat(AT_FDCWD, path, to, new, AT_SYMLINK_FOLLOW) }
        }
    }

    public borrowing func rename(
        _ source: Name, to folder: borrowing Descriptor, as name: Name, _ flags: RenameFlags = []
    ) throws(Errno) {
        let from = rawValue, to = folder.rawValue
        _ = try unsafe source.withCString { (old) throws(Errno) in
            try unsafe name.withCString { (new) throws(Errno) in
                try retrying { unsafe CLinux_renameat2(from, old, to, new, flags.rawValue) }
            }
        }
    }
}

/// How a name may take the place of another.
public struct RenameFlags: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The new name must be free.
    public static let exclusive = RenameFlags(rawValue: CLinux_RENAME_NOREPLACE)
    /// The two change places in one step.
    public static let exchange = RenameFlags(rawValue: CLinux_RENAME_EXCHANGE)
    /// Leaves a whiteout behind, as overlay file systems want it.
    public static let whiteout = RenameFlags(rawValue: CLinux_RENAME_WHITEOUT)
}
