import Foundation

/// Tells when the system's table of mounts changes. A thread waits for that, which the kernel wakes and nothing else does.
@MainActor
final class MountTableWatch {
    private let changed: @MainActor () -> Void
    private let stopping = Pipe()

    init(_ changed: @escaping @MainActor () -> Void) {
        self.changed = changed
        let table = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC), end = stopping.fileHandleForReading.fileDescriptor
        guard table >= 0 else { return }
        Thread.detachNewThread { [weak self] in
            defer { close(table) }
            while true {
                var waits = [pollfd(fd: table, events: Int16(POLLPRI), revents: 0), pollfd(fd: end, events: Int16(POLLIN), revents: 0)]
                guard poll(&waits, 2, -1) > 0 || errno == EINTR else { return }
                if waits[1].revents != 0 { return }
                if waits[0].revents & Int16(POLLPRI) != 0 { DispatchQueue.main.async { self?.changed() } }
            }
        }
    }

    func stop() { try? stopping.fileHandleForWriting.close() }
}
