import CFuse3
import Drive
import Glibc
import LinuxFiles
import Synchronization

/// A mounted drive: from `mount` until `run` returns.
@safe public final class Session: Sendable {
    public let mountpoint: String
    private let place: MountPlace?

    let adapter: Adapter
    // SAFETY, for both: libfuse's session and the pool guard themselves, and live as long as this object.
    nonisolated(unsafe) let handle: OpaquePointer
    nonisolated(unsafe) private let pool: OpaquePointer
    /// Where what the kernel is to forget waits to be told: see `Session+KernelListener.swift`.
    let telling = OrderedThread()
    private let phase = Atomic(Phase.mounted)
    let unmount: @Sendable (_ lazily: Bool) -> UnmountOutcome
    let mounted: (@Sendable () -> OpenFile?)?

    private enum Phase: UInt8, AtomicRepresentable {
        case mounted, running
        /// `stop` was called, and sees to the unmounting.
        case stopping
        case ended
    }

    init(
        adopting handle: OpaquePointer, pool: OpaquePointer, adapter: Adapter, mountpoint: String, place: MountPlace?,
        mounted: (@Sendable () -> OpenFile?)?, unmount: @escaping @Sendable (_ lazily: Bool) -> UnmountOutcome
    ) {
        unsafe self.handle = handle
        unsafe self.pool = pool
        self.adapter = adapter
        self.mountpoint = mountpoint
        self.place = place
        self.mounted = mounted
        self.unmount = unmount
    }

    deinit {
        // SAFETY: the last reference is gone, so neither a thread nor a notice uses them any more.
        if phase.load(ordering: .acquiring) == .mounted {
            // What root mounted on an open folder has no path that libfuse knows.
            _ = unmount(true)
            unsafe CFuse3_session_unmount(handle)
        }
        unsafe CFuse3_pool_free(pool)
        unsafe CFuse3_session_destroy(handle)
    }

    /// The folder that the drive is mounted on, as the drive shows it: not what its path leads to by now. Who keeps it keeps the drive.
    public func top() -> OpenFile? { try? place?.opened() }

    /// Answers the kernel until the drive is unmounted, by `stop` or by anybody else. Calls `ready`, with the number
    /// of the process that watches over this one, while there is one thread: the drive answers when it returns. 0, or the errno that ended it. Saving what is open (`Drive.close`) is the caller's.
    public func run(ready: (_ guardian: Int32?) -> Void) -> Int32 {
        guard follow(.mounted, by: .running) else { return 0 }
        // SAFETY: the pool lives as long as this object.
        var error = unsafe CFuse3_pool_greet(pool)
        var ward: Int32?
        let guardian = error == 0 ? makeGuardian(&ward) : nil
        if error == 0 {
            adapter.drive.setKernelMeans(unsafe KernelMeans(CFuse3_pool_agreement(pool)))
            adapter.directWrites.set(DirectWrites(self))
            readAhead()
            ready(ward)
            telling.start()
            error = unsafe CFuse3_pool_run(pool)
        }
        adapter.directWrites.set(nil)
        adapter.drive.setListener(nil)
        phase.store(.ended, ordering: .sequentiallyConsistent)
        // A notice that is being told needs the session; the kernel answers it with an error by now.
        telling.finish()
        _ = consume guardian
        return error == ENODEV ? 0 : error
    }

    /// False where it is in another phase. None comes back.
    private func follow(_ phase: Phase, by next: Phase) -> Bool {
        self.phase.compareExchange(expected: phase, desired: next, ordering: .sequentiallyConsistent).exchanged
    }

    /// Unmounts, and so ends `run`. From any thread that does not answer requests. When something on the drive
    /// stays in use, the drive is taken out of the tree all the same, and who still uses it gets errors.
    public func stop() {
        guard follow(.mounted, by: .stopping) || follow(.running, by: .stopping) else { return }
        adapter.drive.endEchoing()
        if unmounted() {
            guard !isLeft() else { return }
            log("“\(mountpoint)” is unmounted, but its drive was mounted elsewhere, too: programs there will get errors")
        } else {
            log("“\(mountpoint)” is still in use; it is unmounted all the same, and programs that use it will get errors")
            detach()
        }
        unsafe CFuse3_pool_stop(pool)
    }
}

extension Session {
    /// Sees to it that the drive's requests end when this process is killed. The kernel ends them when the device is closed;
    /// but a thread that is telling a notice may wait for a folder or a page that a request holds, whose answer will never come,
    /// and the device stays open for as long as it waits. Nil where the kernel's switches for that cannot be reached; `number` is
    /// that of its process.
    func makeGuardian(_ number: inout Int32?) -> Guardian? {
        guard let file = mounted.map({ $0() }) ?? ownSwitch(), let guardian = Guardian(writingTo: file.descriptor) else { return nil }
        number = guardian.process
        return guardian
    }

    private func ownSwitch() -> OpenFile? {
        guard let connection = try? Descriptor.atPath(mountpoint, [.path, .folder]).device().minor else { return nil }
        return FuseConnections.abortFile(of: connection)
    }
}

extension Session {
    /// Lets the kernel read as far ahead as one request reads. By itself it reads 128 KiB ahead, and the first reading of
    /// photos takes a fourth longer. Only root may change it, and only once the kernel has been greeted; without it all works.
    func readAhead() {
        guard geteuid() == 0, let device = try? Descriptor.atPath(mountpoint, [.path, .folder]).device() else { return }
        Self.readAhead(on: device)
    }

    static func readAhead(on device: DeviceNumber) {
        guard let setting = try? Descriptor.atPath("/sys/class/bdi/\(device.major):\(device.minor)/read_ahead_kb", [.write]) else { return }
        try? setting.write(Array("\(CFuse3_most_read >> 10)".utf8), at: 0)
    }
}
