import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Containers

/// What versions are called, and which of them stay.
@Suite struct VersionNameTests {
    @Test(arguments: [
        (Int64(0), Int32(0), "1970-01-01T00-00-00.000000Z"), (1_795_303_653, 123_456_789, "2026-11-21T23-27-33.123456Z"),
        (-1, 999_999_999, "1969-12-31T23-59-59.999999Z"), (Int64.max, 0, "9999-12-31T23-59-59.000000Z"), (Int64.min, 0, "0000-01-01T00-00-00.000000Z"),
    ])
    func timesAreNames(seconds: Int64, nanoseconds: Int32, text: String) {
        let id = VersionID(Timestamp(seconds: seconds, nanoseconds: nanoseconds))
        #expect(id.text == text)
        #expect(VersionID(text) == id)
    }

    /// Its parts know each other, and end with it: a program may open many containers, one after the other.
    @Test func aWorkshopEndsWithAllItsParts() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("valise-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        weak var versions: VersionKeeping?
        weak var thinning: VersionRemoval?
        do {
            let workshop = try Workshop.open(in: Container.open(path, access: .readWrite, kinds: .shipped), purpose: "a trial", versions: .standard)
            (versions, thinning) = (workshop.parts.versions, workshop.parts.thinning)
            #expect(versions != nil && thinning != nil)
            withExtendedLifetime(workshop) {}
        }
        #expect(versions == nil && thinning == nil)
    }

    @Test func marksTellApartWhatIsOfOneMoment() {
        let time = Timestamp(seconds: 1_795_303_653)
        let first = VersionID(time), second = VersionID(time, mark: "2"), later = VersionID(Timestamp(seconds: 1_795_303_654))
        #expect(first < second && second < later)
        #expect(VersionID(time, mark: "a/b c\0ü").text == "2026-11-21T23-27-33.000000Z_a-b-c--")
        #expect(VersionID(second.text) == second)
    }

    @Test(arguments: ["", "x", "2026-11-21", "2026-11-21T23-27-33.123456", "2026-13-21T23-27-33.123456Z", "2026-11-21T23-27-33.+23456Z", "2026-11-21T23-27-33.123456Zx"])
    func othersAreNone(text: String) { #expect(VersionID(text) == nil) }

    @Test(arguments: [(false, false), (true, false), (true, true)])
    func entriesSayAllFacts(isConflict: Bool, isResolved: Bool) throws {
        let version = DocumentVersion(
            id: VersionID(Timestamp(seconds: 1_795_303_653)), computer: "a/lap@top " + String(repeating: "ü", count: 200), isConflict: isConflict,
            isResolved: isResolved, location: .kept(Name(constant: "x")))
        let entry = try #require(version.entry)
        let read = try #require(DocumentVersion(entry: entry))
        #expect(read.id == version.id && read.isConflict == isConflict && read.isResolved == isResolved)
        #expect(read.computer.hasPrefix("a-lap@top ü"))
        #expect(read.entry == entry)
        #expect(read.isDiscardable == !(isConflict && !isResolved))
    }

    @Test(arguments: ["Album", "2026-11-21T23-27-33.123456Z", "2026-11-21T23-27-33.123456Z other@x", "2026-11-21T23-27-33.123456Z conflict x@x"])
    func otherEntriesAreNone(name: String) throws {
        let name = try #require(Name(name))
        #expect(DocumentVersion(entry: name) == nil)
    }
}

/// Whether a document may be in a conflict, for whoever opens very many.
@Suite struct KnownCopiesTests {
    @Test func copiesThatComeAndGoAreSeen() throws {
        let folder = try TemporaryFolder()
        let container = try Container.open(folder.path, access: .readWrite, creating: [], kinds: .shipped)
        let note = try #require(Name("Notes.stedoc")), copy = folder.path + "/Notes.sync-conflict-20261121-232733-ABCDEFG.stedoc"
        func mayBeInConflict() throws -> Bool { try container.mayBeInConflict(at: [note], in: container.documents, parts: nil) }
        try Data("one".utf8).write(to: URL(fileURLWithPath: folder.path + "/Notes.stedoc"))
        for _ in 0..<50 {
            #expect(try !mayBeInConflict())
            try Data("two".utf8).write(to: URL(fileURLWithPath: copy))
            #expect(try mayBeInConflict())
            try FileManager.default.removeItem(atPath: copy)
        }
        // Long ago: the folder is read once, until it changes.
        usleep(30_000)
        for _ in 0..<3 { #expect(try !mayBeInConflict()) }
        try Data("two".utf8).write(to: URL(fileURLWithPath: copy))
        #expect(try mayBeInConflict())
    }
}

@Suite struct ThinningTests {
    private static let now: Int64 = 1_795_303_653

    private func version(_ age: Int64, conflict: Bool = false) -> DocumentVersion {
        DocumentVersion(
            id: VersionID(Timestamp(seconds: Self.now - age)), computer: "x", isConflict: conflict, isResolved: false, location: .kept(Name(constant: "x")))
    }

    private func kept(_ versions: [DocumentVersion]) -> [Int64] {
        let gone = Set(VersionPolicy.superfluous(versions))
        return versions.filter { !gone.contains($0) }.map { Self.now - $0.modified.seconds }
    }

    @Test func theLastHourStaysWhole() {
        #expect(kept((0..<60).map { version($0 * 60) }).count == 60)
    }

    @Test func olderOnesAreThinnedToHoursDaysAndWeeks() {
        // One an hour for a year, and more in the last one.
        let ages = kept((0..<(365 * 24)).map { version($0 * 3600) } + (1..<6).map { version($0 * 600) })
        #expect(ages.filter { $0 < 3600 }.count == 6)
        #expect((23...25).contains(ages.filter { (3600..<86_400).contains($0) }.count))
        #expect((29...31).contains(ages.filter { (86_400..<(30 * 86_400)).contains($0) }.count))
        #expect((47...50).contains(ages.filter { $0 >= 30 * 86_400 }.count))
        // Doing it again changes nothing.
        #expect(Set(kept(ages.map { version($0) })) == Set(ages))
    }

    @Test func aClockThatJumpsDestroysNotEverything() {
        // An hour's work, and then one save in a far future.
        let versions = [version(-3_000_000_000)] + (0..<60).map { version($0 * 60) }
        #expect(kept(versions).count >= 10)
        // What was made while the clock was behind is old by its name only.
        #expect(kept((0..<9).map { version($0 * 60) } + [version(900_000_000)]).count == 10)
    }

    @Test func whatNobodyHasDecidedAboutStays() {
        let versions = (0..<100).map { version(100_000 + $0, conflict: true) }
        #expect(kept(versions).count == 100)
    }
}

/// Names that sync tools give.
@Suite struct SyncCopyTests {
    @Test(arguments: [
        ("Notes.sync-conflict-20261121-232733-ABCDEFG.stedoc", "Notes.stedoc", "ABCDEFG"),
        ("Bookmark_Swift-1772355901.sync-conflict-20261121-232733-ABCDEFG.000001", "Bookmark_Swift-1772355901.000001", "ABCDEFG"),
        ("Notes (conflicted copy 2026-11-21 232733).stedoc", "Notes.stedoc", "another computer"),
        ("Notes (conflicted copy anna 2026-11-21 232733).stedoc", "Notes.stedoc", "anna"),
        ("Notes (Anna's conflicted copy 2026-11-21).stedoc", "Notes.stedoc", "Anna"),
        ("Notes (Anna’s MacBook's conflicted copy 2026-11-21 (1)).stedoc", "Notes.stedoc", "Anna’s MacBook"),
        ("Cat (conflicted copy 2026-11-21 232733).ptk", "Cat.ptk", "another computer"),
        ("Bookmark_Swift-1772355901.000001 2", "Bookmark_Swift-1772355901.000001", "iCloud"),
        ("Bookmark_Swift-1772355901 2.000001", "Bookmark_Swift-1772355901.000001", "iCloud"),
    ])
    func areUnderstood(name: String, original: String, source: String) throws {
        let copy = try #require(Name(name).flatMap { SyncCopy($0) })
        #expect(copy.copied == Name(original) && copy.source == source)
        // Syncthing's copies have the computer in their names whose side they are not.
        #expect(copy.computer == (source == "ABCDEFG" ? "Syncthing" : source))
    }

    @Test(arguments: [
        "Notes.stedoc", "Notes 2.stedoc", "Cat 2.ptk", "Bookmark_Swift 2", "Bookmark_Swift 2-1772355901.000001", "conflict", ".sync-conflict-x", "conflicted copy",
        "Notes.sync-conflict-2026-232733-ABCDEFG.stedoc", " (conflicted copy 1)", "(conflicted copy)", "A conflicted copy of a letter.stedoc",
    ])
    func othersAreNone(name: String) throws {
        let name = try #require(Name(name))
        #expect(SyncCopy(name) == nil)
    }

    @Test(arguments: [
        ("Cat.sync-conflict-20261121-232733-ABCDEFG.ptk", "Cat.ptk", "Dog.ptk", "Dog.sync-conflict-20261121-232733-ABCDEFG.ptk"),
        ("AA.sync-conflict-20261121-232733-AAAA.stedoc", "AA.stedoc", "B.stedoc", "B.sync-conflict-20261121-232733-AAAA.stedoc"),
        ("Cat (conflicted copy 2026-11-21 232733).ptk", "Cat.ptk", "Cat.ptk (1).ptk", "Cat.ptk (1) (conflicted copy 2026-11-21 232733).ptk"),
        ("Bookmark_Swift-1772355901 2.000001", "Bookmark_Swift-1772355901.000001", "Bookmark_C-1772355901.000001", "Bookmark_C-1772355901 2.000001"),
        ("Cat.sync-conflict-20261121-232733-ABCDEFG.ptk", "Cat.ptk", "Cat", nil),
    ])
    func followTheirOriginal(copy: String, original: String, name: String, renamed: String?) throws {
        let all = try [copy, original, name].map { try #require(Name($0)) }
        #expect(SyncCopy.renamed(all[0], of: all[1], to: all[2]) == renamed.flatMap { Name($0) })
    }

    @Test func insidePackagesNumbersCount() throws {
        #expect(SyncCopy(Name(constant: "photo 2.data"), insidePackage: true)?.copied == Name(constant: "photo.data"))
        #expect(SyncCopy(Name(constant: "photo.sync-conflict-20261121-232733-ABCDEFG.data"), insidePackage: true)?.copied == Name(constant: "photo.data"))
        #expect(SyncCopy(Name(constant: "photo.data"), insidePackage: true) == nil)
    }
}

/// What versions take up on the store.
@Suite struct VersionRoomTests {
    /// A container with texts and versions of them: each one's, the oldest first, by their sizes. They are holes.
    private func withVersions(_ shelves: [String: [Int]], _ body: (Workshop, (String) -> [String]) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("valise-versions-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        func shelf(_ name: String) -> URL { folder.appendingPathComponent(".valise/versions/\(name).stedoc") }
        for (name, sizes) in shelves {
            try FileManager.default.createDirectory(at: shelf(name), withIntermediateDirectories: true)
            try Data("now".utf8).write(to: folder.appendingPathComponent("\(name).stedoc"))
            for (number, size) in sizes.enumerated() {
                let file = shelf(name).appendingPathComponent("2026-01-0\(number + 1)T00-00-00.000000Z\(size == 0 ? " conflict" : "")@here")
                try Data().write(to: file)
                truncate(file.path, size)
            }
        }
        // What is a tenth of this does not depend on how much is free where the test runs.
        for name in ["holes", "more holes"] {
            try Data().write(to: folder.appendingPathComponent(name))
            truncate(folder.appendingPathComponent(name).path, 15 << 40)
        }
        let container = try Container.open(folder.path, access: .readWrite, kinds: .shipped)
        try body(try Workshop.open(in: container, purpose: "tried", versions: .standard)) { name in
            (try? FileManager.default.contentsOfDirectory(atPath: shelf(name).path))?.map { String($0.prefix(10).suffix(2)) }.sorted() ?? []
        }
    }

    /// Of three of them all have their room: a tenth of what the container is said to be large.
    private static let large = 900 << 30

    @Test func theOldestGoBeyondTheShare() throws {
        try withVersions(["One": [Self.large, Self.large, Self.large, Self.large, Self.large]]) { workshop, left in
            let removed = try workshop.commit(.thin).thinned
            #expect(removed == 1)
            #expect(left("One") == ["02", "03", "04", "05"])
            #expect(workshop.earlyRemovals == EarlyRemoval(items: 1, tooLarge: 0, size: Int64(Self.large)))
            let more = try workshop.commit(.thin).thinned
            #expect(more == 0)
        }
    }

    /// However large it is, and others lose nothing for it.
    @Test func theNewestOfEachStays() throws {
        try withVersions(["One": [Self.large, 10 * Self.large], "Two": [1, 2, Self.large]]) { workshop, left in
            try workshop.commit(.thin)
            #expect(left("One") == ["01", "02"])
            #expect(left("Two") == ["01", "02", "03"])
            #expect(workshop.earlyRemovals == EarlyRemoval())
        }
    }

    /// A large text was saved twice: what it was goes, and nothing of another one.
    @Test func whatIsLargerThanTheRoomGoesAlone() throws {
        try withVersions(["Large": [4 << 40, 4 << 40], "Note": [1, 2, 3, 4]]) { workshop, left in
            try workshop.commit(.thin)
            #expect(left("Large") == ["02"])
            #expect(left("Note") == ["01", "02", "03", "04"])
            #expect(workshop.earlyRemovals == EarlyRemoval(items: 1, tooLarge: 1, size: 4 << 40))
        }
    }

    @Test func aFullStoreTakesThemBack() throws {
        try withVersions(["One": [1, 0, 3, 4], "Two": [1]]) { workshop, left in
            let first = try workshop.commit(.makeRoom)
            #expect(!first.isUnchanged)
            #expect(left("One") == ["02", "04"])
            #expect(left("Two") == ["01"])
            let second = try workshop.commit(.makeRoom)
            #expect(!second.isUnchanged)
            // Nobody has decided about that one.
            #expect(left("One") == ["02"])
            #expect(left("Two") == [])
            let third = try workshop.commit(.makeRoom)
            #expect(third.isUnchanged)
        }
    }
}
