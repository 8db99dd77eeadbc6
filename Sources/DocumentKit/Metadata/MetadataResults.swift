import Foundation

/// The results of a query: what the searches have said, and what whoever uses the query knows of that.
struct MetadataResults {
    private var latest: [MetadataSearch.Key: NSMetadataItem.Facts] = [:]
    private var known: [MetadataSearch.Key: NSMetadataItem] = [:]
    /// What those have that are known. They have locks of their own, and are not asked here.
    private var contents: [MetadataSearch.Key: Content] = [:]
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

    /// What was a result, and has another place and is as it was, is the same item: it has changed, and neither went nor came.
    private mutating func followMoves() {
        var gone: [Content: [MetadataSearch.Key]] = [:], come: [Content: [MetadataSearch.Key]] = [:]
        for key in unseen {
            switch (known[key], latest[key]) {
            case (_?, nil): if let content = contents[key] { gone[content, default: []].append(key) }
            case (nil, let facts?): come[Content(facts), default: []].append(key)
            default: break
            }
        }
        for (content, old) in gone {
            guard old.count == 1, let new = come[content], new.count == 1 else { continue }
            known[new[0]] = known.removeValue(forKey: old[0])
            contents[old[0]] = nil
            unseen.remove(old[0])
        }
    }

    /// What of an item stays where it is moved. To a nanosecond, two of one kind and size are hardly of one time.
    private struct Content: Hashable {
        let kind: String, size: Int64, changed: Int64, created: Int64?

        init(_ facts: NSMetadataItem.Facts) {
            let item = facts.found.item
            (kind, size, changed, created) = (item.kind.name, item.size, item.changed.nanoseconds, item.created?.nanoseconds)
        }
    }

    var items: [NSMetadataItem] { Array(known.values) }

    /// From now on what the searches have said is known. Answers what is new in that, and what the changed items are to become:
    /// they have locks of their own.
    mutating func takeOver() -> (update: NSMetadataQueryUpdate, facts: [NSMetadataItem.Facts]) {
        var update = NSMetadataQueryUpdate(), changes: [NSMetadataItem.Facts] = []
        followMoves()
        for key in unseen.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
            contents[key] = latest[key].map(Content.init)
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
