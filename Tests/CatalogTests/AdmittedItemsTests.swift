import Containers
import Foundation
import LinuxFiles
import MountTesting
import Predicates
import Testing

@testable import Catalog

/// Who may not see all of a container learns nothing of the rest by how much work a search is.
@Suite struct AdmittedItemsTests {
    private static let guesses = ["hunter42", "hunter43", "nothing like it", "mine"]
    private static let slow = "'(a+)+b'"

    /// How many items the predicate was asked of, and what was found.
    private func work(_ predicate: String, in catalog: Catalog) throws -> (asked: Int, found: [String]) {
        var query = CatalogQuery(try Predicate(predicate, now: Moment(seconds: 1_772_712_000))), found: [String] = []
        query.admits = { { folder, stored, _ in folder.isEmpty && String(decoding: stored.bytes, as: UTF8.self).hasPrefix("Mine") } }
        let run = catalog.newRun(query)
        _ = try run.run(.everything, catalog.folders, isConfirmed: true) { item in
            found.append(String(decoding: item.storedPath, as: UTF8.self))
            return true
        }
        return (run.asked, found)
    }

    @Test func theWorkIsTheSameWhateverIsInTheOthers() throws {
        let searched = try SearchedContainer("""
            text Mine "mine"
            text "Mine too" "mine, too"
            text Theirs "hunter42"
            bookmark Theirs https://hunter42.example/ stored=Bookmark_Theirs-1772355901.000001
            folder Closed
            text Closed/Mine "hunter42"
            """)
        let catalog = try searched.catalog()
        #expect(try SearchedContainer.found("text CONTAINS 'hunter42'", in: catalog).count == 2)
        for guess in Self.guesses {
            for predicate in [
                "text CONTAINS '\(guess)'", "text CONTAINS '\(guess)' AND text MATCHES \(Self.slow)", "url CONTAINS '\(guess)' OR text LIKE '*\(guess)*'",
                "NOT text CONTAINS[cd] '\(guess)'", "title BEGINSWITH '\(guess)'",
            ] {
                let work = try work(predicate, in: catalog)
                #expect(work.asked == 2, "\(predicate)")
                #expect(work.found.allSatisfy { $0.hasPrefix("Mine") })
            }
        }
        #expect(try work("text CONTAINS 'mine'", in: catalog).found.sorted() == ["Mine too.stedoc", "Mine.stedoc"])
    }

    /// Nor is it asked of what changes meanwhile.
    @Test func changesAreLeftOutAsWell() throws {
        let searched = try SearchedContainer("text Mine one\ntext Theirs one"), catalog = try searched.catalog()
        _ = try SearchedContainer.found("TRUEPREDICATE", in: catalog)
        var query = CatalogQuery(try Predicate("text CONTAINS 'two'", now: Moment(seconds: 1_772_712_000)))
        query.admits = { { _, stored, _ in stored.bytes.starts(with: "Mine".utf8) } }
        let live = try LiveQuery(query, in: catalog)
        try live.gather { _ in }
        for name in ["Theirs", "Mine"] { try Data("two".utf8).write(to: URL(fileURLWithPath: searched.made.stored("\(name).stedoc"))) }
        var found: [String] = []
        while found.isEmpty { found += try live.next(milliseconds: 1000).added.map { String(decoding: $0.storedPath, as: UTF8.self) } }
        #expect(found == ["Mine.stedoc"])
    }
}
