import AppSupport
import DocumentKit
import Foundation

/// From the key-value store to documents. It can be killed at any step and called again at any time: which file a bookmark becomes follows from the
/// bookmark alone, and which ones are done is written down one by one, so that none comes twice, and none comes back that was deleted since.
@MainActor
public struct BookmarkMigration {
    private let list: BookmarkList
    private var record: URL { list.container.folder.appendingPathComponent(".Cloudy migrated") }

    public init(_ list: BookmarkList) { self.list = list }

    /// What it would do: which bookmarks become documents, and how many are done, be it that somebody has deleted them since.
    public struct Plan {
        fileprivate let steps: [(file: String, bookmark: Bookmark)]
        public let there: Int
        public var names: [String] { steps.map(\.bookmark.name) }
    }

    public func plan(local: UserDefaults? = UserDefaults(suiteName: "com.mobiletuts.Cloudy")) -> Plan {
        let (names, wanted) = wanted(local), done = done
        let steps = names.compactMap { name in done.contains(name) || isThere(name) ? nil : wanted[name].map { (file: name, bookmark: $0) } }
        return Plan(steps: steps, there: names.count - steps.count)
    }

    /// `changed` is called when somebody else has changed the store, on the main queue, till what is answered is taken off the notification center.
    public func follow(_ changed: @escaping @MainActor () -> Void) -> any NSObjectProtocol {
        let store = NSUbiquitousKeyValueStore.default
        return NotificationCenter.default.addObserver(forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: store, queue: nil) { _ in
            MainActor.assumeIsolated { changed() }
        }
    }

    /// The old lists stay as they are: an app of before reads them still. `progress` hears how many are done; it ends early where its task is cancelled.
    public func run(
        local: UserDefaults? = UserDefaults(suiteName: "com.mobiletuts.Cloudy"), progress: (Int) -> Void = { _ in }
    ) async throws -> (made: Int, there: Int) {
        let (names, wanted) = wanted(local), done = done
        var made = 0, count = 0
        for name in names where !done.contains(name) {
            guard !Task.isCancelled else { break }
            if !isThere(name), let bookmark = wanted[name] {
                try await list.create(bookmark, at: file(name))
                made += 1
            }
            try note(name)
            count += 1
            progress(count)
        }
        return (made, names.count - made)
    }

    /// The files in the order of the lists, and what they are to be.
    private func wanted(_ local: UserDefaults?) -> (names: [String], bookmarks: [String: Bookmark]) {
        let store = NSUbiquitousKeyValueStore.default
        store.synchronize()
        // The local copy may have what there was no store for.
        let lists = [store.array(forKey: "bookmarks"), local?.array(forKey: "bookmarks")].map { $0 as? [[String: String]] ?? [] }
        var names: [String] = [], wanted: [String: Bookmark] = [:]
        for entries in lists {
            var counts: [[String: String]: Int] = [:]
            for entry in entries {
                let bookmark = Bookmark(name: entry["name"] ?? "", url: entry["url"] ?? "")
                let file = Self.fileName(bookmark, counts[entry, default: 0])
                counts[entry, default: 0] += 1
                if wanted.updateValue(bookmark, forKey: file) == nil { names.append(file) }
            }
        }
        return (names, wanted)
    }

    private var done: Set<String> { Set((try? String(contentsOf: record, encoding: .utf8))?.split(separator: "\0").map(String.init) ?? []) }
    private func file(_ name: String) -> URL { list.container.documents.appendingPathComponent(name, isDirectory: false) }
    private func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name).path) }

    /// The same for the same bookmark on each computer; the number tells two of one list apart that are alike.
    static func fileName(_ bookmark: Bookmark, _ number: Int) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "\(bookmark.name)\0\(bookmark.url)\0\(number)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return BookmarkDocument.fileName(bookmark.name, seconds: 1_000_000_000 + Double(hash % 100_000_000_000_000) / 1e6)
    }

    private func note(_ name: String) throws {
        let line = Data((name + "\0").utf8)
        guard let file = FileHandle(forUpdatingAtPath: record.path) else { return try line.write(to: record) }
        defer { try? file.close() }
        // What a killed one left without its end is no name.
        let end = try file.seekToEnd()
        if end > 0 {
            try file.seek(toOffset: end - 1)
            if try file.read(upToCount: 1) != Data([0]) { try file.write(contentsOf: Data([0])) }
        }
        try file.seekToEnd()
        try file.write(contentsOf: line)
    }
}
