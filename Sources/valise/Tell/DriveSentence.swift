import LinuxFiles
import Shell

/// What is said of a drive that does not answer, and how that is mended.
enum DriveSentence {
    static func silent(_ mount: MountTable.Mount) -> String {
        let away = "or take the drive away: valise unmount --lazy \(shellWord(mount.mountpoint))"
        guard let process = DriveProcess.search(mount) else {
            return "the drive on \(quoted(mount.mountpoint)) does not answer; take it away: valise unmount --lazy \(shellWord(mount.mountpoint))"
        }
        return process.isStopped
            ? "the drive on \(quoted(mount.mountpoint)) does not answer: process \(process.number) is stopped; let it go on: kill -CONT \(process.number), \(away)"
            : "the drive on \(quoted(mount.mountpoint)) does not answer: process \(process.number) is busy or hangs; wait, or end it: kill \(process.number), \(away)"
    }

    static func failed(_ mount: MountTable.Mount, _ error: Errno) -> String {
        if DriveHealth.isDeath(error) {
            return "the drive on \(quoted(mount.mountpoint)) is dead: its process has ended; clean up: valise unmount \(shellWord(mount.mountpoint))"
        }
        if error == .accessDenied {
            return "the drive on \(quoted(mount.mountpoint)) belongs to another user, who alone may use it; they let others in who mount it with -o allow_other"
        }
        return "cannot read the status of the drive on \(quoted(mount.mountpoint)): \(error)"
    }
}
