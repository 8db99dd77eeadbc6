import Glibc
import LinuxFiles
import Shell

extension MountTable {
    /// What is mounted now. Reading the table asks no drive anything.
    static func now() throws(Stop) -> MountTable {
        do throws(Errno) { return try read() }
        catch { throw Stop(2, "cannot read /proc/self/mountinfo, the list of mounts: \(error)") }
    }

    /// Those that this user mounted; for root, all.
    var ownDrives: [Mount] { drives.filter { getuid() == 0 || $0.user == getuid() } }
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
