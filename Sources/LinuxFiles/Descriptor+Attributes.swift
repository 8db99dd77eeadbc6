import CLinux
import Glibc

// What an open file says of itself, and how that is changed.
extension Descriptor {
    public borrowing func status() throws(Errno) -> FileStatus {
        let raw = rawValue
        var facts = stat()
        // SAFETY: fstatat fills the struct it is given. AT_EMPTY_PATH works for O_PATH descriptors too.
        _ = try retrying { unsafe fstatat(raw, "", &facts, CLinux_AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) }
        return FileStatus(facts)
    }

    public borrowing func fileSystemStatus() throws(Errno) -> FileSystemStatus {
        let raw = rawValue
        var facts = statvfs()
        // SAFETY: fstatvfs fills the struct it is given.
        _ = try retrying { unsafe fstatvfs(raw, &facts) }
        return FileSystemStatus(facts)
    }

    public borrowing func fileSystemType() throws(Errno) -> FileSystemType {
        let raw = rawValue
        var type: Int64 = 0
        _ = try retrying { unsafe CLinux_filesystem_type(raw, &type) }
        return FileSystemType(rawValue: UInt32(truncatingIfNeeded: type))
    }

    /// The type of the mount that this lies on, as the list of mounts names it ("fuseblk"): one magic number is that of all
    /// file systems that programs serve. nil where the list does not have it.
    public borrowing func mountType() -> String? {
        guard let device = try? deviceNumbers() else { return nil }
        return (try? MountTable.read())?.mount(onDevice: device)?.type
    }

    /// The device that this lies on, as /sys names it: "0:52". The file system itself is not asked.
    public borrowing func deviceNumbers() throws(Errno) -> String {
        let device = try device()
        return "\(device.major):\(device.minor)"
    }

    public borrowing func device() throws(Errno) -> DeviceNumber {
        let raw = rawValue
        var device = DeviceNumber(major: 0, minor: 0)
        _ = try retrying { unsafe CLinux_device(raw, &device.major, &device.minor) }
        return device
    }

    /// Whether nobody may replace what is there, whoever they are (`chattr +i`, `+a`).
    public borrowing func isImmutable() -> Bool { CLinux_is_immutable(rawValue) > 0 }

    public borrowing func setPermissions(_ mode: UInt32) throws(Errno) {
        let raw = rawValue
        _ = try retrying { fchmod(raw, mode) }
    }

    /// Works on a place (`OpenFlags.path`), which `setPermissions` does not.
    public borrowing func setPlacePermissions(_ mode: UInt32) throws(Errno) { try PlaceChange.make(.permissions(mode), of: self) }

    /// nil leaves it as it is. Works on a place too, on a symbolic link itself.
    public borrowing func setOwner(_ user: UInt32?, group: UInt32?) throws(Errno) { try PlaceChange.make(.owner(user, group: group), of: self) }

    /// nil leaves it as it is. Works on a place too.
    public borrowing func setTimes(accessed: TimeChange?, modified: TimeChange?) throws(Errno) {
        try PlaceChange.make(.times(accessed: accessed, modified: modified), of: self)
    }

    public enum TimeChange: Sendable {
        case now
        case at(Timestamp)

        /// As the kernel has it; nil where it is left as it is.
        init?(_ seconds: Int64, _ nanoseconds: Int64) {
            switch nanoseconds {
            case (1 << 30) - 1: self = .now
            case 0..<1_000_000_000: self = .at(Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds)))
            default: return nil
            }
        }

        static func kernelTime(_ change: TimeChange?) -> timespec {
            // UTIME_NOW and UTIME_OMIT, which are macros.
            switch change {
            case .now: timespec(tv_sec: 0, tv_nsec: (1 << 30) - 1)
            case nil: timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)
            case .at(let time): time.kernelTime
            }
        }
    }

    /// Takes the lock on this open file, or throws `.tryAgain` when another process has it.
    /// Gone with the descriptor, however the process ends.
    public borrowing func lockExclusively() throws(Errno) {
        let raw = rawValue
        _ = try retrying { flock(raw, LOCK_EX | LOCK_NB) }
    }

    /// Whether somebody else has the lock on this file. Asked by taking it for a moment beside others who ask.
    public borrowing func isLocked() throws(Errno) -> Bool {
        let raw = rawValue
        do throws(Errno) {
            _ = try retrying { flock(raw, LOCK_SH | LOCK_NB) }
            _ = try retrying { flock(raw, LOCK_UN) }
            return false
        } catch {
            guard error == .tryAgain else { throw error }
            return true
        }
    }
}

// Locks on single bytes of a file, which an open file has until it unlocks them or is closed. They keep others from nothing else.
extension Descriptor {
    /// Throws `tryAgain` or `accessDenied` where another open file has it.
    public borrowing func lockByte(_ byte: Int64) throws(Errno) {
        let raw = rawValue
        _ = try retrying { CLinux_lock_byte(raw, byte) }
    }

    public borrowing func unlockByte(_ byte: Int64) { _ = CLinux_unlock_byte(rawValue, byte) }

    /// A byte of these that another open file has locked, if there is one.
    public borrowing func lockedByte(in bytes: Range<Int64>) throws(Errno) -> Int64? {
        let raw = rawValue
        var found: Int64 = -1
        // SAFETY: the one number is filled.
        _ = try retrying { unsafe CLinux_locked_byte(raw, bytes.lowerBound, bytes.upperBound, &found) }
        return found < 0 ? nil : found
    }
}
