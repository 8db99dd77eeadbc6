import Hashes

/// The view of a device that goes on hearing: what new facts are about is computed anew, and nothing else. It is `View(of:)` of the same facts at
/// every moment.
public struct FollowedView: Sendable {
    public private(set) var facts = Facts()
    public private(set) var view = View()

    /// Which ids are one with an item, where there are several.
    private var members: [ItemID: Set<ItemID>] = [:]
    private var versions: [ItemID: [FactID]] = [:]
    private var folders: [ItemID?: Folder] = [:]
    /// Those that have content, or in which something is that is in this set.
    private var wanted: Set<ItemID> = []
    /// Those above which every folder is known.
    private var reached: Set<ItemID> = []
    /// Whether a circle is broken anywhere. All places are looked at together then, until a repair has said where the items are.
    private(set) var isCircular = false

    /// What is in a folder, also in one that nobody has spoken of yet.
    private struct Folder {
        var items: Set<ItemID> = []
        /// How many of them are wanted.
        var wanted = 0
        /// Which item that is there has a name.
        var names: [[UInt8]: ItemID] = [:]
        /// Those that are called otherwise than they were to be.
        var numbered: Set<ItemID> = []
    }

    let rules: Rules

    public init() { self.init([], .all) }
    public init(of facts: some Sequence<Fact>) { self.init(facts, .all) }

    package init(_ facts: some Sequence<Fact>, _ rules: Rules) {
        self.rules = rules
        add(facts)
    }

    /// Answers the items that are no more what they were: their versions, their folder or their name, or that they are items of their own.
    @discardableResult
    public mutating func add(_ new: some Sequence<Fact>) -> Set<ItemID> {
        var change = Change()
        for fact in new { hear(fact, &change) }
        guard !change.isInstead else {
            let before = Set(view.items.keys)
            self = FollowedView(facts.all, rules)
            return before.union(view.items.keys)
        }
        for (one, other) in change.joined { join(one, other, &change) }
        let touched = Set(change.touched.map(view.which))
        for item in touched { read(item) }
        for (item, folder) in foldersToSettle(touched) { move(item, to: folder, &change) }
        for item in touched {
            reconsiderWanted(item, &change)
            change.renamed.insert(item)
        }
        rename(change.renamed, &change)
        return touched.union(change.renamed)
    }

    /// What follows from some facts, step by step.
    private struct Change {
        var isInstead = false
        var joined: [(ItemID, ItemID)] = []
        /// Whose versions or place are others.
        var touched: Set<ItemID> = []
        /// Which may be there now and were not, or the other way round, or under another name.
        var renamed: Set<ItemID> = []
    }

    private mutating func hear(_ fact: Fact, _ change: inout Change) {
        let isKnown = facts.versions[fact.id] != nil
        switch facts.add(fact) {
        case .none: return
        case .instead: change.isInstead = true
        case .new: break
        }
        switch fact.statement {
        case .version(let version):
            change.touched.insert(version.item)
            if !isKnown { versions[view.which(version.item), default: []].append(fact.id) }
            for parent in version.parents {
                if let replaced = facts.versions[parent]?.version { change.touched.insert(replaced.item) }
            }
        case .place(let place): change.touched.insert(place.item)
        case .same(let one, let other): change.joined.append((one, other))
        case .key, .kind, .name: break
        }
    }

    // MARK: Items

    func isOneOfSeveral(_ item: ItemID) -> Bool { members[view.which(item)] != nil }

    /// Itself and all that turned out to be one with it.
    func those(oneWith item: ItemID) -> Set<ItemID> { members[view.which(item)] ?? [view.which(item)] }

    /// Of those that are there.
    func item(called name: [UInt8], in folder: ItemID?) -> ItemID? { folders[folder]?.names[name] }
    /// Also of those that were replaced.
    func versions(of item: ItemID, with digest: Digest) -> Set<FactID> { Set((versions[view.which(item)] ?? []).filter { facts.versions[$0]?.digest == digest }) }
    func names(in folder: ItemID?) -> [[UInt8]: ItemID] { folders[folder]?.names ?? [:] }

    private mutating func join(_ one: ItemID, _ other: ItemID, _ change: inout Change) {
        let low = min(view.which(one), view.which(other)), high = max(view.which(one), view.which(other))
        guard low != high else { return }
        leave(high, &change)
        reached.remove(high)
        wanted.remove(high)
        unname(high)
        let ids = members.removeValue(forKey: high) ?? [high]
        members[low, default: [low]].formUnion(ids)
        for id in ids { view.joined[id] = low }
        versions[low, default: []] += versions.removeValue(forKey: high) ?? []
        view.items[high] = nil
        change.renamed.insert(high)
        // What was in the one is in the other.
        change.touched.formUnion(folders[high]?.items ?? [])
        change.touched.insert(low)
    }

    private mutating func read(_ item: ItemID) {
        let all = (versions[item] ?? []).compactMap { facts.versions[$0] }
        if !all.isEmpty { view.items[item, default: View.Item()].take(ItemVersions(all, rules) { facts.replaced.contains($0) }) }
        // Of two that bear one id and rank the one that is known now counts, and not the one that was seen.
        if view.items[item]?.place != nil { view.items[item]?.place = nil }
        for id in members[item] ?? [item] {
            if let fact = facts.places[id] { view.items[item, default: View.Item()].take(place: fact) }
        }
    }

    // MARK: Folders

    /// The folder of each that is to be in another one than it is in, or in one for the first time.
    private mutating func foldersToSettle(_ touched: Set<ItemID>) -> [(ItemID, ItemID?)] {
        let placed = touched.filter { view.items[$0]?.place != nil }
        guard isCircular || placed.contains(where: isInItself) else {
            return placed.filter { !isIn($0, folderSaid(of: $0)) }.map { ($0, folderSaid(of: $0)) }
        }
        isCircular = false
        var moved: [(ItemID, ItemID?)] = []
        for (item, folder) in Circles.broken(view.items.compactMapValues(\.place), which: view.which) {
            if folder != folderSaid(of: item) { isCircular = true }
            if !isIn(item, folder) { moved.append((item, folder)) }
        }
        return moved
    }

    /// As its place says, circles or not.
    private func folderSaid(of item: ItemID) -> ItemID? { (view.items[item]?.place?.place?.folder).map(view.which) }

    private func isIn(_ item: ItemID, _ folder: ItemID?) -> Bool { folders[folder]?.items.contains(item) == true }

    /// By whatever way; also where the way up ends in a circle that it is no part of.
    private func isInItself(_ item: ItemID) -> Bool {
        var next = folderSaid(of: item), steps = 0
        while let folder = next, view.items[folder]?.place != nil {
            steps += 1
            if folder == item || steps > view.items.count { return true }
            next = folderSaid(of: folder)
        }
        return false
    }

    private mutating func move(_ item: ItemID, to folder: ItemID?, _ change: inout Change) {
        leave(item, &change)
        view.items[item]?.folder = folder
        folders[folder, default: Folder()].items.insert(item)
        if wanted.contains(item) { countWanted(in: folder, 1, &change) }
        reconsiderReached(item, &change)
        change.renamed.insert(item)
    }

    private mutating func leave(_ item: ItemID, _ change: inout Change) {
        guard let seen = view.items[item], isIn(item, seen.folder) else { return }
        let folder = seen.folder
        folders[folder]?.items.remove(item)
        if wanted.contains(item) { countWanted(in: folder, -1, &change) }
    }

    // MARK: What is there

    private mutating func countWanted(in folder: ItemID?, _ more: Int, _ change: inout Change) {
        folders[folder, default: Folder()].wanted += more
        if let folder { reconsiderWanted(folder, &change) }
    }

    /// And the folders above, as far as it makes a difference there.
    private mutating func reconsiderWanted(_ item: ItemID, _ change: inout Change) {
        var next: ItemID? = item
        while let item = next, let seen = view.items[item], seen.place != nil {
            let isWanted = seen.current != nil || rules.contains(.fullFoldersStay) && (folders[item]?.wanted ?? 0) > 0
            guard isWanted != wanted.contains(item) else { return }
            if isWanted { wanted.insert(item) } else { wanted.remove(item) }
            change.renamed.insert(item)
            guard isIn(item, seen.folder) else { return }
            folders[seen.folder]?.wanted += isWanted ? 1 : -1
            next = seen.folder
        }
    }

    /// And all that is in it.
    private mutating func reconsiderReached(_ item: ItemID, _ change: inout Change) {
        var waiting = [item]
        while let item = waiting.popLast() {
            guard let seen = view.items[item] else { continue }
            let isReached = seen.folder.map(reached.contains) ?? true
            guard isReached != reached.contains(item) else { continue }
            if isReached { reached.insert(item) } else { reached.remove(item) }
            change.renamed.insert(item)
            waiting += folders[item]?.items ?? []
        }
    }

    private func isThere(_ item: ItemID) -> Bool { wanted.contains(item) && reached.contains(item) }

    // MARK: Names

    private var namedIn: [ItemID: ItemID?] = [:]

    private mutating func unname(_ item: ItemID) {
        guard let folder = namedIn.removeValue(forKey: item) else { return }
        if let name = view.items[item]?.name { folders[folder]?.names[name.shown] = nil }
        if folders[folder]?.numbered.remove(item) != nil || folders[folder]?.numbered.isEmpty == false { toNumber.insert(folder) }
        view.items[item]?.name = nil
    }

    /// Folders in which numbers are to be given anew.
    private var toNumber: Set<ItemID?> = []

    private mutating func rename(_ items: Set<ItemID>, _ change: inout Change) {
        for item in items { unname(item) }
        for item in items where isThere(item) {
            guard let seen = view.items[item], let name = seen.place?.place?.name else { continue }
            namedIn[item] = .some(seen.folder)
            if toNumber.contains(seen.folder) { continue }
            if folders[seen.folder]?.names[name.shown] == nil {
                folders[seen.folder, default: Folder()].names[name.shown] = item
                view.items[item]?.name = name
            } else {
                toNumber.insert(seen.folder)
            }
        }
        for folder in toNumber { number(folder, &change) }
        toNumber = []
    }

    /// All names of a folder, where an item has one that another one has, or had one till now.
    private mutating func number(_ folder: ItemID?, _ change: inout Change) {
        let inside = (folders[folder]?.items ?? []).filter(isThere)
        let placed = inside.compactMap { item in view.items[item]?.place.flatMap { FolderNames.Placed(item, $0) } }
        folders[folder]?.names = [:]
        folders[folder]?.numbered = []
        for (item, name) in FolderNames.given(placed, rules) {
            if view.items[item]?.name != name { change.renamed.insert(item) }
            view.items[item]?.name = name
            folders[folder]?.names[name.shown] = item
            if name != view.items[item]?.place?.place?.name { folders[folder]?.numbered.insert(item) }
        }
    }

    // MARK: What is to be repaired

    /// Folders in which an item is called otherwise than it was to be, with what is there in them.
    var numberedFolders: [(folder: ItemID?, items: [ItemID])] {
        folders.filter { !$0.value.numbered.isEmpty }.map { ($0.key, $0.value.items.filter(isThere)) }
    }
}

extension FollowedView {
    /// What somebody may ask this device for, or what is to come here: of each item what is current and in conflict, also of one whose
    /// folder nobody has spoken of yet.
    public var needed: [Version] { view.items.keys.flatMap(needed) }

    public func needed(of item: ItemID) -> [Version] {
        guard let seen = view.items[item], seen.place?.place?.kind != .folder else { return [] }
        return ([seen.current].compactMap(\.self) + seen.conflicts).compactMap { facts.versions[$0]?.version }
    }
}
