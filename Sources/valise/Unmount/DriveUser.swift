import Glibc
import LinuxFiles
import Shell

/// A process that keeps a drive from being unmounted, and what it has on it.
struct DriveUser {
    let process: Int32
    let name: String
    /// The first file or folder that was found, below the mountpoint.
    let path: String
    /// It is there as a shell is in its folder.
    let isInFolder: Bool

    /// Who uses a drive, as far as this user may see, but for this process, which has what its shell has. Reads links in /proc, and asks the drive nothing.
    static func all(of mountpoint: String) -> [DriveUser] {
        let processes = (try? names(in: "/proc"))?.compactMap { Int32($0) }.filter { $0 != getpid() } ?? []
        return processes.sorted().compactMap { process in
            let base = "/proc/\(process)"
            let files = ((try? names(in: "\(base)/fd")) ?? []).map { "\(base)/fd/\($0)" }
            let mapped = ((try? names(in: "\(base)/map_files")) ?? []).map { "\(base)/map_files/\($0)" }
            let used = (["\(base)/cwd", "\(base)/root", "\(base)/exe"] + files + mapped).lazy
                .compactMap { linkTarget($0) }
                .first { isInside($0, mountpoint) }
            let folder = linkTarget("\(base)/cwd")
            return used.map { DriveUser(process: process, name: ProcessFacts(process)?.name ?? "?", path: withoutNote($0), isInFolder: $0 == folder) }
        }
    }

    /// /proc notes so what the kernel has no name for any more; on a drive that is nothing special.
    private static func withoutNote(_ target: String) -> String {
        target.hasSuffix(" (deleted)") ? String(target.dropLast(10)) : target
    }

    /// A shell is seldom closed for this.
    static func advice(_ users: [DriveUser]) -> String { users.contains(where: \.isInFolder) ? "close that, or leave the folder (cd)" : "close that" }

    static func sentence(_ users: [DriveUser]) -> String {
        guard !users.isEmpty else { return "a process that you may not see (as root: fuser -m)" }
        let shown = users.prefix(5).map { "\(printable($0.name)) (process \($0.process), \(quoted($0.path)))" }
        let more = users.count > 5 ? " and \(users.count - 5) more" : ""
        return shown.joined(separator: ", ") + more
    }
}
