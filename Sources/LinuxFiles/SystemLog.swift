import Glibc

/// Where a drive's messages go: lines on standard error, or entries with fields in systemd's journal.
public enum SystemLog {
    /// As syslog counts.
    public enum Grade: Int, Sendable {
        case error = 3, warning = 4, notice = 5
    }

    /// What an entry says beside its message: `VALISE_DOCUMENT` and the document's path on the drive.
    public struct Field: Sendable {
        let name: String
        let value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    private struct Journal: Sendable {
        let channel: Channel
        let fields: [Field]
    }

    private static let journal = Locked<Journal?>(nil, .systemLog)

    /// From now on messages go to the journal, and each has these fields. False where there is no journal.
    @discardableResult
    public static func useJournal(_ fields: [Field], socket: String = "/run/systemd/journal/socket") -> Bool {
        guard let channel = try? Channel.toService(socket) else { return false }
        journal.withLock { $0 = Journal(channel: channel, fields: [Field("SYSLOG_IDENTIFIER", "valise")] + fields) }
        return true
    }

    /// Whether standard error is the journal's own, which systemd tells in JOURNAL_STREAM as "device:inode".
    public static func isJournal(_ stream: String) -> Bool {
        var facts = stat()
        // SAFETY: fstat fills the struct it is given.
        guard unsafe fstat(STDERR_FILENO, &facts) == 0 else { return false }
        return stream == "\(facts.st_dev):\(facts.st_ino)"
    }

    public static func write(_ message: String, _ grade: Grade = .notice, _ fields: [Field] = []) {
        if let journal = journal.withLock({ $0 }) {
            let all = [Field("MESSAGE", message), Field("PRIORITY", "\(grade.rawValue)")] + journal.fields + fields
            if (try? journal.channel.send(all.flatMap(\.bytes))) != nil { return }
        }
        let bytes = Array("valise: \(message)\n".utf8)
        // One call, so that lines of several threads do not mix.
        // SAFETY: the pointer and the count are the array's.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

extension SystemLog.Field {
    /// As https://systemd.io/JOURNAL_NATIVE_PROTOCOL/ says: a value with line ends is counted.
    var bytes: [UInt8] {
        let text = Array(value.utf8), end = UInt8(ascii: "\n")
        guard text.contains(end) else { return Array("\(name)=".utf8) + text + [end] }
        return Array("\(name)\n".utf8) + (0..<8).map { UInt8(truncatingIfNeeded: text.count >> ($0 * 8)) } + text + [end]
    }
}
