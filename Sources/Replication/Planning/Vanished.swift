/// What is written down and is not found. Nothing is said of it, and nothing else is done here, where it may be there
/// all the same: where a folder could not be listed, and where so much is gone at once that the store is perhaps not
/// mounted, or another one is.
struct Vanished {
    /// In folders that could not be listed.
    private(set) var unlisted: Set<ItemID> = []
    /// How many are not found, and nobody put them among the deleted.
    private(set) var count = 0
    /// Somebody is to be asked.
    private(set) var isDoubtful = false
    /// Documents that are older than what was written down of them, and so many that somebody is to be asked.
    private(set) var older: [LocalID: LocalStamp] = [:]
    /// Those of which somebody said that they are not to be so.
    private(set) var mistaken: Set<LocalID> = []

    /// `items` are some among which all are that are not found.
    init(_ known: FollowedView, _ local: LocalItems, _ match: LocalMatch, of items: [ItemID]) {
        var missing = 0
        for item in items where match.entry(of: item) == nil {
            guard let synced = local.synced[item] else { continue }
            missing += 1
            if known.rules.contains(.unlistedIsThere), Self.isUnlisted(synced, known, local, match) {
                unlisted.insert(item)
            } else if !local.deleted.contains(synced.entry) { count += 1 }
        }
        noteOlder(known, local, match, items)
        guard known.rules.contains(.manyAreAskedFor), !local.isVanishingMeant else { return }
        let isAll = missing == local.synced.count && count >= local.vanishing.all
        isDoubtful = isDoubtful || isAll || count > local.vanishing.most && count > local.synced.count / 10
    }

    /// A backup was put back under a database that is newer, perhaps: each of those would be an edit of what was made since.
    private mutating func noteOlder(_ known: FollowedView, _ local: LocalItems, _ match: LocalMatch, _ items: [ItemID]) {
        guard known.rules.contains(.olderIsAskedFor) else { return }
        for item in items {
            guard let synced = local.synced[item], let entry = match.entry(of: item).flatMap({ local.entries[$0] }), entry.kind != .folder,
                entry.stamp.modified < synced.stamp.modified, entry.digest != synced.digest
            else { continue }
            switch local.olderAre[entry.id].flatMap({ $0.stamp == entry.stamp ? $0.answer : nil }) {
            case .meant: continue
            case .mistaken: mistaken.insert(entry.id)
            // An answer is about those that were there when it was asked for, and not about what somebody moved over
            // another document after that.
            case nil: older[entry.id] = entry.stamp
            }
        }
        isDoubtful = older.count > local.older.most && older.count > local.synced.count / 10 || older.count >= local.older.all && older.count == local.synced.count
        // A few somebody may have put there.
        if !isDoubtful { older = [:] }
    }

    private static func isUnlisted(_ synced: Synced, _ known: FollowedView, _ local: LocalItems, _ match: LocalMatch) -> Bool {
        if local.unlisted.isEmpty { return false }
        var folder = synced.folder, seen: Set<ItemID> = []
        while let item = folder.map(known.view.which), seen.insert(item).inserted {
            if let entry = match.entry(of: item) { return local.unlisted.contains(entry) }
            // It is in one that could not be listed itself.
            guard let above = local.synced[item] else { return false }
            folder = above.folder
        }
        return local.unlisted.contains(nil)
    }
}

/// How many things may be gone at once before somebody is asked.
public struct VanishingLimit: Hashable, Sendable {
    /// More than these, where they are more than a tenth of all.
    public var most: Int
    /// All, where they are as many.
    public var all: Int

    public init(most: Int = 100, all: Int = 10) { (self.most, self.all) = (most, all) }
}
