import LinuxFiles
import Predicates

/// A query whose results follow the container: first they are gathered, then each change brings an update, until it is stopped.
///
/// As an NSMetadataQuery: updates can be held back while somebody works through the results, as often as one likes within each other;
/// what happened meanwhile comes as one update. After it was stopped the results stay.
public final class LiveQuery {
    /// What is another thing than it was.
    public struct Update: Sendable {
        public var added: [FoundItem] = []
        public var changed: [FoundItem] = []
        public var removed: [FoundItem] = []

        public var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
    }

    private let catalog: Catalog
    private let query: CatalogQuery
    private var found: [ItemKey: FoundItem] = [:]
    /// What whoever uses it knows, while updates are held back.
    private var told: [ItemKey: FoundItem]?
    private var holds = 0
    public private(set) var isGathering = true
    public private(set) var isStopped = false

    /// An item is the same one as long as it has its place.
    private struct ItemKey: Hashable {
        let scope: CatalogScope
        let folder: [Name]
        let stored: Name

        init(_ item: FoundItem) { (scope, folder, stored) = (item.scope, item.folder, item.item.stored) }
    }

    public init(_ query: CatalogQuery, in catalog: Catalog) throws(Failure) {
        (self.query, self.catalog) = (query, catalog)
        do throws(Errno) { try catalog.startWatching() } catch { throw Failure(error, "“\(catalog.container.path)” cannot be watched: \(error)") }
    }

    /// The results as whoever uses it knows them.
    public var results: [FoundItem] {
        let shown = (told ?? found).values.sorted { $0.folder == $1.folder ? $0.item.shown < $1.item.shown : FoundItem.joined($0.folder).lexicographicallyPrecedes(FoundItem.joined($1.folder)) }
        return query.limit.map { Array(shown.prefix($0)) } ?? shown
    }

    /// The first phase: hands on all that is found.
    public func gather(_ each: (FoundItem) -> Void) throws(Failure) {
        try catalog.search(query) { item in
            found[ItemKey(item)] = item
            each(item)
            return true
        }
        isGathering = false
    }

    /// Ends a wait for changes, also the next one; from any thread. For who stops it from elsewhere.
    public var interruption: (@Sendable () -> Void)? { catalog.interruption }

    /// The second phase: waits so long for a change, and says what it brought. Updates that are held back come later.
    public func next(milliseconds: Int64) throws(Failure) -> Update {
        guard !isStopped else { return Update() }
        var update = Update()
        try catalog.lasting { () throws(DatabaseFault) in
            for (folder, news) in try catalog.nextChanges(milliseconds: milliseconds) { try take(news, of: folder, &update) }
        }
        return holds > 0 ? Update() : update
    }

    private func take(_ news: FolderNews, of folder: Int64, _ update: inout Update) throws(DatabaseFault) {
        var fitting: Set<ItemKey> = []
        if !news.changed.isEmpty {
            try catalog.run(query, news.changed.count > 500 ? .folder(folder) : .items(news.changed)) { item in
                let key = ItemKey(item)
                fitting.insert(key)
                if found.updateValue(item, forKey: key) == nil { update.added.append(item) } else { update.changed.append(item) }
                return true
            }
        }
        let lost = Set(news.removed).union(news.changed)
        for (key, item) in found where lost.contains(item.item.id) && !fitting.contains(key) {
            found[key] = nil
            update.removed.append(item)
        }
    }

    /// From now on no update comes, and the results stay as they are.
    public func disableUpdates() {
        holds += 1
        if told == nil { told = found }
    }

    /// The end of the hold that began last; of all of them where nothing is held any more: then this is what happened meanwhile.
    public func enableUpdates() -> Update {
        guard holds > 0 else { return Update() }
        holds -= 1
        guard holds == 0, let before = told else { return Update() }
        told = nil
        var update = Update()
        for (key, item) in found {
            guard let old = before[key] else {
                update.added.append(item)
                continue
            }
            if old.item.stamp != item.item.stamp || old.item.shown != item.item.shown { update.changed.append(item) }
        }
        update.removed = before.filter { found[$0.key] == nil }.map(\.value)
        return update
    }

    /// No change is followed any more; the results stay.
    public func stop() {
        isStopped = true
        catalog.stopWatching()
    }
}
