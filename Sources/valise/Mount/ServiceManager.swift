import LinuxFiles

/// systemd, where it started this process and waits for word of it: see sd_notify(3).
struct ServiceManager: Sendable {
    private let channel = environment("NOTIFY_SOCKET").flatMap { try? Channel.toService($0) }

    func ready(_ status: String) { tell("READY=1\nSTATUS=\(status)") }
    func stopping(_ status: String) { tell("STOPPING=1\nSTATUS=\(status)") }

    /// Whoever does not listen misses it.
    private func tell(_ text: String) { try? channel?.send(Array(text.utf8)) }
}
