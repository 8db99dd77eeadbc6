import CFuse3
import Dispatch
import Glibc
import LinuxFiles

extension Session {
    private static let patience = DispatchTimeInterval.seconds(5)

    /// Unmounts as umount(8) does, so that everything is written and closed first. Tries for a second,
    /// because a program that has just been told to end still has its files open.
    func unmounted() -> Bool {
        for attempt in 0..<20 {
            if attempt > 0 { usleep(50_000) }
            if geteuid() == 0 {
                // Not mounted any more is as good.
                if unsafe umount2(mountpoint, Int32(UMOUNT_NOFOLLOW)) == 0 || errno == EINVAL { return true }
                if errno != EBUSY { return false }
            } else if Helper.run(["-u", "-q", "--", mountpoint]) {
                return true
            }
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
        if geteuid() == 0 {
            _ = unsafe umount2(mountpoint, Int32(MNT_DETACH | UMOUNT_NOFOLLOW))
        } else {
            _ = Helper.run(["-u", "-z", "-q", "--", mountpoint])
        }
    }
}
