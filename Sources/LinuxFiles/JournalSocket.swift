/// A way to systemd's journal, for entries in its protocol. For a process that may connect to services.
public struct JournalSocket: Sendable {
    private let speaker: Channel.Speaker?
    private let path: String
    private var channel: Channel?

    public init(for speaker: Channel.Speaker? = nil, at path: String = "/run/systemd/journal/socket") {
        (self.speaker, self.path) = (speaker, path)
        channel = try? Channel.toService(path)
    }

    public var isThere: Bool { channel != nil }

    /// Waits for nobody. The socket outlives the journal's own process, because systemd holds it (systemd-journald.service(8)); where it was made
    /// anew all the same, it is connected to once more.
    public mutating func send(_ entry: [UInt8]) {
        guard !isTaken(entry) else { return }
        channel = try? Channel.toService(path)
        _ = isTaken(entry)
    }

    /// False where nobody is there who could.
    private func isTaken(_ entry: [UInt8]) -> Bool {
        guard let channel else { return false }
        do throws(Errno) { try channel.send(entry, from: speaker) } catch { return error == .tryAgain }
        return true
    }
}
