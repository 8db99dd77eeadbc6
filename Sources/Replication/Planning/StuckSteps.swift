/// Steps that could not be done a while ago, and are to be tried again later: a file that cannot be read, a name that a store refuses, a file that somebody
/// holds. What depends on them waits with them, and nothing else does. So does what changed a moment ago.
struct StuckSteps {
    /// Of what is in these nobody knows what it is.
    private var unread: Set<LocalID> = []
    /// A conflict of these lies nowhere else than in their places.
    private var unkept: Set<ItemID> = []
    /// Of these the permissions cannot be set.
    private var unset: Set<LocalID> = []
    /// What is there may be something else in the next moment.
    private var fresh: Set<LocalID> = []
    private var put: Set<ItemID> = [], replaced: Set<ItemID> = [], removed: Set<LocalID> = [], moved: Set<LocalID> = []
    private var isEmpty: Bool

    init(_ steps: Set<Step>, _ known: FollowedView, _ local: LocalItems, _ match: LocalMatch) {
        isEmpty = steps.isEmpty
        for entry in match.order where entry.kind != .folder && entry.stamp.isFresh && known.rules.contains(.freshWaits) {
            isEmpty = false
            fresh.insert(entry.id)
            let synced = match.item(of: entry.id).flatMap { local.synced[$0] }
            if entry.digest == nil, synced?.stamp != entry.stamp || synced?.entry != entry.id { unread.insert(entry.id) }
        }
        for step in steps {
            switch step {
            case .read(let entry, _): unread.insert(entry)
            case .keepConflict(let item, version: _), .keepAside(let item, version: _): unkept.insert(item)
            case .put(let item, version: _, folder: _, name: _, _): put.insert(item)
            case .replace(let item, version: _, _): replaced.insert(item)
            case .putAway(_, let entry): removed.insert(entry.id)
            case .setPermissions(_, _, let entry): unset.insert(entry.id)
            case .move(_, let entry, folder: _, name: _): moved.insert(entry.id)
            case .exchange(let one, let other): moved.formUnion([one.id, other.id])
            // What is only said or written down here is not refused by anybody's file.
            default: break
            }
        }
    }

    /// Whether something cannot be moved, or take another one's place.
    func holdsMove(of entry: LocalID) -> Bool { moved.contains(entry) || unread.contains(entry) }

    func holds(_ step: Step) -> Bool {
        if isEmpty { return false }
        switch step {
        case .read(let entry, let stamp): return unread.contains(entry) || stamp.isFresh && fresh.contains(entry)
        case .sayNew(let entry, folder: _), .sayContent(_, _, replacing: _, let entry), .sayBeside(_, _, replacing: _, let entry), .sayDecided(_, _, replacing: _, let entry),
            .sayBack(_, _, replacing: _, let entry, folder: _, named: _), .sayPlace(_, folder: _, named: _, let entry):
            return unread.contains(entry.id)
        case .sayPermissions(_, _, let entry): return unread.contains(entry.id)
        case .setPermissions(_, _, let entry): return unset.contains(entry.id)
        case .note(_, let synced): return unread.contains(synced.entry)
        case .keepConflict(let item, version: _), .keepAside(let item, version: _): return unkept.contains(item)
        case .put(let item, version: _, folder: _, name: _, _): return put.contains(item)
        case .replace(let item, version: _, let entry): return replaced.contains(item) || unkept.contains(item) || fresh.contains(entry.id) || unread.contains(entry.id)
        case .putAway(let item, let entry): return removed.contains(entry.id) || unkept.contains(item) || fresh.contains(entry.id) || unread.contains(entry.id)
        case .move(_, let entry, folder: _, name: _): return holdsMove(of: entry.id)
        case .exchange(let one, let other): return holdsMove(of: one.id) || holdsMove(of: other.id)
        case .sayKind, .noteMissing, .sayDeleted, .join, .forget, .nameHere, .repair, .settle: return false
        }
    }
}
