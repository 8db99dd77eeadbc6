import DocumentKit
import Foundation
import MountTesting
import SeededNumbers
import Testing

/// A query over a container, from its start to its end.
@Suite struct MetadataQueryTests {
    private let container: TemporaryContainer
    private var documents: URL { URL(fileURLWithPath: container.path) }

    init() throws {
        _ = OwnContainer.container
        container = try TemporaryContainer("text Notes 'milk and eggs'\nbookmark Swift https://www.swift.org/\nphoto Album/Cat png size=5000")
        mkdir(container.path + "/.valise", 0o700)
    }

    /// What notifications have said, in their order.
    private final class Told: @unchecked Sendable {
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

    private func query(_ format: String, _ scopes: [Any]? = nil) -> NSMetadataQuery {
        let query = NSMetadataQuery()
        query.predicate = NSPredicate(format: format)
        query.searchScopes = scopes ?? [documents]
        query.notificationBatchingInterval = 0.02
        return query
    }

    private func names(_ query: NSMetadataQuery) -> [String] { query.results.compactMap { ($0 as? NSMetadataItem)?.value(forAttribute: NSMetadataItemFSNameKey) as? String } }

    private func gathered(_ query: NSMetadataQuery) async throws {
        #expect(query.start())
        try await until { !query.isGathering && query.isStarted }
    }

    /// Those that were chosen, by URL, path or as another query's result, and no others.
    @Test func chosenItemsAreSearched() async throws {
        let all = query("kMDItemFSName LIKE '*'")
        try await gathered(all)
        let cat = all.results.compactMap { $0 as? NSMetadataItem }.first { $0.value(forAttribute: NSMetadataItemFSNameKey) as? String == "Cat.ptk" }
        let chosen = query("kMDItemFSName LIKE '*'")
        chosen.searchItems = [URL(fileURLWithPath: container.stored("Notes.stedoc")), try #require(cat)]
        try await gathered(chosen)
        #expect(names(chosen).sorted() == ["Cat.ptk", "Notes.stedoc"])
        chosen.stop()
        all.stop()
        let none = query("kMDItemFSName LIKE 'Swift*'")
        none.searchItems = [container.stored("Notes.stedoc")]
        try await gathered(none)
        #expect(names(none).isEmpty)
        none.stop()
    }

    /// A type that an app has declared as a package: a folder of it is one item, whatever is in it, and changes with what is in it. Where nobody has
    /// declared it, its files are items.
    @Test func anAppsOwnPackageIsOneItem() async throws {
        let files = FileManager.default, trip = container.stored("Album/Trip.valisealbum")
        func write(_ text: String, _ name: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: trip + "/" + name)) }
        try files.createDirectory(atPath: trip + "/pictures/small", withIntermediateDirectories: true)
        try write("index", "index.plist")
        try write("picture", "pictures/a.picture")
        let before = query("kMDItemFSName LIKE '*.plist' OR kMDItemFSName LIKE '*.picture'")
        try await gathered(before)
        #expect(names(before).sorted() == ["a.picture", "index.plist"])
        before.stop()

        ContentTypes.add("com.example.valise.base", forExtensions: [], conformingTo: ["com.apple.package"])
        ContentTypes.add("com.example.valise.album", forExtensions: ["valisealbum"], conformingTo: ["com.example.valise.base"])
        let query = query("kMDItemFSName LIKE '*'")
        try await gathered(query)
        #expect(names(query).filter { !$0.hasPrefix("Bookmark_") }.sorted() == ["Cat.ptk", "Notes.stedoc", "Trip.valisealbum"] && names(query).count == 4)
        let item = try #require(query.results.compactMap { $0 as? NSMetadataItem }.first { $0.value(forAttribute: NSMetadataItemFSNameKey) as? String == "Trip.valisealbum" })
        func size() -> Int? { item.value(forAttribute: NSMetadataItemFSSizeKey) as? Int }
        #expect(size() == 12)
        #expect(item.value(forAttribute: NSMetadataItemContentTypeKey) as? String == "com.example.valise.album")
        #expect((item.value(forAttribute: NSMetadataItemURLKey) as? URL)?.lastPathComponent == "Trip.valisealbum")
        let url = URL(fileURLWithPath: trip, isDirectory: true)
        #expect(try url.ubiquitousResourceValues().isPackage == true)
        #expect(NSMetadataItem(url: url)?.value(forAttribute: NSMetadataItemFSSizeKey) as? Int == 12)

        // In place, under another name first, in a folder of it that is there, and in one that comes.
        try write("longer picture", "pictures/a.picture")
        try await until { size() == 19 }
        try write("x", "pictures/small/b.picture")
        try await until { size() == 20 }
        try files.createDirectory(atPath: trip + "/other/deep", withIntermediateDirectories: true)
        try await Task.sleep(for: .milliseconds(100))
        try write("yy", "other/deep/c.picture")
        try await until { size() == 22 }
        try files.removeItem(atPath: trip + "/other")
        try await until { size() == 20 }
        #expect(names(query).count == 4)

        // One that is made, moved and removed.
        try files.createDirectory(atPath: container.stored("New.ValiseAlbum/inner"), withIntermediateDirectories: true)
        try await until { names(query).contains("New.ValiseAlbum") }
        try Data("one".utf8).write(to: URL(fileURLWithPath: container.stored("New.ValiseAlbum/inner/part")))
        try await until { names(query).count == 5 && query.results.compactMap { $0 as? NSMetadataItem }.contains { $0.value(forAttribute: NSMetadataItemFSSizeKey) as? Int == 3 } }
        try files.moveItem(atPath: trip, toPath: container.stored("Trip.valisealbum"))
        try await until { item.value(forAttribute: NSMetadataItemPathKey) as? String == container.stored("Trip.valisealbum") }
        try files.removeItem(atPath: container.stored("Trip.valisealbum"))
        try await until { !names(query).contains("Trip.valisealbum") }
        query.stop()
    }

    /// One that nobody has declared is one item where a query asks for its extension, if that is none of files that are known.
    @Test(arguments: ["kMDItemFSName LIKE '*.valisebook'", "kMDItemFSName ENDSWITH[c] '.ValiseBook'", "kMDItemFSName == 'Trip.valisebook'", "kMDItemFSName IN {'a', 'Trip.valisebook'}"])
    func anUndeclaredPackageIsFoundByItsExtension(format: String) async throws {
        let trip = container.stored("Album/Trip.valisebook"), plain = container.stored("Old.txt")
        for folder in [trip + "/pages", plain] { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
        try Data("one".utf8).write(to: URL(fileURLWithPath: trip + "/pages/a.valisebook"))
        let asked = query(format)
        try await gathered(asked)
        #expect(names(asked) == ["Trip.valisebook"])
        let item = try #require(asked.results.first as? NSMetadataItem)
        func size() -> Int? { item.value(forAttribute: NSMetadataItemFSSizeKey) as? Int }
        #expect(size() == 3)
        try Data("longer".utf8).write(to: URL(fileURLWithPath: trip + "/pages/b"))
        try await until { size() == 9 }
        asked.stop()
        // A folder that is called as files are is a folder, and so is one that is not asked for.
        try Data("x".utf8).write(to: URL(fileURLWithPath: plain + "/in.txt"))
        let texts = query("kMDItemFSName LIKE '*.txt'"), others = query("NOT kMDItemFSName LIKE '*.valisebook' AND kMDItemFSName LIKE 'b'")
        for query in [texts, others] {
            try await gathered(query)
            query.stop()
        }
        #expect(names(texts) == ["in.txt"] && names(others) == ["b"])
    }

    /// Texts, and what begins as one; and no pictures.
    @Test func declaredPackagesAreFoundByTheirText() async throws {
        ContentTypes.add("com.example.valise.leaflet", forExtensions: ["valiseleaflet"], conformingTo: ["com.apple.package"])
        let place = container.stored("Trip.valiseleaflet")
        try FileManager.default.createDirectory(atPath: place + "/inner", withIntermediateDirectories: true)
        func write(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: place + "/" + name)) }
        try write(Array("# Lisbon\n".utf8), "inner/page.md")
        try write(Array("Schöne Reise".utf8), "words")
        try write(Array("hidden".utf8), "picture.png")
        try write([0] + Array("binary".utf8), "state")
        try write(Array(String(repeating: "ö", count: 400).utf8) + [0xFF] + Array("broken".utf8), "long")
        func found(_ word: String) async throws -> [String] {
            let query = query("kMDItemTextContent CONTAINS[cd] '\(word)'")
            try await gathered(query)
            query.stop()
            return names(query)
        }
        #expect(try await found("lisbon") == ["Trip.valiseleaflet"])
        #expect(try await found("schone reise") == ["Trip.valiseleaflet"])
        for word in ["hidden", "binary"] { #expect(try await found(word).isEmpty, "\(word)") }
        // What comes later is news.
        let followed = query("kMDItemTextContent CONTAINS 'Porto'")
        try await gathered(followed)
        #expect(names(followed).isEmpty)
        try write(Array("Porto".utf8), "inner/page.md")
        try await until { names(followed) == ["Trip.valiseleaflet"] }
        followed.stop()
    }

    /// What a service would say of an item, where there is none.
    @Test func whatAServiceWouldSay() throws {
        let item = try #require(NSMetadataItem(url: URL(fileURLWithPath: container.stored("Notes.stedoc"))))
        for key in [NSMetadataUbiquitousItemDownloadRequestedKey, NSMetadataUbiquitousItemIsExternalDocumentKey, NSMetadataUbiquitousItemIsSharedKey] {
            #expect(item.value(forAttribute: key) as? Bool == false && item.attributes.contains(key))
        }
        for key in [NSMetadataUbiquitousItemDownloadingErrorKey, NSMetadataUbiquitousItemUploadingErrorKey] { #expect(item.value(forAttribute: key) == nil) }
        #expect(item.value(forAttribute: NSMetadataUbiquitousItemContainerDisplayNameKey) as? String == (container.path as NSString).lastPathComponent)
        #expect((item.value(forAttribute: NSMetadataUbiquitousItemURLInLocalContainerKey) as? URL)?.path == container.stored("Notes.stedoc"))
        let tree = try #require(item.value(forAttribute: NSMetadataItemContentTypeTreeKey) as? [String])
        #expect(tree.first == item.value(forAttribute: NSMetadataItemContentTypeKey) as? String && tree.last == "public.item" && tree.contains("public.data"))
    }

    /// What is moved is the same item at another place.
    @Test func whatIsRenamedHasChanged() async throws {
        let query = query("kMDItemFSName LIKE '*.stedoc'"), told = Told(query)
        try await gathered(query)
        let item = try #require(query.results.first as? NSMetadataItem)
        try FileManager.default.moveItem(at: documents.appendingPathComponent("Notes.stedoc"), to: documents.appendingPathComponent("List.stedoc"))
        try await until { told.all.contains("update ~List.stedoc") }
        #expect(query.results.first as? NSMetadataItem === item && names(query) == ["List.stedoc"] && !told.all.contains { $0.contains("-") || $0.contains("+") })
        query.stop()
    }

    /// One table for documents and queries, which an app adds its own to.
    @Test @MainActor func typesAreTheSameEverywhere() async throws {
        ContentTypes.add("com.example.plan", forExtensions: ["plan", "plans"], conformingTo: ["public.plain-text"])
        let types = [
            "a.pdf": "com.adobe.pdf", "b.png": "public.png", "c.txt": "public.plain-text", "d.stedoc": "public.plain-text", "Bookmark_x-1795644993.114922": "public.url",
            "e.PLAN": "com.example.plan", "f.unheard": "dyn.unheard", "nothing": "public.data", "Cat.jpeg": "public.jpeg",
        ]
        for (name, type) in types {
            let url = documents.appendingPathComponent(name)
            try Data("x".utf8).write(to: url)
            #expect(UIDocument(fileURL: url).fileType == type && NSMetadataItem(url: url)?.value(forAttribute: NSMetadataItemContentTypeKey) as? String == type, "\(name)")
        }
        let plans = query("kMDItemContentType == 'com.example.plan'"), texts = query("kMDItemContentType == 'public.plain-text'")
        for query in [plans, texts] {
            try await gathered(query)
            query.stop()
        }
        #expect(names(plans) == ["e.PLAN"] && names(texts).sorted() == ["Notes.stedoc", "c.txt", "d.stedoc"])
        #expect(ContentTypes.tree(of: "com.example.plan") == ["com.example.plan", "public.plain-text", "public.text", "public.data", "public.content", "public.item"])
        #expect(UIDocument(fileURL: documents).fileNameExtension(forType: "com.example.plan", saveOperation: .forCreating) == "plan")
        // Of Valise's photos, too.
        #expect(NSMetadataItem(url: documents.appendingPathComponent("Album/Cat.ptk"))?.value(forAttribute: NSMetadataItemContentTypeKey) as? String == "public.image")
    }

    @Test func whatIsThereIsGatheredAndChangesAreTold() async throws {
        let query = query("kMDItemFSName LIKE '*.stedoc'"), told = Told(query)
        #expect(!query.isStarted && !query.isGathering && query.results.isEmpty)
        try await gathered(query)
        #expect(names(query) == ["Notes.stedoc"] && told.all.first == "start" && told.all.last == "end")
        let item = try #require(query.results.first as? NSMetadataItem)
        try "new".write(toFile: container.stored("Second.stedoc"), atomically: false, encoding: .utf8)
        try await until { told.all.contains { $0.hasPrefix("update") && $0.contains("+Second.stedoc") } }
        #expect(names(query) == ["Notes.stedoc", "Second.stedoc"])
        try "longer than before".write(toFile: container.stored("Notes.stedoc"), atomically: false, encoding: .utf8)
        try await until { told.all.contains { $0.hasPrefix("update") && $0.contains("~Notes.stedoc") } }
        // It stays the same object, and says what is so now.
        #expect(query.result(at: 0) as? NSMetadataItem === item && query.index(ofResult: item) == 0)
        try await until { item.value(forAttribute: NSMetadataItemFSSizeKey) as? NSNumber == 18 }
        unlink(container.stored("Notes.stedoc"))
        try await until { told.all.contains { $0.hasPrefix("update") && $0.contains("-Notes.stedoc") } }
        #expect(names(query) == ["Second.stedoc"] && query.index(ofResult: item) == NSNotFound)
        query.stop()
        #expect(query.isStopped && names(query) == ["Second.stedoc"])
        let said = told.all.count
        unlink(container.stored("Second.stedoc"))
        try await Task.sleep(for: .milliseconds(300))
        #expect(told.all.count == said && names(query) == ["Second.stedoc"])
    }

    /// As Cloudy does it: updates are disabled, the query is stopped, and then the results are read.
    @Test func resultsStayWhenItIsStopped() async throws {
        let query = query("kMDItemFSName like '*'")
        try await gathered(query)
        query.disableUpdates()
        query.stop()
        #expect(query.resultCount == 3 && Set(names(query)) == ["Notes.stedoc", "Bookmark_Swift-1772355901.000001", "Cat.ptk"])
        // And it can be started again.
        unlink(container.stored("Notes.stedoc"))
        #expect(query.start() && !query.start())
        try await until { !query.isGathering }
        #expect(query.resultCount == 2)
    }

    @Test func whileUpdatesAreDisabledNothingChanges() async throws {
        let query = query("kMDItemFSName LIKE '*.stedoc'"), told = Told(query)
        try await gathered(query)
        query.disableUpdates()
        query.disableUpdates()
        try "a".write(toFile: container.stored("A.stedoc"), atomically: false, encoding: .utf8)
        try "b".write(toFile: container.stored("B.stedoc"), atomically: false, encoding: .utf8)
        unlink(container.stored("B.stedoc"))
        query.enableUpdates()
        try await Task.sleep(for: .milliseconds(400))
        #expect(names(query) == ["Notes.stedoc"] && !told.all.contains { $0.hasPrefix("update") })
        query.enableUpdates()
        try await until { names(query) == ["A.stedoc", "Notes.stedoc"] }
        #expect(told.all.filter { $0.hasPrefix("update") } == ["update +A.stedoc"])
        // One too many is nothing.
        query.enableUpdates()
        try "c".write(toFile: container.stored("C.stedoc"), atomically: false, encoding: .utf8)
        try await until { told.all.contains { $0.hasPrefix("update") && $0.contains("+C.stedoc") } }
        query.stop()
    }

    /// A folder is not read again for each document in it.
    @Test(.disabled(if: !FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"), "there is no strace here"))
    func askingAllForConflictsReadsAFolderOnce() throws {
        try container.add((0..<60).map { "text Note\($0) a" }.joined(separator: "\n"))
        try "theirs".write(toFile: container.stored("Note7 (conflicted copy 2026-11-21 232733).stedoc"), atomically: false, encoding: .utf8)
        let log = container.beside("calls"), environment = ["XDG_CACHE_HOME": container.beside("cache")]
        let words = ["/usr/bin/strace", "-f", "-y", "-o", log, "-e", "trace=getdents64", Places.built + "/DocumentTrial", "conflicts", container.path]
        let ended = try Program(words, environment: environment).wait().good()
        #expect(ended.output == "63 1\n")
        let readings = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").filter { $0.contains("<\(container.path)>") }
        #expect(readings.count < 12)
    }

    @Test func itemsTellWhatIsKnown() async throws {
        let query = query("kMDItemKind == 'photo'")
        try await gathered(query)
        query.stop()
        let item = try #require(query.results.first as? NSMetadataItem)
        func value(_ name: String) -> Any? { item.value(forAttribute: name) }
        #expect(value(NSMetadataItemFSNameKey) as? String == "Cat.ptk" && value(NSMetadataItemDisplayNameKey) as? String == "Cat.png")
        #expect((value(NSMetadataItemURLKey) as? URL)?.path == container.stored("Album/Cat.ptk") && value(NSMetadataItemPathKey) as? String == container.stored("Album/Cat.ptk"))
        #expect(value(NSMetadataItemContentTypeKey) as? String == "public.image" && (value(NSMetadataItemFSSizeKey) as? NSNumber)?.intValue ?? 0 >= 5000)
        #expect(value(NSMetadataItemFSContentChangeDateKey) is Date && value(NSMetadataItemIsUbiquitousKey) as? Bool == true)
        #expect(value(NSMetadataUbiquitousItemDownloadingStatusKey) as? String == NSMetadataUbiquitousItemDownloadingStatusCurrent)
        #expect(value(NSMetadataUbiquitousItemHasUnresolvedConflictsKey) as? Bool == false && value("kMDItemNothing") == nil)
        #expect(value(NSMetadataUbiquitousItemPercentDownloadedKey) as? Double == 100)
        #expect(item.attributes.contains(NSMetadataItemURLKey) && item.values(forAttributes: [NSMetadataItemFSNameKey, "x"])?.count == 1)
        let same = try #require(NSMetadataItem(url: URL(fileURLWithPath: container.stored("Album/Cat.ptk"))))
        for name in item.attributes where name != NSMetadataItemURLKey { #expect("\(same.value(forAttribute: name) ?? "")" == "\(value(name) ?? "")", "\(name)") }
        #expect(NSMetadataItem(url: URL(fileURLWithPath: container.stored("None.ptk"))) == nil && NSMetadataItem(url: URL(fileURLWithPath: "/etc/passwd")) == nil)
    }

    @Test func resultsAreSortedGroupedAndCounted() async throws {
        try container.add("text More one\nphoto Dog png size=200")
        let query = query("kMDItemFSName LIKE '*'")
        query.sortDescriptors = [NSSortDescriptor(key: NSMetadataItemKindKey, ascending: false), NSSortDescriptor(key: NSMetadataItemFSSizeKey, ascending: true)]
        query.groupingAttributes = [NSMetadataItemKindKey]
        query.valueListAttributes = [NSMetadataItemKindKey]
        try await gathered(query)
        query.stop()
        #expect(names(query) == ["More.stedoc", "Notes.stedoc", "Dog.ptk", "Cat.ptk", "Bookmark_Swift-1772355901.000001"])
        #expect(query.groupedResults.map { "\($0.value) \($0.resultCount)" } == ["text 2", "photo 2", "bookmark 1"])
        #expect(query.groupedResults.allSatisfy { $0.attribute == NSMetadataItemKindKey && $0.subgroups == nil })
        #expect((query.groupedResults[1].result(at: 0) as? NSMetadataItem)?.value(forAttribute: NSMetadataItemFSNameKey) as? String == "Dog.ptk")
        #expect(query.valueLists[NSMetadataItemKindKey]?.map { "\($0.value ?? "") \($0.count)" } == ["text 2", "photo 2", "bookmark 1"])
        query.sortDescriptors = [NSSortDescriptor(key: NSMetadataItemFSNameKey, ascending: true)]
        #expect(names(query).first == "Bookmark_Swift-1772355901.000001" && query.value(ofAttribute: NSMetadataItemFSNameKey, forResultAt: 1) as? String == "Cat.ptk")
        #expect(query.value(ofAttribute: NSMetadataItemFSNameKey, forResultAt: 99) == nil)
        var seen = 0
        query.enumerateResults { _, index, stop in
            seen += 1
            if index == 2 { stop.pointee = true }
        }
        #expect(seen == 3)
    }

    private final class Shouting: NSMetadataQueryDelegate {
        func metadataQuery(_ query: NSMetadataQuery, replacementObjectForResultObject result: NSMetadataItem) -> Any {
            (result.value(forAttribute: NSMetadataItemFSNameKey) as? String)?.uppercased() ?? ""
        }
        func metadataQuery(_ query: NSMetadataQuery, replacementValueForAttribute attrName: String, value attrValue: Any) -> Any { "\(attrName): \(attrValue)" }
    }

    @Test func aDelegateReplacesResultsAndValues() async throws {
        let query = query("kMDItemKind == 'text'"), delegate = Shouting()
        query.delegate = delegate
        try await gathered(query)
        query.stop()
        #expect(query.results as? [String] == ["NOTES.STEDOC"] && query.value(ofAttribute: NSMetadataItemKindKey, forResultAt: 0) as? String == "kMDItemKind: text")
    }

    @Test func notificationsComeOnItsQueue() async throws {
        let query = query("kMDItemKind == 'text'"), operations = OperationQueue()
        operations.maxConcurrentOperationCount = 1
        query.operationQueue = operations
        let told = Told(query)
        nonisolated(unsafe) var wasOnQueue = false
        let observer = NotificationCenter.default.addObserver(forName: .NSMetadataQueryDidFinishGathering, object: query, queue: nil) { _ in wasOnQueue = OperationQueue.current === operations }
        defer { NotificationCenter.default.removeObserver(observer) }
        try await gathered(query)
        try await until { told.all.last == "end" }
        query.stop()
        #expect(wasOnQueue)
    }

    @Test func updatesAreASequence() async throws {
        let query = query("kMDItemKind == 'text'")
        var seen: [String] = []
        for await update in query.updates {
            if seen.isEmpty { try "x".write(toFile: container.stored("New.stedoc"), atomically: false, encoding: .utf8) }
            seen += update.added.compactMap { $0.value(forAttribute: NSMetadataItemFSNameKey) as? String }
            if seen.count == 2 { query.stop() }
        }
        #expect(seen == ["Notes.stedoc", "New.stedoc"] && query.isStopped)
    }

    /// Its threads end, and what they have open is closed.
    @Test func aQueryThatNobodyHasAnyMoreEnds() async throws {
        func watches() -> Int {
            let folder = "/proc/self/fd"
            return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).count {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0))?.hasPrefix(container.path) == true
            }
        }
        let alone = watches()
        final class Weak: @unchecked Sendable { weak var query: NSMetadataQuery? }
        let known = Weak()
        do {
            let query = query("kMDItemFSName LIKE '*'")
            known.query = query
            try await gathered(query)
        }
        try await until { known.query == nil && watches() == alone }
    }

    /// After any changes, what it has is what a new one finds.
    @Test func itFollowsChangesAtRandom() async throws {
        var numbers = SeededNumbers(seed: 5)
        let followed = query("kMDItemFSName LIKE '*.stedoc' AND kMDItemFSSize > 4")
        followed.notificationBatchingInterval = 0
        try await gathered(followed)
        mkdir(container.stored("Sub"), 0o755)
        func path() -> String { container.stored((numbers.next() % 3 == 0 ? "Sub/" : "") + "N\(numbers.next() % 12)" + (numbers.next() % 5 == 0 ? ".dat" : ".stedoc")) }
        for round in 0..<6 {
            for _ in 0..<50 {
                switch numbers.next() % 4 {
                case 0: unlink(path())
                case 1: rename(path(), path())
                default: try String(repeating: "x", count: Int(numbers.next() % 9)).write(toFile: path(), atomically: numbers.next() % 2 == 0, encoding: .utf8)
                }
                if numbers.next() % 7 == 0 {
                    followed.disableUpdates()
                    followed.enableUpdates()
                }
            }
            let fresh = query("kMDItemFSName LIKE '*.stedoc' AND kMDItemFSSize > 4")
            try await gathered(fresh)
            fresh.stop()
            func facts(_ query: NSMetadataQuery) -> [String] {
                query.results.compactMap { $0 as? NSMetadataItem }.map { "\($0.value(forAttribute: NSMetadataItemPathKey) ?? "") \($0.value(forAttribute: NSMetadataItemFSSizeKey) ?? "")" }.sorted()
            }
            for _ in 0..<1_000 where facts(followed) != facts(fresh) { try await Task.sleep(for: .milliseconds(10)) }
            #expect(facts(followed) == facts(fresh), "after round \(round)")
        }
        followed.stop()
    }

    /// A container that is taken away while it is looked at takes its results along.
    @Test func aContainerThatVanishesHasNothingAnyMore() async throws {
        let query = query("kMDItemFSName LIKE '*.stedoc'")
        try await gathered(query)
        #expect(query.resultCount == 1)
        for name in try FileManager.default.contentsOfDirectory(atPath: container.path) { try FileManager.default.removeItem(atPath: container.stored(name)) }
        try await until { query.resultCount == 0 }
        query.stop()
    }

    /// Blocks, and what is joined of words and blocks.
    @Test func anyPredicateIsAsked() async throws {
        let blocks = NSMetadataQuery()
        blocks.searchScopes = [documents]
        blocks.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSPredicate(format: "kMDItemFSName LIKE '*.stedoc'"),
            NSPredicate { object, _ in ((object as? NSMetadataItem)?.value(forAttribute: NSMetadataItemFSSizeKey) as? NSNumber)?.intValue ?? 0 > 5 },
        ])
        try container.add("text Short x")
        try await gathered(blocks)
        blocks.stop()
        #expect(names(blocks) == ["Notes.stedoc"])
        let words = NSMetadataQuery()
        words.searchScopes = [documents.path]
        words.predicate = NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(format: "%K CONTAINS 'milk'", NSMetadataItemTextContentKey))
        try await gathered(words)
        words.stop()
        #expect(Set(names(words)) == ["Short.stedoc", "Bookmark_Swift-1772355901.000001", "Cat.ptk"])
    }

    /// A path is compared as it is told.
    @Test func pathsAreComparedAsTheyAreTold() async throws {
        let album = container.stored("Album")
        for (format, arguments, found) in [
            ("%K BEGINSWITH %@", [NSMetadataItemPathKey, album], ["Cat.ptk"]), ("%K == %@", [NSMetadataItemPathKey, album + "/Cat.ptk"], ["Cat.ptk"]),
            ("NOT %K BEGINSWITH %@ AND %K CONTAINS 'milk'", [NSMetadataItemPathKey, album, NSMetadataItemTextContentKey], ["Notes.stedoc"]),
            ("%K.path == %@", [NSMetadataItemURLKey, album + "/Cat.ptk"], ["Cat.ptk"]), ("%K.pathExtension == %@", [NSMetadataItemURLKey, "stedoc"], ["Notes.stedoc"]),
        ] as [(String, [Any], [String])] {
            let query = query("TRUEPREDICATE")
            query.predicate = NSPredicate(format: format, argumentArray: arguments)
            try await gathered(query)
            #expect(names(query) == found, "\(format)")
            query.stop()
        }
        // What comes later, too.
        let later = query("TRUEPREDICATE")
        later.predicate = NSPredicate(format: "%K BEGINSWITH %@", NSMetadataItemPathKey, album + "/")
        try await gathered(later)
        try container.add("text Album/Later x")
        try container.add("text Elsewhere x")
        try await until { names(later) == ["Cat.ptk", "Later.stedoc"] }
        later.stop()
    }

    @Test func aScopeThatIsNotThereHasNothing() async throws {
        let query = query("kMDItemFSName LIKE '*'", [URL(fileURLWithPath: "/nowhere/at/all"), URL(string: "https://a.org") as Any, 5])
        try await gathered(query)
        #expect(query.resultCount == 0 && query.failureDescription == nil)
        query.stop()
    }

    @Test func scopesOfAFolderAndOfTheAppsContainer() async throws {
        let inner = query("kMDItemFSName LIKE '*'", [documents.appendingPathComponent("Album")])
        try await gathered(inner)
        inner.stop()
        #expect(names(inner) == ["Cat.ptk"])
        let folder = try OwnContainer.folder()
        try "x".write(to: folder.appendingPathComponent("Mine.stedoc"), atomically: false, encoding: .utf8)
        try "x".write(toFile: OwnContainer.container.stored("beside.dat"), atomically: false, encoding: .utf8)
        let own = query("kMDItemFSName == 'Mine.stedoc' OR kMDItemFSName == 'beside.dat'", [NSMetadataQueryUbiquitousDocumentsScope])
        try await gathered(own)
        own.stop()
        #expect((own.results.first as? NSMetadataItem)?.value(forAttribute: NSMetadataItemURLKey) as? URL == folder.appendingPathComponent("Mine.stedoc") && own.resultCount == 1)
        let data = query("kMDItemFSName == 'Mine.stedoc' OR kMDItemFSName == 'beside.dat'", [NSMetadataQueryUbiquitousDataScope])
        try await gathered(data)
        data.stop()
        #expect(names(data) == ["beside.dat"])
    }
}

/// The same items by a URL on a drive.
@Suite(.mounting) struct MetadataOnDriveTests {
    /// A name is what it is, with a line end in it, too.
    @Test func theURLLeadsToTheItemWhateverItIsCalled() throws {
        _ = OwnContainer.container
        let container = try TemporaryContainer("text Album/Notes hello"), name = "Album/two\nlines\t"
        rename(container.stored("Album/Notes.stedoc"), container.stored(name + ".stedoc"))
        try withDrive(container) { drive in
            for (top, path) in [(container.path, container.stored(name + ".stedoc")), (drive.mountpoint, drive.path(name + ".txt"))] {
                let query = NSMetadataQuery()
                query.predicate = NSPredicate(format: "%K LIKE '*.stedoc'", NSMetadataItemFSNameKey)
                query.searchScopes = [URL(fileURLWithPath: top)]
                #expect(query.start() && eventually { !query.isGathering })
                query.stop()
                let urls = query.results.compactMap { ($0 as? NSMetadataItem)?.value(forAttribute: NSMetadataItemURLKey) as? URL }
                #expect(urls.map(\.path) == [path])
                let values = try urls.first?.ubiquitousResourceValues()
                #expect(values?.isHidden == false && values?.localizedName == "two\nlines\t.txt")
            }
        }
    }

    /// As the query tells it: on a drive, what the drive calls it.
    @Test func pathsAreComparedAsTheyAreTold() throws {
        _ = OwnContainer.container
        let container = try TemporaryContainer("photo Album/Cat png\nbookmark Swift https://a.org stored=Bookmark_Swift-1\nbookmark Swift https://b.org stored=Bookmark_Swift-2")
        try withDrive(container) { drive in
            for (format, path) in [("%K == %@", "Swift 1.url"), ("%K BEGINSWITH %@", "Album"), ("%K.stringByDeletingPathExtension == %@", "Album/Cat")] {
                let query = NSMetadataQuery()
                query.predicate = NSPredicate(format: format, NSMetadataItemPathKey, drive.path(path))
                query.searchScopes = [URL(fileURLWithPath: drive.mountpoint)]
                #expect(query.start() && eventually { !query.isGathering })
                query.stop()
                let paths = query.results.compactMap { ($0 as? NSMetadataItem)?.value(forAttribute: NSMetadataItemPathKey) as? String }
                #expect(paths == [drive.path(path == "Swift 1.url" ? path : "Album/Cat.png")], "\(format)")
            }
        }
    }

    @Test func aDriveAndItsContainerSayTheSameItem() throws {
        _ = OwnContainer.container
        let container = try TemporaryContainer("photo Album/Cat png\nbookmark Swift https://a.org stored=Bookmark_Swift-1\nbookmark Swift https://b.org stored=Bookmark_Swift-2")
        try withDrive(container) { drive in
            let query = NSMetadataQuery()
            query.predicate = NSPredicate(format: "kMDItemFSName LIKE '*'")
            query.searchScopes = [URL(fileURLWithPath: drive.mountpoint)]
            #expect(query.start() && eventually { !query.isGathering })
            query.stop()
            let urls = query.results.compactMap { ($0 as? NSMetadataItem)?.value(forAttribute: NSMetadataItemURLKey) as? URL }
            #expect(urls.map(\.path) == [drive.path("Album/Cat.png"), drive.path("Swift 1.url"), drive.path("Swift.url")])
            for (result, url) in zip(query.results, urls) {
                let item = try #require(result as? NSMetadataItem), stored = try #require(item.value(forAttribute: NSMetadataItemFSNameKey) as? String)
                let onDrive = try #require(NSMetadataItem(url: url))
                let inContainer = try #require(NSMetadataItem(url: URL(fileURLWithPath: container.stored((stored.hasSuffix("ptk") ? "Album/" : "") + stored))))
                for name in [NSMetadataItemFSNameKey, NSMetadataItemFSSizeKey, NSMetadataItemFSContentChangeDateKey, NSMetadataItemKindKey] {
                    let values = [item, onDrive, inContainer].map { "\($0.value(forAttribute: name) ?? "")" }
                    #expect(Set(values).count == 1, "\(name): \(values)")
                }
                // A predicate with either URL means the item.
                for meant in [url, URL(fileURLWithPath: container.stored((stored.hasSuffix("ptk") ? "Album/" : "") + stored))] {
                    #expect(NSPredicate(format: "%K == %@", NSMetadataItemURLKey, meant).evaluate(with: item), "\(meant)")
                }
            }
        }
    }
}
