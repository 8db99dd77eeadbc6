import Glibc

/// The number of an error, as the kernel gives it and as the drive answers it.
///
/// The error that system calls throw. What a person reads is a `Failure`, which carries one.
public struct Errno: Error, RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    private init(_ value: Int32) { rawValue = value }

    /// The number that the last failed call on this thread left.
    public static var current: Errno { Errno(errno) }

    public static let notPermitted = Errno(EPERM)
    public static let noSuchEntry = Errno(ENOENT)
    public static let interrupted = Errno(EINTR)
    public static let inputOutput = Errno(EIO)
    public static let noSuchDevice = Errno(ENXIO)
    public static let badDescriptor = Errno(EBADF)
    public static let tryAgain = Errno(EAGAIN)
    public static let noMemory = Errno(ENOMEM)
    public static let accessDenied = Errno(EACCES)
    public static let busy = Errno(EBUSY)
    public static let exists = Errno(EEXIST)
    public static let crossDevice = Errno(EXDEV)
    public static let notDirectory = Errno(ENOTDIR)
    public static let isDirectory = Errno(EISDIR)
    public static let invalid = Errno(EINVAL)
    public static let tooManyOpenFiles = Errno(EMFILE)
    public static let fileTooLarge = Errno(EFBIG)
    public static let noSpace = Errno(ENOSPC)
    public static let readOnly = Errno(EROFS)
    public static let tooManyLinks = Errno(EMLINK)
    public static let range = Errno(ERANGE)
    public static let nameTooLong = Errno(ENAMETOOLONG)
    public static let notImplemented = Errno(ENOSYS)
    public static let notEmpty = Errno(ENOTEMPTY)
    public static let tooManySymbolicLinks = Errno(ELOOP)
    public static let noData = Errno(ENODATA)
    public static let notSupported = Errno(EOPNOTSUPP)
    public static let stale = Errno(ESTALE)
    public static let quota = Errno(EDQUOT)
    public static let textBusy = Errno(ETXTBSY)
    public static let overflow = Errno(EOVERFLOW)
    public static let timedOut = Errno(ETIMEDOUT)
    public static let unreachable = Errno(ENETUNREACH)
    public static let gone = Errno(ENODEV)
    /// “Wrong medium type”: content that is not what a name says. EINVAL says nothing, and coreutils takes it for a folder in itself.
    public static let wrongContent = Errno(EMEDIUMTYPE)
    public static let notConnected = Errno(ENOTCONN)
}

extension Errno {
    /// The kernel has no room for a moment: the same call may do in the next one.
    public var isShortageForNow: Bool { [.noMemory, Errno(ENOBUFS)].contains(self) }
}

extension Errno: CustomStringConvertible {
    /// The C library's words: "No space left on device".
    public var description: String {
        var buffer = [CChar](repeating: 0, count: 128)
        // SAFETY: strerror_r writes at most `count` bytes, a terminating zero among them.
        guard unsafe strerror_r(rawValue, &buffer, buffer.count) == 0 else { return "error \(rawValue)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension Errno {
    /// There is no room on the store, for this user at least.
    public var isFull: Bool { self == .noSpace || self == .quota }
}

/// Runs a call until no signal interrupts it, and turns -1 into the error it left.
@inline(__always)
func retrying<Result: SignedInteger>(_ call: () -> Result, _ what: StaticString = #function) throws(Errno) -> Result {
    HeldLocks.checkNoTable(what)
    while true {
        let result = call()
        if result != -1 { return result }
        let error = Errno.current
        if error != .interrupted { throw error }
    }
}
