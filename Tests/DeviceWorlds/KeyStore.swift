import Replication

/// A device's key-value store: it takes no more keys than its most, and remembers few removals.
struct KeyStore {
    private(set) var entries: [[UInt8]: LocalKey] = [:]

    private static let most = 2, mostRemoved = 1

    var values: [[UInt8]: [UInt8]] { entries.compactMapValues(\.value) }

    /// False where there are as many as somebody may set.
    mutating func set(_ key: [UInt8], _ value: [UInt8]?, at now: Int64, id: Mark) -> Bool {
        let before = entries[key]
        if value == nil ? before?.value == nil : before?.value == nil && values.count >= Self.most { return false }
        entries[key] = LocalKey(value, time: max(now, (before?.time ?? .min / 2) + 1), id: id)
        forgetRemovals()
        return true
    }

    mutating func take(_ coming: [[UInt8]: LocalKey]) {
        entries.merge(coming) { $1 }
        forgetRemovals()
    }

    private mutating func forgetRemovals() {
        let removed = entries.filter { $0.value.value == nil }.sorted { ($0.value.time, $0.value.id) > ($1.value.time, $1.value.id) }
        for (key, _) in removed.dropFirst(Self.mostRemoved) { entries[key] = nil }
    }
}
