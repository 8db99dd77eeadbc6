import Foundation
import KeyValueStore
import LinuxFiles
import PropertyLists
import Testing

/// The store on disk: replaced as a whole, and never without a whole one.
@Suite final class KeyValueFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("kvs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appendingPathComponent("Documents"), withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func store() throws -> KeyValueFile { try KeyValueFile(container: folder.path) }
    private var file: URL { folder.appendingPathComponent("KeyValueStore.plist") }

    private func set(_ key: String, _ value: Int128, in store: KeyValueFile) throws {
        try store.change { try? $0.set(key, to: .integer(value), at: KeyValueFile.now) }
    }

    @Test func whatIsSetIsRead() throws {
        #expect(try store().read().contents.keys == [])
        try set("a", 1, in: store())
        let reading = try store().read()
        #expect(reading.contents["a"] == .integer(1) && reading.loss == nil)
        // Others read it as the property list that it is.
        let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil) as? [String: Any]
        #expect((list?["values"] as? [String: Int]) == ["a": 1])
    }

    /// Somebody put a store of theirs, or what is to be one, into a folder that is open to all, in which another one has named a file.
    @Test(.enabled(if: geteuid() == 0, "only root may be several users"))
    func whatSomebodyPutThereIsNotTheStore() throws {
        let open = folder.appendingPathComponent("open")
        try FileManager.default.createDirectory(at: open, withIntermediateDirectories: false)
        chmod(open.path, 0o1777)
        let theirs = try KeyValueFile(at: open.appendingPathComponent("theirs.plist").path)
        try set("planted", 1, in: theirs)
        for name in [".KeyValueStore.other", "theirs.plist"] {
            if name != "theirs.plist" { try FileManager.default.copyItem(atPath: theirs.path, toPath: open.path + "/" + name) }
            chown(open.path + "/" + name, 5001, 5001)
        }
        let own = try KeyValueFile(at: open.appendingPathComponent("own.plist").path)
        #expect(try own.read().contents.keys == [])
        try set("own", 2, in: own)
        #expect(try own.read().contents.keys == ["own"])
        #expect(throws: (any Error).self) { try theirs.read() }
    }

    /// The owner of a folder gives a property list of root's a second name there: root is not to make a copy of it for them.
    @Test(.enabled(if: geteuid() == 0, "only root has files that others may not read"))
    func whatIsAnothersByASecondNameIsNotTheStore() throws {
        let secret = FileManager.default.temporaryDirectory.appendingPathComponent("secret-\(UUID().uuidString).plist")
        defer { try? FileManager.default.removeItem(at: secret) }
        let elsewhere = try KeyValueFile(at: secret.path)
        try set("password", 7, in: elsewhere)
        #expect(chown(folder.path, 5001, 5001) == 0 && link(secret.path, file.path) == 0)
        #expect(throws: Failure.self) { try store().read() }
        #expect(throws: Failure.self) { try set("a", 1, in: store()) }
        var status = stat()
        #expect(lstat(file.path, &status) == 0 && status.st_uid == 0 && status.st_nlink == 2)
        // One's own may have several names.
        #expect(chown(secret.path, 5001, 5001) == 0)
        try set("a", 1, in: store())
        #expect(try store().read().contents.keys == ["a", "password"])
    }

    @Test func withoutDocumentsItIsInValisesOwnFolder() throws {
        try FileManager.default.removeItem(at: folder.appendingPathComponent("Documents"))
        try set("a", 1, in: store())
        #expect(try store().read().contents["a"] == .integer(1))
        #expect(FileManager.default.fileExists(atPath: folder.path + "/.valise/kvs/KeyValueStore.plist"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [".valise"])
    }

    /// What was set before the documents had a folder of their own is found, and taken along with what is set next: once, and whole. Of a key that both
    /// have the later value counts, also where that is that it was removed.
    @Test func whatWasSetBeforeThereWereDocumentsIsTakenAlong() throws {
        let documents = folder.appendingPathComponent("Documents"), former = folder.path + "/.valise/kvs/KeyValueStore.plist", files = FileManager.default
        try files.removeItem(at: documents)
        let running = try store(), watch = try running.watch()
        for (key, value) in [("a", 1), ("b", 1), ("c", 1)] { try set(key, Int128(value), in: running) }
        try files.createDirectory(at: documents, withIntermediateDirectories: false)

        #expect(try store().read().contents.keys == ["a", "b", "c"])
        // Who had it open before sees the same.
        #expect(try running.read().contents.keys == ["a", "b", "c"])
        #expect(files.fileExists(atPath: former) && !files.fileExists(atPath: file.path))
        try set("d", 2, in: store())
        #expect(!files.fileExists(atPath: former) && files.fileExists(atPath: file.path))
        #expect(try store().read().contents.keys == ["a", "b", "c", "d"])
        var isNoticed = false
        for _ in 0..<100 where !isNoticed { isNoticed = watch.wait(milliseconds: 1_000) }
        #expect(isNoticed)
        #expect(try running.read().contents.keys == ["a", "b", "c", "d"])
        // And goes on noticing, where the store is now.
        while watch.wait(milliseconds: 200) {}
        try set("e", 2, in: store())
        #expect(watch.wait(milliseconds: 30_000))
        try set("f", 2, in: running)
        #expect(!files.fileExists(atPath: former))

        // Both are there: a sync tool has brought an earlier one back, and nothing of it is newer than what was set since.
        try store().change { $0.remove("b", at: KeyValueFile.now) }
        try set("a", 5, in: store())
        let documentsAway = folder.appendingPathComponent("Away")
        try files.moveItem(at: documents, to: documentsAway)
        try set("g", 3, in: store())
        try files.moveItem(at: documentsAway, to: documents)
        #expect(try store().read().contents.keys == ["a", "c", "d", "e", "f", "g"])
        #expect(try store().read().contents["a"] == .integer(5))
        try set("h", 4, in: store())
        #expect(try store().read().contents.keys == ["a", "c", "d", "e", "f", "g", "h"])
        #expect(try files.contentsOfDirectory(atPath: folder.path + "/.valise/kvs").isEmpty)
    }

    /// Whoever ends between the writing and the leaving has it done once more by the next one. Taken along are also values of which nothing else is set.
    @Test func takingAlongIsDoneAgain() throws {
        let documents = folder.appendingPathComponent("Documents"), former = folder.path + "/.valise/kvs/KeyValueStore.plist", files = FileManager.default
        try files.removeItem(at: documents)
        try set("a", 1, in: store())
        let earlier = try Data(contentsOf: URL(fileURLWithPath: former))
        try files.createDirectory(at: documents, withIntermediateDirectories: false)
        try store().change { _ in }
        #expect(!files.fileExists(atPath: former) && files.fileExists(atPath: file.path))
        try store().change { $0.remove("a", at: KeyValueFile.now) }
        try set("b", 2, in: store())
        // As it was left by a process that had ended.
        try earlier.write(to: URL(fileURLWithPath: former))
        #expect(try store().read().contents.keys == ["b"])
        try set("c", 3, in: store())
        #expect(try store().read().contents.keys == ["b", "c"])
        #expect(!files.fileExists(atPath: former))
    }

    @Test(arguments: [0, 1, 2])
    func aDamagedStoreFallsBackToTheOneBefore(_ damage: Int) throws {
        let store = try store()
        try set("a", 1, in: store)
        try set("b", 2, in: store)
        let whole = try Data(contentsOf: file)
        let broken = [whole.prefix(whole.count / 2), Data(), Data(repeating: 0, count: whole.count)][damage]
        try broken.write(to: file)
        let reading = try store.read()
        #expect(reading.contents["a"] == .integer(1) && reading.contents["b"] == nil)
        #expect(reading.loss?.contains("damaged") == true && reading.loss?.contains("UTC") == true)
        try set("c", 3, in: store)
        let mended = try store.read()
        #expect(mended.loss == nil && mended.contents.keys == ["a", "c"])
        #expect(try Data(contentsOf: folder.appendingPathComponent(".KeyValueStore.damaged")) == broken)
        // And a second time: the whole one from before is there again.
        try set("d", 4, in: store)
        try broken.write(to: file)
        #expect(try store.read().contents.keys == ["a", "c"])
    }

    @Test func withoutAnEarlierOneAllIsLostAndSaid() throws {
        try Data("bplist00".utf8).write(to: file)
        let reading = try store().read()
        #expect(reading.contents.keys == [] && reading.loss?.contains("all its values are lost") == true)
    }

    @Test func manyAtOnceLoseNothing() async throws {
        let path = folder.path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let store = try KeyValueFile(container: path)
                    for number in 0..<10 { try store.change { try? $0.set("\(writer) \(number)", to: .integer(Int128(number)), at: KeyValueFile.now) } }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store().read().contents.keys.count == 40)
    }

    /// Several set values while the folder `Documents` is made, some of whom had the store open before and some not.
    @Test func manyAtOnceLoseNothingWhileItMoves() async throws {
        let path = folder.path, documents = folder.appendingPathComponent("Documents")
        try FileManager.default.removeItem(at: documents)
        try set("first", 0, in: store())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                let before = try KeyValueFile(container: path)
                group.addTask {
                    for number in 0..<20 {
                        if writer == 0, number == 7 { try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: false) }
                        let store = writer % 2 == 0 ? before : try KeyValueFile(container: path)
                        try store.change { try? $0.set("\(writer) \(number)", to: .integer(Int128(number)), at: KeyValueFile.now) }
                    }
                }
            }
            for store in [try store(), nil] {
                group.addTask {
                    for _ in 0..<400 {
                        let known = try store ?? KeyValueFile(container: path)
                        #expect(try known.read().contents["first"] == .integer(0))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store().read().contents.keys.count == 81)
        try store().change { _ in }
        #expect(try store().read().contents.keys.count == 81)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/.valise/kvs").isEmpty)
    }

    @Test func aLinkInItsPlaceIsNotFollowed() throws {
        let secret = folder.appendingPathComponent("secret")
        try Data("secret".utf8).write(to: secret)
        for name in ["KeyValueStore.plist", ".KeyValueStore.other", ".KeyValueStore.new"] {
            try? FileManager.default.createSymbolicLink(atPath: folder.appendingPathComponent(name).path, withDestinationPath: secret.path)
        }
        #expect(throws: Failure.self) { try self.set("a", 1, in: try self.store()) }
        try FileManager.default.removeItem(at: file)
        try set("a", 1, in: store())
        try set("b", 1, in: store())
        #expect(try Data(contentsOf: secret) == Data("secret".utf8))
        #expect(try store().read().contents.keys == ["a", "b"])
    }

    @Test func changesAreNoticed() throws {
        let store = try store(), watch = try store.watch()
        try set("a", 1, in: try self.store())
        var isNoticed = false
        for _ in 0..<100 where !isNoticed { isNoticed = watch.wait(milliseconds: 1_000) }
        #expect(isNoticed)
        watch.wake()
        _ = watch.wait(milliseconds: nil)
    }
}
