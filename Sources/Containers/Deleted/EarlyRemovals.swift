import LinuxFiles

/// What went for good before its time, for want of room: counted, and told in the log. Somebody may count on finding it.
final class EarlyRemovals: Sendable {
    private let state = Locked(EarlyRemoval())

    /// One that is gone.
    struct Gone {
        /// What it is called, from the documents on.
        let path: [Name]
        let isVersion: Bool
        let size: Int64
        let isTooLarge: Bool
    }

    var all: EarlyRemoval { state.withLock { $0 } }

    /// These went at once. `room`: how much there is for all.
    func tell(_ gone: [Gone], room: Int64) {
        for one in gone where one.isTooLarge {
            let what = one.isVersion ? "an earlier version of it is gone" : "it was deleted, and is gone"
            DocumentLog.warn(of: one.path) { file in
                "“\(file)”: \(what) for good; alone it took \(one.size) bytes, and there are \(room) for all deleted items and earlier versions"
            }
        }
        let others = gone.filter { !$0.isTooLarge }
        if !others.isEmpty {
            SystemLog.write("to make room, what was kept is gone for good before its time: \(Self.words(others))", .warning)
        }
        count(gone)
    }

    /// The same where the store was full, and something that matters more needed room.
    func tellFullStore(_ gone: [Gone]) {
        if !gone.isEmpty { SystemLog.write("the store is full: what was kept made room: \(Self.words(gone))") }
        count(gone)
    }

    private func count(_ gone: [Gone]) {
        state.withLock { state in
            for one in gone {
                state.items += 1
                state.size = state.size.saturatingAdd(one.size)
                if one.isTooLarge { state.tooLarge += 1 }
            }
        }
    }

    /// "2 deleted items and 3 earlier versions (4711 bytes), those of a, b".
    private static func words(_ gone: [Gone]) -> String {
        let versions = gone.count(where: \.isVersion), deleted = gone.count - versions
        let counts = [(deleted, "deleted item"), (versions, "earlier version")].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        let names = Set(gone.map(\.path.text)).sorted()
        let size = gone.reduce(Int64(0)) { $0.saturatingAdd($1.size) }
        return "\(counts.joined(separator: " and ")) (\(size) bytes), \(names.prefix(mostNamed).joined(separator: ", "))\(names.count > mostNamed ? ", …" : "")"
    }

    private static let mostNamed = 5
}

/// How much that was.
public struct EarlyRemoval: Equatable, Sendable {
    public internal(set) var items = 0
    /// How many of them were larger than all the room.
    public internal(set) var tooLarge = 0
    public internal(set) var size: Int64 = 0
}
