import Foundation

/// The results of a query: what the searches have said, and what whoever uses the query knows of that.
struct MetadataResults {
    private var latest: [MetadataSearch.Key: NSMetadataItem.Facts] = [:]
    private var known: [MetadataSearch.Key: NSMetadataItem] = [:]
    /// What may be another thing than is known.
    private var unseen: Set<MetadataSearch.Key> = []
    /// How often somebody has asked that nothing changes.
    var holds = 0
    /// In their order, with what the delegate has made of them.
    var shown: [MetadataResult] = []

    /// nil: it is no result any more.
    mutating func note(_ key: MetadataSearch.Key, _ facts: NSMetadataItem.Facts?) {
        guard facts != nil || latest[key] != nil || known[key] != nil else { return }
        latest[key] = facts
        unseen.insert(key)
    }

    var items: [NSMetadataItem] { Array(known.values) }

    /// From now on what the searches have said is known. Answers what is new in that, and what the changed items are to become:
    /// they have locks of their own.
    mutating func takeOver() -> (update: NSMetadataQueryUpdate, facts: [NSMetadataItem.Facts]) {
        var update = NSMetadataQueryUpdate(), changes: [NSMetadataItem.Facts] = []
        for key in unseen.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
            switch (known[key], latest[key]) {
            case (nil, nil): continue
            case (let item?, let facts?):
                changes.append(facts)
                update.changed.append(item)
            case (nil, let facts?):
                let item = NSMetadataItem(facts)
                known[key] = item
                update.added.append(item)
            case (let item?, nil):
                known[key] = nil
                update.removed.append(item)
            }
        }
        unseen = []
        return (update, changes)
    }
}

/// What a query has to tell: see ``NSMetadataQuery/updates``.
///
/// ```swift
/// for await update in query.updates { remove(update.removed) }
/// ```
public struct NSMetadataQueryUpdate: Sendable {
    /// It belongs to what there was when the query was started.
    ///
    /// ```swift
    /// if !update.isGathering { highlight(update.added) }
    /// ```
    public internal(set) var isGathering = false
    /// ```swift
    /// insert(update.added)
    /// ```
    public internal(set) var added: [NSMetadataItem] = []
    /// ```swift
    /// reload(update.changed)
    /// ```
    public internal(set) var changed: [NSMetadataItem] = []
    /// ```swift
    /// remove(update.removed)
    /// ```
    public internal(set) var removed: [NSMetadataItem] = []

    var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }

    var userInfo: [AnyHashable: Any] {
        [NSMetadataQueryUpdateAddedItemsKey: added, NSMetadataQueryUpdateChangedItemsKey: changed, NSMetadataQueryUpdateRemovedItemsKey: removed]
    }
}
