import LinuxFiles

/// Deleted items that go for good: those that are too old, and the oldest where they take more room than they may.
final class DeletedRemoval: Sendable {
    private let container: Container
    private let policy: DeletedPolicy
    private let versionPolicy: VersionPolicy
    private let keeping: DeletedKeeping

    init(container: Container, policy: DeletedPolicy, versionPolicy: VersionPolicy, keeping: DeletedKeeping) {
        (self.container, self.policy, self.versionPolicy, self.keeping) = (container, policy, versionPolicy, keeping)
    }

    /// Removes what is not to be kept any more, and answers how much room the others take.
    func thin() -> Int64 {
        let items = keeping.items.filter { $0.away == 0 }.sorted { $0.number < $1.number }
        guard !items.isEmpty else { return 0 }
        let now = Timestamp.now.seconds, sizes = keeping.sizes()
        var kept: [(item: DeletedItem, size: Int64)] = []
        for item in items {
            if case .days(let days) = policy, now - item.when.seconds > Int64(days) * VersionPolicy.day { try? keeping.purge(item) }
            else { kept.append((item, sizes[item.number] ?? 0)) }
        }
        var used = kept.reduce(Int64(0)) { $0.saturatingAdd($1.size) }
        guard let room = try? versionPolicy.room(for: used, in: container) else { return used }
        for (item, size) in kept where used > room {
            guard (try? keeping.purge(item)) != nil else { continue }
            used -= size
        }
        return used
    }

    /// The store is full: the oldest go, a quarter of all at a time. False where there is nothing to give up.
    func giveUp() -> Bool {
        let items = keeping.items.filter { $0.away == 0 }.sorted { $0.number < $1.number }
        let sizes = keeping.sizes(), enough = sizes.values.reduce(Int64(0)) { $0.saturatingAdd($1) } / 4
        var freed: Int64 = 0, gaveUp = false
        for item in items {
            guard (try? keeping.purge(item)) != nil else { continue }
            freed = freed.saturatingAdd(sizes[item.number] ?? 0)
            gaveUp = true
            if freed > enough { break }
        }
        return gaveUp
    }
}
