import Glibc
import LinuxFiles
import Shell

/// A process in another mount namespace (a container's, a service's) in which a drive is mounted, too: it lives on there when it is unmounted here.
struct DriveHolder {
    let process: Int32
    let name: String
    /// Where the drive is mounted there.
    private let mountpoint: String
    private let device: String

    /// The first of them, as far as this user may see: of a drive that is not mounted in this namespace any more.
    static func first(of mount: MountTable.Mount) -> DriveHolder? { first { $0.mount(like: mount) } }

    /// Of a drive that was taken away here and lives on there: who is there, and what ends it; nil where there is none that is meant.
    /// The mount of one that has ended stays there, and nothing is left to end: the program there is the user's own.
    static func sentence(where isMeant: (MountTable.Mount) -> Bool) -> String? {
        var serving: DriveProcess?
        let found = first { table in
            table.drives.last { mount in
                guard isMeant(mount), let process = DriveProcess.search(mount) else { return false }
                serving = process
                return true
            }
        }
        guard let holder = found, let serving else { return nil }
        return "lives on in another mount namespace, in which \(printable(holder.name)) is (process \(holder.process)); to end it, saving all: kill \(serving.number)"
    }

    private static func first(where found: (MountTable) -> MountTable.Mount?) -> DriveHolder? {
        var seen: Set<String> = []
        for process in ((try? names(in: "/proc")) ?? []).compactMap({ Int32($0) }).sorted() {
            // Of most processes it is the same, and read once. One that may not be asked for it may be asked for what is mounted.
            if let namespace = linkTarget("/proc/\(process)/ns/mnt"), !seen.insert(namespace).inserted { continue }
            guard let table = try? contents(of: "/proc/\(process)/mountinfo"), let there = found(MountTable(table)) else { continue }
            return DriveHolder(process: process, name: ProcessFacts(process)?.name ?? "?", mountpoint: there.mountpoint, device: there.device)
        }
        return nil
    }

    /// Has the kernel write what programs there have mapped and changed. A drive that does not answer is not waited for long.
    func writeOut() {
        _ = Child.ask(seconds: 10) { () throws(Errno) in
            let top = try Descriptor.atPath("/proc/\(process)/root\(mountpoint)", [.read, .folder])
            guard try "\(top.device().major):\(top.device().minor)" == device else { throw .stale }
            try top.synchronizeFileSystem()
            return []
        }
    }
}
