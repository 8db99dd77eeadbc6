import Glibc

/// Where a drive's messages go: lines on standard error, entries with fields in systemd's journal, or lines with times in a file.
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

    /// Who hands entries on to the journal, and what each says beside.
    private struct Journal: Sendable {
        let send: @Sendable ([UInt8]) -> Bool
        let fields: [Field]
    }

    private struct Places: Sendable {
        var journal: Journal?
        var file: OpenFile?, laterFile: OpenFile?
        var listener: (@Sendable (String) -> Void)?
    }

    private static let places = Locked(Places(), .systemLog)

    /// From now on messages go into this file, which is open for appending; to the journal, too, if there is one.
    public static func useFile(_ file: OpenFile) {
        // While files can still be opened: the time needs it later.
        tzset()
        places.withLock { $0.file = file }
    }

    /// Messages will go into this file, from when `useFile` is called: a process that gives up its rights before that keeps it as it keeps a log.
    public static func useFileLater(_ file: OpenFile) { places.withLock { $0.laterFile = file } }

    static var fileNumber: Int32? { places.withLock { ($0.file ?? $0.laterFile)?.descriptor.rawValue } }

    /// From now on messages go to who asked for that and nowhere else: standard error is a drive's or a command's, and not that of a program that uses this.
    public static func useListener(_ listener: @escaping @Sendable (String) -> Void) { places.withLock { $0.listener = listener } }

    /// From now on messages go to the journal, and each has these fields. `send` hands an entry on, and says whether it could.
    public static func useJournal(_ fields: [Field], send: @escaping @Sendable ([UInt8]) -> Bool) {
        places.withLock { $0.journal = Journal(send: send, fields: [Field("SYSLOG_IDENTIFIER", "valise")] + fields) }
    }

    /// Whether standard error is the journal's own, which systemd tells in JOURNAL_STREAM as "device:inode".
    public static func isJournal(_ stream: String) -> Bool {
        var facts = stat()
        // SAFETY: fstat fills the struct it is given.
        guard unsafe fstat(STDERR_FILENO, &facts) == 0 else { return false }
        return stream == "\(facts.st_dev):\(facts.st_ino)"
    }

    public static func write(_ message: String, _ grade: Grade = .notice, _ fields: [Field] = []) {
        let (journal, file, listener) = places.withLock { ($0.journal, $0.file, $0.listener) }
        if let listener { return listener(message) }
        if let file { write(Array("\(now) \(message)\n".utf8), to: file.descriptor.rawValue) }
        if let journal {
            let all = [Field("MESSAGE", message), Field("PRIORITY", "\(grade.rawValue)")] + journal.fields + fields
            if journal.send(all.flatMap(\.bytes)) { return }
        }
        if file == nil { write(Array("valise: \(message)\n".utf8), to: STDERR_FILENO) }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        // One call, so that lines of several threads do not mix.
        // SAFETY: the pointer and the count are the array's.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    /// "2026-11-21T23:27:33Z"
    private static var now: String {
        var time = time_t(Timestamp.now.seconds), parts = unsafe tm(), text = [CChar](repeating: 0, count: 32)
        // SAFETY: both fill what they are given; strftime writes no more than it is told there is room for.
        guard unsafe gmtime_r(&time, &parts) != nil, unsafe strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0 else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
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
