import Glibc
import LinuxFiles

/// What /proc tells of a process.
struct ProcessFacts {
    let name: String
    /// "R" running, "S" sleeping, "T" stopped, "Z" ended, …
    let state: Character
    /// When it started, in ticks since the system did: tells it from a later process of the same number.
    let start: UInt64
    /// How many threads it has. The first one may have ended before the others have.
    private let threads: Int

    init?(_ process: Int32) {
        guard let bytes = try? contents(of: "/proc/\(process)/stat") else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        // "4711 (name) S …": the name may hold anything, parentheses too.
        guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close else { return nil }
        let rest = text[text.index(after: close)...].split(whereSeparator: \.isWhitespace)
        guard rest.count > 19, let state = rest[0].first, let threads = Int(rest[17]), let start = UInt64(rest[19]) else { return nil }
        name = String(text[text.index(after: open)..<close])
        self.state = state
        self.threads = threads
        self.start = start
    }

    /// Only with its last thread are its files closed, and what they lie on can be unmounted.
    var hasEnded: Bool { (state == "Z" && threads <= 1) || state == "X" }
    var isStopped: Bool { state == "T" || state == "t" }
}
