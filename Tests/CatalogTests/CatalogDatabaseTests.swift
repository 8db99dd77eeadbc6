import Databases
import Foundation
import MountTesting
import Predicates
import Testing

@testable import Catalog

/// When others see what was written, and when it is in the file.
@Suite struct CatalogDatabaseTests {
    private struct Made {
        let searched: SearchedContainer
        let path: String
        let database: Database

        init() throws {
            searched = try SearchedContainer("text Notes one")
            path = searched.made.beside("catalog")
            database = try Database(path: path)
            try CatalogSchema.prepare(database, about: [], .shipped)
        }

        func put(_ text: String, _ key: String) throws { try database.run("INSERT INTO facts VALUES(?, ?)", .text(Array(key.utf8)), .text(Array(text.utf8))) }
        var size: Int { get throws { try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) } }
    }

    @Test func whatIsDoneTogetherIsSeenTogether() throws {
        let made = try Made(), other = try Database(path: made.path)
        func seen() throws -> Int64? { try other.integer("SELECT count(*) FROM facts WHERE name LIKE 'key%'") }
        try made.database.together { () throws(DatabaseFault) in try made.database.execute("INSERT INTO facts VALUES('key1', 'a')") }
        try made.database.together { () throws(DatabaseFault) in try made.database.execute("INSERT INTO facts VALUES('key2', 'b')") }
        #expect(try seen() == 0)
        try made.database.writeDown()
        #expect(try seen() == 2)
        // Nothing is open any more.
        try made.database.writeDown()

        try made.database.together { () throws(DatabaseFault) in try made.database.execute("INSERT INTO facts VALUES('key3', 'c')") }
        #expect(throws: DatabaseFault.self) { try made.database.transaction { () throws(DatabaseFault) in throw DatabaseFault(.damaged, "of this test") } }
        #expect(try made.database.integer("SELECT count(*) FROM facts WHERE name LIKE 'key%'") == 2)
        try made.database.transaction { () throws(DatabaseFault) in try made.database.execute("INSERT INTO facts VALUES('key4', 'd')") }
        #expect(try seen() == 3)
    }

    /// Whoever writes does not wait for the disk, however much it is.
    @Test func theLogIsCarriedOverWhenThereIsTime() throws {
        let made = try Made(), before = try made.size
        for number in 0..<20 { try made.put(String(repeating: "words ", count: 50_000), "key\(number)") }
        #expect(try made.size == before)
        made.database.carryOver(above: 1_000_000)
        #expect(try made.size == before)
        made.database.carryOver()
        let carried = try made.size
        #expect(carried > before + 20 * 300_000)
        // Little can wait.
        try made.put("words", "another")
        made.database.carryOver()
        #expect(try made.size == carried)
    }

    /// What stands in nearly every address is not asked for, as long as there is something else to ask for.
    @Test(arguments: [
        ("url CONTAINS 'https://www.walnut'", ["w.w", ".wa", "wal", "aln", "lnu", "nut"]), ("url CONTAINS 'www'", ["www"]), ("url BEGINSWITH[c] 'http://'", ["htt", "ttp", "tp:", "p:/", "://"]),
        ("name CONTAINS 'nut'", ["nut"]),
    ])
    func commonWordsAreLeftOut(_ predicate: String, _ words: [String]) throws {
        let condition = try #require(PredicateSQL(try Predicate(predicate, now: Moment(seconds: 0)), .shipped).condition)
        #expect(condition.values == [.text(Array(words.sorted().map { "\"\($0)\"" }.joined(separator: " AND ").utf8))])
        #expect(!condition.isExact)
    }
}
