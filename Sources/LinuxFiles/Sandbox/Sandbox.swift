import CLinux
import Glibc

/// Rights that this process gives up for good. What it has open stays open.
///
/// What the kernel has no means for is left; a means that fails is a fault, and the process is not to go on. To be called while
/// it has one thread: later ones inherit it.
public struct Sandbox: Sendable {
    /// Files and folders but those that were named are out of reach (Landlock).
    public let sealsFiles: Bool

    /// Why a process did not give up its rights.
    public struct Fault: Error, Sendable {
        public let reason: String
    }

    /// A place of which all that lies beneath it stays in reach. Nothing there can be started as a program.
    public struct Reachable: Sendable {
        let place: OpenFile
        let kind: CLinux_ReachableKind

        public static func reading(_ place: OpenFile) -> Reachable { Reachable(place: place, kind: CLinux_reachable_reading) }
        /// Of processes: all of this one. What everybody is told of others is read where this process is not root: with root's right to administer
        /// (CAP_SYS_ADMIN), newer kernels let it read the environment and memory map of any of them, and it could change the attributes of /proc itself.
        public static func processes() -> [Reachable] {
            guard geteuid() == 0 else { return ["/proc"].compactMap(place).map(reading) }
            // The kernel knows it again as long as it is open.
            let own = place("/proc/self")
            if let own { _ = try? own.descriptor.duplicate().release() }
            return [own].compactMap(\.self).map(reading)
        }

        private static func place(_ path: String) -> OpenFile? { try? OpenFile(Descriptor.atPath(path, [.path, .folder])) }

        public static func all(_ place: OpenFile) -> Reachable { Reachable(place: place, kind: CLinux_reachable_all) }
    }

    // MARK: A process that works on what it has open

    /// A user that owns nothing, where this is root.
    public static func becomeNobody() throws(Fault) {
        guard geteuid() == 0 else { return try keepCapabilities(0) }
        // The bounding set is closed to who is root no more.
        try keepCapabilities(1 << UInt64(CLinux_CAP_SETUID) | 1 << UInt64(CLinux_CAP_SETGID), bound: 0)
        try succeed("become another user") { CLinux_become(nobody, nobody) }
        try keepCapabilities(0)
    }

    /// Another user for good, whatever this process is told to do later.
    static func become(_ user: SystemUser) throws(Fault) {
        try checkThreads()
        try keepCapabilities(1 << UInt64(CLinux_CAP_SETUID) | 1 << UInt64(CLinux_CAP_SETGID), bound: 0)
        // SAFETY: the pointer and the count are the array's.
        try succeed("become another user") { unsafe CLinux_become_user(user.number, user.group, user.groups, user.groups.count) }
        try keepCapabilities(0)
        // What a process was told to keep of its rights (prctl(2), PR_SET_SECUREBITS) would show here.
        guard seteuid(0) != 0, getuid() == user.number else { throw Fault(reason: "it could be root again") }
    }

    /// Seals this process with all that is in it.
    public static func enter(memory: UInt64) throws(Fault) -> Sandbox {
        try succeed("bound its memory") { CLinux_limit(CLinux_RLIMIT_AS, memory) }
        // Images that kill leave no cores, and nothing grows.
        try succeed("bound its files") { min(CLinux_limit(CLinux_RLIMIT_CORE, 0), CLinux_limit(CLinux_RLIMIT_FSIZE, 0)) }
        try checkThreads()
        try succeed("renounce new privileges") { CLinux_renounce_privileges() }
        let files = CLinux_landlock_version() >= 1
        if files { try succeed("seal its files") { CLinux_seal_files(nil, 0, CLinux_scope_sockets | CLinux_scope_signals) } }
        try succeed("seal its calls") { CLinux_seal_calls() }
        return Sandbox(sealsFiles: files)
    }

    /// Lets others go first: this process works behind their backs.
    public static func stepBack() { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }

    // MARK: A process that serves a drive

    /// Before this version of Landlock (Linux 5.19) nothing can be moved between folders.
    private static let oldestForMoving: Int32 = 2

    /// Keeps what serving a drive takes, for root with what acting for others takes. `ward` is a process that it may end.
    /// What is open and lies elsewhere stays open: it can be read and written, and nothing else.
    public static func enter(reaching places: [Reachable], ward: Int32?) throws(Fault) -> Sandbox {
        try checkThreads()
        let kept = try FilesFromBefore.note(beside: places.map(\.place))
        // A thread that is cancelled loads it, and could not any more.
        CLinux_load_unwinder()
        try keepCapabilities(geteuid() == 0 ? CLinux_caller_capabilities : 0)
        try succeed("renounce new privileges") { CLinux_renounce_privileges() }
        let files = CLinux_landlock_version() >= oldestForMoving
        if files {
            let list = places.map { CLinux_Reachable(place: $0.place.descriptor.rawValue, kind: $0.kind) }
            // Its ward is another process, and the calls that signal are filtered.
            // SAFETY: the pointer and the count are the array's.
            try succeed("seal its files") { unsafe CLinux_seal_files(list, list.count, CLinux_scope_sockets) }
        }
        withExtendedLifetime(places) {}
        // SAFETY: the pointer and the count are the array's.
        try succeed("seal its calls") { unsafe CLinux_seal_serving(ward ?? 0, kept, kept.count) }
        return Sandbox(sealsFiles: files)
    }

    /// Puts /dev/null in the place of the three standard streams, also of a process that has given up its rights.
    public static func silenceStandardStreams() {
        guard let nothing = FilesFromBefore.nothing else { return }
        for stream in STDIN_FILENO...STDERR_FILENO { dup2(nothing.descriptor.rawValue, stream) }
    }

    // MARK: Steps

    private static let nobody: UInt32 = 65534

    private static func keepCapabilities(_ kept: UInt64, bound: UInt64? = nil) throws(Fault) {
        try succeed("give up its capabilities") { CLinux_keep_capabilities(kept, bound ?? kept) }
    }

    private static func succeed(_ what: String, _ call: () -> Int32) throws(Fault) {
        guard call() == 0 else { throw Fault(reason: "it cannot \(what): \(Errno.current)") }
    }

    /// Landlock takes hold of the thread that asks for it, and of those that it starts.
    private static func checkThreads() throws(Fault) {
        var count = 0
        do throws(Errno) {
            var threads = try FolderReader(try Descriptor.atPath("/proc/self/task", [.path, .folder]))
            while try threads.next() != nil { count += 1 }
        } catch { throw Fault(reason: "it cannot count its threads: \(error)") }
        guard count == 1 else { throw Fault(reason: "it has \(count) threads already") }
    }
}
