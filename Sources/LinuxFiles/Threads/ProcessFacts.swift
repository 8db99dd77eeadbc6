import Glibc

/// What /proc tells of a process.
public struct ProcessFacts: Sendable {
    public let name: String
    /// "R" running, "S" sleeping, "T" stopped, "Z" ended, …
    let state: Character
    /// When it started, in ticks since the system did: tells it from a later process of the same number.
    public let start: UInt64
    /// How many threads it has. The first one may have ended before the others have.
    private let threads: Int
    private let number: Int32

    public init?(_ process: Int32) {
        guard let bytes = try? Descriptor.atPath("/proc/\(process)/stat", .read).readAll(limit: 64 * 1024) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        // "4711 (name) S …": the name may hold anything, parentheses too.
        guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close else { return nil }
        let rest = text[text.index(after: close)...].split(whereSeparator: \.isWhitespace)
        guard rest.count > 19, let state = rest[0].first, let threads = Int(rest[17]), let start = UInt64(rest[19]) else { return nil }
        name = String(text[text.index(after: open)..<close])
        (self.state, self.threads, self.start, number) = (state, threads, start, process)
    }

    /// Only with its last thread are its files closed, and what they lie on can be unmounted.
    public var hasEnded: Bool { (state == "Z" && threads <= 1) || state == "X" }
    public var isStopped: Bool { state == "T" || state == "t" }

    /// Whether its control group is frozen: then it does not go on either, and its state does not say so.
    public var isFrozen: Bool {
        guard let groups = try? Descriptor.atPath("/proc/\(number)/cgroup", .read).readAll(limit: 64 * 1024),
            let line = groups.split(separator: UInt8(ascii: "\n")).first(where: { $0.starts(with: "0::/".utf8) })
        else { return false }
        let events = try? Descriptor.atPath("/sys/fs/cgroup\(String(decoding: line.dropFirst(3), as: UTF8.self))/cgroup.events", .read).readAll(limit: 4096)
        return events.map { String(decoding: $0, as: UTF8.self).split(separator: "\n").contains("frozen 1") } ?? false
    }
}
