import CLinux
import Glibc

extension Descriptor {
    /// Opens one name in this folder.
    public borrowing func open(_ name: Name, _ flags: OpenFlags, mode: UInt32 = 0) throws(Errno) -> Descriptor {
        let raw = rawValue
        let opened = try unsafe name.withCString { (text) throws(Errno) in
            try retrying { unsafe CLinux_openat(raw, text, flags.rawValue | OpenFlags.always, mode) }
        }
        return Descriptor(adopting: opened)
    }

    /// Opens one name in this folder, unless something else is mounted there.
    public borrowing func openWithinMount(_ name: Name, _ flags: OpenFlags) throws(Errno) -> Descriptor {
        let raw = rawValue
        let opened = try unsafe name.withCString { (text) throws(Errno) in
            try retrying { unsafe CLinux_open_within_mount(raw, text, flags.rawValue | OpenFlags.always) }
        }
        return Descriptor(adopting: opened)
    }

    /// Opens one name in this folder, through a symbolic link where it is one: for paths that a person gave.
    public borrowing func openFollowing(_ name: Name, _ flags: OpenFlags) throws(Errno) -> Descriptor {
        let raw = rawValue
        let bits = flags.rawValue | (OpenFlags.always & ~CLinux_O_NOFOLLOW)
        let opened = try unsafe name.withCString { (text) throws(Errno) in try retrying { unsafe CLinux_openat(raw, text, bits, 0) } }
        return Descriptor(adopting: opened)
    }

    /// Opens one name, and what is read of it leaves its access time as it is where that is permitted.
    public borrowing func openUntraced(_ name: Name, _ flags: OpenFlags) throws(Errno) -> Descriptor {
        do throws(Errno) { return try open(name, flags.union(.untraced)) } catch { guard error == .notPermitted else { throw error } }
        return try open(name, flags.subtracting(.untraced))
    }

    /// The folder above a folder.
    public static func parent(of folder: borrowing Descriptor) throws(Errno) -> Descriptor {
        let raw = folder.rawValue
        return Descriptor(adopting: try retrying { unsafe CLinux_openat(raw, "..", OpenFlags([.path, .folder]).rawValue | OpenFlags.always, 0) })
    }

    /// Opens what this descriptor stands for again, with other flags.
    /// Works for a place (`OpenFlags.path`) and for a file that has no name any more.
    public borrowing func reopened(_ flags: OpenFlags, mode: UInt32 = 0) throws(Errno) -> Descriptor {
        let path = Array("/proc/thread-self/fd/\(rawValue)".utf8CString)
        // The entry in /proc is itself a link, so O_NOFOLLOW would refuse it.
        let bits = flags.rawValue | (OpenFlags.always & ~CLinux_O_NOFOLLOW)
        return Descriptor(adopting: try retrying { unsafe CLinux_openat(AT_FDCWD, path, bits, mode) })
    }

    /// The same for reading, leaving its access time as it is where that is permitted.
    public borrowing func reopenedUntraced(_ flags: OpenFlags) throws(Errno) -> Descriptor {
        do throws(Errno) { return try reopened(flags.union(.untraced)) } catch { guard error == .notPermitted else { throw error } }
        return try reopened(flags.subtracting(.untraced))
    }

    /// A new file without a name that is in memory alone, and gone with its descriptor.
    public static func inMemory() throws(Errno) -> Descriptor { Descriptor(adopting: try retrying { CLinux_file_in_memory() }) }

    /// A folder or file by a path that a person gave. The one place where a path comes in.
    public static func atPath(_ path: String, _ flags: OpenFlags) throws(Errno) -> Descriptor {
        try atPath(Array(path.utf8), flags)
    }

    public static func atPath(_ path: [UInt8], _ flags: OpenFlags) throws(Errno) -> Descriptor {
        guard !path.contains(0) else { throw .invalid }
        let text = path.map { CChar(bitPattern: $0) } + [0]
        // A person's path may lead through a symbolic link, its last part too.
        let bits = flags.rawValue | (OpenFlags.always & ~CLinux_O_NOFOLLOW)
        return Descriptor(adopting: try retrying { unsafe CLinux_openat(AT_FDCWD, text, bits, 0) })
    }

    /// The same for who only looks at it. `following`: what a link at its end leads to, and not the link.
    public static func status(atPath path: [UInt8], following: Bool = true) throws(Errno) -> FileStatus {
        guard !path.contains(0) else { throw .invalid }
        let text = path.map { CChar(bitPattern: $0) } + [0]
        var facts = stat()
        // SAFETY: fstatat reads the text to its end, and fills the struct it is given.
        _ = try retrying { unsafe fstatat(AT_FDCWD, text, &facts, following ? 0 : AT_SYMLINK_NOFOLLOW) }
        return FileStatus(facts)
    }
}

/// How a file is opened. `O_CLOEXEC`, `O_NOCTTY` and `O_NOFOLLOW` are always added.
public struct OpenFlags: OptionSet, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    public static let read = OpenFlags(rawValue: O_RDONLY)
    public static let write = OpenFlags(rawValue: O_WRONLY)
    public static let readWrite = OpenFlags(rawValue: O_RDWR)
    public static let create = OpenFlags(rawValue: O_CREAT)
    public static let exclusive = OpenFlags(rawValue: O_EXCL)
    public static let truncate = OpenFlags(rawValue: O_TRUNC)
    public static let append = OpenFlags(rawValue: O_APPEND)
    /// Do not wait for a pipe's other end or for a slow device.
    public static let nonBlocking = OpenFlags(rawValue: O_NONBLOCK)
    public static let synchronized = OpenFlags(rawValue: O_SYNC)
    public static let dataSynchronized = OpenFlags(rawValue: O_DSYNC)
    public static let direct = OpenFlags(rawValue: CLinux_O_DIRECT)
    public static let folder = OpenFlags(rawValue: CLinux_O_DIRECTORY)
    /// A place, not a file that can be read: works on anything, a symbolic link too.
    public static let path = OpenFlags(rawValue: CLinux_O_PATH)
    /// A file without a name, in the folder that is opened.
    public static let nameless = OpenFlags(rawValue: CLinux_O_TMPFILE)

    /// Reading leaves the access time as it is: for who owns the file, and for root.
    public static let untraced = OpenFlags(rawValue: CLinux_O_NOATIME)

    static let always: Int32 = O_CLOEXEC | O_NOCTTY | CLinux_O_NOFOLLOW
}

func fcntlSet(_ descriptor: Int32, _ command: Int32, _ argument: Int32) -> Int32 {
    CLinux_fcntl_set(descriptor, command, argument)
}

/// Where an open folder lies now, for sentences, for /proc/mounts, and for SQLite. Otherwise never a way to open it again.
public enum AbsolutePath {
    public static func of(_ folder: borrowing Descriptor) throws(Errno) -> String { String(decoding: try bytes(of: folder), as: UTF8.self) }

    static func bytes(of folder: borrowing Descriptor) throws(Errno) -> [UInt8] { try bytes(ofNumber: folder.rawValue) }

    static func bytes(ofNumber number: Int32) throws(Errno) -> [UInt8] {
        let link = Array("/proc/self/fd/\(number)".utf8CString)
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try retrying { unsafe readlink(link, &buffer, buffer.count) }
        return buffer.prefix(count).map { UInt8(bitPattern: $0) }
    }

    /// Whether a path is a folder's or lies in it.
    static func isInside(_ path: [UInt8], _ folder: [UInt8]) -> Bool {
        path.starts(with: folder) && (path.count == folder.count || folder == [UInt8(ascii: "/")] || path[folder.count] == UInt8(ascii: "/"))
    }
}
