import Containers
import Coordination
import Dispatch
import LinuxFiles

/// Documents whose name went away a moment ago. Many programs save by renaming the old file away and writing a new one:
/// when the name comes back, it is the same document.
final class AwayDocuments: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let places: Places
    private let thinning: VersionThinning
    private let table = Locked<[RemovedName: Remembered]>([:])

    init(tree: Tree, coordinator: DocumentCoordinator, workshop: Workshop?, places: Places, thinning: VersionThinning) {
        (self.tree, self.coordinator, self.workshop, self.places, self.thinning) = (tree, coordinator, workshop, places, thinning)
    }

    /// How long a name may take to come back: programs that save by renaming need much less.
    static let awaySeconds = 15

    func remember(_ item: AwayItem, as name: Name, in folder: NodeNumber) {
        let key = RemovedName(folder: folder, name: name), until = DispatchTime.now() + .seconds(Self.awaySeconds)
        let replaced = table.withLock { $0.updateValue(Remembered(item: item, until: until), forKey: key) }
        if let replaced { keep(replaced.item) }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: until) { [weak self] in
            guard let self else { return }
            // With its versions: nobody saves another one in its place meanwhile.
            coordinator.later(LaneID(folder)) { [self] in expire(key, until) }
        }
    }

    /// One that came back and went away again meanwhile is remembered from then on.
    private func expire(_ key: RemovedName, _ until: DispatchTime) {
        let expired = table.withLock { $0[key]?.until == until ? $0.removeValue(forKey: key) : nil }
        if let expired { keep(expired.item) }
    }

    /// The document that had this name, which is somebody's now.
    func take(_ name: Name, _ kind: KindID, in folder: NodeNumber) -> AwayItem? {
        table.withLock { away in
            let key = RemovedName(folder: folder, name: name)
            guard let item = away[key]?.item, item.kind == kind else { return nil }
            away[key] = nil
            return item
        }
    }

    /// The document that had this stored name in a folder, and what it was shown as.
    func take(stored: Name, _ kind: KindID, in folder: NodeNumber) -> (item: AwayItem, shown: Name)? {
        table.withLock { away in
            guard let key = away.first(where: { $0.key.folder == folder && $0.value.item.stored == stored && $0.value.item.kind == kind })?.key else { return nil }
            return away.removeValue(forKey: key).map { ($0.item, key.name) }
        }
    }

    /// Nothing came of what was to be it, or it did and could not be read then.
    func rememberAgain(_ item: AwayItem, as name: Name, in folder: NodeNumber) {
        if workshop?.isThere(item) == true { remember(item, as: name, in: folder) }
    }

    /// What was put away and made anew by an app since is of no account any more, once the journal says what its draft is a draft of.
    func dropWhatGaveWay() {
        for (id, item) in tree.takeGaveWay() {
            let (node, document) = tree.nodeAndDocument(id)
            if let draft = document?.draft, let place = try? places.place(of: node.parent) {
                try? workshop?.record(draft, at: tree.address(node.shown, in: node.parent, place), base: document?.base)
            }
            keep(item)
        }
    }

    /// What is written of documents that others have moved, or in folders that they have, is recorded where it is now.
    func recordMovedDrafts() {
        for moved in tree.takeMovedParts() {
            for (id, document) in tree.drafts(of: moved) {
                let node = tree[id]
                guard let draft = document.draft, let place = try? places.place(of: node.parent) else { continue }
                try? workshop?.record(draft, at: tree.address(node.shown, in: node.parent, place), base: document.base)
            }
        }
    }

    /// The name belongs to something else now: what had it does not come back.
    func forget(_ name: Name, in folder: NodeNumber) {
        if let forgotten = table.withLock({ $0.removeValue(forKey: RemovedName(folder: folder, name: name)) }) { keep(forgotten.item) }
    }

    /// Somebody asks for it, or wants it gone: its name does not come back by itself.
    func giveUp(_ deleted: DeletedItem, in folder: NodeNumber?) {
        let item = table.withLock { away in
            let likely = folder.map { RemovedName(folder: $0, name: deleted.shown) }
            if let likely, let there = away[likely], deleted.isSame(as: there.item) { return away.removeValue(forKey: likely)?.item }
            return away.first { deleted.isSame(as: $0.value.item) }.flatMap { away.removeValue(forKey: $0.key) }?.item
        }
        if let item { keep(item) }
    }

    /// A folder is gone: its number will be another one's, in which nothing comes back.
    func forget(of folder: NodeNumber) {
        let forgotten = table.withLock { away in
            let keys = away.keys.filter { $0.folder == folder }
            return keys.compactMap { away.removeValue(forKey: $0) }
        }
        for document in forgotten { keep(document.item) }
    }

    @discardableResult
    func forgetAll() -> Bool {
        let items = table.withLock { away in
            defer { away = [:] }
            return away.values.map(\.item)
        }
        for item in items { keep(item) }
        return !items.isEmpty
    }

    /// Keeps a document among the deleted, because its name did not come back.
    func keep(_ item: AwayItem) {
        _ = try? workshop?.commit(.moveToDeleted(item))
        thinning.order()
    }

    /// Does something that needs room on the store. Where there is none, what is only remembered gives up its own, and it is tried again.
    /// `wanted`: how many bytes it needs still, where that is known.
    func makingRoom<Value>(for wanted: () -> Int64? = { nil }, _ body: () throws(Errno) -> Value) throws(Errno) -> Value {
        try makingRoom(where: \.isFull, for: wanted, body)
    }

    /// The same of a save.
    func makingRoomToSave<Value>(_ body: () throws(SaveFault) -> Value) throws(SaveFault) -> Value { try makingRoom(where: \.isFull, for: { nil }, body) }

    private func makingRoom<Value, Problem: Error>(
        where isFull: (Problem) -> Bool, for wanted: () -> Int64?, _ body: () throws(Problem) -> Value
    ) throws(Problem) -> Value {
        while true {
            do throws(Problem) { return try body() } catch { guard isFull(error), makeRoom(for: wanted) else { throw error } }
        }
    }

    /// Documents that are gone give up their room, and then what documents were. False where there is nothing left of that, or all
    /// of it would not be enough.
    func makeRoom(for wanted: () -> Int64? = { nil }) -> Bool {
        if forgetAll() { return true }
        guard let workshop, wanted().map({ workshop.canMakeRoom(for: $0) }) ?? true else { return false }
        return (try? workshop.commit(.makeRoom).isUnchanged) == false
    }
}

/// A name in a folder that a document had.
struct RemovedName: Hashable {
    let folder: NodeNumber
    let name: Name
}

/// A document that is remembered, and until when.
struct Remembered {
    let item: AwayItem
    let until: DispatchTime
}
