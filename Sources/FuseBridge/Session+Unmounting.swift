import CFuse3
import Dispatch
import Glibc
import LinuxFiles

/// What came of taking a drive off its mountpoint.
public enum UnmountOutcome: UInt8, Sendable {
    case done = 1, busy, refused

    /// As who mounted it may: by the system call as root, or by fusermount3, which does not say why it did not.
    public static func unmount(_ mountpoint: String, lazily: Bool) -> UnmountOutcome {
        guard geteuid() == 0 else {
            return Helper.run(["-u", "-q"] + (lazily ? ["-z"] : []) + ["--", mountpoint]) ? .done : .busy
        }
        // Not mounted any more is as good.
        if unsafe umount2(mountpoint, Int32(UMOUNT_NOFOLLOW | (lazily ? MNT_DETACH : 0))) == 0 || errno == EINVAL { return .done }
        return errno == EBUSY ? .busy : .refused
    }
}

extension Session {
    private static let patience = DispatchTimeInterval.seconds(5)

    /// Unmounts as umount(8) does, so that everything is written and closed first. Tries for a second,
    /// because a program that has just been told to end still has its files open.
    func unmounted() -> Bool {
        for attempt in 0..<20 {
            if attempt > 0 { usleep(50_000) }
            switch unmount(false) {
            case .done: return true
            case .refused: return false
            case .busy: continue
            }
        }
        return false
    }

    /// Whether the kernel has let go of the drive, which it does with the last mount: there may be others in the namespaces of containers and services.
    func isLeft() -> Bool {
        // SAFETY: the session lives as long as this object, and poll reads and writes the one struct it is given.
        var device = unsafe pollfd(fd: CFuse3_session_device(handle), events: 0, revents: 0)
        for attempt in 0..<20 {
            if attempt > 0 { usleep(50_000) }
            // One who looks a name up at this moment holds the mount for that long.
            if unsafe poll(&device, 1, 0) == 1, device.revents & Int16(POLLERR | POLLNVAL) != 0 { return true }
        }
        return false
    }

    /// Takes the drive out of the tree although it is in use, after what mapped files hold was written.
    func detach() {
        let isWritten = DispatchSemaphore(value: 0)
        // A store that does not answer is not waited for, and the thread that asks it does not keep the drive's device open.
        BackgroundThread.startWithoutFiles { [mountpoint] _ in
            let root = unsafe open(mountpoint, O_RDONLY | O_CLOEXEC)
            if root >= 0 {
                _ = CFuse3_sync_all(root)
                close(root)
            }
            isWritten.signal()
        }
        _ = isWritten.wait(timeout: .now() + Self.patience)
        _ = unmount(true)
    }
}
