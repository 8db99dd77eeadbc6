import Hashes

/// What is to be done next: a function of what is seen by all facts, of what was brought together last, and of what is there. Everything is looked at again
/// after each step, so a step may be planned for what was a moment ago, and no queue is to be kept.
///
/// What was done here comes first, because what nobody has said cannot be replaced; then what others said, removals of what is gone for all before names
/// are given again, and folders before what is in them.
public struct Planner {
    private let known: FollowedView
    private let local: LocalItems
    private let match: LocalMatch
    private let places: LocalPlaces
    /// Of which there may be something to do, in order.
    private let items: [ItemID]
    private let rules: Rules

    /// Where something was that is missing.
    private let missedAt: Set<MissedPlace>
    /// Whether something that is missing leaves versions behind.
    let left: OrphanedVersions
    private let stuck: StuckSteps
    let vanished: Vanished

    private var view: View { known.view }
    private var facts: Facts { known.facts }

    private let naming: LocalNaming

    private typealias LocalPlace = LocalPlaces.Place
    private struct MissedPlace: Hashable { let folder: ItemID?, name: StoreNames.Key }

    /// In seconds: what comes back within 15 is the same document, because a save may remove it and make it anew; and a little more.
    public static let patience: Int64 = 20

    /// Of everything, from nothing: what `FollowedPlanner` is held against.
    public init(_ known: FollowedView, _ local: LocalItems) {
        let items = Set(known.view.items.keys).union(local.synced.keys).union(local.conflicts.keys).union(local.decided.keys).union(local.names.keys)
        let match = LocalMatch(local, known.rules, which: known.view.which)
        self.init(known, local, match, LocalPlaces(local.entries.values, local.store), of: items.sorted())
    }

    /// Of these items, and of the entries whose match was looked for. Of all others nothing is to be done.
    init(_ known: FollowedView, _ local: LocalItems, _ match: LocalMatch, _ places: LocalPlaces, of items: [ItemID]) {
        (self.known, self.local, self.match, self.places, self.items, rules) = (known, local, match, places, items, known.rules)
        naming = LocalNaming(known, local, match, places)
        var missedAt: Set<MissedPlace> = []
        for item in items where known.rules.contains(.missingKeepsPlace) && match.entry(of: item) == nil {
            guard let synced = local.synced[item] else { continue }
            missedAt.insert(MissedPlace(folder: synced.folder.map(known.view.which), name: local.store.key(synced.name)))
        }
        self.missedAt = missedAt
        stuck = StuckSteps(local.stuck, known, local, match)
        vanished = Vanished(known, local, match, of: items)
        left = known.rules.contains(.leftIsReplaced) ? OrphanedVersions(known, local, match, of: items) : OrphanedVersions()
    }

    /// Those that can be done now. Empty: all that is known and can be had is here, but for what is stuck.
    public func steps() -> [Step] {
        let said = [sayingKinds, joining, looking, saying, sayingNew, gone, repairing], done = [keeping, removing, { naming.steps(items) }, moving, clearing, adopting]
        // Where the store is perhaps another one nothing is done to it.
        for stage in vanished.isDoubtful ? said : said + done {
            let steps = stage().filter { !stuck.holds($0) }
            if !steps.isEmpty { return steps }
        }
        return []
    }

    private func digest(_ version: FactID) -> Digest? { facts.versions[version]?.digest }
    /// What nobody has spoken of a deletion of is not gone: what replaced it belongs to an item of which is not known yet that it is the same.
    private func isDeleted(_ seen: View.Item) -> Bool { seen.current == nil && (!rules.contains(.onlyDeletedGoes) || seen.leaves.contains { digest($0) == nil }) }
    private func entry(_ item: ItemID) -> LocalEntry? { match.entry(of: item).flatMap { local.entries[$0] } }
    private var written: [(item: ItemID, synced: Synced)] { items.compactMap { item in local.synced[item].map { (item, $0) } } }

    // MARK: What is here becomes facts

    /// What somebody said of the same ending first stays.
    private func sayingKinds() -> [Step] {
        guard rules.contains(.kindsAreSaid) else { return [] }
        return local.kinds.filter { facts.kinds[$0.ending] == nil }.sorted { $0.ending.lexicographicallyPrecedes($1.ending) }.map { .sayKind($0) }
    }

    /// Of items that are one, one is written down, unless several are here: then the others go, when what is in them was said.
    private func joining() -> [Step] {
        var joined: Set<ItemID> = []
        return written.compactMap { item, _ in
            let one = view.which(item)
            guard one != item, local.synced[one] == nil || match.entry(of: one) == nil && match.entry(of: item) != nil, left.by[one] == nil else { return nil }
            // What is written down of the one takes the place of what was: one at a time.
            guard joined.insert(one).inserted || !rules.contains(.joinedOneByOne) else { return nil }
            return .join(item, into: one)
        }
    }

    /// An entry that is not as it was written down is read before anything is said of it.
    private func looking() -> [Step] {
        match.order.compactMap { entry in
            guard entry.kind != .folder, entry.digest == nil else { return nil }
            if let synced = match.item(of: entry.id).flatMap({ local.synced[$0] }), synced.stamp == entry.stamp, synced.entry == entry.id { return nil }
            return .read(entry.id, entry.stamp)
        }
    }

    /// The folder as an item. Nil for what lies in a new one, which waits until that is an item.
    private func knownFolder(_ entry: LocalEntry) -> ItemID?? {
        guard let folder = entry.folder else { return .some(nil) }
        return match.item(of: folder).map { .some(view.which($0)) }
    }

    private func saying() -> [Step] {
        match.order.compactMap { entry in
            guard let folder = knownFolder(entry), let item = match.item(of: entry.id), let synced = local.synced[item] else { return nil }
            let digest = entry.digest ?? synced.digest, seen = view.items[item]
            if vanished.older[entry.id] != nil { return nil }
            if vanished.mistaken.contains(entry.id) { return newerComes(item, digest, entry, in: folder) }
            if digest != synced.digest { return sayContent(item, synced, digest, entry) }
            // It replaced what this content replaced, and none of the two the other.
            if let beside = entry.beside.min() { return .sayBeside(item, beside, replacing: Set(synced.leaves.flatMap { facts.versions[$0]?.parents ?? [] }), entry) }
            if let left = left.to[item] { return .sayContent(item, digest, replacing: synced.leaves.union(left), entry) }
            if let decision = decision(item, synced, digest, entry) { return decision }
            let isMoved = synced.folder.map(view.which) != folder || !naming.isSame(synced.name, entry.name)
            // Where it is by the facts, or out of the way: this device put it there, and does not know any more.
            let isPutThere = seen?.folder == folder && seen.map { naming.isCalled(entry.name, item, $0) } == true
                || synced.isGoing(to: folder, which: view.which) { naming.isSame($0, entry.name) }
            if isMoved, !isPutThere { return .sayPlace(item, folder: folder, named: naming.nameToSay(entry.name, of: item, seen), entry) }
            var same = Synced(entry, in: folder, digest: digest, leaves: synced.leaves)
            if !isMoved { same.going = synced.going }
            (same.coming, same.permissions) = (synced.coming, synced.permissions)
            if let permissions = LocalPermissions(synced, entry, view.items[view.which(item)]?.place?.place, rules) {
                if let given = permissions.given { return .sayPermissions(item, given, entry) }
                same.permissions = permissions.found ?? same.permissions
            }
            return same == synced ? nil : .note(item, same)
        }
    }

    /// Conflicts that somebody decided about, and that are such still: of what is here, and of what all see. One with the content that is here, where all have
    /// another, was decided for.
    private func decided(_ item: ItemID) -> Set<FactID> {
        guard rules.contains(.decisionsAreSaid), !local.decided.isEmpty, let seen = view.items[view.which(item)] else { return [] }
        let here = local.synced[item]?.digest, isCurrent = here != nil && seen.current.flatMap(digest) == here
        let decided = local.decided.filter { view.which($0.key) == view.which(item) }.reduce(into: Set<FactID>()) { $0.formUnion($1.value) }
        return decided.intersection(seen.leaves).filter { !isCurrent || digest($0) != here }
    }

    /// Where what is here is what all have, or they have what was decided against: otherwise another content comes first, of which somebody has said that it
    /// replaces this one.
    private func decision(_ item: ItemID, _ synced: Synced, _ digest: Digest, _ entry: LocalEntry) -> Step? {
        let decided = decided(item)
        guard !decided.isEmpty, let current = view.items[item]?.current, decided.contains(current) || self.digest(current) == digest || decided.contains(where: { self.digest($0) == digest }) else { return nil }
        return .sayDecided(item, digest, replacing: synced.leaves.union(decided), entry)
    }

    /// When all else was said: where something was moved from, or what came back with an edit, another item may be seen.
    private func sayingNew() -> [Step] {
        var others: [ItemID?: [StoreNames.Key: ItemID]] = [:]
        return match.order.compactMap { entry in
            guard let folder = knownFolder(entry), match.item(of: entry.id) == nil, !match.waiting.contains(entry.id) else { return nil }
            return sayNew(entry, in: folder, &others)
        }
    }

    /// What is there and no item is new, unless the facts say that an item is there which is just that: then it was put there by this device, or
    /// by both before they met.
    private func sayNew(_ entry: LocalEntry, in folder: ItemID?, _ others: inout [ItemID?: [StoreNames.Key: ItemID]]) -> Step {
        let digest = entry.kind == .folder ? Digest.folder : entry.digest
        if let digest, let item = naming.item(called: entry.name, in: folder, &others), local.synced[item] == nil, let seen = view.items[item],
            seen.place?.place?.kind.isLike(entry.kind) == true, entry.kind == .folder || seen.current.flatMap(self.digest) == digest
        {
            return .note(item, Synced(entry, in: folder, digest: digest, leaves: known.standsFor(item)))
        }
        return back(entry, in: folder) ?? .sayNew(entry, folder: folder)
    }

    /// What was among the deleted is the item that it was, and what was said of its deletion is behind it. If others have made something of it meanwhile, that comes.
    private func back(_ entry: LocalEntry, in folder: ItemID?) -> Step? {
        guard rules.contains(.undeletedIsSame), entry.kind != .folder, let digest = entry.digest, let item = local.gone[entry.id].map(view.which), let seen = view.items[item],
            known.those(oneWith: item).allSatisfy({ local.synced[$0] == nil })
        else { return nil }
        let own = seen.leaves.filter { self.digest($0) == digest }
        // What nobody has heard of is said, also beside what others made of it.
        if !isDeleted(seen), !known.versions(of: item, with: digest).isEmpty { return .note(item, Synced(entry, in: folder, digest: digest, leaves: Set(own))) }
        let replaced = !isDeleted(seen) ? [] : seen.leaves.filter { leaf in self.digest(leaf).map(local.contents.contains) ?? true }
        return .sayBack(item, digest, replacing: Set(replaced), entry, folder: folder, named: naming.nameToSay(entry.name, of: item, seen))
    }

    /// An older document is what it was, and what all have takes its place. What nobody has heard of is kept beside that.
    private func newerComes(_ item: ItemID, _ digest: Digest, _ entry: LocalEntry, in folder: ItemID?) -> Step {
        let known = known.versions(of: item, with: digest)
        guard !known.isEmpty, let synced = local.synced[item] else { return .sayContent(item, digest, replacing: [], entry) }
        var older = Synced(entry, in: synced.folder, named: synced.name, digest: digest, leaves: known)
        (older.going, older.permissions) = (synced.going, synced.permissions)
        return .note(item, older)
    }

    private func sayContent(_ item: ItemID, _ synced: Synced, _ digest: Digest, _ entry: LocalEntry) -> Step {
        if entry.beside.isEmpty, let coming = synced.coming, coming.digest == digest {
            var same = Synced(entry, in: synced.folder, named: synced.name, digest: digest, leaves: coming.leaves)
            (same.going, same.permissions) = (synced.going, synced.permissions)
            return .note(item, same)
        }
        // What was put in place by this device, and it does not know any more. Then what was there is kept if it is in conflict; otherwise somebody replaced it.
        if entry.beside.isEmpty, let seen = view.items[item], seen.current.flatMap(self.digest) == digest,
            !rules.contains(.replacedByCurrent) || seen.conflicts.compactMap(self.digest).allSatisfy({ conflict in
                local.contents.contains(conflict) || !synced.leaves.contains { self.digest($0) == conflict }
            })
        {
            var same = Synced(entry, in: synced.folder, named: synced.name, digest: digest, leaves: known.standsFor(item))
            (same.going, same.permissions) = (synced.going, synced.permissions)
            return .note(item, same)
        }
        // A save that found another content in its place replaces what that one replaced.
        let replaced = writtenOver(synced).flatMap { leaf -> [FactID] in
            guard let fact = facts.versions[leaf], let found = fact.digest, entry.beside.contains(found) else { return [leaf] }
            return fact.parents
        }
        return .sayContent(item, digest, replacing: Set(replaced), entry)
    }

    /// The versions of what was in the place of something that was written here. Where another content was about to be put there, nobody knows over which of the
    /// two it was written: what still lies somewhere here is not lost, and stays in conflict with it.
    private func writtenOver(_ synced: Synced) -> Set<FactID> {
        guard let coming = synced.coming else { return synced.leaves }
        return synced.leaves.union(coming.leaves).filter { leaf in digest(leaf).map { !local.contents.contains($0) } ?? true }
    }

    /// What is not found is deleted, where somebody put it among the deleted or it does not come back.
    private func gone() -> [Step] {
        written.compactMap { item, synced in
            guard match.entry(of: item) == nil, !vanished.unlisted.contains(item) else { return nil }
            // Nor is it forgotten: it would be new when it is there again.
            if vanished.isDoubtful, !local.deleted.contains(synced.entry) { return synced.missing == nil ? .noteMissing(item) : nil }
            let seen = view.items[item]
            // Others deleted it, too, or it is one with another.
            guard let seen else {
                guard match.awaited.contains(item) || left.by[item] != nil else { return .forget(item) }
                return synced.missing == nil ? .noteMissing(item) : nil
            }
            if !seen.isThere, isDeleted(seen) { return .forget(item) }
            if rules.contains(.patience), !local.deleted.contains(synced.entry) {
                // An hour after a restart the clock may be where it was a week ago.
                guard let since = synced.missing, since <= local.time || !rules.contains(.futureIsNow) else { return .noteMissing(item) }
                guard synced.isGivenUp(at: local.time, rules) else { return nil }
            }
            let leaves = seen.leaves
            guard rules.contains(.unseenStays) else { return .sayDeleted(item, replacing: Set(leaves)) }
            let here = leaves.filter { leaf in synced.kind == .folder || digest(leaf).map(local.contents.contains) ?? true }
            return .sayDeleted(item, replacing: synced.leaves.union(synced.coming?.leaves ?? []).union(here).union(left.of(item, view)).union(decided(item)))
        }
    }

    private func repairing() -> [Step] {
        var repairs = rules.contains(.repairs) ? known.repairs : []
        for item in items { for version in unkept(item) where isAside(version) { repairs.formUnion(SetApart(version, of: item, known).facts) } }
        return repairs.isEmpty ? [] : [.repair(repairs)]
    }

    /// Conflicts that cannot be kept beside what they are of, and of which nobody here decided.
    private func unkept(_ item: ItemID) -> Set<FactID> {
        guard rules.contains(.unkeptIsApart), let seen = view.items[item], !seen.conflicts.isEmpty, let kind = seen.place?.place?.kind else { return [] }
        if kind == .document || kind == .folder { return [] }
        let decided = decided(item)
        return Set(seen.conflicts.filter { version in
            // Who does not have it may speak of what somebody deleted and let go of.
            if decided.contains(version) || digest(version).map(local.contents.contains) != true { return false }
            return !local.keeps(facts.versions[version]?.version, of: kind)
        })
    }

    private func isAside(_ version: FactID) -> Bool { digest(version).map(local.aside.contains) ?? false }

    // MARK: What the facts say becomes what is here

    /// Conflicts, before what is current takes the place of one of them. One that is current now is kept until it is in its place, for it may lie nowhere else.
    private func keeping() -> [Step] {
        var steps: [Step] = []
        for item in items {
            let conflicts = Set(view.items[item]?.conflicts ?? []), kept = local.conflicts[item] ?? []
            if conflicts.isEmpty, kept.isEmpty, local.decided[item] == nil { continue }
            let decided = decided(item)
            steps += (local.decided[item] ?? []).subtracting(decided).subtracting(kept).subtracting(conflicts).sorted().map { .settle(item, version: $0) }
            let unkept = unkept(item)
            steps += unkept.filter { !isAside($0) }.sorted().map { .keepAside(item, version: $0) }
            let missing = conflicts.subtracting(kept).subtracting(decided).subtracting(unkept).filter { digest($0).map(local.contents.contains) ?? false }
            steps += missing.sorted().map { .keepConflict(item, version: $0) }
            guard missing.isEmpty else { continue }
            let current = view.items[item]?.current, synced = local.synced[item]
            // And written down as that: who writes over it replaces what is written down.
            let isInPlace = current.map { synced?.leaves.contains($0) == true && synced?.digest == digest($0) } ?? true || !rules.contains(.currentIsKept)
            steps += kept.subtracting(conflicts).filter { isInPlace || digest($0) != current.flatMap(digest) }.sorted().map { .settle(item, version: $0) }
        }
        return steps
    }

    /// What is gone for all, and folders when nothing is in them any more.
    private func removing() -> [Step] {
        written.compactMap { item, _ in
            guard let entry = entry(item), places.entries(in: entry.id).isEmpty, !local.unlisted.contains(entry.id) else { return nil }
            // The other of the two that are one is here.
            if view.which(item) != item { return .putAway(item, entry) }
            // What has content and lies in a folder that nobody has spoken of yet stays where it is.
            guard let seen = view.items[item], !seen.isThere, isDeleted(seen) else { return nil }
            return .putAway(item, entry)
        }
    }

    /// Those that are there, folders before what is in them.
    private var shown: [(item: ItemID, seen: View.Item)] {
        func way(to item: ItemID) -> [ItemID] {
            var way: [ItemID] = [], next: ItemID? = item
            while let item = next {
                way.append(item)
                next = view.items[item]?.folder
            }
            return way.reversed()
        }
        let there = items.compactMap { item -> (way: [ItemID], item: ItemID, seen: View.Item)? in
            guard let seen = view.items[item], seen.isThere else { return nil }
            return (way(to: item), item, seen)
        }
        return there.sorted { one, other in
            one.way.count == other.way.count ? one.way.lexicographicallyPrecedes(other.way) : one.way.count < other.way.count
        }.map { ($0.item, $0.seen) }
    }

    /// Those that are to be elsewhere and can be, each in a place that is free; or else the first two that stand in each other's way.
    private func moving() -> [Step] {
        var steps: [Step] = [], moved: Set<LocalID> = []
        for (item, seen) in shown {
            guard let entry = entry(item), let name = naming.nameHere(item, seen), let folder = localFolder(seen.folder),
                entry.folder != folder || !naming.isSame(entry.name, name), !stuck.holdsMove(of: entry.id),
                // Into itself nothing can go: what is to be above it goes out of it first. What an earlier one of these steps takes elsewhere is above it by then, perhaps.
                !isInside(folder, entry.id), entry.kind != .folder || !isInside(folder, anyOf: moved)
            else { continue }
            // Its own place is free for it, also under a name that is the same to the store.
            guard let other = places[naming.place(name, in: folder)].flatMap({ local.entries[$0] }), other.id != entry.id else {
                steps += move(item, entry, to: folder, seen.folder, name)
                if entry.kind == .folder { moved.insert(entry.id) }
                continue
            }
            // Of what waits nobody knows yet what it is, or where it is to be. What is in the way may be elsewhere when those steps are done.
            if match.waiting.contains(other.id) || stuck.holdsMove(of: other.id) || !steps.isEmpty { continue }
            // Two that are in each other the wrong way round: out of it first, under any name.
            guard !isInside(entry.folder, other.id) else { return move(item, entry, to: folder, seen.folder, naming.freeName(name, in: folder, for: nil)) }
            let back = Synced.Destination(folder: entry.folder.flatMap { match.item(of: $0) }, name: entry.name)
            let notes = [noted(item, Synced.Destination(folder: seen.folder, name: name)), match.item(of: other.id).flatMap { noted($0, back) }].compactMap(\.self)
            return notes.isEmpty ? [.exchange(entry, other)] : notes
        }
        return steps
    }

    /// Once it is written down that it goes there.
    private func move(_ item: ItemID, _ entry: LocalEntry, to folder: LocalID?, _ folderItem: ItemID?, _ name: [UInt8]) -> [Step] {
        [noted(item, Synced.Destination(folder: folderItem, name: name)) ?? .move(item, entry, folder: folder, name: name)]
    }

    /// Nil where it is written down already.
    private func noted(_ item: ItemID, _ destination: Synced.Destination) -> Step? {
        guard rules.contains(.moveIsNoted), var synced = local.synced[item], synced.going != destination else { return nil }
        synced.going = destination
        return .note(item, synced)
    }

    private func isInside(_ folder: LocalID?, _ outer: LocalID) -> Bool { isInside(folder, anyOf: [outer]) }

    private func isInside(_ folder: LocalID?, anyOf outer: Set<LocalID>) -> Bool {
        if outer.isEmpty { return false }
        var next = folder
        while let id = next {
            if outer.contains(id) { return true }
            next = local.entries[id]?.folder
        }
        return false
    }

    /// The entry of a folder: nil where it is not here yet, or could not be listed, and nil in that for the top.
    private func localFolder(_ folder: ItemID?) -> LocalID?? {
        guard let folder else { return local.unlisted.contains(nil) ? nil : .some(nil) }
        return match.entry(of: folder).flatMap { local.unlisted.contains($0) ? nil : .some($0) }
    }

    /// Where an item is to be put that is not here yet; nil where it cannot be put, because its content or its folder is not here.
    private func newPlace(_ item: ItemID, _ seen: View.Item) -> (folder: LocalID?, name: [UInt8], place: LocalPlace)? {
        guard local.synced[item] == nil, let kind = seen.place?.place?.kind, let name = naming.nameHere(item, seen), let folder = localFolder(seen.folder),
            kind == .folder || seen.current.flatMap(digest).map(local.contents.contains) == true
        else { return nil }
        return (folder, name, naming.place(name, in: folder))
    }

    /// What is where something is to be put is to be elsewhere, perhaps in what is to be put there.
    private func clearing() -> [Step] {
        shown.flatMap { item, seen -> [Step] in
            guard let new = newPlace(item, seen), let other = places[new.place].flatMap({ local.entries[$0] }), let known = match.item(of: other.id) else { return [] }
            return move(known, other, to: new.folder, seen.folder, naming.freeName(new.name, in: new.folder, for: nil))
        }
    }

    private func adopting() -> [Step] {
        shown.compactMap { item, seen in
            if let new = newPlace(item, seen), let kind = seen.place?.place?.kind {
                // What waits there is not known yet, and what was there may come back: after a crash it would be what is put there.
                guard places[new.place] == nil, !missedAt.contains(MissedPlace(folder: seen.folder, name: local.store.key(new.name))) else { return nil }
                return .put(item, version: seen.current, folder: new.folder, name: new.name, kind)
            }
            // What was deleted here a moment ago is not put back.
            guard let synced = local.synced[item], let entry = entry(item), let wanted = synced.kind == .folder ? Digest.folder : seen.current.flatMap(digest) else { return nil }
            var same = synced
            if synced.digest != wanted {
                guard let current = seen.current, local.contents.contains(wanted) else { return nil }
                if rules.contains(.contentIsNoted) { same.coming = Synced.Coming(wanted, leaves: known.standsFor(item)) }
                return same == synced ? .replace(item, version: current, entry) : .note(item, same)
            }
            if let permissions = LocalPermissions(synced, entry, seen.place?.place, rules), let wanted = permissions.toSet {
                same.permissions = permissions.noted ?? same.permissions
                return same == synced ? .setPermissions(item, wanted, entry) : .note(item, same)
            }
            (same.leaves, same.going, same.coming) = (known.standsFor(item), nil, nil)
            return same == synced ? nil : .note(item, same)
        }
    }
}

extension FollowedView {
    /// The leaves that an item's content stands for when it was adopted: all but the conflicts, for equal ones, spent ones and deletions
    /// are behind it.
    public func standsFor(_ item: ItemID) -> Set<FactID> {
        guard let seen = view.items[item] else { return [] }
        guard rules.contains(.unseenStays), !seen.conflicts.isEmpty else { return Set(seen.leaves) }
        let others = Set(seen.conflicts.compactMap { facts.versions[$0]?.digest })
        return Set(seen.leaves.filter { leaf in facts.versions[leaf]?.digest.map { !others.contains($0) } ?? true })
    }
}
