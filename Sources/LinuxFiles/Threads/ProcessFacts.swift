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
        guard let text = Self.text("/proc/\(process)/stat") else { return nil }
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
        guard let groups = Self.text("/proc/\(number)/cgroup") else { return false }
        return groups.split(separator: "\n").contains { line in
            // "0::/user.slice", and "6:freezer:/" of the first version.
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return false }
            if parts[1].split(separator: ",").contains("freezer") { return Self.text("/sys/fs/cgroup/freezer\(parts[2])/freezer.state") == "FROZEN\n" }
            guard parts[0] == "0" else { return false }
            return ["", "/unified"].contains { Self.text("/sys/fs/cgroup\($0)\(parts[2])/cgroup.events")?.contains("frozen 1") == true }
        }
    }

    private static func text(_ path: String) -> String? {
        (try? Descriptor.atPath(path, .read).readAll(limit: 64 * 1024)).map { String(decoding: $0, as: UTF8.self) }
    }
}
