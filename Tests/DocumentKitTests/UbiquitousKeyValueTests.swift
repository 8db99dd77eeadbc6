import CloudyModel
import DocumentKit
import Foundation
import KeyValueStore
import Testing

/// The store as an app has it. Cloudy's own code is at the end.
@Suite final class UbiquitousKeyValueTests {
    private let container: URL

    init() throws {
        container = FileManager.default.temporaryDirectory.appendingPathComponent("kvs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: container.appendingPathComponent("Documents"), withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: container) }

    private func store() -> NSUbiquitousKeyValueStore { NSUbiquitousKeyValueStore(container: container) }

    /// What notifications have said, by reason.
    private final class Told: @unchecked Sendable {
        private let lock = NSLock()
        private var changes: [(reason: Int, keys: [String])] = []
        private var observer: (any NSObjectProtocol)?

        init(_ store: NSUbiquitousKeyValueStore) {
            observer = NotificationCenter.default.addObserver(
                forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: store, queue: nil
            ) { [weak self] notification in
                guard let reason = notification.userInfo?[NSUbiquitousKeyValueStoreChangeReasonKey] as? Int,
                      let keys = notification.userInfo?[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String] else { return }
                self?.add(reason, keys)
            }
        }

        deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }
        private func add(_ reason: Int, _ keys: [String]) { lock.withLock { changes.append((reason, keys)) } }
        func has(_ reason: Int, _ key: String) -> Bool { lock.withLock { changes.contains { $0.reason == reason && $0.keys.contains(key) } } }
        var keys: Set<String> { lock.withLock { Set(changes.flatMap(\.keys)) } }
    }

    /// Once somebody else's change has arrived, what was told before is there, too.
    private func whatIsTold(_ told: Told) async throws -> Set<String> {
        let other = store(), key = "other \(UUID().uuidString)"
        other.set("x", forKey: key)
        other.synchronize()
        try await until { told.has(NSUbiquitousKeyValueStoreServerChange, key) }
        return told.keys.subtracting([key])
    }

    @Test func everyTypeComesBack() {
        let one = store()
        one.set("text", forKey: "string")
        one.set(Data([1, 2]), forKey: "data")
        one.set([1, "a"] as [Any], forKey: "array")
        one.set(["k": [true]] as [String: Any], forKey: "dictionary")
        one.set(Int64.min, forKey: "longLong")
        one.set(2.5, forKey: "double")
        one.set(true, forKey: "bool")
        one.set(Date(timeIntervalSinceReferenceDate: 9) as Any, forKey: "date")
        one.set("gone", forKey: "gone")
        one.removeObject(forKey: "gone")
        #expect(one.synchronize())
        let other = store()
        #expect(other.string(forKey: "string") == "text" && other.data(forKey: "data") == Data([1, 2]) && other.array(forKey: "array")?.count == 2)
        #expect((other.dictionary(forKey: "dictionary")?["k"] as? [Bool]) == [true] && other.longLong(forKey: "longLong") == .min)
        #expect(other.double(forKey: "double") == 2.5 && other.bool(forKey: "bool") && other.object(forKey: "date") as? Date == Date(timeIntervalSinceReferenceDate: 9))
        #expect(other.object(forKey: "gone") == nil && other.string(forKey: "double") == nil && other.longLong(forKey: "string") == 0)
        #expect(other.dictionaryRepresentation.count == 8)
    }

    @Test func whatGoesOverChangesNothingAndIsAnnounced() async throws {
        let store = store(), told = Told(store)
        store.set("kept", forKey: "big")
        store.set(Data(count: 1 << 20 + 1), forKey: "big")
        store.set("x", forKey: String(repeating: "k", count: 65))
        store.set(Bookmark(name: "", url: "") as Any, forKey: "object")
        try await until { told.has(NSUbiquitousKeyValueStoreQuotaViolationChange, "big") && told.has(NSUbiquitousKeyValueStoreQuotaViolationChange, "object") }
        #expect(store.string(forKey: "big") == "kept" && store.dictionaryRepresentation.count == 1)
    }

    /// What makes room and what takes it are set in one turn: whichever of the two is come upon first.
    @Test func whatIsSetInOneTurnIsJudgedTogether() async throws {
        let store = store(), told = Told(store), names = ["a", "b"]
        store.set(Data(count: 900_000), forKey: "a")
        #expect(store.synchronize())
        for round in 1...20 {
            let old = names[(round + 1) % 2], new = names[round % 2]
            store.removeObject(forKey: old)
            store.set(Data(count: 900_000), forKey: new)
            if round % 3 == 0 { usleep(3_000) }
            #expect(store.synchronize())
            #expect(store.object(forKey: old) == nil && store.data(forKey: new)?.count == 900_000, "round \(round)")
        }
        #expect(try await whatIsTold(told) == [])
    }

    @Test(arguments: [true, false]) func manySmallOnesTakeTheRoomOfALargeOne(isOnDisk: Bool) async throws {
        let store = store(), told = Told(store)
        store.set(Data(count: 1 << 20), forKey: "big")
        if isOnDisk { store.synchronize() }
        store.removeObject(forKey: "big")
        for number in 0..<1_000 { store.set(Int64(number), forKey: "key \(number)") }
        #expect(store.dictionaryRepresentation.count == 1_000)
        #expect(store.synchronize() && store.dictionaryRepresentation.count == 1_000)
        #expect(try await whatIsTold(told) == [])
        #expect(self.store().dictionaryRepresentation.count == 1_001)
    }

    /// Another process has taken the room meanwhile: what does not fit is told as that, and not as somebody's change; the rest of the turn is kept.
    @Test func whatNoLongerFitsIsToldOnce() async throws {
        let file = try KeyValueFile(container: container.path), store = store(), told = Told(store)
        try file.change { contents in
            // Nothing is written from here on, until this is.
            store.set(Data(count: 600_000), forKey: "large")
            store.set("kept", forKey: "small")
            try? contents.set("theirs", to: .data([UInt8](repeating: 0, count: 600_000)), at: KeyValueFile.now)
        }
        #expect(store.synchronize())
        #expect(store.object(forKey: "large") == nil && store.string(forKey: "small") == "kept" && store.data(forKey: "theirs")?.count == 600_000)
        #expect(try await whatIsTold(told) == ["large", "theirs"])
        #expect(told.has(NSUbiquitousKeyValueStoreQuotaViolationChange, "large") && !told.has(NSUbiquitousKeyValueStoreServerChange, "large"))
    }

    /// It equals nothing, itself neither, and is a value all the same.
    @Test func whatIsNoNumberIsNobodyElsesChange() async throws {
        let store = store(), told = Told(store)
        store.set(Double.nan, forKey: "nan")
        store.set([1.5, Double.nan], forKey: "list")
        #expect(store.synchronize())
        for number in 0..<5 {
            store.set(Int64(number), forKey: "number")
            #expect(store.synchronize())
        }
        #expect(try await whatIsTold(told) == [])
        #expect(self.store().double(forKey: "nan").isNaN)
    }

    @Test func anotherWritersChangesArrive() async throws {
        let one = store(), other = store(), told = Told(other)
        one.set("1", forKey: "a")
        one.set("2", forKey: "b")
        one.synchronize()
        try await until { told.has(NSUbiquitousKeyValueStoreServerChange, "a") && other.string(forKey: "b") == "2" }
        one.removeObject(forKey: "a")
        one.synchronize()
        try await until { other.object(forKey: "a") == nil }
    }

    @Test func twoAtOnceLoseNothing() {
        let one = store(), other = store()
        for number in 0..<5 {
            one.set(Int64(number), forKey: "one \(number)")
            other.set(Int64(number), forKey: "other \(number)")
        }
        #expect(one.synchronize() && other.synchronize() && one.synchronize())
        #expect(one.dictionaryRepresentation.count == 10 && other.dictionaryRepresentation.count == 10)
    }

    @Test func withoutAContainerValuesAreKeptInMemory() {
        let store = NSUbiquitousKeyValueStore(container: nil)
        store.set("x", forKey: "k")
        #expect(store.string(forKey: "k") == "x" && !store.synchronize())
    }

    @Test func whatWasLostIsSaid() throws {
        let one = store()
        one.set("1", forKey: "a")
        one.synchronize()
        one.set("2", forKey: "b")
        one.synchronize()
        let file = container.appendingPathComponent("KeyValueStore.plist"), bytes = try Data(contentsOf: file)
        try bytes.prefix(bytes.count / 2).write(to: file)
        let damaged = store()
        #expect(damaged.string(forKey: "a") == "1" && damaged.lossDescription?.contains("damaged") == true)
    }

    /// Cloudy on the key-value store, with a copy of its own for when there is no store.
    @Test func cloudysBookmarks() async throws {
        final class BookmarkList: @unchecked Sendable {
            let store: NSUbiquitousKeyValueStore
            var bookmarks: [[String: String]] = []

            init(_ store: NSUbiquitousKeyValueStore) {
                self.store = store
                bookmarks = store.array(forKey: "bookmarks") as? [[String: String]] ?? []
            }

            func add(name: String, url: String) {
                bookmarks.append(["name": name, "url": url])
                store.set(bookmarks, forKey: "bookmarks")
                store.synchronize()
            }

            func updateKeyValuePairs(_ notification: Notification) {
                guard let reason = notification.userInfo?[NSUbiquitousKeyValueStoreChangeReasonKey] as? NSNumber else { return }
                guard reason.intValue == NSUbiquitousKeyValueStoreServerChange || reason.intValue == NSUbiquitousKeyValueStoreInitialSyncChange else { return }
                let keys = notification.userInfo?[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String] ?? []
                for key in keys where key == "bookmarks" { bookmarks = store.object(forKey: key) as? [[String: String]] ?? [] }
            }
        }
        let here = BookmarkList(store()), there = BookmarkList(store())
        let observer = NotificationCenter.default.addObserver(
            forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: there.store, queue: nil) { there.updateKeyValuePairs($0) }
        defer { NotificationCenter.default.removeObserver(observer) }
        here.add(name: "Swift", url: "https://www.swift.org")
        try await until { DispatchQueue.main.sync { there.bookmarks == [["name": "Swift", "url": "https://www.swift.org"]] } }
    }
}
