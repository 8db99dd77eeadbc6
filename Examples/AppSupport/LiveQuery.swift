import DocumentKit
import Foundation

/// A query that is kept, and what it finds, on the main queue: what there is comes as it is found, and then what changes. As the apps of the stories do
/// it, in one place. What is to be known of each result is asked beside the main thread: there may be very many.
@MainActor
public final class LiveQuery {
    public struct Found: Sendable {
        /// Another one for everything that is other than it was.
        public fileprivate(set) var number = 0
        public let path: String
        /// What it is called inside: a rename on a drive leaves the file's name, time and perhaps its size as they are.
        public let name: String
        public let changed: Date?
        public let size: Int64
        public let isInConflict: Bool
        /// Of a bookmark that can be read, what it says of itself.
        public let title: String?, address: String?

        public var url: URL { URL(fileURLWithPath: path) }

        /// All of it in a number, so that what is known of very many takes little room.
        fileprivate var facts: Int {
            var hasher = Hasher()
            hasher.combine(path)
            hasher.combine(name)
            hasher.combine(changed)
            hasher.combine(size)
            hasher.combine(isInConflict)
            hasher.combine(title)
            hasher.combine(address)
            return hasher.finalize()
        }
    }

    /// What came, and the numbers of what went: what is another one now is in both.
    public struct Change: Sendable {
        public var gone: [Int] = [], there: [Found] = []
        /// All that there was at the start is found.
        public var isWhole = false
    }

    private let query = NSMetadataQuery()
    private var observers: [any NSObjectProtocol] = []
    private let handler: (Change) -> Void
    private struct Known {
        let number: Int, facts: Int, path: Int
    }

    /// By the results, which are the same objects as long as they are results.
    private var known: [ObjectIdentifier: Known] = [:]
    /// What was known when the query was started again, by their paths.
    private var before: [Int: Known] = [:]
    private var lastNumber = 0
    private var work: Task<Void, Never>?
    /// So many are told of next, as long as not all is found that there was at the start: few at first, so that there is something to be seen.
    private var most = LiveQuery.first
    private static let first = 200

    public init(_ predicate: NSPredicate, handler: @escaping (Change) -> Void) {
        self.handler = handler
        query.predicate = predicate
        query.searchScopes = [NSMetadataQueryUbiquitousDocumentsScope]
        query.notificationBatchingInterval = 0.2
    }

    /// Why not all was looked through.
    public var failure: String? { query.failureDescription }

    public func start() throws {
        for old in known.values { before[old.path] = old }
        known = [:]
        most = Self.first
        for name in [Notification.Name.NSMetadataQueryGatheringProgress, .NSMetadataQueryDidFinishGathering, .NSMetadataQueryDidUpdate] {
            observers.append(NotificationCenter.default.addObserver(forName: name, object: query, queue: nil) { [weak self] said in
                func items(_ key: String) -> [NSMetadataItem] { said.userInfo?[key] as? [NSMetadataItem] ?? [] }
                let there = items(NSMetadataQueryUpdateAddedItemsKey) + items(NSMetadataQueryUpdateChangedItemsKey), gone = items(NSMetadataQueryUpdateRemovedItemsKey)
                MainActor.assumeIsolated { self?.take(there, gone, isWhole: name != .NSMetadataQueryGatheringProgress) }
            })
        }
        guard query.start() else { throw AppFault(query.failureDescription ?? "The documents cannot be searched.") }
    }

    public func stop() {
        query.stop()
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
        observers = []
    }

    /// One after another, as they came.
    private func take(_ there: [NSMetadataItem], _ gone: [NSMetadataItem], isWhole: Bool) {
        work = Task { [work] in
            await work?.value
            var rest = there[...], gone = gone
            repeat {
                let next = rest.prefix(most)
                rest = rest.dropFirst(most)
                let found = await Task.detached { next.map(Self.found) }.value
                if isWhole, rest.isEmpty { most = .max } else if most < .max { most *= 2 }
                handler(change(zip(next, found), gone, isWhole && rest.isEmpty))
                gone = []
            } while !rest.isEmpty
        }
    }

    private func change(_ there: some Sequence<(NSMetadataItem, Found?)>, _ gone: [NSMetadataItem], _ isWhole: Bool) -> Change {
        var change = Change(isWhole: isWhole)
        for item in gone { if let old = known.removeValue(forKey: ObjectIdentifier(item)) { change.gone.append(old.number) } }
        for (item, new) in there {
            let id = ObjectIdentifier(item), old = known[id] ?? new.flatMap { before.removeValue(forKey: $0.path.hashValue) }
            guard var new else {
                known[id] = nil
                if let old { change.gone.append(old.number) }
                continue
            }
            let facts = new.facts
            if let old, old.facts == facts {
                known[id] = old
                continue
            }
            lastNumber += 1
            new.number = lastNumber
            known[id] = Known(number: lastNumber, facts: facts, path: new.path.hashValue)
            if let old { change.gone.append(old.number) }
            change.there.append(new)
        }
        if isWhole {
            change.gone += before.values.map(\.number)
            before = [:]
        }
        return change
    }

    /// Nil for what is none of the app's: a name with a dot before it counts as hidden.
    private nonisolated static func found(_ item: NSMetadataItem) -> Found? {
        func text(_ key: String) -> String? { item.value(forAttribute: key) as? String }
        guard let path = text(NSMetadataItemPathKey), path.utf8.reversed().prefix(while: { $0 != UInt8(ascii: "/") }).last != UInt8(ascii: "."), !RecentlyDeleted.isIn(path) else { return nil }
        let address = text("kMDItemURL")
        return Found(
            path: path, name: text(NSMetadataItemDisplayNameKey) ?? "", changed: item.value(forAttribute: NSMetadataItemFSContentChangeDateKey) as? Date,
            size: (item.value(forAttribute: NSMetadataItemFSSizeKey) as? NSNumber)?.int64Value ?? 0,
            isInConflict: (item.value(forAttribute: NSMetadataUbiquitousItemHasUnresolvedConflictsKey) as? NSNumber)?.boolValue ?? false,
            title: address == nil ? nil : text(NSMetadataItemTitleKey), address: address)
    }
}
