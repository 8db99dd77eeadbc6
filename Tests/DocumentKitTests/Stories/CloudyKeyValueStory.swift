import DocumentKit
import Foundation
import Testing

// Cloudy on the key-value store: its model code as the app has it, beside the views that it tells.

/// The list of bookmarks: each a dictionary with `name` and `url`. The local copy is in the user's defaults.
final class BookmarksViewController: @unchecked Sendable {
    static let bookmarksKey = "bookmarks"
    private(set) var bookmarks: [[String: String]] = []
    private(set) var reloads = 0
    private let defaults: UserDefaults
    private var observer: (any NSObjectProtocol)?

    init(_ defaults: UserDefaults) {
        self.defaults = defaults
        defaults.register(defaults: [Self.bookmarksKey: [[String: String]]()])
        loadBookmarks()
        let store = NSUbiquitousKeyValueStore.default
        observer = NotificationCenter.default.addObserver(
            forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: store, queue: nil) { [weak self] in self?.updateKeyValuePairs($0) }
        store.synchronize()
    }

    deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }

    func loadBookmarks() { bookmarks = defaults.array(forKey: Self.bookmarksKey) as? [[String: String]] ?? [] }

    func saveBookmarks() {
        defaults.set(bookmarks, forKey: Self.bookmarksKey)
        let store = NSUbiquitousKeyValueStore.default
        store.set(bookmarks, forKey: Self.bookmarksKey)
        store.synchronize()
    }

    func saveBookmark(withName name: String, andURL url: String) {
        bookmarks.append(["name": name, "url": url])
        saveBookmarks()
    }

    func deleteBookmark(at row: Int) {
        bookmarks.remove(at: row)
        saveBookmarks()
    }

    func updateKeyValuePairs(_ notification: Notification) {
        guard let userInfo = notification.userInfo, let changeReason = userInfo[NSUbiquitousKeyValueStoreChangeReasonKey] as? NSNumber else { return }
        let reason = changeReason.intValue
        guard reason == NSUbiquitousKeyValueStoreServerChange || reason == NSUbiquitousKeyValueStoreInitialSyncChange else { return }
        let changedKeys = userInfo[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String] ?? [], store = NSUbiquitousKeyValueStore.default
        for key in changedKeys { defaults.set(store.object(forKey: key), forKey: key) }
        loadBookmarks()
        reloads += 1
    }
}

@Suite struct CloudyKeyValueStoryTests {
    /// A bookmark is added and deleted here, and another device's arrives.
    @Test func theWalkThrough() async throws {
        let container = OwnContainer.container
        let suite = "valise-\(UUID().uuidString)"
        nonisolated(unsafe) let defaults = try #require(UserDefaults(suiteName: suite))
        defer { defaults.removePersistentDomain(forName: suite) }
        let list = await MainActor.run { BookmarksViewController(defaults) }
        // On the main queue, where an app's views are.
        await MainActor.run {
            #expect(list.bookmarks.isEmpty)
            list.saveBookmark(withName: "Swift", andURL: "https://www.swift.org")
            list.saveBookmark(withName: "Old", andURL: "https://old.example")
            list.deleteBookmark(at: 1)
        }
        let other = NSUbiquitousKeyValueStore(container: URL(fileURLWithPath: container.path))
        #expect(other.array(forKey: "bookmarks") as? [[String: String]] == [["name": "Swift", "url": "https://www.swift.org"]])
        other.set([["name": "Swift", "url": "https://www.swift.org"], ["name": "Far", "url": "https://far.example"]], forKey: "bookmarks")
        other.synchronize()
        for _ in 0..<3_000 where await MainActor.run(body: { list.bookmarks.count != 2 }) { try await Task.sleep(for: .milliseconds(10)) }
        await MainActor.run {
            #expect(list.bookmarks.map { $0["name"] } == ["Swift", "Far"] && list.reloads > 0)
            // The local copy has it too, for when there is no store.
            let copy = defaults.array(forKey: "bookmarks") as? [[String: String]]
            #expect(copy?.count == 2)
        }
    }
}
