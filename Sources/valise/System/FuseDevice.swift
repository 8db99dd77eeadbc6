import Glibc
import LinuxFiles
import Shell

/// /dev/fuse, which whoever mounts has to open: fusermount3 opens it with its user's permissions.
enum FuseDevice {
    static let path = "/dev/fuse"

    /// Why it cannot be opened, and what mends it.
    struct Obstacle {
        let fault: String
        let mend: String
        var isForbidden = false
    }

    /// Nil where this user may open it.
    static func obstacle() -> Obstacle? {
        if isPermitted(R_OK | W_OK, path) { return nil }
        switch Errno.current {
        case .noSuchEntry: return Obstacle(fault: "there is no \(path), so this system cannot mount drives", mend: "sudo modprobe fuse")
        case .accessDenied, .notPermitted: return forbidden()
        case let error: return Obstacle(fault: "\(path) cannot be opened (\(error))", mend: "sudo modprobe -r fuse && sudo modprobe fuse")
        }
    }

    private static func forbidden() -> Obstacle {
        if let device = try? status(of: path), device.group != 0, device.mode & 0o060 == 0o060 {
            let group = groupName(device.group)
            return Obstacle(
                fault: "only root and the group \(printable(group)) may open \(path), and no drive can be mounted without that",
                mend: "sudo usermod --append --groups \(shellWord(group)) \(shellWord(userName())), and log in anew", isForbidden: true)
        }
        // udev gives it to everybody at each start; where there is none, as in a container, it stays as it was made.
        let lasting = isPermitted(F_OK, "/run/udev/control")
            ? " && echo 'KERNEL==\"fuse\", MODE=\"0666\"' | sudo tee /etc/udev/rules.d/60-fuse.rules"
            : ", at each start of this system: it has no udev that would do it"
        return Obstacle(fault: "only root may open \(path) on this system, and no drive can be mounted without that", mend: "sudo chmod 0666 \(path)\(lasting)", isForbidden: true)
    }

    private static func groupName(_ number: UInt32) -> String {
        // SAFETY: this process has one thread yet, so nothing else asks for a group before the name is copied.
        guard let entry = unsafe getgrgid(number), let name = unsafe entry.pointee.gr_name else { return "\(number)" }
        return unsafe String(cString: name)
    }

    private static func userName() -> String {
        // SAFETY: as above.
        guard let entry = unsafe getpwuid(getuid()), let name = unsafe entry.pointee.pw_name else { return "\(getuid())" }
        return unsafe String(cString: name)
    }
}
