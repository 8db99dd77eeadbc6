import Hashes

/// What becomes of the versions of one item.
struct ItemVersions {
    /// What no version names as a parent, in order.
    let leaves: [FactID]
    /// The highest content that is not spent. Nil: the item is gone.
    let current: FactID?
    /// Of each other content the highest leaf that is not spent, in order.
    let conflicts: [FactID]

    /// What is said above that counts as that, so that there is always a higher one.
    static let highestRank: Int64 = 1 << 62

    init(_ versions: [Fact], _ rules: Rules, isReplaced: (FactID) -> Bool) {
        // Nearly every item has one version, or one that nobody replaced.
        if versions.count == 1, let only = versions.first, !isReplaced(only.id) {
            (leaves, current, conflicts) = ([only.id], only.digest == nil ? nil : only.id, [])
            return
        }
        let ranks = rules.contains(.risingRanks) ? Self.ranks(of: versions) : Dictionary(versions.map { ($0.id, $0.rank) }, uniquingKeysWith: max)
        func order(_ fact: Fact) -> Fact.Order { Fact.Order(rank: ranks[fact.id] ?? fact.rank, id: fact.id) }
        // Of each content the highest that was replaced: an equal leaf below it is spent, because whoever replaced that one had its content, too.
        var spent: [Digest: Fact.Order] = [:]
        for fact in versions where rules.contains(.spent) && isReplaced(fact.id) {
            guard let digest = fact.digest else { continue }
            if let known = spent[digest], known >= order(fact) { continue }
            spent[digest] = order(fact)
        }
        let leaves = versions.filter { !isReplaced($0.id) }.sorted { order($0) < order($1) }
        let live = leaves.filter { leaf in
            guard let digest = leaf.digest else { return false }
            guard let replaced = spent[digest] else { return true }
            return replaced <= order(leaf)
        }
        let current = live.last
        var others: [Digest: FactID] = [:]
        for leaf in live where leaf.digest != current?.digest {
            if let digest = leaf.digest { others[digest] = leaf.id }
        }
        (self.leaves, self.current) = (leaves.map(\.id), current?.id)
        conflicts = live.map(\.id).filter { id in others.values.contains(id) }
    }

    /// Higher than those of all parents that are known, whatever was said. What names itself, by whatever way, has the rank that it says.
    static func ranks(of versions: [Fact]) -> [FactID: Int64] {
        var ranks: [FactID: Int64] = [:], waiting: [FactID: Int] = [:], children: [FactID: [FactID]] = [:]
        for fact in versions { ranks[fact.id] = min(fact.rank, highestRank) }
        for fact in versions {
            let parents = fact.parents.filter { ranks[$0] != nil }
            waiting[fact.id] = parents.count
            for parent in parents { children[parent, default: []].append(fact.id) }
        }
        var ready = versions.map(\.id).filter { waiting[$0] == 0 }
        while let id = ready.popLast() {
            guard let rank = ranks[id] else { continue }
            for child in children[id] ?? [] {
                ranks[child] = max(ranks[child] ?? rank + 1, rank + 1)
                waiting[child, default: 0] -= 1
                if waiting[child] == 0 { ready.append(child) }
            }
        }
        return ranks
    }
}

extension Fact {
    /// Of a version: what it is the content of, what it replaces, and its item. Nil and nothing for other facts.
    public var digest: Digest? {
        if case .version(let version) = statement { version.digest } else { nil }
    }
    public var parents: [FactID] {
        if case .version(let version) = statement { version.parents } else { [] }
    }
    public var version: Version? {
        if case .version(let version) = statement { version } else { nil }
    }
    public var place: Location? {
        if case .place(let place) = statement { place } else { nil }
    }
}
