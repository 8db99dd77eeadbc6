import Catalog
import Containers
import Foundation
import LinuxFiles
import MountTesting
import Predicates
import SeededNumbers
import Synchronization
import Testing

@testable import Drive

/// Searches in a drive that is mounted nowhere: what is found, and what is told of it.
@Suite struct SearchingTests {
    private func query(_ text: String) throws -> CatalogQuery { CatalogQuery(try Predicate(text, now: Moment(seconds: 1_772_712_000))) }

    private func paths(_ results: SearchResults) -> [String] { results.items.map { $0.path.map(\.description).joined(separator: "/") } }

    private func follow(_ search: Search, until expected: [String]) throws {
        #expect(eventually { paths(search.results(waiting: 1000)) == expected }, "\(paths(search.results(waiting: 0))) are not \(expected)")
    }

    @Test(arguments: [SeeingChanges.watch, .poll, .off]) func whatIsFoundFollowsTheDrive(_ seeing: SeeingChanges) throws {
        let tested = try SearchedDrive("text Notes one\nfolder Sub\ntext Sub/Deep two\nphoto Cat png", seeing)
        let changes = Told()
        let search = tested.drive.parts.searches.begin(try query("kind == 'text'")) { changes.add($0) }
        #expect(paths(search.results(waiting: 20_000)) == ["Notes.txt", "Sub/Deep.txt"])
        #expect(search.results(waiting: 20_000).isWhole)
        // Through the drive.
        try tested.write("Third.txt", "three")
        try follow(search, until: ["Notes.txt", "Sub/Deep.txt", "Third.txt"])
        try tested.rename("Third.txt", to: "Fourth.txt")
        try follow(search, until: ["Fourth.txt", "Notes.txt", "Sub/Deep.txt"])
        // Outside, where nobody has looked on the drive, and in a folder that is new.
        guard seeing != .off else { return search.end() }
        try tested.container.add("text Sub/New five\ntext Other/Deep/Sixth six")
        try follow(search, until: ["Fourth.txt", "Notes.txt", "Other/Deep/Sixth.txt", "Sub/Deep.txt", "Sub/New.txt"])
        try FileManager.default.removeItem(atPath: tested.container.stored("Other"))
        try follow(search, until: ["Fourth.txt", "Notes.txt", "Sub/Deep.txt", "Sub/New.txt"])
        #expect(changes.results == Set(paths(search.results(waiting: 0))))
        search.end()
        try tested.container.add("text Last seven")
        #expect(paths(search.results(waiting: 0)) == ["Fourth.txt", "Notes.txt", "Sub/Deep.txt", "Sub/New.txt"])
    }

    /// Names are those of the drive: who got a number there keeps it.
    /// Nobody who searches waits for a thread that all other programs go before.
    @Test func whoSearchesIsNotWaitedForLast() throws {
        let tested = try SearchedDrive("text Notes one"), own = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        let priorities = Locked<[Int32]>([])
        for number in 0..<3 {
            let search = tested.drive.parts.searches.begin(CatalogQuery(try Predicate("TRUEPREDICATE", now: Moment(nanoseconds: 0)))) { _ in
                priorities.withLock { $0.append(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)) }
            }
            #expect(search.results(waiting: 20_000).items.count == number + 1)
            try tested.container.add("text Other\(number) two")
            #expect(eventually { search.results(waiting: 0).items.count == number + 2 })
            search.end()
        }
        #expect(priorities.withLock { !$0.isEmpty && $0.allSatisfy { $0 == own } })
    }

    @Test func namesAreThoseOfTheDrive() throws {
        let tested = try SearchedDrive("""
            bookmark Swift https://a.org stored=Bookmark_Swift-1772355901.000000
            bookmark Swift https://b.org stored=Bookmark_Swift-1772355902.000000
            """)
        let search = tested.drive.parts.searches.begin(try query("url CONTAINS 'b.org'"))
        #expect(paths(search.results(waiting: 20_000)) == ["Swift 1.url"])
        _ = try tested.list()
        unlink(tested.container.stored("Bookmark_Swift-1772355901.000000"))
        #expect(try eventually { try tested.list() == ["Swift 1.url"] })
        try follow(search, until: ["Swift 1.url"])
    }

    /// Who makes folders in each other for ever keeps nobody else from what was found: that is told as cut.
    @Test func foldersThatLieTooDeepAreLeftOut() throws {
        let tested = try SearchedDrive("text Notes one\nfolder Sub\ntext Sub/Deep two")
        try FileManager.default.createDirectory(
            atPath: tested.container.stored(Array(repeating: "d", count: Catalog.deepest + 50).joined(separator: "/")), withIntermediateDirectories: true)
        let search = tested.drive.parts.searches.begin(try query("kind == 'text'")), results = search.results(waiting: 20_000)
        #expect(paths(results) == ["Notes.txt", "Sub/Deep.txt"] && results.isWhole)
        #expect(tested.drive.parts.searches.areCut)
        search.end()
    }

    /// What changed before a search began is in its results.
    @Test func whatWasDoneBeforeIsFound() throws {
        let tested = try SearchedDrive("folder Sub")
        tested.drive.parts.searches.begin(try query("TRUEPREDICATE")).end()
        for index in 0..<10 {
            try tested.container.add("text Sub/\(index) x")
            try tested.write("\(index).txt", "y")
            let search = tested.drive.parts.searches.begin(try query("name == '\(index).txt'"))
            #expect(paths(search.results(waiting: 20_000)) == ["\(index).txt", "Sub/\(index).txt"])
            search.end()
        }
    }

    /// The catalog lies in Valise's own folder; without it, or with another file in its place, the same is found.
    @Test(arguments: ["deleted", "cut", "a folder", "rubbish"]) func itIsMadeAnew(_ damage: String) throws {
        let tested = try SearchedDrive("text Notes one\ntext Other two"), path = tested.container.path + "/.valise/catalog.sqlite"
        func find() throws -> [String] {
            let search = tested.drive.parts.searches.begin(try query("TRUEPREDICATE"))
            defer { search.end() }
            return paths(search.results(waiting: 20_000))
        }
        #expect(try find() == ["Notes.txt", "Other.txt"])
        tested.close()
        #expect(FileManager.default.fileExists(atPath: path))
        switch damage {
        case "deleted": unlink(path)
        case "cut": truncate(path, 5000)
        case "a folder":
            unlink(path)
            mkdir(path, 0o755)
        default: try Data(repeating: 7, count: 100_000).write(to: URL(fileURLWithPath: path))
        }
        try tested.open()
        #expect(try find() == ["Notes.txt", "Other.txt"])
        #expect(!tested.drive.parts.catalog.state.withLock { $0.isInMemory })
    }

    /// Who searches just when it is noticed that its file is gone is answered from the new one.
    @Test func itIsRemovedInUse() throws {
        let tested = try SearchedDrive("text Notes one"), path = tested.container.path + "/.valise/catalog.sqlite"
        for _ in 0..<2 {
            let search = tested.drive.parts.searches.begin(try query("TRUEPREDICATE"))
            let results = search.results(waiting: 20_000)
            #expect(paths(results) == ["Notes.txt"] && results.isWhole)
            search.end()
            unlink(path)
            usleep(1_200_000)
        }
    }

    /// Its files are cut while the drive has them open, those that SQLite would map among them: whoever serves the drive goes on.
    @Test func itIsCutInUse() throws {
        let tested = try SearchedDrive("text Notes one"), folder = tested.container.path + "/.valise"
        var names: Set<String> = ["Notes.txt"], numbers = SeededNumbers(seed: 7)
        for round in 0..<40 {
            try tested.container.add("text \(round) x")
            names.insert("\(round).txt")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("catalog.sqlite") }.sorted()
            #expect(!files.contains { $0.hasSuffix("-shm") })
            if let file = files.randomElement(using: &numbers) { truncate("\(folder)/\(file)", off_t(Int.random(in: 0..<60_000, using: &numbers))) }
            let search = tested.drive.parts.searches.begin(try query("TRUEPREDICATE"))
            #expect(Set(paths(search.results(waiting: 20_000))) == names, "\(round)")
            search.end()
        }
    }
}

/// What a search was told, put together.
private final class Told: Sendable {
    private let known = Mutex<(number: UInt64, paths: Set<String>)>((0, []))

    func add(_ change: SearchChange) {
        func path(_ result: SearchResult) -> String { result.path.map(\.description).joined(separator: "/") }
        known.withLock { known in
            #expect(change.number == known.number + 1)
            known.number = change.number
            for result in change.removed { #expect(known.paths.remove(path(result)) != nil) }
            for result in change.added { #expect(known.paths.insert(path(result)).inserted) }
            for result in change.changed { #expect(known.paths.contains(path(result))) }
        }
    }

    var results: Set<String> { known.withLock { $0.paths } }
}

/// A drive with what is in a container, that follows what others change there.
final class SearchedDrive {
    let container: TemporaryContainer
    private var opened: Drive?
    private let seeing: SeeingChanges
    private let caller = Caller(user: geteuid(), group: getegid(), thread: 1)

    init(_ description: String, _ seeing: SeeingChanges = .watch) throws {
        container = try TemporaryContainer(description)
        self.seeing = seeing
        opened = try Self.opened(container, seeing)
    }

    deinit { close() }

    private static func opened(_ made: TemporaryContainer, _ seeing: SeeingChanges) throws -> Drive {
        let container = try Container.open(made.path, access: .readWrite, kinds: .shipped)
        var options = DriveOptions()
        (options.changes, options.keepsVersions) = (seeing, true)
        let workshop = try whenUnlocked({ $0.errno == .tryAgain }) { () throws(Failure) in
            try Workshop.open(in: container, purpose: "tested", versions: .off)
        }
        let drive = Drive(container: container, options: options, workshop: workshop)
        drive.parts.outside.start()
        return drive
    }

    /// Until it is closed.
    var drive: Drive {
        guard let opened else { preconditionFailure("the drive is closed") }
        return opened
    }

    func close() {
        opened?.close()
        opened = nil
    }

    /// What ran in the background may hold the one before for a moment.
    func open() throws {
        eventually {
            opened = try? Self.opened(container, seeing)
            return opened != nil
        }
        if opened == nil { opened = try Self.opened(container, seeing) }
    }

    private func name(_ text: String) throws -> Name { try #require(Name(text)) }

    func lookUp(_ text: String, in folder: NodeID = .root) throws -> NodeID { try drive.lookUp(.name(name(text)), in: folder, caller: caller).node }

    func list(_ folder: NodeID = .root) throws -> [String] {
        let opened = try drive.openFolder(folder, caller: caller)
        defer { drive.releaseFolder(opened.handle) }
        var names: [String] = []
        try drive.readFolder(opened.handle, from: 0, counting: false) { entry in
            if let name = entry.name { names.append(name.description) }
            return true
        }
        return names.sorted()
    }

    func write(_ text: String, _ content: String) throws {
        let (_, opened) = try drive.create(name(text), in: .root, mode: 0o644, flags: O_RDWR | O_CREAT, caller: caller)
        _ = try drive.write(opened.handle, at: 0, count: content.utf8.count) { (descriptor, offset) throws(Errno) in
            let count = pwrite(descriptor, Array(content.utf8), content.utf8.count, off_t(offset))
            guard count >= 0 else { throw .current }
            return count
        }
        try drive.flush(opened.handle)
        drive.release(opened.handle)
    }

    func rename(_ old: String, to new: String) throws { try drive.rename(name(old), in: .root, to: name(new), in: .root, flags: 0, caller: caller) }
}
