import CLinux
import Glibc

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
