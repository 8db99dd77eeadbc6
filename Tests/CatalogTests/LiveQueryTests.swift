import Containers
import Foundation
import LinuxFiles
import MountTesting
import Predicates
import SeededNumbers
import Testing

@testable import Catalog

/// Results that follow the container.
@Suite(.waiting) struct LiveQueryTests {
    private func live(_ predicate: String, _ searched: SearchedContainer, _ place: CatalogPlace = .memory) throws -> LiveQuery {
        try LiveQuery(CatalogQuery(try Predicate(predicate, now: Moment(seconds: 1_772_712_000))), in: searched.catalog(place))
    }

    private func names(_ items: [FoundItem]) -> [String] { items.map { String(decoding: $0.shownPath, as: UTF8.self) }.sorted() }

    /// Takes updates until the results are so.
    private func follow(_ query: LiveQuery, until expected: [String]) throws -> [LiveQuery.Update] {
        var updates: [LiveQuery.Update] = []
        let isSo = try eventually {
            if names(query.results) == expected { return true }
            let update = try query.next(milliseconds: 50)
            if !update.isEmpty { updates.append(update) }
            return names(query.results) == expected
        }
        #expect(isSo, "\(names(query.results)) are not \(expected)")
        return updates
    }

    @Test func whatChangesIsTold() throws {
        let searched = try SearchedContainer("text Notes one\nphoto Cat png\nfolder Sub")
        let query = try live("kind == 'text'", searched)
        var gathered: [FoundItem] = []
        try query.gather { gathered.append($0) }
        #expect(names(gathered) == ["Notes.txt"] && names(query.results) == ["Notes.txt"] && !query.isGathering)

        try searched.made.add("text Second two\ntext Sub/Third three")
        let added = try follow(query, until: ["Notes.txt", "Second.txt", "Sub/Third.txt"])
        #expect(names(added.flatMap(\.added)) == ["Second.txt", "Sub/Third.txt"])

        // A folder that is new itself, with what is in it.
        try searched.made.add("text New/Deep/Fourth four")
        _ = try follow(query, until: ["New/Deep/Fourth.txt", "Notes.txt", "Second.txt", "Sub/Third.txt"])

        unlink(searched.made.stored("Second.stedoc"))
        let removed = try follow(query, until: ["New/Deep/Fourth.txt", "Notes.txt", "Sub/Third.txt"])
        #expect(names(removed.flatMap(\.removed)) == ["Second.txt"])

        rename(searched.made.stored("New"), searched.made.stored("Old"))
        _ = try follow(query, until: ["Notes.txt", "Old/Deep/Fourth.txt", "Sub/Third.txt"])

        try Data("longer than it was".utf8).write(to: URL(fileURLWithPath: searched.made.stored("Notes.stedoc")))
        #expect(try eventually { try query.next(milliseconds: 50).changed.contains { $0.item.stored.description == "Notes.stedoc" } })
        #expect(query.results.contains { $0.item.size == 18 })
    }

    /// What is in a large folder is handed on while it is read, each item once; and what is none after all is said to have gone.
    @Test(arguments: [false, true]) func whatIsThereIsToldEarly(isForOneQuery: Bool) throws {
        let searched = try SearchedContainer("text Many/Notes one\ntext Many/Notes.sync-conflict-20261121-232733-ABCDEFG theirs")
        for number in 0..<9000 { #expect(FileManager.default.createFile(atPath: searched.made.stored("Many/\(number).dat"), contents: nil)) }
        let catalog = try searched.catalog()
        catalog.isForOneQuery = isForOneQuery
        let query = try LiveQuery(CatalogQuery(try Predicate("name LIKE '*o*' OR name LIKE '*.dat'", now: Moment(seconds: 0))), in: catalog)
        var told: [String: Int] = [:], gone: [String] = [], early = 0, isRead = false
        catalog.progress = { if $0 > 4000 { isRead = true } }
        try query.gatherEarly({ item in
            told[String(decoding: item.storedPath, as: UTF8.self), default: 0] += 1
            if !isRead { early += 1 }
        }, gone: { gone.append(String(decoding: $0.storedPath, as: UTF8.self)) })
        #expect(told.count - gone.count == 9001 && gone.allSatisfy { $0.hasPrefix("Many/Notes.sync-conflict-") } && told["Many/Notes.stedoc"] == 1)
        #expect(told.filter { $0.key.hasSuffix(".dat") }.values.allSatisfy { $0 == 1 })
        #expect(query.results.count == 9001 && early > 4000)
        try searched.made.add("text Many/Moved two")
        #expect(try eventually { try query.next(milliseconds: 50).added.contains { $0.item.stored.description == "Moved.stedoc" } })
    }

    /// What was read before a look was broken off is no news when it is made again, and told all the same.
    /// Also where only the folders in it are left to be looked at.
    @Test(arguments: [false, true]) func whatWasBrokenOffIsTold(isSettled: Bool) throws {
        let searched = try SearchedContainer("text Notes one\ntext Gone two\ntext Same three\ntext Sub/Inner four")
        let catalog = try searched.catalog()
        catalog.isGivenUp = true
        var walk = catalog.newWalk()
        while !walk.isOver { _ = try catalog.step(&walk) }
        let results = QueryResults(CatalogQuery(try Predicate("kind == 'text'", now: Moment(seconds: 0)))), top = try #require(catalog.folder(at: [], in: .documents))
        try catalog.gather(results, isConfirmed: true)

        try searched.made.add("text New five\ntext Other/Deep six")
        try Data("longer than it was".utf8).write(to: URL(fileURLWithPath: searched.made.stored("Notes.stedoc")))
        unlink(searched.made.stored("Gone.stedoc"))
        try FileManager.default.removeItem(atPath: searched.made.stored("Sub"))
        if isSettled { usleep(200_000) }
        catalog.pause = { _ in false }
        let failure = #expect(throws: Failure.self) { try catalog.look(again: nil, at: top) }
        #expect(failure?.errno == .tryAgain)
        // A few names are looked at to the end, and others are told of nothing by that.
        #expect(try !catalog.look(again: [try #require(Name("Same.stedoc"))], at: top).isEmpty)

        catalog.pause = nil
        _ = #expect(throws: Failure.self) {
            catalog.pause = { _ in false }
            _ = try catalog.look(again: nil, at: top)
        }
        let unreported = catalog.takeUnreported()
        catalog.pause = nil
        for folder in unreported { results.lookAgain(at: folder) }
        var update = QueryResults.Update()
        for change in try catalog.look(again: nil, at: top) {
            let one = try results.take(change, in: catalog)
            (update.added, update.changed, update.removed) = (update.added + one.added, update.changed + one.changed, update.removed + one.removed)
        }
        #expect(names(update.added) == ["New.txt", "Other/Deep.txt"] && names(update.removed) == ["Gone.txt", "Sub/Inner.txt"])
        // What was written a moment ago may be told once more.
        #expect(Set(names(update.changed)).subtracting(["Same.txt"]) == ["Notes.txt"])
        #expect(names(Array(results.all)) == ["New.txt", "Notes.txt", "Other/Deep.txt", "Same.txt"])
    }

    /// Whoever looks late is told what is so now, and nothing of what came and went meanwhile.
    @Test func whatCameAndWentIsNotTold() throws {
        let searched = try SearchedContainer("text A/Kept one\ntext B/Moved two\nfolder C")
        let query = try live("kind == 'text'", searched)
        try query.gather { _ in }
        try searched.made.add("text C/Short three")
        rename(searched.made.stored("B/Moved.stedoc"), searched.made.stored("C/Moved.stedoc"))
        rename(searched.made.stored("C"), searched.made.stored("D"))
        unlink(searched.made.stored("D/Short.stedoc"))
        try FileManager.default.removeItem(atPath: searched.made.stored("A/Kept.stedoc"))
        try searched.made.add("text A/Kept 'one more'")
        let updates = try follow(query, until: ["A/Kept.txt", "D/Moved.txt"])
        var told: Set<String> = ["A/Kept.txt", "B/Moved.txt"]
        for update in updates {
            let (added, removed) = (names(update.added), names(update.removed))
            #expect(Set(added).isDisjoint(with: removed) && told.isDisjoint(with: added) && told.isSuperset(of: removed + names(update.changed)))
            told = told.subtracting(removed).union(added)
        }
        #expect(told == ["A/Kept.txt", "D/Moved.txt"])
    }

    /// A folder goes and another one has its name before anybody looks.
    @Test func aFolderIsReplaced() throws {
        let searched = try SearchedContainer("text Sub/Old one\ntext Other/Deep/New two\nfolder Empty")
        let query = try live("kind == 'text'", searched)
        try query.gather { _ in }
        try FileManager.default.removeItem(atPath: searched.made.stored("Sub"))
        mkdir(searched.made.stored("Sub"), 0o755)
        try searched.made.add("text Sub/Third three")
        rename(searched.made.stored("Other/Deep"), searched.made.stored("Empty"))
        _ = try follow(query, until: ["Empty/New.txt", "Sub/Third.txt"])
        // They are watched.
        try searched.made.add("text Sub/Fourth four\ntext Empty/Fifth five")
        _ = try follow(query, until: ["Empty/Fifth.txt", "Empty/New.txt", "Sub/Fourth.txt", "Sub/Third.txt"])
    }

    /// `cp -r`, `tar` and `rsync` make a package's folder and fill it then: it becomes a document by what comes into it, wherever it lies, and is a folder again
    /// where that goes.
    @Test(arguments: ["Cat.ptk", "New/Deep/Cat.ptk"]) func aPackageIsFilledSlowly(path: String) throws {
        let searched = try SearchedContainer("text Notes one"), other = try SearchedContainer("photo Cat png size=5000")
        let query = try live("kind == 'photo'", searched), files = FileManager.default
        try query.gather { _ in }
        var folder = searched.made.path
        for name in path.split(separator: "/") {
            folder += "/\(name)"
            mkdir(folder, 0o755)
            // All that is to be said of it is taken while it is empty.
            while try !query.next(milliseconds: 50).isEmpty {}
        }
        let shown = path.replacingOccurrences(of: ".ptk", with: ".png")
        for part in try files.contentsOfDirectory(atPath: other.made.stored("Cat.ptk")).sorted(by: >) {
            #expect(query.results.isEmpty)
            // Under another name first, as rsync has it.
            try files.copyItem(atPath: other.made.stored("Cat.ptk/\(part)"), toPath: folder + "/.\(part).1")
            _ = try query.next(milliseconds: 50)
            rename(folder + "/.\(part).1", folder + "/\(part)")
            _ = try query.next(milliseconds: 50)
        }
        _ = try follow(query, until: [shown])
        // What is in it is none of the container's.
        let all = try live("TRUEPREDICATE", searched)
        try all.gather { _ in }
        #expect(names(all.results) == [shown, "Notes.txt"].sorted())
        rename(folder + "/photo.data", folder + "/gone")
        _ = try follow(query, until: [])
        rename(folder + "/gone", folder + "/photo.data")
        _ = try follow(query, until: [shown])
    }

    /// What comes into a package while its folder is gone through is noticed, or read: it is watched before it is read.
    @Test func aPackageIsWatchedBeforeItIsRead() throws {
        final class Filling: FolderWatching {
            let fill: (String) -> Void
            init(_ fill: @escaping (String) -> Void) { self.fill = fill }
            func watch(_ place: OpenFile, of folder: Int64, package: Name?) {}
            func watch(_ package: Name, in folder: Int64, _ place: OpenFile) { fill("\(package)") }
        }
        let searched = try SearchedContainer("photo Cat png size=500"), catalog = try searched.catalog()
        catalog.startFollowing(Filling { _ in _ = try? searched.made.add("photo Cat png size=5000") })
        var walk = catalog.newWalk()
        while !walk.isOver { _ = try catalog.step(&walk) }
        let results = QueryResults(CatalogQuery(try Predicate("size > 1000", now: Moment(seconds: 0))))
        try catalog.gather(results, isConfirmed: true)
        #expect(names(Array(results.all)) == ["Cat.png"])
    }

    /// Watching 100,000 packages takes a second: the first ones are told of before.
    @Test func theFirstAreToldOfBeforeAllPackagesAreWatched() throws {
        final class Counting: FolderWatching {
            var count = 0
            func watch(_ place: OpenFile, of folder: Int64, package: Name?) {}
            func watch(_ package: Name, in folder: Int64, _ place: OpenFile) { count += 1 }
        }
        let searched = try SearchedContainer("photos 1500 IMG_"), catalog = try searched.catalog(), watching = Counting()
        var watched: Int?
        catalog.early = { items, _ in if !items.isEmpty, watched == nil { watched = watching.count } }
        catalog.startFollowing(watching)
        var walk = catalog.newWalk()
        while !walk.isOver { _ = try catalog.step(&walk) }
        #expect((watched ?? .max) < 1000 && watching.count == 1500, "\(String(describing: watched)) of \(watching.count)")
    }

    /// One that fits no more goes, and one that fits now comes; a part of a package is enough.
    @Test func whatFitsChanges() throws {
        let searched = try SearchedContainer("text Notes one\nphoto Cat png size=500")
        let query = try live("size > 1000", searched)
        try query.gather { _ in }
        #expect(query.results.isEmpty)
        try Data(repeating: 0x61, count: 2000).write(to: URL(fileURLWithPath: searched.made.stored("Notes.stedoc")))
        _ = try follow(query, until: ["Notes.txt"])
        try searched.made.add("photo Cat png size=5000")
        _ = try follow(query, until: ["Cat.png", "Notes.txt"])
        try Data("x".utf8).write(to: URL(fileURLWithPath: searched.made.stored("Notes.stedoc")))
        _ = try follow(query, until: ["Cat.png"])
    }

    @Test func updatesAreHeldBack() throws {
        let searched = try SearchedContainer("text A a\ntext B b\ntext C c")
        let query = try live("TRUEPREDICATE", searched)
        try query.gather { _ in }
        query.disableUpdates()
        query.disableUpdates()
        unlink(searched.made.stored("A.stedoc"))
        try searched.made.add("text D d")
        try Data("more than b".utf8).write(to: URL(fileURLWithPath: searched.made.stored("B.stedoc")))
        // Nothing is told, whatever comes.
        for _ in 0..<5 { #expect(try query.next(milliseconds: 20).isEmpty) }
        #expect(names(query.results) == ["A.txt", "B.txt", "C.txt"])
        #expect(query.enableUpdates().isEmpty)
        #expect(names(query.results) == ["A.txt", "B.txt", "C.txt"])
        var all = query.enableUpdates()
        // What was not noticed yet comes after it.
        for update in try follow(query, until: ["B.txt", "C.txt", "D.txt"]) {
            all.added += update.added
            all.changed += update.changed
            all.removed += update.removed
        }
        #expect(names(all.added) == ["D.txt"] && names(all.removed) == ["A.txt"])
        #expect(query.enableUpdates().isEmpty)
    }

    @Test func resultsStayWhenItIsStopped() throws {
        let searched = try SearchedContainer("text A a\ntext B b")
        let query = try live("TRUEPREDICATE", searched)
        try query.gather { _ in }
        query.disableUpdates()
        query.stop()
        #expect(names(query.results) == ["A.txt", "B.txt"])
        unlink(searched.made.stored("A.stedoc"))
        #expect(try query.next(milliseconds: 10).isEmpty)
        #expect(names(query.results) == ["A.txt", "B.txt"] && query.isStopped)
    }

    /// Names follow from all that is in a folder.
    @Test func numbersAreGivenAnew() throws {
        let searched = try SearchedContainer("bookmark Swift https://a.org stored=Bookmark_Swift-1772355902.000000")
        let query = try live("kind == 'bookmark'", searched)
        try query.gather { _ in }
        try searched.made.add("bookmark Swift https://b.org stored=Bookmark_Swift-1772355901.000000")
        _ = try follow(query, until: ["Swift 1.url", "Swift.url"])
        #expect(query.results.first { $0.item.shown.description == "Swift.url" }?.item.url == Array("https://b.org".utf8))
        unlink(searched.made.stored("Bookmark_Swift-1772355901.000000"))
        _ = try follow(query, until: ["Swift.url"])
        #expect(query.results.first?.item.url == Array("https://a.org".utf8))
    }

    /// The kernel tells of a move in two halves, one after the other: no update has only one of them, whoever is interrupted in between.
    @Test func aMoveComesInOneUpdate() throws {
        let searched = try SearchedContainer("text A a\nfolder Sub"), query = try live("kind == 'text'", searched)
        try query.gather { _ in }
        let places = ["A.stedoc", "B.stedoc", "Sub/B.stedoc"].map { searched.made.stored($0) }, goOn = DispatchSemaphore(value: 0)
        let moves = 3000
        let mover = Thread {
            for move in 0..<moves {
                goOn.wait()
                rename(places[move % 3], places[(move + 1) % 3])
            }
        }
        mover.start()
        var halves = 0
        for _ in 0..<moves {
            goOn.signal()
            var there = 0, gone = 0
            while there == 0 || gone == 0 {
                let update = try query.next(milliseconds: 0)
                if update.added.count != update.removed.count { halves += 1 }
                (there, gone) = (there + update.added.count, gone + update.removed.count)
            }
        }
        #expect(halves == 0)
    }

    /// It begins with what the file knows, and has a catalog of its own from then on: what another search writes down there first is told all the same.
    @Test func whatAnotherSearchWroteDownFirstIsTold() throws {
        let searched = try SearchedContainer("text A a\ntext B b\nfolder Sub\ntext Sub/C c"), cache = try TemporaryFolder()
        let place = CatalogPlace.file(folder: cache.path, name: "catalog")
        let first = try searched.catalog(place)
        _ = try SearchedContainer.found("TRUEPREDICATE", in: first)
        first.close()
        let own = try Catalog(of: searched.container, apartFrom: place), other = try searched.catalog(place)
        #expect(!other.isInMemory)
        let sub = try #require(Name("Sub"))
        #expect(own.isInMemory && own.folders.folder(at: [sub], in: .documents) != nil)
        let query = try LiveQuery(CatalogQuery(try Predicate("kind == 'text'", now: Moment(nanoseconds: 0))), in: own)
        try query.gather { _ in }
        #expect(names(query.results) == ["A.txt", "B.txt", "Sub/C.txt"])
        for step in 0..<10 {
            unlink(searched.made.stored("A.stedoc"))
            rename(searched.made.stored("Sub"), searched.made.stored("Sub \(step)"))
            try searched.made.add("text New/D d")
            _ = try SearchedContainer.found("TRUEPREDICATE", in: other)
            _ = try follow(query, until: ["B.txt", "New/D.txt", "Sub \(step)/C.txt"])
            rename(searched.made.stored("Sub \(step)"), searched.made.stored("Sub"))
            try searched.made.add("text A a")
            try FileManager.default.removeItem(atPath: searched.made.stored("New"))
            _ = try SearchedContainer.found("TRUEPREDICATE", in: other)
            _ = try follow(query, until: ["A.txt", "B.txt", "Sub/C.txt"])
        }
    }

    /// Where the kernel has too few watches, what is noticed is told without a look at all the rest, and the rest is found by one.
    @Test func whatIsNotWatchedIsFound() throws {
        let searched = try SearchedContainer("text Notes one\nphoto Cat png\ntext Sub/Inner two"), catalog = try searched.catalog()
        for number in 0..<1200 { #expect(FileManager.default.createFile(atPath: searched.made.stored("Sub/\(1000 + number).dat"), contents: nil)) }
        // The top folder alone.
        try catalog.startWatching(most: 1)
        let query = try LiveQuery(CatalogQuery(try Predicate("kind != 'plain' OR size > 0", now: Moment(seconds: 0))), in: catalog)
        try query.gather { _ in }
        #expect(names(query.results) == ["Cat.png", "Notes.txt", "Sub/Inner.txt"])
        // In the middle of a folder that is not watched, and in it.
        try Data("content".utf8).write(to: URL(fileURLWithPath: searched.made.stored("Sub/2100.dat")))
        try searched.made.add("text Sub/Second three")
        _ = try follow(query, until: ["Cat.png", "Notes.txt", "Sub/2100.dat", "Sub/Inner.txt", "Sub/Second.txt"])
        // In a package that is not watched.
        let image = searched.made.stored("Cat.ptk/photo.data"), size = query.results.first { $0.item.shown.description == "Cat.png" }?.item.size
        try searched.made.add("photo Other png size=2500")
        _ = try follow(query, until: ["Cat.png", "Notes.txt", "Other.png", "Sub/2100.dat", "Sub/Inner.txt", "Sub/Second.txt"])
        try Data(contentsOf: URL(fileURLWithPath: searched.made.stored("Other.ptk/photo.data"))).write(to: URL(fileURLWithPath: image))
        #expect(try eventually { try query.next(milliseconds: 50).changed.contains { $0.item.shown.description == "Cat.png" && $0.item.size != size } })

        // What is noticed is not told together with what is found by looking at all.
        var isQuiet = false
        while !isQuiet { isQuiet = try query.next(milliseconds: 0).isEmpty }
        unlink(searched.made.stored("Sub/Second.stedoc"))
        unlink(searched.made.stored("Notes.stedoc"))
        let update = try query.next(milliseconds: 50)
        #expect(names(update.removed) == ["Notes.txt"] && update.added.isEmpty)
        _ = try follow(query, until: ["Cat.png", "Other.png", "Sub/2100.dat", "Sub/Inner.txt"])
    }

    /// Of a name that comes or goes, all hear who wait for it; the others are not looked at.
    @Test func namesFollowFromWhatChanges() throws {
        let lines = (1...3).map { "bookmark Swift https://\($0).org stored=Bookmark_Swift-177235590\($0).000000" }
        let searched = try SearchedContainer((lines + ["photo Cat png", "text Notes one"]).joined(separator: "\n"))
        let query = try live("kind != 'plain'", searched)
        try query.gather { _ in }
        func path(_ name: String) -> String { searched.made.stored(name) }
        #expect(names(query.results) == ["Cat.png", "Notes.txt", "Swift 1.url", "Swift 2.url", "Swift.url"])
        // A number is free again, and a name.
        unlink(path("Bookmark_Swift-1772355902.000000"))
        _ = try follow(query, until: ["Cat.png", "Notes.txt", "Swift 1.url", "Swift.url"])
        #expect(query.results.first { $0.item.shown.description == "Swift 1.url" }?.item.url == Array("https://3.org".utf8))
        // Folders and plain files have their own.
        mkdir(path("Cat.png"), 0o755)
        try Data().write(to: URL(fileURLWithPath: path("Notes.txt")))
        _ = try follow(query, until: ["Cat 1.png", "Notes 1.txt", "Swift 1.url", "Swift.url"])
        rmdir(path("Cat.png"))
        unlink(path("Notes.txt"))
        _ = try follow(query, until: ["Cat.png", "Notes.txt", "Swift 1.url", "Swift.url"])
        try Data().write(to: URL(fileURLWithPath: path("Swift 1.url")))
        _ = try follow(query, until: ["Cat.png", "Notes.txt", "Swift 2.url", "Swift.url"])
        unlink(path("Bookmark_Swift-1772355901.000000"))
        _ = try follow(query, until: ["Cat.png", "Notes.txt", "Swift.url"])
    }

    /// A container that changes at random, compared with a fresh gathering now and then.
    @Test func randomChangesAreFollowed() throws {
        let steps = ProcessInfo.processInfo.environment["VALISE_FIND_STEPS"].flatMap { Int($0) } ?? 90
        let searched = try SearchedContainer(seed: 21)
        let query = try live("size < 2000 AND NOT name CONTAINS 'x'", searched)
        try query.gather { _ in }
        var numbers = SeededNumbers(seed: 21)
        for step in 0..<steps {
            try CatalogUpdateTests.changeSomething(in: searched.made, step, &numbers)
            _ = try query.next(milliseconds: 0)
            guard step % 15 == 14 else { continue }
            let fresh = try searched.items().filter { !$0.isHidden && query.isFit($0) }.map { item -> String in
                if case .text(let path) = item.value(.path) { String(decoding: path, as: UTF8.self) } else { "" }
            }.sorted()
            _ = try follow(query, until: fresh)
        }
    }
}

extension LiveQuery {
    fileprivate func isFit(_ item: SearchedContainer.NaiveItem) -> Bool {
        (try? Predicate("size < 2000 AND NOT name CONTAINS 'x'", now: Moment(nanoseconds: 0)).holds(item.value)) ?? false
    }
}
