import DocumentKit
import Foundation

/// Cloudy on the key-value store: the list of bookmarks, each a dictionary with `name` and `url`, under one key. The local copy in the user's
/// defaults serves where there is no container. What is saved last counts: two who change the list at once have one list afterwards.
@MainActor
public final class Bookmarks {
    public static let identifier = "com.mobiletuts.Cloudy"
    public static let bookmarksKey = "bookmarks"
    /// What a store takes, all keys together.
    public static let mostBytes = 1 << 20

    /// Why the list is another one.
    public enum Reason: String, Sendable { case own, server, initialSync = "initial sync", account, quota }

    public private(set) var bookmarks: [[String: String]] = []
    /// The list changed. On the main queue.
    public var changed: ((Reason) -> Void)?
    /// Whether others see it; otherwise there is the local copy alone.
    public let hasStore: Bool

    private let defaults: UserDefaults
    private let store = NSUbiquitousKeyValueStore.default
    private var observer: (any NSObjectProtocol)?

    public init(_ defaults: UserDefaults? = nil) {
        self.defaults = defaults ?? UserDefaults(suiteName: Self.identifier) ?? .standard
        hasStore = store.synchronize()
        self.defaults.register(defaults: [Self.bookmarksKey: [[String: String]]()])
        if hasStore, let stored = store.array(forKey: Self.bookmarksKey) as? [[String: String]] { keepLocally(stored) }
        loadBookmarks()
        observer = NotificationCenter.default.addObserver(
            forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: store, queue: nil) { [weak self] notification in
            let reason = notification.userInfo?[NSUbiquitousKeyValueStoreChangeReasonKey] as? Int
            let keys = notification.userInfo?[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String] ?? []
            MainActor.assumeIsolated { self?.updateKeyValuePairs(reason, keys) }
        }
    }

    isolated deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }

    private func keepLocally(_ bookmarks: [[String: String]]) {
        defaults.set(bookmarks, forKey: Self.bookmarksKey)
        defaults.synchronize()
    }

    private func loadBookmarks() { bookmarks = defaults.array(forKey: Self.bookmarksKey) as? [[String: String]] ?? [] }

    // MARK: What a person does

    public func saveBookmark(withName name: String, andURL url: String) throws {
        try save(bookmarks + [["name": name, "url": url]])
    }

    public func deleteBookmark(at row: Int) throws {
        guard bookmarks.indices.contains(row) else { throw AppError("There is no bookmark \(row + 1): the list has \(bookmarks.count).") }
        var rest = bookmarks
        rest.remove(at: row)
        try save(rest)
    }

    /// Undoes that: it is where it was, or at the end of a list that is shorter by now.
    public func insertBookmark(_ bookmark: [String: String], at row: Int) throws {
        var all = bookmarks
        all.insert(bookmark, at: min(max(0, row), all.count))
        try save(all)
    }

    private func save(_ new: [[String: String]]) throws {
        let bytes = bytes(with: new)
        guard bytes <= Self.mostBytes else {
            throw AppError("There is no room for it: the bookmarks would take \(bytes) of the \(Self.mostBytes) bytes that a key-value store has. Delete some, or keep them as documents (cloudy migrate).")
        }
        if hasStore {
            store.set(new, forKey: Self.bookmarksKey)
            guard store.synchronize() else {
                // Nor is it to come later, when nobody expects it.
                store.set(bookmarks, forKey: Self.bookmarksKey)
                throw AppError("The bookmarks could not be saved: the container cannot be written. Look at its room and its rights, and do it again.")
            }
        }
        keepLocally(new)
        bookmarks = new
        changed?(.own)
    }

    // MARK: Room

    /// What everything in the store takes, counted as the store does: texts their bytes, collections eight and what is in them.
    public var bytesTaken: Int { bytes(with: bookmarks) }

    /// Said while there is room still.
    public var warning: String? {
        bytesTaken * 10 < Self.mostBytes * 9 ? nil : "The bookmarks take \(bytesTaken) of the \(Self.mostBytes) bytes that a key-value store has: soon no more will fit. “cloudy migrate” makes documents of them."
    }

    private func bytes(with bookmarks: [[String: String]]) -> Int {
        var all = hasStore ? store.dictionaryRepresentation : [:]
        all[Self.bookmarksKey] = bookmarks
        return all.values.reduce(0) { $0 + Self.bytes(of: $1) }
    }

    private static func bytes(of value: Any) -> Int {
        switch value {
        case let text as String: text.utf8.count
        case let data as Data: data.count
        case let list as [Any]: list.reduce(8) { $0 + bytes(of: $1) }
        case let members as [String: Any]: members.reduce(8) { $0 + $1.key.utf8.count + bytes(of: $1.value) }
        default: 8
        }
    }

    // MARK: What others do

    private func updateKeyValuePairs(_ number: Int?, _ keys: [String]) {
        let reason: Reason
        switch number {
        case NSUbiquitousKeyValueStoreServerChange: reason = .server
        case NSUbiquitousKeyValueStoreInitialSyncChange: reason = .initialSync
        case NSUbiquitousKeyValueStoreAccountChange: reason = .account
        case NSUbiquitousKeyValueStoreQuotaViolationChange:
            changed?(.quota)
            return
        default: return
        }
        guard keys.contains(Self.bookmarksKey) else { return }
        keepLocally(store.array(forKey: Self.bookmarksKey) as? [[String: String]] ?? [])
        loadBookmarks()
        changed?(reason)
    }
}

/// Why something is not done, and what to do about it.
public struct AppError: Error, CustomStringConvertible {
    public let description: String
    public init(_ sentence: String) { description = sentence }
}
