/// What was set in memory and is not in the store yet, in the order in which it was set: of each key the last.
public struct WaitingEntries: Sendable {
    private struct Waiting {
        let entry: KeyValueContents.Entry
        let number: Int
    }

    private var waiting: [String: Waiting] = [:]
    private var last = 0

    public init() {}

    public var isEmpty: Bool { waiting.isEmpty }

    public subscript(key: String) -> KeyValueContents.Entry? { waiting[key]?.entry }

    public mutating func add(_ entry: KeyValueContents.Entry, under key: String) {
        last += 1
        waiting[key] = Waiting(entry: entry, number: last)
    }

    /// What these were before something was added: that no longer waits. What was set again does.
    public mutating func remove(_ before: WaitingEntries) {
        for (key, one) in before.waiting where waiting[key]?.number == one.number { waiting[key] = nil }
    }

    var inOrder: [(key: String, entry: KeyValueContents.Entry)] {
        waiting.sorted { $0.value.number < $1.value.number }.map { ($0.key, $0.value.entry) }
    }
}

extension KeyValueContents {
    /// Takes over what is later there than here, judged together: where all of it fits, it is taken, whatever was set first. Where it
    /// does not, because somebody else has taken the room meanwhile, what makes room is taken first, and then each that fits, in its
    /// order. Answers the keys that did not fit.
    public mutating func take(_ waiting: WaitingEntries) -> [String] {
        let later = later(of: waiting), before = self
        for (key, entry) in later { put(entry, under: key) }
        if isWithinLimits { return [] }
        self = before
        for (key, entry) in later where !isGrowing(entry, key) { put(entry, under: key) }
        var refused: [String] = []
        for (key, entry) in later where before.isGrowing(entry, key) {
            let old = entries[key]
            put(entry, under: key)
            guard !isWithinLimits else { continue }
            put(old, under: key)
            refused.append(key)
        }
        return refused
    }

    /// Has what is later there, whether it fits or not: for who shows what was set, and is not the judge of it.
    public mutating func show(_ waiting: WaitingEntries) { for (key, entry) in later(of: waiting) { put(entry, under: key) } }

    private func later(of waiting: WaitingEntries) -> [(key: String, entry: Entry)] {
        waiting.inOrder.filter { key, entry in entries[key].map(entry.isLater) ?? true }
    }

    private func isGrowing(_ entry: Entry, _ key: String) -> Bool {
        guard let value = entry.value else { return false }
        return entries[key]?.value.map { Self.size(value) > Self.size($0) } ?? true
    }
}
