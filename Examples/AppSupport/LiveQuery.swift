import DocumentKit
import Foundation

/// A query that is kept, and what it finds: all results after each notification, on the main queue. As the apps of the stories do it, in one place.
@MainActor
public final class LiveQuery {
    public struct Found: Sendable, Hashable {
        public let url: URL
        /// What it is called inside: a rename on a drive leaves the file's name, time and perhaps its size as they are.
        public let name: String
        public let changed: Date?
        public let size: Int64
        public let isInConflict: Bool
    }

    private let query = NSMetadataQuery()
    private var observers: [any NSObjectProtocol] = []
    private let handler: ([Found]) -> Void

    public init(_ predicate: NSPredicate, handler: @escaping ([Found]) -> Void) {
        self.handler = handler
        query.predicate = predicate
        query.searchScopes = [NSMetadataQueryUbiquitousDocumentsScope]
        query.notificationBatchingInterval = 0.2
    }

    /// Why not all was looked through.
    public var failure: String? { query.failureDescription }

    public func start() throws {
        for name in [Notification.Name.NSMetadataQueryDidFinishGathering, .NSMetadataQueryDidUpdate] {
            observers.append(NotificationCenter.default.addObserver(forName: name, object: query, queue: nil) { [weak self] _ in MainActor.assumeIsolated { self?.process() } })
        }
        guard query.start() else { throw AppFault(query.failureDescription ?? "The documents cannot be searched.") }
    }

    public func stop() {
        query.stop()
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
        observers = []
    }

    private func process() {
        query.disableUpdates()
        defer { query.enableUpdates() }
        var found: [Found] = []
        for case let item as NSMetadataItem in query.results {
            guard let url = item.value(forAttribute: NSMetadataItemURLKey) as? URL, !RecentlyDeleted.isIn(url) else { continue }
            // What nobody knows of counts as hidden.
            guard let isHidden = try? url.ubiquitousResourceValues().isHidden, !isHidden else { continue }
            found.append(Found(
                url: url, name: item.value(forAttribute: NSMetadataItemDisplayNameKey) as? String ?? "",
                changed: item.value(forAttribute: NSMetadataItemFSContentChangeDateKey) as? Date,
                size: (item.value(forAttribute: NSMetadataItemFSSizeKey) as? NSNumber)?.int64Value ?? 0,
                isInConflict: (item.value(forAttribute: NSMetadataUbiquitousItemHasUnresolvedConflictsKey) as? NSNumber)?.boolValue ?? false))
        }
        handler(found)
    }
}
