import Glibc

/// A moment as a file system keeps it.
public struct Timestamp: Hashable, Sendable, Comparable {
    public let seconds: Int64
    public let nanoseconds: Int32

    public init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// As two numbers in a text, which somebody may have written; nil where they are no moment.
    public init?(seconds: some StringProtocol, nanoseconds: some StringProtocol) {
        guard let seconds = Int64(seconds), let nanoseconds = Int32(nanoseconds),
            (0..<1_000_000_000).contains(nanoseconds)
        else { return nil }
        self.init(seconds: seconds, nanoseconds: nanoseconds)
    }

    public static var now: Timestamp {
        var time = Glibc.timespec()
        // SAFETY: clock_gettime fills the struct it is given.
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(time)
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }

    init(_ time: timespec) {
        seconds = Int64(time.tv_sec)
        // What is none of them a store made up.
        nanoseconds = Int32(min(max(time.tv_nsec, 0), 999_999_999))
    }

    var kernelTime: timespec { Glibc.timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds)) }
}

/// What kind of thing an entry of a folder is.
public enum FileType: UInt8, Sendable {
    case regular, folder, symbolicLink, characterDevice, blockDevice, pipe, socket, unknown

    public init(mode: UInt32) {
        self = switch mode & S_IFMT {
        case S_IFREG: .regular
        case S_IFDIR: .folder
        case S_IFLNK: .symbolicLink
        case S_IFCHR: .characterDevice
        case S_IFBLK: .blockDevice
        case S_IFIFO: .pipe
        case S_IFSOCK: .socket
        default: .unknown
        }
    }

    /// As in `st_mode`.
    public var mode: UInt32 {
        switch self {
        case .regular: S_IFREG
        case .folder: S_IFDIR
        case .symbolicLink: S_IFLNK
        case .characterDevice: S_IFCHR
        case .blockDevice: S_IFBLK
        case .pipe: S_IFIFO
        case .socket: S_IFSOCK
        case .unknown: 0
        }
    }

    init(entry: UInt8) {
        self = switch Int(entry) {
        case Int(DT_REG): .regular
        case Int(DT_DIR): .folder
        case Int(DT_LNK): .symbolicLink
        case Int(DT_CHR): .characterDevice
        case Int(DT_BLK): .blockDevice
        case Int(DT_FIFO): .pipe
        case Int(DT_SOCK): .socket
        default: .unknown
        }
    }
}

/// What a file system is on, or stands for.
public struct DeviceNumber: Equatable, Sendable {
    public internal(set) var major: UInt32
    public internal(set) var minor: UInt32

    public init(major: UInt32, minor: UInt32) {
        self.major = major
        self.minor = minor
    }
}

/// Which file a name led to, as long as the file system is mounted.
public struct FileIdentity: Hashable, Sendable {
    public let device: UInt64
    public let number: UInt64

    public init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }
}

/// Which node a name led to, also after its file system was mounted anew: numbers are given again, at another time.
public struct NodeBirth: Hashable, Sendable {
    public let number: UInt64
    public let made: Timestamp

    public init(number: UInt64, made: Timestamp) {
        self.number = number
        self.made = made
    }

    /// nil where the file system does not say when it was made.
    public init?(_ status: FileStatus, made: Timestamp?) {
        guard let made else { return nil }
        self.init(number: status.identity.number, made: made)
    }
}

/// What `stat` tells of a file.
public struct FileStatus: Hashable, Sendable {
    public var identity: FileIdentity
    /// Type and permissions, as `st_mode`.
    public var mode: UInt32
    public var links: UInt32
    public var owner: UInt32
    public var group: UInt32
    public var device: UInt64
    public var size: Int64
    /// In units of 512 bytes.
    public var blocks: Int64
    public var accessed: Timestamp
    public var modified: Timestamp
    public var changed: Timestamp

    public var type: FileType { FileType(mode: mode) }

    /// It changed so shortly ago that another change may bear the same time: the coarse clocks of file systems tick at
    /// least every 20 ms, but for those that count in seconds, and FAT and exFAT in two.
    public var isUnsettled: Bool {
        let now = Timestamp.now
        let seconds = now.seconds &- changed.seconds
        guard (0...2).contains(seconds) else { return false }
        let age = seconds * 1_000_000_000 + Int64(now.nanoseconds) - Int64(changed.nanoseconds)
        return (0..<(hasWholeSeconds ? 2_000_000_000 : 20_000_000)).contains(age)
    }

    /// The same file or folder, and not changed since.
    public func isAsIt(was other: FileStatus) -> Bool {
        (identity, size) == (other.identity, other.size) && (modified, changed) == (other.modified, other.changed)
    }

    /// Its time is one of a clock that ticks no oftener, or, once in a thousand million, of any.
    public var hasWholeSeconds: Bool { changed.nanoseconds == 0 }
    public var permissions: UInt32 { mode & 0o7777 }

    /// The blocks of a file that has all its bytes.
    public static func blocks(of size: Int64) -> Int64 { size / 512 + (size % 512 > 0 ? 1 : 0) }

    init(_ facts: stat) {
        identity = FileIdentity(device: UInt64(facts.st_dev), number: UInt64(facts.st_ino))
        mode = facts.st_mode
        links = UInt32(truncatingIfNeeded: facts.st_nlink)
        owner = facts.st_uid
        group = facts.st_gid
        device = UInt64(facts.st_rdev)
        size = max(0, Int64(facts.st_size))
        blocks = max(0, Int64(facts.st_blocks))
        accessed = Timestamp(facts.st_atim)
        modified = Timestamp(facts.st_mtim)
        changed = Timestamp(facts.st_ctim)
    }
}

/// How full a file system is, as `statvfs` tells.
public struct FileSystemStatus: Hashable, Sendable {
    public let blockSize: UInt64
    public let fragmentSize: UInt64
    public let blocks: UInt64
    public let freeBlocks: UInt64
    public let availableBlocks: UInt64
    public let files: UInt64
    public let freeFiles: UInt64
    public let availableFiles: UInt64
    public let longestName: UInt64

    /// How many bytes somebody without rights may still write.
    public var availableBytes: Int64 {
        let (bytes, isMore) = availableBlocks.multipliedReportingOverflow(by: fragmentSize)
        return isMore ? .max : Int64(clamping: bytes)
    }

    init(_ facts: statvfs) {
        blockSize = UInt64(facts.f_bsize)
        fragmentSize = UInt64(facts.f_frsize)
        blocks = UInt64(facts.f_blocks)
        freeBlocks = UInt64(facts.f_bfree)
        availableBlocks = UInt64(facts.f_bavail)
        files = UInt64(facts.f_files)
        freeFiles = UInt64(facts.f_ffree)
        availableFiles = UInt64(facts.f_favail)
        longestName = UInt64(facts.f_namemax)
    }
}
