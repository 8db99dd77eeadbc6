import Hashes

/// Versions that something missing stood for, which is one with another item, where nothing here holds their contents any more: somebody wrote over them, and
/// removed it before anybody looked. All see them still, as current or in conflict, and would look for them for ever, if it were forgotten.
struct OrphanedVersions {
    /// By the item that is missing.
    private(set) var by: [ItemID: Set<FactID>] = [:]
    /// By the one that is here, and is to replace them.
    private(set) var to: [ItemID: Set<FactID>] = [:]

    init() {}

    /// Of some items, among which all are that are missing. Hardly ever any are one with another.
    init(_ known: FollowedView, _ local: LocalItems, _ match: LocalMatch, of items: [ItemID]) {
        let view = known.view, facts = known.facts
        for item in items where known.isOneOfSeveral(item) && match.entry(of: item) == nil {
            guard let synced = local.synced[item], synced.kind != .folder, let seen = view.items[view.which(item)] else { continue }
            let wanted = Set(([seen.current].compactMap(\.self) + seen.conflicts).compactMap { facts.versions[$0]?.digest }).subtracting(local.contents)
            let stoodFor = synced.leaves.union(synced.coming?.leaves ?? [])
            let left = stoodFor.intersection(seen.leaves).filter { leaf in facts.versions[leaf]?.digest.map(wanted.contains) ?? false }
            if !left.isEmpty { by[item] = left }
        }
        if by.isEmpty { return }
        for item in items where match.entry(of: item) != nil {
            let left = of(item, view)
            if !left.isEmpty, !to.keys.contains(where: { view.which($0) == view.which(item) }) { to[item] = left }
        }
    }

    /// Of all that are one with it.
    func of(_ item: ItemID, _ view: View) -> Set<FactID> { by.reduce(into: []) { if view.which($1.key) == view.which(item) { $0.formUnion($1.value) } } }
}
