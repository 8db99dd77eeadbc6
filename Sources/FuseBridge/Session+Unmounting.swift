import CFuse3
import Glibc

extension Session {
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
        let root = unsafe open(mountpoint, O_RDONLY | O_CLOEXEC)
        if root >= 0 {
            _ = CFuse3_sync_all(root)
            close(root)
        }
        if geteuid() == 0 {
            _ = unsafe umount2(mountpoint, Int32(MNT_DETACH | UMOUNT_NOFOLLOW))
        } else {
            _ = Helper.run(["-u", "-z", "-q", "--", mountpoint])
        }
    }
}
