import Databases
import LinuxFiles
import Predicates

/// A query whose results follow the container: first they are gathered, then each change brings an update, until it is stopped.
///
/// As an NSMetadataQuery: updates can be held back while somebody works through the results, as often as one likes within each other;
/// what happened meanwhile comes as one update. After it was stopped the results stay.
public final class LiveQuery {
    public typealias Update = QueryResults.Update

    private let catalog: Catalog
    private let current: QueryResults
    /// What whoever uses it knows, while updates are held back.
    private var known: Set<QueryResults.Key>?
    private var holds = 0
    public private(set) var isGathering = true
    public private(set) var isStopped = false

    public init(_ query: CatalogQuery, in catalog: Catalog) throws(Failure) {
        (current, self.catalog) = (QueryResults(query), catalog)
        do throws(Errno) { try catalog.startWatching() } catch { throw Failure(error, "“\(catalog.container.path)” cannot be watched: \(error)") }
    }

    /// The results as whoever uses it knows them.
    public var results: [FoundItem] {
        let shown = (known ?? current.found).map(\.item).sorted { $0.folder == $1.folder ? $0.item.shown < $1.item.shown : FoundItem.joined($0.folder).lexicographicallyPrecedes(FoundItem.joined($1.folder)) }
        return current.query.limit.map { Array(shown.prefix($0)) } ?? shown
    }

    /// Asked now and then while it gathers: whether somebody still waits for that.
    public var isWanted: (() -> Bool)? { didSet { catalog.pause = isWanted.map { isWanted in { _ in isWanted() } } } }

    /// The first phase: hands on all that is found.
    public func gather(_ each: (FoundItem) -> Void) throws(Failure) {
        try catalog.search(current.query) { item in
            current.put(item)
            each(item)
            return isWanted?() ?? true
        }
        isGathering = false
    }

    /// The same for who shows what comes: what is in a large folder is handed on while that is read, and what was handed on and is none after all, or is
    /// called otherwise, at the end.
    public func gatherEarly(_ each: @escaping (FoundItem) -> Void, gone: (FoundItem) -> Void) throws(Failure) {
        // Its budget and its conflicts are asked for all items together, at the end.
        guard current.query.sort.isEmpty, current.query.limit == nil, current.query.budget == nil, !current.query.predicate.attributes.contains(.conflict) else { return try gather(each) }
        var seen: Set<QueryResults.Key> = []
        catalog.early = { [catalog, current] (items, folders) throws(DatabaseFault) in
            let run = catalog.newRun(current.query, folders)
            // A question names no more at once.
            for start in stride(from: 0, to: items.count, by: 500) {
                _ = try run.run(.items(Array(items[start..<min(start + 500, items.count)])), folders, isConfirmed: true) { item in
                    if current.put(item) { each(item) }
                    return true
                }
            }
        }
        defer { catalog.early = nil }
        try catalog.search(current.query) { item in
            // Whoever was told of it has it already: there is one of it in memory.
            if let known = current.known(item), item.isStill(known) { seen.insert(QueryResults.Key(known)) } else {
                seen.insert(QueryResults.Key(item))
                current.put(item)
                each(item)
            }
            return isWanted?() ?? true
        }
        if isWanted?() ?? true { for item in current.drop(besides: seen) { gone(item) } }
        isGathering = false
    }

    /// Ends a wait for changes, also the next one; from any thread. For who stops it from elsewhere.
    public var interruption: (@Sendable () -> Void)? { catalog.interruption }

    /// The second phase: waits so long for a change, and says what it brought. Updates that are held back come later.
    public func next(milliseconds: Int64) throws(Failure) -> Update {
        guard !isStopped else { return Update() }
        var updates: [Update] = []
        try catalog.lasting { () throws(DatabaseFault) in
            for change in try catalog.nextChanges(milliseconds: milliseconds) { updates.append(try current.follow(change, in: catalog)) }
        }
        return holds > 0 ? Update() : Update.of(updates)
    }

    /// From now on no update comes, and the results stay as they are.
    public func disableUpdates() {
        holds += 1
        if known == nil { known = current.found }
    }

    /// The end of the hold that began last; of all of them where nothing is held any more: then this is what happened meanwhile.
    public func enableUpdates() -> Update {
        guard holds > 0 else { return Update() }
        holds -= 1
        guard holds == 0, let before = known else { return Update() }
        known = nil
        var update = Update()
        for key in current.found {
            guard let old = before.firstIndex(of: key).map({ before[$0].item }) else {
                update.added.append(key.item)
                continue
            }
            if !key.item.isStill(old) { update.changed.append(key.item) }
        }
        update.removed = before.filter { !current.found.contains($0) }.map(\.item)
        return update
    }

    /// No change is followed any more; the results stay.
    public func stop() {
        isStopped = true
        catalog.stopWatching()
    }
}
