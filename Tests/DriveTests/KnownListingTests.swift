import Databases
import Foundation
import LinuxFiles
import MountTesting
import Predicates
import Testing

@testable import Catalog
@testable import Containers
@testable import Drive

/// A folder is listed with what the catalog knows of its documents, as far as a look at each says that it is what it was.
@Suite struct KnownListingTests {
    private static let description = (0..<40).map { "bookmark Swift\($0) https://swift.org/\($0)\ntext Notes\($0) \"\($0) words\"\nphoto Cat\($0) png" }.joined(separator: "\n")
        + "\nbookmark Swift1 https://b.org stored=Bookmark_Swift1-1772355902.000000\nfile plain.bin x\nfolder Sub\nfile odd.stedoc/x y"

    /// What a listing tells of each entry.
    private func listing(_ drive: Drive, of folder: NodeID = .root) throws -> [String: Attributes] {
        let opened = try drive.openFolder(folder, caller: .own)
        defer { drive.releaseFolder(opened.handle) }
        var found: [String: Attributes] = [:]
        try drive.readFolder(opened.handle, from: 0, counting: false) { entry in
            if let name = entry.name {
                var attributes = entry.entry.attributes
                // Numbers are given anew by each drive.
                attributes.node = .root
                attributes.accessed = attributes.modified
                found[name.description] = attributes
            }
            return true
        }
        return found
    }

    private func reopen(_ tested: SearchedDrive) throws {
        _ = tested.drive.parts.searches.begin(CatalogQuery(try Predicate("FALSEPREDICATE", now: Moment(nanoseconds: 0)))).results(waiting: 20_000)
        #expect(eventually { tested.drive.parts.catalog.isSettled })
        tested.close()
    }

    private func open(_ tested: SearchedDrive) throws {
        try tested.open()
        tested.drive.parts.catalog.driveAnswers()
        #expect(eventually { tested.drive.parts.catalog.state.withLock { $0.readable != nil } })
    }

    /// Another program's change of the catalog, that nobody notices.
    private func change(_ tested: SearchedDrive, _ body: (Database) throws -> Void) throws {
        try body(try Database(path: tested.container.stored(".valise/catalog.sqlite")))
        // As one that a killed process left.
        unlink(tested.container.stored(".valise/catalog.sqlite.seal"))
    }

    @Test func aListingIsThatOfTheContainer() throws {
        let tested = try SearchedDrive(Self.description)
        let read = try listing(tested.drive)
        #expect(read.count == 124)
        try reopen(tested)
        try open(tested)
        let known = try listing(tested.drive)
        for (name, attributes) in read { #expect(known[name] == attributes, "\(name)") }
        #expect(known.count == read.count)
        // What changed while nobody had it: one written over in its place, one replaced, a part of one, one that is something else now.
        try reopen(tested)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: tested.container.stored("Notes2.stedoc")))
        try (bytes + Data("more".utf8)).write(to: URL(fileURLWithPath: tested.container.stored("Notes2.stedoc")))
        try tested.container.add("bookmark Swift3 https://another.org/very/long\nphoto Cat4 png")
        try FileManager.default.removeItem(atPath: tested.container.stored("Notes5.stedoc"))
        try tested.container.add("file Notes5.stedoc/y z")
        let cat = tested.container.stored("Cat6.ptk/photo.data")
        let handle = try #require(FileHandle(forWritingAtPath: cat))
        try handle.truncate(atOffset: 10)
        try handle.close()
        try open(tested)
        let followed = try listing(tested.drive)
        tested.close()
        for suffix in ["", "-wal", "-shm", ".seal"] { unlink(tested.container.stored(".valise/catalog.sqlite\(suffix)")) }
        try tested.open()
        let anew = try listing(tested.drive)
        for (name, attributes) in anew { #expect(followed[name] == attributes, "\(name)") }
        #expect(followed.count == anew.count)
    }

    /// What the catalog says is used, and is not believed where somebody changed it.
    @Test(arguments: [false, true]) func theCatalogIsUsed(_ isSummed: Bool) throws {
        let tested = try SearchedDrive(Self.description)
        let read = try listing(tested.drive)
        try reopen(tested)
        try change(tested) { database in
            let rows = try database.newStatement("SELECT id, stored, coalesce(natural, shown), kind, size, stamp, sum FROM items")
            var sums: [(Int64, Int64)] = []
            while try rows.step() {
                let kind = try #require(ItemKind(code: rows.integer(3), .shipped))
                #expect(rows.integer(6) == KnownDocuments.sum(rows.text(1), rows.text(2), kind, rows.integer(4), rows.integer(5)))
                sums.append((rows.integer(0), KnownDocuments.sum(rows.text(1), rows.text(2), kind, rows.integer(4) + 1000, rows.integer(5))))
            }
            rows.reset()
            try database.execute("UPDATE items SET size=size+1000")
            for (id, sum) in sums where isSummed { try database.run("UPDATE items SET sum=? WHERE id=?", .integer(sum), .integer(id)) }
        }
        try open(tested)
        let known = try listing(tested.drive)
        let grown = known.filter { $0.value.size == (read[$0.key]?.size ?? 0) + 1000 }.count
        #expect(isSummed ? grown > 100 : grown == 0)
        for (name, attributes) in read where !isSummed { #expect(known[name] == attributes, "\(name)") }
    }

    /// A document whose name was given to it, and its item does not tell it.
    @Test func keptNames() throws {
        let tested = try SearchedDrive(Self.description)
        try tested.rename("Notes7.txt", to: "a%b%0a.md")
        let read = try listing(tested.drive)
        #expect(read["a%b%0a.md"] != nil)
        try reopen(tested)
        try open(tested)
        let known = try listing(tested.drive)
        #expect(known.keys.sorted() == read.keys.sorted())
    }
}
