import Hashes

/// The planner of a device that goes on looking and hearing: a plan costs what has changed since the last one, and what
/// is to be done still, and not what is there. It plans what `Planner` would of the same facts and the same device,
/// which the worlds compare.
///
/// An item is *settled* when it is here as all see it, by itself and without regard to others, or when a content has to
/// come first. It is left out until something of it changes: what is written down of it, its entry, what its folder is,
/// what all see of it, or a content that it waits for.
public struct FollowedPlanner: Sendable {
    public private(set) var local: LocalItems

    /// How many are gone at once, so many that nothing is done before somebody says that this is meant
    /// (`LocalItems.isVanishingMeant`).
    public private(set) var vanished = 0
    /// And which are older than what was written down of them, so many that somebody is to say of these what they are
    /// (`LocalItems.olderAre`).
    public private(set) var older: [LocalID: LocalStamp] = [:]

    private var places: LocalPlaces
    private var settled: [LocalID: ItemID] = [:]
    private var unsettled: Set<ItemID> = [], unsettledEntries: Set<LocalID>
    /// What each folder was when it was last looked for: what lies in it is settled for that.
    private var folders: [LocalID: ItemID] = [:]
    private var awaited: [Digest: Set<ItemID>] = [:], awaits: [ItemID: Set<Digest>] = [:]
    /// Of how many items it was known that they are one with another.
    private var joined = 0

    /// `known` is to be the view that each later call gets, with what was heard in between.
    public init(_ known: FollowedView, _ local: LocalItems) {
        self.local = local
        places = LocalPlaces(local.entries.values, local.store)
        unsettledEntries = Set(local.entries.keys)
        unsettled = Set(known.view.items.keys).union(local.synced.keys).union(local.conflicts.keys).union(local.decided.keys)
            .union(local.names.keys)
        joined = known.view.joined.count
    }

    // MARK: What changes

    /// Those are other than they were: what `FollowedView.add` answered.
    public mutating func hear(_ items: Set<ItemID>, _ known: FollowedView) {
        for item in items { unsettle(item) }
        // Which folder is which is another one: that happens when devices meet for the first time.
        if known.view.joined.count != joined { self = FollowedPlanner(known, local) }
    }

    /// Nil: it is not there any more.
    public mutating func look(_ entry: LocalEntry?, at id: LocalID) {
        let before = local.entries[id]
        guard entry != before else { return }
        if let before { places.remove(before) }
        local.entries[id] = entry
        if let entry { places.add(entry) }
        unsettle(id)
        if entry != nil { unsettledEntries.insert(id) } else { unsettledEntries.remove(id) }
        // Of another kind under the same number, or gone: what lies in it is in nothing that is known.
        if before?.kind == .folder, entry?.kind != .folder {
            for inner in places.entries(in: id) { unsettle(inner) }
            folders[id] = nil
        }
    }

    /// What is written down of an item.
    public mutating func note(_ item: ItemID, _ synced: Synced?) {
        guard local.synced[item] != synced else { return }
        unsettle(item)
        local.synced[item] = synced
        unsettle(item)
    }

    public mutating func keep(_ item: ItemID, conflicts: Set<FactID>?) {
        guard local.conflicts[item] != conflicts else { return }
        local.conflicts[item] = conflicts
        unsettle(item)
    }

    public mutating func decide(_ item: ItemID, _ versions: Set<FactID>?) {
        guard local.decided[item] != versions else { return }
        local.decided[item] = versions
        unsettle(item)
    }

    public mutating func call(_ item: ItemID, _ names: Set<LocalName>?) {
        guard local.names[item] != names else { return }
        local.names[item] = names
        unsettle(item)
    }

    public mutating func have(_ contents: some Sequence<Digest>, _ known: FollowedView) {
        for content in contents where local.contents.insert(content).inserted && known.rules.contains(.contentsAreNoticed) {
            for item in awaited[content] ?? [] { unsettle(item) }
        }
    }

    public mutating func lose(_ contents: some Sequence<Digest>) { local.contents.subtract(contents) }

    // What makes no difference to what is settled.
    public mutating func set(deleted: Set<LocalID>, gone: [LocalID: ItemID]) { (local.deleted, local.gone) = (deleted, gone) }
    public mutating func set(stuck: Set<Step>, time: Int64) { (local.stuck, local.time) = (stuck, time) }
    public mutating func set(kinds: Set<AddedKind>) { local.kinds = kinds }
    public mutating func set(aside: Set<Digest>) { local.aside = aside }
    public mutating func set(olderAre: [LocalID: OlderDocument]) { local.olderAre = olderAre }
    public mutating func set(refused names: Set<[UInt8]>) { local.store.refused = names }
    public mutating func set(unlisted: Set<LocalID?>, isVanishingMeant: Bool) {
        (local.unlisted, local.isVanishingMeant) = (unlisted, isVanishingMeant)
    }

    // MARK: What is settled

    private mutating func unsettle(_ item: ItemID) {
        unsettled.insert(item)
        for content in awaits.removeValue(forKey: item) ?? [] {
            awaited[content]?.remove(item)
            if awaited[content]?.isEmpty == true { awaited[content] = nil }
        }
        guard let entry = local.synced[item]?.entry, settled[entry] == item else { return }
        settled[entry] = nil
        if local.entries[entry] != nil { unsettledEntries.insert(entry) }
    }

    private mutating func unsettle(_ entry: LocalID) {
        guard let item = settled[entry] else { return }
        unsettle(item)
    }

    /// What is to be found out of an item may depend on others: those that are one with it, and those whose file or
    /// place is written down of it, too. Where a folder is another item than it was, what lies in it is looked for as
    /// well.
    private func settledBeside(_ known: FollowedView) -> (items: Set<ItemID>, folders: [(LocalID, ItemID?)]) {
        let match = match(known)
        var items: Set<ItemID> = []
        for item in unsettled {
            if known.isOneOfSeveral(item) { items.formUnion(known.those(oneWith: item)) }
            guard let synced = local.synced[item] else { continue }
            if let other = settled[synced.entry] { items.insert(other) }
            var folder: LocalID?
            if let above = synced.folder {
                guard let there = match.entry(of: known.view.which(above)) else { continue }
                folder = there
            }
            let place = LocalPlaces.Place(folder: folder, name: local.store.key(synced.name))
            if let there = places[place], let other = settled[there] { items.insert(other) }
        }
        let others = unsettledEntries.filter { local.entries[$0]?.kind == .folder }.map { ($0, match.item(of: $0)) }
            .filter { folders[$0] != $1 }
        for (folder, _) in others {
            items.formUnion(places.entries(in: folder).compactMap { settled[$0] })
        }
        return (items.subtracting(unsettled), others)
    }

    private func match(_ known: FollowedView) -> LocalMatch {
        LocalMatch(
            of: unsettledEntries.compactMap { local.entries[$0] }, and: unsettled, local, settled: settled,
            known.rules, which: known.view.which)
    }

    /// Takes out what is settled, with the contents that it waits for.
    private mutating func settle(_ known: FollowedView) {
        var found: [(item: ItemID, entry: LocalID?, awaits: Set<Digest>)] = []
        do {
            let match = match(known)
            for item in unsettled {
                let one = SettledItem(item, known, local, match)
                if let contents = one.awaits { found.append((item, match.entry(of: item), contents)) }
            }
        }
        for (item, entry, contents) in found {
            unsettled.remove(item)
            if !contents.isEmpty { awaits[item] = contents }
            for content in contents { awaited[content, default: []].insert(item) }
            guard let entry else { continue }
            settled[entry] = item
            unsettledEntries.remove(entry)
        }
    }

    // MARK: Planning

    /// As `Planner` answers them.
    public mutating func steps(_ known: FollowedView) -> [Step] {
        while true {
            let beside = settledBeside(known)
            for (folder, item) in beside.folders { folders[folder] = item }
            if beside.items.isEmpty { break }
            for item in beside.items { unsettle(item) }
        }
        let steps = plan(known)
        settle(known)
        return steps
    }

    private mutating func plan(_ known: FollowedView) -> [Step] {
        let planner = planner(known)
        vanished = planner.vanished.isDoubtful ? planner.vanished.count : 0
        older = planner.vanished.older
        return planner.steps()
    }

    private func planner(_ known: FollowedView) -> Planner {
        // Two folders that are one have perhaps two of one name in them.
        let isJoined = unsettled.contains { known.view.which($0) != $0 && local.synced[$0]?.kind == .folder }
        if isJoined { return Planner(known, local) }
        let planner = Planner(known, local, match(known), places, of: unsettled.sorted())
        // Whatever is one with something that is missing may be what replaces its versions.
        return planner.left.by.isEmpty ? planner : Planner(known, local)
    }
}

/// Whether nothing is to be done of an item, whatever others are.
private struct SettledItem {
    /// Contents without which nothing is to be done. Nil: there is, or may be, something to be done.
    private(set) var awaits: Set<Digest>?

    init(_ item: ItemID, _ known: FollowedView, _ local: LocalItems, _ match: LocalMatch) {
        let kept = local.conflicts[item] ?? []
        guard local.decided[item] == nil, local.names[item] == nil, known.view.which(item) == item else {
            awaits = local.decided[item] == nil && local.names[item] == nil && kept.isEmpty && local.synced[item] == nil ? [] : nil
            return
        }
        let seen = known.view.items[item], conflicts = Set(seen?.conflicts ?? [])
        func digest(_ version: FactID) -> Digest? { known.facts.versions[version]?.digest }
        // A conflict that is not kept is, once its content is here.
        let missing = Set(conflicts.subtracting(kept).compactMap(digest))
        guard kept.isSubset(of: conflicts), missing.isDisjoint(with: local.contents) else { return }
        // Nor is one that cannot be, which is an item of its own then.
        if let kind = seen?.place?.place?.kind, kind == .link || kind == .plain {
            let isKept = conflicts.allSatisfy { local.keeps(known.facts.versions[$0]?.version, of: kind) || digest($0).map(local.contents.contains) != true }
            guard isKept else { return }
        }
        guard let synced = local.synced[item] else {
            guard let seen, seen.isThere else { awaits = missing; return }
            guard seen.place?.place?.kind != .folder, let current = seen.current.flatMap(digest), !local.contents.contains(current)
            else { return }
            awaits = missing.union([current])
            return
        }
        guard let seen, let name = seen.name?.shown, let entry = match.entry(of: item).flatMap({ local.entries[$0] }),
            local.store.answered(entry.name, known.rules) == local.store.answered(name, known.rules), entry.beside.isEmpty,
            entry.folder.flatMap({ match.item(of: $0) }) == seen.folder, (entry.folder == nil) == (seen.folder == nil),
            entry.digest == nil || entry.digest == synced.digest,
            let wanted = synced.kind == .folder ? Digest.folder : seen.current.flatMap(digest)
        else { return }
        let isContent = wanted == synced.digest
        // What another content is to come into is as it was.
        guard isContent || !local.contents.contains(wanted) else { return }
        let leaves = isContent ? known.standsFor(item) : synced.leaves
        var same = Synced(entry, in: seen.folder, digest: synced.digest, leaves: leaves)
        same.permissions = synced.permissions
        if let permissions = LocalPermissions(synced, entry, seen.place?.place, known.rules) {
            guard permissions.given == nil, permissions.found == nil, permissions.toSet == nil || !isContent else { return }
        }
        guard synced == same else { return }
        awaits = isContent ? missing : missing.union([wanted])
    }
}
