/// What items are called on this device: what all see, unless its store cannot have that. It refuses the name, or
/// another item has one there that is the same to it. Such an item is called otherwise here for as long as that is so.
struct LocalNaming {
    private let known: FollowedView
    private let local: LocalItems
    private let match: LocalMatch
    private let places: LocalPlaces

    init(_ known: FollowedView, _ local: LocalItems, _ match: LocalMatch, _ places: LocalPlaces) {
        (self.known, self.local, self.match, self.places) = (known, local, match, places)
    }

    private var rules: Rules { known.rules }
    private var view: View { known.view }

    func place(_ name: [UInt8], in folder: LocalID?) -> LocalPlaces.Place { LocalPlaces.Place(folder: folder, name: local.store.key(name)) }

    /// Whether the one is what the store answers for the other.
    func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one == other || local.store.answered(one, rules) == local.store.answered(other, rules)
    }

    // MARK: What is called otherwise

    /// As it is to be called here. Nil: it is not there.
    func nameHere(_ item: ItemID, _ seen: View.Item) -> [UInt8]? {
        guard let shown = seen.name?.shown else { return nil }
        guard let name = name(of: item, seen, shown) else { return shown }
        if let folder = localFolder(seen.folder), canBeHad(shown, in: folder, by: item) { return shown }
        return name.here
    }

    private func name(of item: ItemID, _ seen: View.Item, _ shown: [UInt8]) -> LocalName? {
        local.names[item]?.first { $0.shown == shown && $0.folder.map(view.which) == seen.folder }
    }

    /// Whether what is called so here is called as all see it.
    func isCalled(_ name: [UInt8], _ item: ItemID, _ seen: View.Item) -> Bool {
        guard let shown = seen.name?.shown else { return false }
        if isSame(name, shown) { return true }
        guard rules.contains(.localNamesStay) else { return false }
        return self.name(of: item, seen, shown).map { isSame(name, $0.here) } ?? false
    }

    /// What is to be said of a name that is found here: nil is that name itself.
    func nameToSay(_ name: [UInt8], of item: ItemID, _ seen: View.Item?) -> [UInt8]? {
        guard rules.contains(.localNamesStay) else { return nil }
        if let called = local.names[item]?.filter({ isSame($0.here, name) }).map(\.shown).min(by: { $0.lexicographicallyPrecedes($1) }) { return called }
        guard let shown = seen?.place?.place?.name.shown, shown != name, isSame(shown, name) else { return nil }
        return shown
    }

    /// Of those that are there and not here, the one that is what is called so here.
    func item(called name: [UInt8], in folder: ItemID?, _ others: inout [ItemID?: [StoreNames.Key: ItemID]]) -> ItemID? {
        if let item = known.item(called: name, in: folder), local.synced[item] == nil { return item }
        if local.store.likeness == .exact, local.names.isEmpty { return nil }
        if others[folder] == nil { others[folder] = names(in: folder) }
        return others[folder]?[local.store.answered(name, rules)]
    }

    private func names(in folder: ItemID?) -> [StoreNames.Key: ItemID] {
        var found: [StoreNames.Key: ItemID] = [:]
        if local.store.likeness != .exact, rules.contains(.answersAreNames) {
            for (name, item) in known.names(in: folder).sorted(by: { $0.value < $1.value }) { found[local.store.answered(name, rules)] = item }
        }
        for item in local.names.keys.sorted() {
            guard let seen = view.items[item], seen.folder == folder, let shown = seen.name?.shown else { continue }
            if let name = name(of: item, seen, shown) { found[local.store.answered(name.here, rules)] = item }
        }
        return found
    }

    // MARK: What can be had

    private func localFolder(_ folder: ItemID?) -> LocalID?? { folder == nil ? .some(nil) : folder.flatMap(match.entry).map { .some($0) } }

    private func isFree(_ name: [UInt8], in folder: LocalID?, for item: ItemID) -> Bool {
        places[place(name, in: folder)].map { $0 == match.entry(of: item) } ?? true
    }

    private func canBeHad(_ name: [UInt8], in folder: LocalID?, by item: ItemID) -> Bool {
        !local.store.refuses(name, in: folder) && isFree(name, in: folder, for: item)
    }

    /// Whether what has a place is there as all see it: it does not go away.
    private func stays(_ entry: LocalEntry) -> Bool {
        guard let item = match.item(of: entry.id), view.which(item) == item, let seen = view.items[item], seen.isThere else { return false }
        return localFolder(seen.folder) == .some(entry.folder) && nameHere(item, seen).map { isSame($0, entry.name) } ?? false
    }

    /// Beside the names that some have already, and that all see there.
    func freeName(_ name: [UInt8], in folder: LocalID?, _ taken: Set<LocalPlaces.Place> = [], for item: ItemID?) -> [UInt8] {
        let near = local.store.nearest(name, in: folder), above = folder.flatMap(match.item)
        func isTaken(_ name: [UInt8]) -> Bool {
            let place = place(name, in: folder)
            if taken.contains(place) || local.store.refuses(name, in: folder) { return true }
            if let other = places[place], item == nil || other != item.flatMap(match.entry) { return true }
            return known.item(called: name, in: above).map { $0 != item } ?? false
        }
        var number: UInt32 = item == nil ? 1 : 0
        while isTaken(ItemName(near, number: number).shown), number < .max { number += 1 }
        return ItemName(near, number: number).shown
    }

    // MARK: What is to be written down

    /// `items` are some among which all are that are not here as all see them, or are called otherwise here.
    func steps(_ items: [ItemID]) -> [Step] {
        guard rules.contains(.namesAreLocal) else { return [] }
        // Those that are to be called so already.
        var taken: Set<LocalPlaces.Place> = [], steps: [Step] = []
        for (item, names) in local.names where view.which(item) == item {
            for name in names { if let folder = localFolder(name.folder.map(view.which)) { taken.insert(place(name.here, in: folder)) } }
        }
        for item in items {
            let names = local.names[item] ?? []
            guard view.which(item) == item else {
                if !names.isEmpty, local.synced[item] == nil { steps.append(.nameHere(item, [])) }
                continue
            }
            // What is not there may come back, and be called so still.
            guard let seen = view.items[item], seen.isThere, let shown = seen.name?.shown, let folder = localFolder(seen.folder) else { continue }
            let entry = match.entry(of: item).flatMap { local.entries[$0] }
            guard entry != nil || isComing(item, seen) else { continue }
            // Where it was found last it is called so still.
            let last = local.synced[item].map { $0.folder.map(view.which) }
            var kept = names.filter { name in entry.map { isSame($0.name, name.here) } ?? false && last == .some(name.folder.map(view.which)) }
            if let name = needed(item, seen, shown, in: folder, entry, taken) {
                kept.insert(name)
                taken.insert(place(name.here, in: folder))
            }
            if kept != names { steps.append(.nameHere(item, kept)) }
        }
        return steps
    }

    /// Whether it is to be put there now.
    private func isComing(_ item: ItemID, _ seen: View.Item) -> Bool {
        guard local.synced[item] == nil, let place = seen.place?.place else { return false }
        if place.kind == .folder { return true }
        return seen.current.flatMap { known.facts.versions[$0]?.digest }.map(local.contents.contains) ?? false
    }

    /// What it is to be called because it cannot be called what all see; nil where it can.
    private func needed(
        _ item: ItemID, _ seen: View.Item, _ shown: [UInt8], in folder: LocalID?, _ entry: LocalEntry?, _ taken: Set<LocalPlaces.Place>
    ) -> LocalName? {
        if canBeHad(shown, in: folder, by: item) { return nil }
        let other = places[place(shown, in: folder)].flatMap { local.entries[$0] }
        func isInTheWay(_ name: [UInt8]) -> Bool {
            guard let other = places[place(name, in: folder)], other != entry?.id else { return false }
            return local.entries[other].map(stays) ?? false
        }
        if let name = name(of: item, seen, shown), !local.store.refuses(name.here, in: folder), !isInTheWay(name.here) { return name }
        // What is in the way goes perhaps.
        guard local.store.refuses(shown, in: folder) || other.map(stays) ?? false else { return nil }
        // It was moved by somebody, and is called already what its name is here.
        if let entry, entry.folder == folder, local.names[item]?.contains(where: { $0.shown == shown && isSame($0.here, entry.name) }) == true {
            return LocalName(folder: seen.folder, shown: shown, here: entry.name)
        }
        return LocalName(folder: seen.folder, shown: shown, here: freeName(shown, in: folder, taken, for: item))
    }
}
