import DocumentKit
import Foundation
import MountTesting
import Testing

/// A container that a suite's queries are over.
protocol QueriedContainer { var container: TemporaryContainer { get } }

extension QueriedContainer {
    static func containerForQueries() throws -> TemporaryContainer {
        _ = OwnContainer.container
        let container = try TemporaryContainer("text Notes 'milk and eggs'\nbookmark Swift https://www.swift.org/\nphoto Album/Cat png size=5000")
        mkdir(container.path + "/.valise", 0o700)
        return container
    }

    var documents: URL { URL(fileURLWithPath: container.path) }

    func query(_ format: String, _ scopes: [Any]? = nil) -> NSMetadataQuery {
        let query = NSMetadataQuery()
        query.predicate = NSPredicate(format: format)
        query.searchScopes = scopes ?? [documents]
        query.notificationBatchingInterval = 0.02
        return query
    }

    func names(_ query: NSMetadataQuery) -> [String] { query.results.compactMap { ($0 as? NSMetadataItem)?.value(forAttribute: NSMetadataItemFSNameKey) as? String } }

    func gathered(_ query: NSMetadataQuery) async throws {
        #expect(query.start())
        try await until { !query.isGathering && query.isStarted }
    }
}

/// What notifications have said, in their order.
final class Told: @unchecked Sendable {
    private let lock = NSLock()
    private var words: [String] = []
    private var observers: [any NSObjectProtocol] = []

    init(_ query: NSMetadataQuery) {
        for (name, word) in [
            (Notification.Name.NSMetadataQueryDidStartGathering, "start"), (.NSMetadataQueryGatheringProgress, "progress"),
            (.NSMetadataQueryDidFinishGathering, "end"), (.NSMetadataQueryDidUpdate, "update"),
        ] {
            observers.append(NotificationCenter.default.addObserver(forName: name, object: query, queue: nil) { [weak self] notification in
                var said = word
                for (key, sign) in [(NSMetadataQueryUpdateAddedItemsKey, "+"), (NSMetadataQueryUpdateChangedItemsKey, "~"), (NSMetadataQueryUpdateRemovedItemsKey, "-")] where word == "update" {
                    for item in notification.userInfo?[key] as? [NSMetadataItem] ?? [] { said += " \(sign)\(item.value(forAttribute: NSMetadataItemFSNameKey) ?? "")" }
                }
                self?.add(said)
            })
        }
    }

    deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
    private func add(_ word: String) { lock.withLock { words.append(word) } }
    var all: [String] { lock.withLock { words } }
}
