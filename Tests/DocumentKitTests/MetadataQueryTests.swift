import DocumentKit
import Foundation
import MountTesting
import SeededNumbers
import Testing

/// A query over a container, from its start to its end.
@Suite struct MetadataQueryTests: QueriedContainer {
    let container: TemporaryContainer

    init() throws { container = try Self.containerForQueries() }

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
