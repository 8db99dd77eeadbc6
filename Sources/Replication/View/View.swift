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
        placeInFolders()
        var contents: [ItemID?: [ItemID]] = [:], wanted: Set<ItemID> = [], reached: [ItemID: Bool] = [:]
        for (id, item) in items where item.place != nil && item.current != nil {
            if reaches(item.folder, &reached) { contents[item.folder, default: []].append(id) }
            var folder = rules.contains(.fullFoldersStay) ? item.folder : nil
            while let next = folder, let seen = items[next], seen.place != nil, wanted.insert(next).inserted { folder = seen.folder }
        }
        // Folders that are there because of what is in them.
        for folder in wanted {
            guard let item = items[folder], item.place != nil, item.current == nil, reaches(item.folder, &reached) else { continue }
            contents[item.folder, default: []].append(folder)
        }
        for inside in contents.values { name(inside, rules) }
    }

    /// Each item in its folder, without circles.
    private mutating func placeInFolders() {
        var folders: Set<ItemID> = [], formers: Set<ItemID> = [], index = items.startIndex
        while index != items.endIndex {
            let place = items.values[index].place?.place, folder = (place?.folder).map(which)
            if let former = place?.former { formers.insert(which(former)) }
            items.values[index].folder = folder
            if let folder { folders.insert(folder) }
            items.formIndex(after: &index)
        }
        // In a circle each has another one in it, or gets one that goes back to it.
        var places: [ItemID: Fact] = [:]
        for folder in folders.union(formers) { places[folder] = items[folder]?.place }
        for (item, folder) in Circles.broken(places, which: which) where items[item]?.folder != folder { items[item]?.folder = folder }
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
        for fact in facts.versions {
            guard let item = fact.version.map({ which($0.item) }) else { continue }
            if let first = only.updateValue(fact.id, forKey: item) { several[item, default: [first]].append(fact.id) }
        }
        for (item, id) in only {
            let all = several[item] ?? [id]
            items[item, default: Item()].take(ItemVersions(all.compactMap { facts.versions[$0] }, rules) { facts.replaced.contains($0) })
        }
        for fact in facts.places {
            guard let id = ItemID(of: fact) else { continue }
            items[which(id), default: Item()].take(place: fact)
        }
    }

    private func root(_ id: ItemID) -> ItemID {
        var id = id
        while let next = joined[id] { id = next }
        return id
    }

    /// Whether every folder from this one up is known.
    private func reaches(_ folder: ItemID?, _ known: inout [ItemID: Bool]) -> Bool {
        var way: [ItemID] = [], next = folder, isReached = true
        while let item = next {
            if let known = known[item] { isReached = known; break }
            way.append(item)
            guard let seen = items[item], seen.place != nil else { isReached = false; break }
            next = seen.folder
        }
        for item in way { known[item] = isReached }
        return isReached
    }

    /// In a folder, the one that was placed first has its name; the others have the next free number.
    private mutating func name(_ inside: [ItemID], _ rules: Rules) {
        for (item, name) in FolderNames.given(inside.compactMap { item in items[item]?.place.flatMap { FolderNames.Placed(item, $0) } }, rules) { items[item]?.name = name }
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
