import Containers
import Databases
import Foundation
import LinuxFiles
import MountTesting
import Predicates
import SeededNumbers
import Testing

@testable import Catalog

/// The container changes, and the catalog follows; it is damaged, and nobody notices.
@Suite struct CatalogUpdateTests {
    /// A container that changes at random: each time the catalog finds what is there, as one that was made anew.
    @Test(arguments: [11, 12] as [UInt64])
    func changesAreFollowed(_ seed: UInt64) throws {
        let searched = try SearchedContainer(seed: seed)
        let place = CatalogPlace.file(folder: searched.made.beside("cache"), name: "catalog")
        var numbers = SeededNumbers(seed: seed), catalog = try searched.catalog(place)
        for round in 0..<12 {
            for _ in 0..<3 { try Self.changeSomething(in: searched.made, round, &numbers) }
            if round % 4 == 3 {
                catalog.close()
                catalog = try searched.catalog(place)
                #expect(!catalog.isInMemory)
            }
            let found = try Self.everything(in: catalog), there = try Self.everything(in: searched)
            for path in Set(found.keys).union(there.keys) { #expect(found[path] == there[path], "\(path), round \(round)") }
            // Twice is none the more.
            #expect(try SearchedContainer.found("TRUEPREDICATE", in: catalog).sorted() == searched.naive("TRUEPREDICATE"))
        }
    }

    private static func everything(in catalog: Catalog) throws -> [String: String] {
        var found: [String: String] = [:]
        try catalog.search(CatalogQuery(try Predicate("hidden IN {TRUE, FALSE}", now: Moment(nanoseconds: 0)))) { item in
            found[String(decoding: item.storedPath, as: UTF8.self)] = "\(String(decoding: item.shownPath, as: UTF8.self)) \(item.item.size) \(item.item.kind.name) \(String(decoding: item.item.url ?? [], as: UTF8.self))"
            return true
        }
        return found
    }

    private static func everything(in searched: SearchedContainer) throws -> [String: String] {
        func text(_ value: Value) -> String { if case .text(let bytes) = value { String(decoding: bytes, as: UTF8.self) } else { "" } }
        return Dictionary(try searched.items().map { item in
            guard case .number(let size) = item.value(.size) else { return (item.path, "") }
            return (item.path, "\(text(item.value(.path))) \(Int(size)) \(text(item.value(.kind))) \(text(item.value(.url)))")
        }) { first, _ in first }
    }

    static func changeSomething(in made: TemporaryContainer, _ round: Int, _ numbers: inout SeededNumbers) throws {
        let folder = ["", "Pictures/"].randomElement(using: &numbers) ?? ""
        let entries = try FileManager.default.contentsOfDirectory(atPath: made.stored(folder)).sorted().filter { $0 != ".valise" && $0 != "Pictures" }
        let some = made.stored(folder + (entries.randomElement(using: &numbers) ?? "none"))
        switch Int.random(in: 0..<8, using: &numbers) {
        case 0: try? FileManager.default.removeItem(atPath: some)
        case 1: rename(some, some + "x")
        case 2: try made.add("bookmark 'Swift' https://swift.org/\(round) 'stored=\(folder)Bookmark_Swift-1772359\(Int.random(in: 100...999, using: &numbers)).000000'")
        case 3: try made.add("text '\(folder)Note \(round)' 'one \(round)'")
        // In its place, which the folder's time does not tell.
        case 4: if let file = FileHandle(forWritingAtPath: some) { file.seekToEndOfFile(); file.write(Data("more".utf8)); try file.close() }
        case 5: try made.add("photo 'Pictures/Photo \(round % 3)' png size=\(600 + round)")
        case 6: rename(some, made.stored("Pictures/moved \(round)"))
        default: try made.add("file '\(folder)Other.url' \(round)\nfolder 'Pictures/Deep \(round)'\ntext 'Pictures/Deep \(round)/Inner' x")
        }
    }

    /// A second search reads no folder: it asks each what it is like, and no more.
    @Test func whatDidNotChangeIsNotRead() throws {
        let searched = try SearchedContainer("texts 200 a\nfolder Sub\ntexts 200 Sub/b\nfile old.txt x")
        let cache = ["XDG_CACHE_HOME": searched.made.beside("cache")]
        func reads() throws -> (folders: Int, files: Int) {
            let trace = searched.made.beside("trace")
            let ended = try run("strace", "-f", "-o", trace, "-e", "trace=getdents64,openat,pread64", Places.valise, "find", "--limit", "1", "text CONTAINS 'none of them'", searched.made.path, environment: cache).good()
            #expect(ended.output.isEmpty)
            let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
            return (lines.count { $0.contains("getdents64(") }, lines.count { $0.contains("openat(") && $0.contains(".stedoc\"") })
        }
        let first = try reads()
        #expect(first.folders > 0 && first.files >= 400)
        // What is so new that it could change without a sign is read once more.
        try #require(eventually { (try? reads().folders) == 0 })
        let second = try reads()
        #expect(second.folders == 0 && second.files == 0)
        try searched.made.add("text Sub/new 'none of them'")
        let third = try run(Places.valise, "find", "text CONTAINS 'none of them'", searched.made.path, environment: cache).good()
        #expect(third.lines == [searched.made.stored("Sub/new.stedoc")])
    }

    /// A catalog's file is nowhere where somebody else could prepare or exchange it: who searches as root would write into it.
    @Test(.enabled(if: geteuid() == 0, "needs to make files of somebody else's")) func aFileThatSomebodyElseCouldChangeIsNotUsed() throws {
        let searched = try SearchedContainer(seed: 5), top = searched.made.beside("home"), folder = top + "/cache/valise", file = folder + "/catalog"
        let place = CatalogPlace.file(folder: folder, name: "catalog"), manager = FileManager.default
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        func isUsed(_ place: CatalogPlace) throws -> Bool {
            let catalog = try searched.catalog(place)
            defer { catalog.close() }
            #expect((CatalogReader(place, .shipped) != nil) == !catalog.isInMemory)
            return !catalog.isInMemory
        }
        func remade(_ change: () -> Void) throws {
            try manager.removeItem(atPath: top)
            try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
            change()
        }
        #expect(try isUsed(place))
        for part in [top, top + "/cache", folder] {
            try remade { chown(part, 65534, 65534) }
            #expect(try !isUsed(place), "\(part) is theirs")
            try remade { chmod(part, 0o777) }
            #expect(try !isUsed(place), "\(part) is everybody's")
            try remade { _ = (chown(part, 0, 65534), chmod(part, 0o775)) }
            #expect(try !isUsed(place), "\(part) is a group's")
            #expect(try manager.contentsOfDirectory(atPath: folder).isEmpty)
        }
        try remade { chmod(top, 0o1777) }
        #expect(try isUsed(place))
        // What they prepared: a file of theirs, or one that has another name elsewhere.
        for prepare in [{ _ = chown(file, 65534, 65534) }, { _ = link(file, top + "/second") }, { _ = chmod(file, 0o666) }] as [() -> Void] {
            try remade { _ = manager.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o600]) }
            prepare()
            #expect(try !isUsed(place))
            #expect(try manager.attributesOfItem(atPath: file)[.size] as? Int == 0)
        }
        // A link on the way is followed if nobody else can make it another one.
        let way = CatalogPlace.file(folder: top + "/way/valise", name: "catalog")
        try remade { symlink("cache", top + "/way") }
        #expect(try isUsed(way))
        try remade { _ = (symlink("cache", top + "/way"), lchown(top + "/way", 65534, 65534)) }
        #expect(try !isUsed(way))
    }

    private enum Damage: CaseIterable { case cut, emptied, flipped, text, folder, fullFolder, version, another, planted, link, lock, gone, wal }

    /// Whatever somebody did to the catalog's file, the answer is right.
    @Test func damageIsNotSeen() throws {
        let searched = try SearchedContainer(seed: 5)
        let folder = searched.made.beside("cache"), file = folder + "/catalog", place = CatalogPlace.file(folder: folder, name: "catalog")
        let expected = try searched.naive("TRUEPREDICATE"), fresh = try searched.catalog(place)
        #expect(try SearchedContainer.found("TRUEPREDICATE", in: fresh).sorted() == expected)
        fresh.close()
        let good = try Data(contentsOf: URL(fileURLWithPath: file))
        var numbers = SeededNumbers(seed: 9)
        for damage in Damage.allCases + Array(repeating: .flipped, count: 12) + Array(repeating: .cut, count: 4) {
            try Self.damage(damage, file, good, &numbers)
            let catalog = try searched.catalog(place)
            #expect(try SearchedContainer.found("TRUEPREDICATE", in: catalog).sorted() == expected, "\(damage)")
            #expect(try SearchedContainer.found("name CONTAINS[c] 'swift'", in: catalog).sorted() == searched.naive("name CONTAINS[c] 'swift'"), "\(damage)")
            // While somebody has it open.
            try Self.damage(damage, file, good, &numbers)
            #expect(try SearchedContainer.found("TRUEPREDICATE", in: catalog).sorted() == expected, "\(damage)")
            catalog.close()
            try shell("rm -rf \"$1\"/catalog*", folder).good()
        }
    }

    private static func damage(_ damage: Damage, _ file: String, _ good: Data, _ numbers: inout SeededNumbers) throws {
        var bytes = good
        let url = URL(fileURLWithPath: file)
        switch damage {
        case .cut: bytes = bytes.prefix(Int.random(in: 1..<bytes.count, using: &numbers))
        case .emptied: bytes = Data()
        case .flipped: for _ in 0..<40 { bytes[Int.random(in: 0..<bytes.count, using: &numbers)] ^= UInt8.random(in: 1...255, using: &numbers) }
        case .text: bytes = Data("no database at all".utf8)
        case .folder, .fullFolder:
            try? FileManager.default.removeItem(atPath: file)
            mkdir(file, 0o755)
            if damage == .fullFolder { try Data("kept".utf8).write(to: url.appendingPathComponent("kept")) }
            return
        case .link:
            try? FileManager.default.removeItem(atPath: file)
            symlink("/dev/null", file)
            return
        case .gone: return _ = try? FileManager.default.removeItem(atPath: file)
        case .lock:
            try? FileManager.default.removeItem(atPath: file + ".lock")
            mkdir(file + ".lock", 0o755)
            return
        case .wal: return try Data("no log".utf8).write(to: URL(fileURLWithPath: file + "-wal"))
        case .version, .another, .planted:
            try? FileManager.default.removeItem(atPath: file)
            let sql = damage == .version ? "PRAGMA user_version=0" : damage == .another ? "UPDATE facts SET value='x'" : "CREATE VIEW planted AS SELECT * FROM items"
            try bytes.write(to: url)
            let database = try Database(path: file)
            return try database.execute(sql)
        }
        // As another program does: the file stays the one that it is.
        guard let handle = FileHandle(forWritingAtPath: file) else { return try bytes.write(to: url) }
        try handle.truncate(atOffset: 0)
        handle.write(bytes)
        try handle.close()
    }

    /// Where there is no room or no permission, it is in memory.
    @Test func withoutAFileItIsInMemory() throws {
        let searched = try SearchedContainer("text Notes one")
        for folder in ["/proc/none", "/dev/null/x", searched.made.stored("Notes.stedoc")] {
            let catalog = try searched.catalog(.file(folder: folder, name: "catalog"))
            #expect(catalog.isInMemory)
            #expect(try SearchedContainer.found("TRUEPREDICATE", in: catalog) == ["Notes.stedoc"])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: searched.made.path) == ["Notes.stedoc"])
    }

    /// A catalog whose filling was cut off has no indexes yet: it finds what is there, and the next whole pass makes them.
    @Test func indexesComeAtTheEnd() throws {
        let searched = try SearchedContainer("texts 30 a\ntexts 30 Sub/b")
        let place = CatalogPlace.file(folder: searched.made.beside("cache"), name: "catalog")
        func indexes() throws -> Int64? {
            try Database(path: searched.made.beside("cache/catalog")).integer("SELECT count(*) FROM sqlite_schema WHERE type='index' AND name LIKE 'items%'")
        }
        let first = try searched.catalog(place)
        #expect(try SearchedContainer.found("TRUEPREDICATE", in: first) { $0.limit = 1 }.count == 1)
        first.close()
        #expect(try indexes() == 3)
        let second = try searched.catalog(place)
        #expect(!second.isInMemory)
        #expect(try SearchedContainer.found("name LIKE 'a*' OR name LIKE 'b*'", in: second).count == 60)
        #expect(try SearchedContainer.found("name == 'a0001.txt'", in: second) == SearchedContainer.found("stored == 'a0001.stedoc'", in: second))
        second.close()
        #expect(try indexes() == 9)
        #expect(try !searched.catalog(place).isInMemory)
        // So it is for whoever goes through it bit by bit.
        try FileManager.default.removeItem(atPath: searched.made.beside("cache"))
        let third = try searched.catalog(place)
        var walk = third.newWalk()
        while !walk.isOver {
            #expect(try indexes() == 3)
            _ = try third.step(&walk)
        }
        third.close()
        #expect(try indexes() == 9)
    }

    /// A process that reads a container and is killed at any moment leaves a catalog that the next one finishes.
    @Test func killedWhileItReads() throws {
        let rounds = ProcessInfo.processInfo.environment["VALISE_FIND_KILLS"].flatMap { Int($0) } ?? 8
        let searched = try SearchedContainer("texts 700 a\nfolder Sub\ntexts 300 Sub/b")
        let cache = ["XDG_CACHE_HOME": searched.made.beside("cache")]
        var numbers = SeededNumbers(seed: 3)
        for round in 0..<rounds {
            try searched.made.add("text 'New \(round)' x\ntext 'Sub/New \(round)' y")
            if round % 4 == 0 { try? FileManager.default.removeItem(atPath: searched.made.beside("cache")) }
            let program = try Program([Places.valise, "find", "TRUEPREDICATE", searched.made.path], environment: cache)
            usleep(UInt32.random(in: 0...200_000, using: &numbers))
            program.end()
        }
        let last = try run(Places.valise, "find", "TRUEPREDICATE", searched.made.path, environment: cache).good()
        #expect(last.lines.count == 1000 + 2 * rounds)
        #expect(Set(last.lines).count == last.lines.count)
        let words = try run(Places.valise, "find", "name BEGINSWITH 'New' AND text CONTAINS 'y'", searched.made.path, environment: cache).good()
        #expect(words.lines.count == rounds)
    }
}
