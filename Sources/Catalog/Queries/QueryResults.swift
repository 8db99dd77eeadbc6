import Databases
import LinuxFiles
import Predicates

/// What is other than it was in a folder of the container, for all who follow it.
public struct FolderChange {
    let folder: Int64
    let news: FolderNews
    /// All of the folder was looked at, and not some of its names.
    var isWhole = false
    /// The changed items as they are now, read once for everybody; nil where they are so many that each query asks for its own.
    let items: [CatalogItem]?

    /// The folder itself, and these names in it, changed so shortly ago that they are to be looked at once more.
    public var unsettled: (folder: Int64, names: [Name])? {
        news.isUnsettled || !news.unsettled.isEmpty ? (folder, news.unsettled) : nil
    }

    public var isEmpty: Bool { news.isEmpty }
}

/// The results of a query, as they follow the container.
public final class QueryResults {
    /// What is another thing than it was.
    public struct Update: Sendable {
        public var added: [FoundItem] = []
        public var changed: [FoundItem] = []
        public var removed: [FoundItem] = []

        public var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }

        /// Several, one after the other, as one: what came and went again, or went and came, is told once.
        static func of(_ steps: [Update]) -> Update {
            guard steps.count != 1 else { return steps[0] }
            var order: [Key] = [], items: [Key: (wasThere: Bool, isThere: Bool, item: FoundItem)] = [:]
            func note(_ item: FoundItem, wasThere: Bool, isThere: Bool) {
                let key = Key(item)
                if items[key] == nil { order.append(key) }
                items[key] = (items[key]?.wasThere ?? wasThere, isThere, item)
            }
            for step in steps {
                for item in step.removed { note(item, wasThere: true, isThere: false) }
                for item in step.changed { note(item, wasThere: true, isThere: true) }
                for item in step.added { note(item, wasThere: false, isThere: true) }
            }
            var all = Update()
            for case let found? in order.map({ items[$0] }) {
                switch (found.wasThere, found.isThere) {
                case (true, true): all.changed.append(found.item)
                case (false, true): all.added.append(found.item)
                case (true, false): all.removed.append(found.item)
                case (false, false): break
                }
            }
            return all
        }
    }

    /// An item by its place: it is the same one as long as it has that. There may be very many, so nothing of it is kept besides.
    struct Key: Hashable {
        let item: FoundItem

        init(_ item: FoundItem) { self.item = item }

        static func == (one: Key, other: Key) -> Bool {
            one.item.item.stored == other.item.item.stored && one.item.scope == other.item.scope && one.item.folder == other.item.folder
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(item.item.stored)
            hasher.combine(item.folder)
            hasher.combine(item.scope)
        }
    }

    public let query: CatalogQuery
    private(set) var found: Set<Key> = []
    /// Folders of which not all results are known, until all of them was looked at.
    var unsure: Set<Int64> = []
    /// The same by their numbers: what is gone has no other name any more.
    private var numbered: [Int64: FoundItem] = [:]

    public init(_ query: CatalogQuery) { self.query = query }

    /// A folder was broken off: what is new there is no news when it is looked at again.
    public func lookAgain(at folder: Int64) { unsure.insert(folder) }

    public var all: some Collection<FoundItem> { found.lazy.map(\.item) }

    /// What is known of the item in that one's place.
    func known(_ item: FoundItem) -> FoundItem? { found.firstIndex(of: Key(item)).map { found[$0].item } }

    var isFull: Bool { found.count >= query.most }

    /// False where it was one already, or there are too many.
    @discardableResult func put(_ item: FoundItem) -> Bool {
        guard !isFull || known(item) != nil else { return false }
        numbered[item.item.id] = item
        return found.update(with: Key(item)) == nil
    }

    /// All others are none.
    func drop(besides there: Set<Key>) -> [FoundItem] {
        guard there.count < found.count else { return [] }
        return found.filter { !there.contains($0) }.map(forget)
    }

    private func remove(_ id: Int64) -> FoundItem? {
        guard let item = numbered.removeValue(forKey: id), known(item)?.item.id == id else { return nil }
        return found.remove(Key(item))?.item
    }

    private func forget(_ key: Key) -> FoundItem {
        found.remove(key)
        if numbered[key.item.item.id].map({ Key($0) == key }) == true { numbered[key.item.item.id] = nil }
        return key.item
    }

    /// Results in a folder that are none any more, and those in folders that are gone.
    private func lost(besides there: Set<Key>, from folder: Int64, _ catalog: Catalog) -> [FoundItem] {
        found.filter { $0.item.item.folder == folder ? !there.contains($0) : catalog.folders[$0.item.item.folder] == nil }.map(forget)
    }

    /// Follows a change, and says what it brought.
    public func take(_ change: FolderChange, in catalog: Catalog) throws(Failure) -> Update {
        var update = Update()
        try catalog.lasting { () throws(DatabaseFault) in update = try follow(change, in: catalog) }
        return update
    }

    func follow(_ change: FolderChange, in catalog: Catalog) throws(DatabaseFault) -> Update {
        var update = Update()
        // First what is gone: its number may be another item's by now.
        var gone: Set<Key> = []
        for id in change.news.removed { if let item = remove(id) { gone.update(with: Key(item)) } }
        let run = catalog.newRun(query), news = Set(change.news.changed)
        let wasUnsure = change.isWhole && unsure.remove(change.folder) != nil
        var fitting: Set<Int64> = [], there: Set<Key> = []
        func take(_ item: FoundItem) {
            let key = Key(item)
            guard !isFull || found.contains(key) || gone.contains(key) else { return }
            fitting.insert(item.item.id)
            if let old = numbered[item.item.id], Key(old) != key, let item = remove(item.item.id) { gone.update(with: Key(item)) }
            let isNew = put(item), wasThere = gone.remove(key) != nil
            if isNew && !wasThere { update.added.append(item) } else { update.changed.append(item) }
        }
        if !wasUnsure, let items = change.items {
            for item in items { if let item = try run.fitted(item, catalog.folders) { take(item) } }
        } else if wasUnsure || !news.isEmpty {
            _ = try run.run(.folder(change.folder), catalog.folders, isConfirmed: true) { item in
                if wasUnsure { there.insert(Key(item)) }
                if news.contains(item.item.id) || wasUnsure && known(item).map({ item.isStill($0) }) != true { take(item) }
                return true
            }
            if wasUnsure { for item in lost(besides: there, from: change.folder, catalog) { gone.update(with: Key(item)) } }
        }
        for id in change.news.changed where !fitting.contains(id) { if let item = remove(id) { gone.update(with: Key(item)) } }
        update.removed += gone.map(\.item)
        return update
    }
}
