import Glibc
import LinuxFiles
import Shell

/// The process that serves a drive.
struct DriveProcess {
    let number: Int32
    private let start: UInt64

    private init?(_ number: Int32) {
        guard let facts = ProcessFacts(number), !facts.hasEnded else { return nil }
        self.number = number
        start = facts.start
    }

    /// Finds it: the drive itself knows; of one that does not answer the kernel or the call it was started with tells.
    static func serving(_ mount: MountTable.Mount) -> DriveProcess? {
        switch StatusSource.read(mount.mountpoint) {
        case .answer(let bytes):
            if let number = JSON(bytes).flatMap({ StatusReport($0).process }), let process = DriveProcess(number) { return process }
            return search(mount)
        case .failed(let error): return search(mount, isDead: DriveHealth.isDeath(error))
        case .silent: return search(mount)
        }
    }

    /// Finds it without asking the drive. A connection's number belongs to the next drive as soon as this one's mount is gone, while its process
    /// may still end: who has the number and was called for another place is not meant, unless nobody was called for this one (a mount that was
    /// moved). A dead drive has no connection, so the call alone tells of it.
    static func search(_ mount: MountTable.Mount, isDead: Bool = false) -> DriveProcess? {
        let candidates = ((try? names(in: "/proc")) ?? []).compactMap { Int32($0) }
            .filter { $0 != getpid() && programNames.contains(ProcessFacts($0)?.name ?? "") }
        let called = candidates.filter { wasCalled($0, for: mount.mountpoint) }, connected = candidates.filter { holdsConnection($0, of: mount) }
        let found = called.first { connected.contains($0) } ?? (isDead ? nil : connected.first) ?? called.first
        return found.flatMap { DriveProcess($0) }
    }

    /// The kernel keeps 15 bytes of a name.
    private static let programNames = (["valise"] + MountHelperCall.names).map { String($0.prefix(15)) }

    /// Newer kernels tell which connection an open /dev/fuse is; its number is the minor one of the mount's device.
    private static func holdsConnection(_ process: Int32, of mount: MountTable.Mount) -> Bool {
        guard let minor = mount.device.split(separator: ":").last else { return false }
        let base = "/proc/\(process)"
        let devices = ((try? names(in: "\(base)/fd")) ?? []).filter { linkTarget("\(base)/fd/\($0)") == "/dev/fuse" }
        return devices.contains { descriptor in
            let text = String(decoding: (try? contents(of: "\(base)/fdinfo/\(descriptor)")) ?? [], as: UTF8.self)
            return text.split(whereSeparator: \.isWhitespace).windows("fuse_connection:", minor)
        }
    }

    /// "valise mount … MOUNTPOINT" or "mount.valise CONTAINER MOUNTPOINT …", resolved from where it was called.
    private static func wasCalled(_ process: Int32, for mountpoint: String) -> Bool {
        let words = list("/proc/\(process)/cmdline")
        guard let program = words.first, let operand = mountpointWord(words, isHelper: MountHelperCall.isMeant(by: program)) else { return false }
        let folder = list("/proc/\(process)/environ").first { $0.hasPrefix("PWD=") }?.dropFirst(4) ?? ""
        return (try? mountpointPath(operand.hasPrefix("/") ? operand : "\(folder)/\(operand)")) == mountpoint
    }

    private static func mountpointWord(_ words: [String], isHelper: Bool) -> String? {
        if isHelper { return words.count > 2 ? words[2] : nil }
        return words.count > 3 && words[1] == "mount" ? words.last { !$0.hasPrefix("-") } : nil
    }

    private static func list(_ path: String) -> [String] {
        ((try? contents(of: path)) ?? []).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    private var isGone: Bool {
        guard let facts = ProcessFacts(number) else { return true }
        return facts.hasEnded || facts.start != start
    }

    func isGone(within milliseconds: Int64) -> Bool {
        let began = Clock.now
        while !isGone {
            guard Clock.now - began < milliseconds else { return false }
            usleep(10_000)
        }
        return true
    }

    /// Nobody would take the drive away from the holder, and its container would be in use for as long as that one lives. nil where a namespace is
    /// kept that no process is in, or none that this user may see.
    func end(heldBy holder: DriveHolder?, mountpoint: String) {
        let inside = holder.map { "\(printable($0.name)) is (process \($0.process))" } ?? "no process is that you may see"
        printError("\(quoted(mountpoint)) is mounted in another mount namespace, too, in which \(inside); it ends there as well, and programs there get errors")
        holder?.writeOut()
        kill(number, SIGTERM)
    }

    var isStopped: Bool { ProcessFacts(number)?.isStopped ?? false }

    /// Waits until it has saved and ended, because what the container lies on is in use until then. Of a drive that was taken
    /// from its users only ten seconds: it goes on for as long as they do.
    func waitUntilGone(mountpoint: String, lazy: Bool) throws(Stop) {
        let began = Clock.now, patience: Int64 = lazy ? 10_000 : 120_000
        var isTold = lazy
        while !isGone {
            let waited = Clock.now - began
            if isStopped, waited > 1000 {
                throw Stop(1, "\(quoted(mountpoint)) is unmounted, but process \(number), which served it, is stopped and cannot end; to let it go on: kill -CONT \(number)")
            }
            if !isTold, waited > 10_000 {
                isTold = true
                printError("\(quoted(mountpoint)) is unmounted; process \(number), which served it, still saves, and uses the container until it has ended; waiting for it, two minutes at most")
            }
            if waited > patience {
                guard lazy else { throw Stop(1, goesOn(mountpoint)) }
                return printError("\(quoted(mountpoint)) is taken away, but process \(number), which serves it, uses the container until it has saved and the last program that still has something of the drive open lets go; to end it before that: kill \(number)")
            }
            usleep(10_000)
        }
    }

    private func goesOn(_ mountpoint: String) -> String {
        "\(quoted(mountpoint)) is unmounted, but process \(number), which served it, has not ended in two minutes: it still saves; to end it: kill \(number)"
    }
}

extension [Substring] {
    /// Whether one word is followed by the other.
    fileprivate func windows(_ first: String, _ second: Substring) -> Bool {
        zip(self, dropFirst()).contains { $0 == first && $1 == second }
    }
}
