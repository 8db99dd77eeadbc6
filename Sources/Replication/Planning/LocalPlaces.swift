/// What is where on this device, so that it is found without going through everything.
struct LocalPlaces: Sendable {
    /// Names that are one to the store are one place.
    struct Place: Hashable, Sendable {
        let folder: LocalID?, name: StoreNames.Key
    }

    private var at: [Place: LocalID] = [:]
    private var inside: [LocalID?: Set<LocalID>] = [:]
    private let names: StoreNames

    init(_ entries: some Sequence<LocalEntry>, _ names: StoreNames) {
        self.names = names
        for entry in entries { add(entry) }
    }

    subscript(place: Place) -> LocalID? { at[place] }

    func entries(in folder: LocalID?) -> Set<LocalID> { inside[folder] ?? [] }

    mutating func add(_ entry: LocalEntry) {
        at[place(of: entry)] = entry.id
        inside[entry.folder, default: []].insert(entry.id)
    }

    mutating func remove(_ entry: LocalEntry) {
        // Another one may have its place by now.
        if at[place(of: entry)] == entry.id { at[place(of: entry)] = nil }
        inside[entry.folder]?.remove(entry.id)
        if inside[entry.folder]?.isEmpty == true { inside[entry.folder] = nil }
    }

    private func place(of entry: LocalEntry) -> Place { Place(folder: entry.folder, name: names.key(entry.name)) }
}
