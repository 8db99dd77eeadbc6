import Glibc

/// The table of mounts for who asks again and again: it is read anew only after the kernel said that something was mounted or unmounted.
public final class WatchedMounts: Sendable {
    private struct State {
        var file: OpenFile?
        var table: MountTable?
    }

    /// Whoever reads it anew is waited for by those who ask meanwhile: the kernel tells each change once.
    private let state = Locked(State(), .mountTable)

    public init() {}

    public func table() throws(Errno) -> MountTable {
        try state.withLock { (state) throws(Errno) in
            let file: OpenFile
            if let open = state.file { file = open } else { file = OpenFile(try Descriptor.atPath("/proc/self/mountinfo", .read)) }
            state.file = file
            if let table = state.table, !Self.hasChanged(file) { return table }
            let table = MountTable(try file.descriptor.readAll(limit: 64 << 20))
            state.table = table
            return table
        }
    }

    /// As proc(5) has it: the open file has “an error” once after each change.
    private static func hasChanged(_ file: OpenFile) -> Bool {
        var asked = pollfd(fd: file.descriptor.rawValue, events: Int16(POLLPRI), revents: 0)
        // SAFETY: poll reads and writes the one struct.
        return unsafe poll(&asked, 1, 0) != 0
    }
}
