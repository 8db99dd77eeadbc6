import LinuxFiles

/// Deleted items that go for good, because they are too old or there is no room.
final class DeletedRemoval: Sendable {
    private let keeping: DeletedKeeping
    private let early: EarlyRemovals

    init(keeping: DeletedKeeping, early: EarlyRemovals) { (self.keeping, self.early) = (keeping, early) }

    struct Candidate {
        let item: DeletedItem
        let kept: SharedRoom.Kept

        func gone(_ reason: SharedRoom.Reason = .noRoom) -> EarlyRemovals.Gone {
            EarlyRemovals.Gone(path: item.path + [item.shown], isVersion: false, size: kept.size, isTooLarge: reason == .tooLarge)
        }
    }

    /// What may be removed, in the order in which it was deleted.
    func candidates() -> [Candidate] {
        let items = keeping.all.filter { $0.away == 0 }.sorted { $0.number < $1.number }
        guard !items.isEmpty else { return [] }
        let sizes = keeping.sizes()
        return items.map { item in
            Candidate(item: item, kept: SharedRoom.Kept(owner: keeping.owner(of: item), size: sizes[item.number] ?? 0, what: .deleted(item.when.seconds)))
        }
    }

    /// False where that cannot be done now.
    func remove(_ candidate: Candidate) -> Bool { (try? keeping.purge(candidate.item)) != nil }

    /// The store is full: a quarter of all goes at a time. False where there is nothing to give up.
    func giveUp() -> Bool {
        let candidates = candidates()
        let gone = SharedRoom.quarter(of: candidates.map(\.kept), now: Timestamp.now.seconds).map { candidates[$0] }.filter(remove)
        early.tellFullStore(gone.map { $0.gone() })
        return !gone.isEmpty
    }
}
