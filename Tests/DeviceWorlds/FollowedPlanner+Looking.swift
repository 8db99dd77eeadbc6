import Hashes
import Replication

extension FollowedPlanner {
    /// Is told what is other than it was, as a program would that looks at everything.
    mutating func follow(_ now: LocalItems, _ known: FollowedView) {
        for id in Set(local.entries.keys).union(now.entries.keys) { look(now.entries[id], at: id) }
        for item in Set(local.synced.keys).union(now.synced.keys) { note(item, now.synced[item]) }
        for item in Set(local.conflicts.keys).union(now.conflicts.keys) { keep(item, conflicts: now.conflicts[item]) }
        for item in Set(local.decided.keys).union(now.decided.keys) { decide(item, now.decided[item]) }
        for item in Set(local.names.keys).union(now.names.keys) { call(item, now.names[item]) }
        set(aside: now.aside)
        set(kinds: now.kinds)
        set(olderAre: now.olderAre)
        set(refused: now.store.refused)
        lose(local.contents.subtracting(now.contents))
        have(now.contents.subtracting(local.contents), known)
        set(deleted: now.deleted, gone: now.gone)
        set(stuck: now.stuck, time: now.time)
        set(unlisted: now.unlisted, isVanishingMeant: now.isVanishingMeant)
    }
}
