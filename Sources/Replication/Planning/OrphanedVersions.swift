import Hashes

/// Versions that something missing stood for, which is one with another item, where nothing here holds their contents any more: somebody wrote over them, and
/// removed it before anybody looked. All see them still, as current or in conflict, and would look for them for ever, if it were forgotten.
struct OrphanedVersions {
    /// By the item that is missing.
    private(set) var by: [ItemID: Set<FactID>] = [:]
    /// By the one that is here, and is to replace them.
    private(set) var to: [ItemID: Set<FactID>] = [:]

    init() {}

    init(_ view: View, _ facts: Facts, _ local: LocalItems, _ match: LocalMatch) {
        // Hardly ever any are one, and then few are missing.
        let several = Set(view.joined.values)
        if several.isEmpty { return }
        for (item, synced) in local.synced where match.entry[item] == nil && synced.kind != .folder {
            guard several.contains(view.which(item)), let seen = view.items[view.which(item)] else { continue }
            let wanted = Set(([seen.current].compactMap(\.self) + seen.conflicts).compactMap { facts.versions[$0]?.digest }).subtracting(local.contents)
            let stoodFor = synced.leaves.union(synced.coming?.leaves ?? [])
            let left = stoodFor.intersection(seen.leaves).filter { leaf in facts.versions[leaf]?.digest.map(wanted.contains) ?? false }
            if !left.isEmpty { by[item] = left }
        }
        if by.isEmpty { return }
        for (item, _) in match.entry.sorted(by: { $0.key < $1.key }) {
            let left = of(item, view)
            if !left.isEmpty, !to.keys.contains(where: { view.which($0) == view.which(item) }) { to[item] = left }
        }
    }

    /// Of all that are one with it.
    func of(_ item: ItemID, _ view: View) -> Set<FactID> { by.reduce(into: []) { if view.which($1.key) == view.which(item) { $0.formUnion($1.value) } } }
}
