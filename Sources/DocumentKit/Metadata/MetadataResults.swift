import Catalog
import Foundation

/// The results of a query: what the searches have said, and what whoever uses the query knows of that.
struct MetadataResults {
    private struct Known {
        let item: NSMetadataItem
        /// What it has. It has a lock of its own, and is not asked here.
        var found: FoundItem
    }

    private var known: [MetadataSearch.Key: Known] = [:]
    /// What may be another thing than is known; nil for what is none any more. What is known is not kept a second time: there may be very many.
    private var latest: [MetadataSearch.Key: NSMetadataItem.Facts?] = [:]
    /// How often somebody has asked that nothing changes.
    var holds = 0
    /// In their order, with what the delegate has made of them, as far as they are put in order; and what changed since.
    var shown: [MetadataResult] = []
    var version = 0, arranged = 0
    var changed: [NSMetadataItem] = []

    /// nil: it is no result any more.
    mutating func note(_ key: MetadataSearch.Key, _ facts: NSMetadataItem.Facts?) {
        guard facts != nil || latest[key] != nil || known[key] != nil else { return }
        latest.updateValue(facts, forKey: key)
    }

    /// What was a result, and has another place and is as it was, is the same item: it has changed, and neither went nor came.
    private mutating func followMoves() {
        var gone: [Content: [MetadataSearch.Key]] = [:], come: [Content: [MetadataSearch.Key]] = [:]
        for (key, facts) in latest {
            switch (known[key], facts) {
            case (let known?, nil): gone[Content(known.found), default: []].append(key)
            case (nil, let facts?): come[Content(facts.found), default: []].append(key)
            default: break
            }
        }
        for (content, old) in gone {
            guard old.count == 1, let new = come[content], new.count == 1 else { continue }
            known[new[0]] = known.removeValue(forKey: old[0])
            latest.removeValue(forKey: old[0])
        }
    }

    /// What of an item stays where it is moved. To a nanosecond, two of one kind and size are hardly of one time.
    private struct Content: Hashable {
        private let kind: ItemKind, size: Int64, changed: Int64, created: Int64?

        init(_ found: FoundItem) {
            let item = found.item
            (kind, size, changed, created) = (item.kind, item.size, item.changed.nanoseconds, item.created?.nanoseconds)
        }
    }

    var items: [NSMetadataItem] { known.values.map(\.item) }

    /// From now on what the searches have said is known. Answers what is new in that, and what the changed items are to become:
    /// they have locks of their own.
    mutating func takeOver() -> (update: NSMetadataQueryUpdate, facts: [NSMetadataItem.Facts]) {
        var update = NSMetadataQueryUpdate(), changes: [NSMetadataItem.Facts] = []
        if !known.isEmpty { followMoves() }
        for (key, facts) in latest.sorted(by: { $0.key.precedes($1.key) }) {
            switch (known[key]?.item, facts) {
            case (nil, nil): continue
            case (let item?, let facts?):
                known[key]?.found = facts.found
                changes.append(facts)
                update.changed.append(item)
            case (nil, let facts?):
                let item = NSMetadataItem(facts)
                known[key] = Known(item: item, found: facts.found)
                update.added.append(item)
            case (let item?, nil):
                known[key] = nil
                update.removed.append(item)
            }
        }
        latest = [:]
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
