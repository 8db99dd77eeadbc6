import LinuxFiles

/// Deleted items that go for good: those that are too old, and of who has most of them the oldest, where they take more room than they may.
final class DeletedRemoval: Sendable {
    private let container: Container
    private let policy: DeletedPolicy
    private let versionPolicy: VersionPolicy
    private let keeping: DeletedKeeping

    init(container: Container, policy: DeletedPolicy, versionPolicy: VersionPolicy, keeping: DeletedKeeping) {
        (self.container, self.policy, self.versionPolicy, self.keeping) = (container, policy, versionPolicy, keeping)
    }

    private struct Kept {
        let item: DeletedItem
        let owner: UInt32
        let size: Int64
    }

    /// Removes what is not to be kept any more, and answers how much room what is left of each takes.
    func thin() -> [UInt32: Int64] {
        var kept = kept()
        let now = Timestamp.now.seconds
        if case .days(let days) = policy {
            for old in kept where now - old.item.when.seconds > Int64(days) * VersionPolicy.day { _ = try? keeping.purge(old.item) }
            kept.removeAll { now - $0.item.when.seconds > Int64(days) * VersionPolicy.day }
        }
        let all = kept.reduce(Int64(0)) { $0.saturatingAdd($1.size) }
        if let room = try? versionPolicy.room(for: all, in: container) {
            let gone = Set(superfluous(of: kept, room: room).filter { (try? keeping.purge($0.item)) != nil }.map(\.item.number))
            kept.removeAll { gone.contains($0.item.number) }
        }
        var used: [UInt32: Int64] = [:]
        for one in kept { used[one.owner] = (used[one.owner] ?? 0).saturatingAdd(one.size) }
        return used
    }

    /// The store is full: a quarter of all goes at a time. False where there is nothing to give up.
    func giveUp() -> Bool {
        let kept = kept()
        var gone = KeptRoom()
        for old in SharedRoom.quarter(of: kept.map({ ($0.owner, $0.size) })).map({ kept[$0] }) where (try? keeping.purge(old.item)) != nil { gone = gone + KeptRoom(items: 1, size: old.size) }
        if gone.items > 0 { SystemLog.write("the store is full: what is kept as deleted made room (\(gone.items) of it, \(gone.size) bytes)") }
        return gone.items > 0
    }

    /// What may be removed, the oldest first.
    private func kept() -> [Kept] {
        let items = keeping.all.filter { $0.away == 0 }.sorted { $0.number < $1.number }
        guard !items.isEmpty else { return [] }
        let sizes = keeping.sizes()
        return items.map { Kept(item: $0, owner: keeping.owner(of: $0), size: sizes[$0.number] ?? 0) }
    }

    private func superfluous(of kept: [Kept], room: Int64) -> [Kept] {
        SharedRoom.superfluous(kept.map { ($0.owner, $0.size) }, room: room).map { kept[$0] }
    }
}
