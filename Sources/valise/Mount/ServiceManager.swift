import Glibc
import LinuxFiles

/// systemd, where it started this process and waits for word of it: see sd_notify(3).
struct ServiceManager: Sendable {
    private let channel = environment("NOTIFY_SOCKET").flatMap { try? Channel.toService($0) }

    /// Whoever does not listen misses it.
    func tell(_ text: String, from speaker: Channel.Speaker? = nil) { try? channel?.send(Array(text.utf8), from: speaker) }
}
