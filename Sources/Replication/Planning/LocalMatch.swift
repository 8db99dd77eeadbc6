/// Which entry is which item, of those of which that has to be found out: of what is settled it is known.
struct LocalMatch {
    private(set) var item: [LocalID: ItemID] = [:]
    private var entry: [ItemID: LocalID] = [:]
    private let settled: [LocalID: ItemID], synced: [ItemID: Synced]
    /// Those of which it will be known what they are when something that is missing has come back, or has not.
    private(set) var waiting: Set<LocalID> = [], awaited: Set<ItemID> = []
    /// From the top down, and by name in a folder.
    private(set) var order: [LocalEntry] = []

    private struct Path: Hashable { let folder: ItemID?, name: StoreNames.Key }

    /// Of all entries and all that is written down.
    init(_ local: LocalItems, _ rules: Rules, which: (ItemID) -> ItemID) {
        self.init(of: local.entries.values, and: local.synced.keys, local, settled: [:], rules, which: which)
    }

    /// A folder by its inode, for nobody saves one by renaming another. Then where this device was about to move it; by
    /// its path, because a save by rename changes the inode; then by inode, and it was moved; and by the path to which
    /// this device moved it, where it was saved by rename. What is left is new.
    init(
        of entries: some Collection<LocalEntry>, and items: some Collection<ItemID>, _ local: LocalItems, settled: [LocalID: ItemID],
        _ rules: Rules, which: (ItemID) -> ItemID
    ) {
        (self.settled, synced) = (settled, local.synced)
        func answered(_ name: [UInt8]) -> StoreNames.Key { local.store.answered(name, rules) }
        // Where its number may be another file's by now only what it holds tells.
        func isThatFile(_ item: ItemID, _ entry: LocalEntry) -> Bool {
            guard local.numbersComeBack, rules.contains(.reusedIsAnother), entry.kind != .folder, let synced = local.synced[item] else { return true }
            return entry.digest == synced.digest || entry.digest == nil && (entry.stamp == synced.stamp || entry.stamp.isFresh)
        }
        // What is missing since a while had perhaps the place, or the file, that another one has now.
        var byPath: [Path: [ItemID]] = [:], byEntry: [LocalID: ItemID] = [:], byDestination: [Path: [ItemID]] = [:]
        let written = items.compactMap { item in local.synced[item].map { (key: item, value: $0) } }
        for (item, synced) in written.sorted(by: { ($0.value.missing == nil ? 0 : 1, $0.key) < ($1.value.missing == nil ? 0 : 1, $1.key) }) {
            byPath[Path(folder: synced.folder.map(which), name: answered(synced.name)), default: []].append(item)
            byEntry[synced.entry] = byEntry[synced.entry] ?? item
            if let going = synced.going, rules.contains(.moveIsNoted) {
                byDestination[Path(folder: going.folder.map(which), name: answered(going.name)), default: []].append(item)
            }
        }
        func isOfOneKind(_ item: ItemID, _ entry: LocalEntry) -> Bool { local.synced[item]?.kind.isLike(entry.kind) == true }
        for entry in entries where entry.kind == .folder && rules.contains(.foldersByEntry) {
            if let known = byEntry[entry.id], isOfOneKind(known, entry) { take(known, entry) }
        }
        // Before anything is known by its path: somebody may have made another one where this one had been.
        for entry in entries where entry.kind != .folder && rules.contains(.moveIsNoted) {
            let folder = entry.folder.flatMap { self.item(of: $0) }
            guard entry.folder == nil || folder != nil, let known = byEntry[entry.id] else { continue }
            let name = answered(entry.name)
            if local.synced[known]?.isGoing(to: folder.map(which), which: which, isName: { answered($0) == name }) == true { take(known, entry) }
        }
        for level in Self.levels(entries, local) {
            var rest: [LocalEntry] = []
            for entry in level where item[entry.id] == nil {
                let folder = entry.folder.flatMap { self.item(of: $0) }
                // What lies in a folder that is new has no path that anybody knows.
                let isKnownPlace = entry.folder == nil || folder != nil
                let there = isKnownPlace ? byPath[Path(folder: folder.map(which), name: answered(entry.name))] ?? [] : []
                let free = there.filter { self.entry[$0] == nil && isOfOneKind($0, entry) }
                if let known = free.first(where: { local.synced[$0]?.entry == entry.id }) ?? free.first {
                    take(known, entry)
                } else { rest.append(entry) }
            }
            for entry in rest {
                if let known = byEntry[entry.id], self.entry[known] == nil, isOfOneKind(known, entry), isThatFile(known, entry) { take(known, entry) }
            }
            order += level
        }
        for entry in order where item[entry.id] == nil && !byDestination.isEmpty {
            let folder = entry.folder.flatMap { self.item(of: $0) }
            guard entry.folder == nil || folder != nil else { continue }
            let known = byDestination[Path(folder: folder.map(which), name: answered(entry.name))]?.first {
                self.entry[$0] == nil && isOfOneKind($0, entry)
            }
            guard let known, let synced = local.synced[known], !local.deleted.contains(synced.entry) else { continue }
            // It may come back where it was, and then another one was made here.
            if synced.isGivenUp(at: local.time, rules) {
                take(known, entry)
            } else { (waiting, awaited) = (waiting.union([entry.id]), awaited.union([known])) }
        }
    }

    /// From the top down, each by name. What lies in no folder that is there is left out.
    private static func levels(_ entries: some Collection<LocalEntry>, _ local: LocalItems) -> [[LocalEntry]] {
        var depths: [LocalID: Int] = [:], levels: [[LocalEntry]] = []
        for entry in entries {
            var way: [LocalID] = [], next = entry.folder, depth: Int? = 0
            while let folder = next {
                if let known = depths[folder] { depth = known + 1; break }
                guard let above = local.entries[folder], way.count < local.entries.count else { depth = nil; break }
                way.append(folder)
                next = above.folder
            }
            guard var depth else { continue }
            for folder in way.reversed() {
                depths[folder] = depth
                depth += 1
            }
            while levels.count <= depth { levels.append([]) }
            levels[depth].append(entry)
        }
        return levels.map { level in
            level.sorted { $0.name == $1.name ? $0.id < $1.id : $0.name.lexicographicallyPrecedes($1.name) }
        }
    }

    /// What an entry is; nil where it is none that is known.
    func item(of entry: LocalID) -> ItemID? { item[entry] ?? settled[entry] }

    /// Where an item is; nil where it is not found.
    func entry(of item: ItemID) -> LocalID? {
        if let found = entry[item] { return found }
        guard let there = synced[item]?.entry, settled[there] == item else { return nil }
        return there
    }

    private mutating func take(_ known: ItemID, _ found: LocalEntry) {
        item[found.id] = known
        entry[known] = found.id
    }
}
