/// What is where on this device, so that it is found without going through everything.
struct LocalPlaces: Sendable {
    struct Place: Hashable, Sendable {
        let folder: LocalID?, name: [UInt8]
        init(folder: LocalID?, name: [UInt8]) { (self.folder, self.name) = (folder, name) }
        init(_ entry: LocalEntry) { (folder, name) = (entry.folder, entry.name) }
    }

    private var at: [Place: LocalID] = [:]
    private var inside: [LocalID?: Set<LocalID>] = [:]

    init(_ entries: some Sequence<LocalEntry>) {
        for entry in entries { add(entry) }
    }

    subscript(place: Place) -> LocalID? { at[place] }

    func entries(in folder: LocalID?) -> Set<LocalID> { inside[folder] ?? [] }

    mutating func add(_ entry: LocalEntry) {
        at[Place(entry)] = entry.id
        inside[entry.folder, default: []].insert(entry.id)
    }

    mutating func remove(_ entry: LocalEntry) {
        // Another one may have its place by now.
        if at[Place(entry)] == entry.id { at[Place(entry)] = nil }
        inside[entry.folder]?.remove(entry.id)
        if inside[entry.folder]?.isEmpty == true { inside[entry.folder] = nil }
    }
}
