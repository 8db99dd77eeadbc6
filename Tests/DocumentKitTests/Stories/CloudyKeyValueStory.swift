import CloudyKeyValueModel
import DocumentKit
import Foundation
import MountTesting
import Testing

// Cloudy on the key-value store: its list is that of Examples/CloudyKeyValue.

@Suite(.long) struct CloudyKeyValueStoryTests {
    /// A bookmark is added and deleted here, and another device's arrives.
    @Test func theWalkThrough() async throws {
        let container = OwnContainer.container
        let suite = "valise-\(UUID().uuidString)"
        nonisolated(unsafe) let defaults = try #require(UserDefaults(suiteName: suite))
        defer { defaults.removePersistentDomain(forName: suite) }
        let list = await MainActor.run { Bookmarks(defaults) }
        nonisolated(unsafe) var reasons: [Bookmarks.Reason] = []
        // On the main queue, where an app's views are.
        try await MainActor.run {
            list.changed = { reasons.append($0) }
            #expect(list.bookmarks.isEmpty && list.hasStore)
            try list.saveBookmark(withName: "Swift", andURL: "https://www.swift.org")
            try list.saveBookmark(withName: "Old", andURL: "https://old.example")
            try list.deleteBookmark(at: 1)
        }
        let other = NSUbiquitousKeyValueStore(container: URL(fileURLWithPath: container.path))
        #expect(other.array(forKey: "bookmarks") as? [[String: String]] == [["name": "Swift", "url": "https://www.swift.org"]])
        other.set([["name": "Swift", "url": "https://www.swift.org"], ["name": "Far", "url": "https://far.example"]], forKey: "bookmarks")
        other.synchronize()
        for _ in 0..<3_000 where await MainActor.run(body: { list.bookmarks.count != 2 }) { try await Task.sleep(for: .milliseconds(10)) }
        await MainActor.run {
            #expect(list.bookmarks.map { $0["name"] } == ["Swift", "Far"] && reasons == [.own, .own, .own, .server])
            // The local copy has it too, for when there is no store.
            let copy = defaults.array(forKey: "bookmarks") as? [[String: String]]
            #expect(copy?.count == 2)
        }
    }
}
