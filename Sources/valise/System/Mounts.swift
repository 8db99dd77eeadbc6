import Containers
import Glibc
import LinuxFiles
import Shell

extension MountTable {
    /// What is mounted now, with the folders of drives that show several containers. Reading the table asks no drive anything.
    static func now() throws(Stop) -> MountTable {
        do throws(Errno) { return try read().withApps }
        catch { throw Stop(2, "cannot read /proc/self/mountinfo, the list of mounts: \(error)") }
    }

    /// Those that this user mounted; for root, all.
    var ownDrives: [Mount] { drives.filter(isOwn) }

    /// Drives, and the folders of those that show several containers: what a path may lie on.
    var drivesAndApps: [Mount] { mounts.filter(\.isDrive) }

    /// What shows one container each.
    var containers: [Mount] { drivesAndApps.filter { !$0.showsApps } }
    var ownContainers: [Mount] { containers.filter(isOwn) }

    /// Those of one drive.
    func apps(on drive: Mount) -> [Mount] { containers.filter { $0.isApp && isInside($0.mountpoint, drive.mountpoint) } }

    private func isOwn(_ mount: Mount) -> Bool { getuid() == 0 || mount.user == getuid() }
}

/// How a mounted drive is.
enum DriveHealth {
    case answers
    /// The process that served it has ended.
    case dead
    /// It does not answer in time: its process is stopped or busy.
    case silent

    /// Looks at the drive's root, which the kernel asks the process for.
    static func of(_ mountpoint: String) -> DriveHealth { of([mountpoint])[0] }

    /// Of several at once.
    static func of(_ mountpoints: [String]) -> [DriveHealth] {
        Child.ask(mountpoints.map(question)).map { reply in
            switch reply {
            case .answer: .answers
            case .failed(let error): isDeath(error) ? .dead : .answers
            case .silent: .silent
            }
        }
    }

    private static func question(_ mountpoint: String) -> Child.Question {
        { () throws(Errno) -> [UInt8] in
            // The kernel may remember what the root is like, but not how full the drive is.
            _ = try Descriptor.atPath(mountpoint, .path).fileSystemStatus()
            return []
        }
    }

    static func isAnswering(_ mountpoint: String) -> Bool { if case .answers = of(mountpoint) { true } else { false } }

    static func isDeath(_ error: Errno) -> Bool { [.notConnected, .connectionAborted, .connectionRefused].contains(error) }
}
