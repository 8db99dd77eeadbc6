/// Who presents which item: has it open, and is asked before somebody else uses it. Pure.
///
/// Whoever presents a folder presents all that is in it.
struct PresenterTable {
    struct Key: Hashable, Sendable {
        let client: Int, number: UInt32
    }

    struct Presenter {
        /// By which it says that a claim is its own; the client's choice.
        let name: UInt64
        let process: Int32
        fileprivate(set) var path: ItemPath
    }

    private var presenters: [Key: Presenter] = [:]
    private var keys: [ItemPath: Set<Key>] = [:]

    subscript(_ key: Key) -> Presenter? { presenters[key] }
    var count: Int { presenters.count }
    var paths: Set<ItemPath> { Set(keys.keys) }

    mutating func add(_ key: Key, _ presenter: Presenter) {
        presenters[key] = presenter
        keys[presenter.path, default: []].insert(key)
    }

    @discardableResult
    mutating func remove(_ key: Key) -> Bool {
        guard let presenter = presenters.removeValue(forKey: key) else { return false }
        forget(key, at: presenter.path)
        return true
    }

    private mutating func forget(_ key: Key, at path: ItemPath) {
        keys[path]?.remove(key)
        if keys[path]?.isEmpty == true { keys[path] = nil }
    }

    /// Those whose item is this one, or is above it; and, where all that is in it is concerned, or below it.
    func concerned(by item: ClaimedItem) -> Set<Key> {
        guard !presenters.isEmpty else { return [] }
        var found: Set<Key> = []
        for depth in 0...item.path.names.count { if let here = keys[item.path.above(depth)] { found.formUnion(here) } }
        guard item.purpose.isDeep else { return found }
        for (path, here) in keys where path.isInside(item.path) { found.formUnion(here) }
        return found
    }

    /// Whether somebody presents an item or what is in it.
    func isPresented(in item: ItemPath) -> Bool { keys.keys.contains { $0.isInside(item) } }

    /// An item has moved: its presenters, and those of what is in it, have moved with it. Answers who, and from where to where.
    mutating func move(from old: ItemPath, to new: ItemPath) -> [(key: Key, old: ItemPath, new: ItemPath)] {
        var moved: [(key: Key, old: ItemPath, new: ItemPath)] = []
        for (key, presenter) in presenters { if let place = presenter.path.moved(from: old, to: new) { moved.append((key, presenter.path, place)) } }
        for (key, path, place) in moved {
            forget(key, at: path)
            presenters[key]?.path = place
            keys[place, default: []].insert(key)
        }
        return moved
    }
}
