import Hashes

/// What everybody sees who has heard the same facts. Computed from all of them: it says what is right, and `FollowedView`, which goes on from
/// what was seen before, is held against it.
public struct View: Equatable, Sendable {
    /// By the lowest id of those that are one.
    public internal(set) var items: [ItemID: Item] = [:]
    /// Which item another one is, where two that were made apart are one.
    public internal(set) var joined: [ItemID: ItemID] = [:]

    public struct Item: Equatable, Sendable {
        public internal(set) var leaves: [FactID] = []
        public internal(set) var current: FactID?
        public internal(set) var conflicts: [FactID] = []
        /// The fact that says where it is.
        public internal(set) var place: Fact?
        /// Its folder, when circles are broken. Nil is the top.
        public internal(set) var folder: ItemID?
        /// What it is called, where it is there: it has content, or something in it is there, and all folders above it are known.
        public internal(set) var name: ItemName?

        public var isThere: Bool { name != nil }
    }

    init() {}

    public init(of facts: Facts) { self.init(of: facts, .all) }

    package init(of facts: Facts, _ rules: Rules) {
        join(facts, rules)
        let placed = items.filter { $0.value.place != nil }
        for (item, folder) in Circles.broken(placed.compactMapValues(\.place), which: which) { items[item]?.folder = folder }

        var wanted = Set(placed.keys.filter { items[$0]?.current != nil })
        for item in Array(wanted) where rules.contains(.fullFoldersStay) {
            var folder = items[item]?.folder
            while let next = folder, items[next]?.place != nil, wanted.insert(next).inserted { folder = items[next]?.folder }
        }
        var contents: [ItemID?: [ItemID]] = [:]
        for item in wanted where reachesTop(item) { contents[items[item]?.folder, default: []].append(item) }
        for inside in contents.values { name(inside, rules) }
    }

    /// Which item an id stands for.
    public func which(_ id: ItemID) -> ItemID { joined[id] ?? id }

    /// Which items are one, what their versions come to, and what says where they are.
    private mutating func join(_ facts: Facts, _ rules: Rules) {
        for case .same(let one, let other) in facts.sames.keys {
            let (low, high) = (min(root(one), root(other)), max(root(one), root(other)))
            if low != high { joined[high] = low }
        }
        for id in Array(joined.keys) { joined[id] = root(id) }
        items.reserveCapacity(facts.places.count)
        // Nearly every item has one version.
        var only: [ItemID: FactID] = [:], several: [ItemID: [FactID]] = [:]
        only.reserveCapacity(facts.places.count)
        for (id, fact) in facts.versions {
            guard let item = fact.version.map({ which($0.item) }) else { continue }
            if let first = only.updateValue(id, forKey: item) { several[item, default: [first]].append(id) }
        }
        for (item, id) in only {
            let all = several[item] ?? [id]
            items[item, default: Item()].take(ItemVersions(all.compactMap { facts.versions[$0] }, rules) { facts.replaced.contains($0) })
        }
        for (id, fact) in facts.places {
            items[which(id), default: Item()].take(place: fact)
        }
    }

    private func root(_ id: ItemID) -> ItemID {
        var id = id
        while let next = joined[id] { id = next }
        return id
    }

    private func reachesTop(_ item: ItemID) -> Bool {
        var next: ItemID? = item
        while let item = next {
            guard let seen = items[item], seen.place != nil else { return false }
            next = seen.folder
        }
        return true
    }

    /// In a folder, the one that was placed first has its name; the others have the next free number.
    private mutating func name(_ inside: [ItemID], _ rules: Rules) {
        let placed = inside.compactMap { item in items[item]?.place.map { (item, $0) } }.sorted { Self.isBefore($0.1, $1.1) }
        for (item, name) in FolderNames.given(placed, rules) { items[item]?.name = name }
    }
}

extension View {
    /// Which of two places was said first. Two of one id, which nobody draws, are ordered too.
    static func isBefore(_ left: Fact, _ right: Fact) -> Bool {
        guard left.order == right.order, let one = left.place, let other = right.place else { return left.order < right.order }
        return one.item < other.item
    }
}

extension View.Item {
    mutating func take(place fact: Fact) {
        if let place, !View.isBefore(place, fact) { return }
        place = fact
    }

    mutating func take(_ versions: ItemVersions) { (leaves, current, conflicts) = (versions.leaves, versions.current, versions.conflicts) }
}
