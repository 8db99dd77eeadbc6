import Containers
import Databases
import Foundation
import LinuxFiles
import MountTesting
import Predicates
import RandomPredicates
import Testing

@testable import Catalog

/// What SQL finds, what the predicate itself chooses, and what is so without any catalog are the same.
@Suite struct CatalogSearchTests {
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func searchesFindWhatIsThere(_ seed: UInt64) throws {
        let searched = try SearchedContainer(seed: seed)
        let catalog = try searched.catalog()
        let items = try searched.items()
        var random = RandomPredicates(seed: seed)
        for round in 0..<150 {
            let text = random.next()
            // The first one fills the catalog, and finds meanwhile.
            let found = try SearchedContainer.found(text, in: catalog).sorted()
            let predicate = try Predicate(text, now: Moment(seconds: 1_772_712_000))
            let expected = items.filter { (predicate.attributes.contains(.hidden) || !$0.isHidden) && predicate.holds($0.value) }.map(\.path).sorted()
            #expect(found == expected, "\(text)")
            guard round % 10 == 0 else { continue }
            var sorted = CatalogQuery(predicate)
            sorted.sort = [try #require(CatalogQuery.SortKey(.size, isDescending: true)), try #require(CatalogQuery.SortKey(.name))]
            var rows: [FoundItem] = []
            try catalog.search(sorted) { rows.append($0); return true }
            #expect(rows.map { String(decoding: $0.storedPath, as: UTF8.self) }.sorted() == expected)
            for (first, second) in zip(rows, rows.dropFirst()) {
                #expect(first.item.size > second.item.size || first.item.size == second.item.size && first.item.shown.bytes.lexicographicallyPrecedes(second.item.shown.bytes) || first.item.shown == second.item.shown)
            }
        }
    }

    /// What is written in items, in a package of an app's own too, is read for who asks for it.
    @Test(arguments: [true, false]) func textsAreReadForWhoAsks(_ isAsked: Bool) throws {
        let made = try TemporaryContainer("text Notes 'milk and eggs'\nfolder Trip.album\nfile Trip.album/words 'milk and honey'")
        let container = try Container.open(made.path, access: .read, creating: [], kinds: .shipped.with(packages: ["album"]))
        let catalog = try Catalog(of: container, in: .memory)
        catalog.isForOneQuery = true
        catalog.readsTexts = isAsked
        #expect(try SearchedContainer.found("text CONTAINS 'milk'", in: catalog).sorted() == (isAsked ? ["Notes.stedoc", "Trip.album"] : []))
        #expect(try SearchedContainer.found("name LIKE '*'", in: catalog).sorted() == ["Notes.stedoc", "Trip.album"])
    }

    @Test func itemsHaveTheNamesOfAListing() throws {
        let searched = try SearchedContainer(seed: 77)
        let catalog = try searched.catalog()
        var names: [String: [UInt8]] = [:]
        try catalog.search(CatalogQuery(.comparison(try Self.everything()))) { item in
            names[String(decoding: item.storedPath, as: UTF8.self)] = item.shownPath
            return true
        }
        for item in try searched.items() { #expect(names[item.path].map { .text($0) } == item.value(.path)) }
    }

    private static func everything() throws -> Comparison {
        guard case .comparison(let comparison) = try Predicate("hidden IN {TRUE, FALSE}", now: Moment(nanoseconds: 0)) else { throw Failed("no comparison") }
        return comparison
    }

    @Test func limitsScopesAndFolders() throws {
        let searched = try SearchedContainer(
            "text Documents/Notes one\ntext Documents/Sub/Inner two\nphoto Documents/Sub/Deep/Cat png\nfile Data/settings x\nfile top.plist y\ntext Data/Fake three\nfile Documents/.hidden z")
        let catalog = try searched.catalog()
        func found(_ predicate: String, _ change: (inout CatalogQuery) -> Void = { _ in }) throws -> [String] { try SearchedContainer.found(predicate, in: catalog, change).sorted() }
        #expect(try found("TRUEPREDICATE") == ["Notes.stedoc", "Sub/Deep/Cat.ptk", "Sub/Inner.stedoc"])
        #expect(try found("TRUEPREDICATE") { $0.scopes = [.data] } == ["Data/Fake.stedoc", "Data/settings", "top.plist"])
        #expect(try found("TRUEPREDICATE") { $0.scopes = [.data, .documents] }.count == 6)
        #expect(try found("TRUEPREDICATE") { $0.folder = [Name(constant: "Sub")] } == ["Sub/Deep/Cat.ptk", "Sub/Inner.stedoc"])
        #expect(try found("TRUEPREDICATE") { $0.folder = [Name(constant: "None")] }.isEmpty)
        #expect(try found("kind == 'text'") { $0.scopes = [.data, .documents] } == ["Notes.stedoc", "Sub/Inner.stedoc"])
        #expect(try found("TRUEPREDICATE") { $0.limit = 2 }.count == 2)
        #expect(try found("TRUEPREDICATE") { $0.limit = 0 }.isEmpty)
        #expect(try found("hidden == TRUE") == [".hidden"])
        #expect(CatalogQuery.SortKey(.path) == nil)
        let counts = try catalog.counts(of: .kind, CatalogQuery(.always(true)))
        #expect(Dictionary(counts.map { ($0.value, $0.count) }) { $0 + $1 } == [.text("text"): 2, .text("photo"): 1])
    }

    /// The queries that the apps make, as they write them.
    @Test func theAppsFindTheirDocuments() throws {
        let searched = try SearchedContainer("bookmark Swift https://swift.org\ntext 'Note 1' one\ntext 'Note 2' two\nphoto 'Photo 1' png\nfile .DS_Store x")
        let catalog = try searched.catalog()
        func found(_ format: String, _ arguments: [String]) throws -> [String] {
            var names: [String] = []
            let predicate = try Predicate(format, now: Moment(nanoseconds: 0), arguments: arguments.map { .value(.text($0)) })
            try catalog.search(CatalogQuery(predicate)) { names.append($0.item.stored.description); return true }
            return names.sorted()
        }
        let names = ["Bookmark_Swift-1772355901.000001", "Note 1.stedoc", "Note 2.stedoc", "Photo 1.ptk"]
        // Cloudy, and the text editor.
        #expect(try found("%K like '*'", ["kMDItemFSName"]) == names)
        #expect(try found("%K LIKE %@", ["kMDItemFSName", "*.stedoc"]) == ["Note 1.stedoc", "Note 2.stedoc"])
        #expect(try found("%K LIKE '*.ptk'", ["NSMetadataItemFSNameKey"]) == ["Photo 1.ptk"])
        #expect(try found("NSMetadataUbiquitousItemHasUnresolvedConflictsKey == FALSE", []) == names)
        #expect(try found("NSMetadataItemURLKey ENDSWITH 'Note%201.stedoc'", []) == ["Note 1.stedoc"])
    }

    /// What should be looked up is looked up, and no table is gone through for it.
    @Test(arguments: [
        ("name == 'Swift.url'", "items_shown"), ("name BEGINSWITH 'Sw'", "items_shown"), ("name LIKE 'Swift*'", "items_shown"), ("stored == 'x'", "items_stored"),
        ("kMDItemFSName BEGINSWITH 'Bookmark_Sw'", "items_stored"), ("size > 10 MB", "items_size"), ("size BETWEEN {1, 2}", "items_size"), ("changed > now - 7d", "items_changed"),
        ("url == 'https://swift.org'", "items_url"), ("url BEGINSWITH 'https://swift'", "items_url"), ("kind == 'photo'", "items_kind"), ("kMDItemContentType == 'public.image'", "items_kind"),
        ("name CONTAINS 'wif'", "words"), ("text CONTAINS[cd] 'coffee'", "words"), ("url CONTAINS 'swift.org'", "words"), ("name LIKE '*wift*'", "words"), ("name ==[c] 'swift.url'", "words"),
        ("name IN {'a', 'b'}", "items_shown"), ("name == 'a' AND size > 1 AND path == 'a'", "items_shown"), ("size > 10 MB OR name == 'a'", "items_size"), ("name == 'x' AND NOT kind == 'photo'", "items_shown"),
    ])
    func indexesAreUsed(_ predicate: String, _ index: String) throws {
        let database = try Database(path: nil)
        try CatalogSchema.prepare(database, about: [], .shipped)
        try CatalogSchema.addIndexes(to: database)
        let query = CatalogQuery(try Predicate(predicate, now: Moment(seconds: 1_772_712_000)))
        let (sql, values) = query.sql(of: .everything, PredicateSQL(query.predicate, .shipped).condition)
        let plan = try database.newStatement("EXPLAIN QUERY PLAN " + sql)
        try plan.bind(values)
        var lines: [String] = []
        while try plan.step() { lines.append(String(decoding: plan.text(3), as: UTF8.self)) }
        #expect(lines.contains { $0.contains(index) }, "\(lines)")
        #expect(!lines.contains { $0.hasPrefix("SCAN i") }, "\(lines)")
    }
}
