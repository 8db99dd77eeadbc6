import LinuxFiles

/// Earlier versions and deleted items that go for good as time passes: never while somebody waits. They share one room.
final class KeptThinning: Sendable {
    private let container: Container
    private let policy: VersionPolicy
    private let deletedPolicy: DeletedPolicy
    private let versions: VersionRemoval
    private let deleted: DeletedRemoval
    private let early: EarlyRemovals

    init(
        container: Container, policy: VersionPolicy, deletedPolicy: DeletedPolicy, versions: VersionRemoval, deleted: DeletedRemoval, early: EarlyRemovals
    ) {
        (self.container, self.policy, self.deletedPolicy) = (container, policy, deletedPolicy)
        (self.versions, self.deleted, self.early) = (versions, deleted, early)
    }

    /// The store is full: a quarter of what was deleted goes, or of the versions where nothing is deleted.
    func giveUp() -> Outcome { Outcome(isUnchanged: !deleted.giveUp() && !versions.giveUp(alsoNewest: true)) }

    /// Removes what is not to be kept.
    func thin() throws(Errno) -> Outcome {
        var (shelves, removed) = try versions.thinnedShelves()
        let old = versions.candidates(in: shelves, keepingNewest: true), items = deleted.candidates()
        let kept = items.map(\.kept) + old.map(\.kept), all = kept.reduce(Int64(0)) { $0.saturatingAdd($1.size) }
        let room = try policy.room(for: all, in: container)
        var gone: [EarlyRemovals.Gone] = []
        defer { early.tell(gone, room: room ?? 0) }
        let days: Int? = if case .days(let days) = deletedPolicy { days } else { nil }
        for (index, reason) in SharedRoom.superfluous(kept, room: room, days: days, now: Timestamp.now.seconds) {
            if index < items.count {
                if deleted.remove(items[index]), reason != .tooOld { gone.append(items[index].gone(reason)) }
            } else {
                let version = old[index - items.count]
                try versions.remove(version, from: &shelves)
                gone.append(version.gone(reason))
                removed += 1
            }
        }
        return Outcome(thinned: removed)
    }
}
