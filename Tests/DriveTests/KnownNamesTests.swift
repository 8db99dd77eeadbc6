import Coordination
import Foundation
import LinuxFiles
import MountTesting
import Predicates
import Testing

@testable import Catalog
@testable import Drive

/// A document is found in a folder that nobody has listed, without reading the folder.
@Suite struct KnownNamesTests {
    /// A drive whose catalog knows everything, opened anew.
    private func reopened(_ description: String, largeFolder: String? = nil) throws -> SearchedDrive {
        let tested = try SearchedDrive(description)
        if let largeFolder { try enlarge(tested.container.stored(largeFolder)) }
        _ = tested.drive.parts.searches.begin(CatalogQuery(try Predicate("FALSEPREDICATE", now: Moment(nanoseconds: 0)))).results(waiting: 20_000)
        #expect(eventually { tested.drive.parts.catalog.isSettled })
        tested.close()
        try tested.open()
        tested.drive.parts.catalog.driveAnswers()
        #expect(eventually { tested.drive.parts.catalog.state.withLock { $0.readable != nil } })
        return tested
    }

    private func isUnread(_ folder: NodeID, _ tested: SearchedDrive) -> Bool {
        tested.drive.parts.tree.withLock { tree in tree.node(folder).flatMap { tree.folders[$0] }?.read == nil }
    }

    /// So many entries that the kernel takes its time to watch it.
    private func enlarge(_ folder: String) throws {
        for number in 0..<8000 {
            let file = Foundation.open("\(folder)/\(number) \(String(repeating: "x", count: 240))", O_WRONLY | O_CREAT, 0o644)
            try #require(file >= 0)
            Foundation.close(file)
            if number % 100 == 0, try Descriptor.atPath(folder, .path).status().size > 200_000 { return }
        }
    }

    private func isWatched(_ folder: NodeID, _ tested: SearchedDrive) -> Bool {
        tested.drive.parts.tree.withLock { tree in tree.node(folder).map { tree[$0].watch != 0 } ?? false }
    }

    private func isKnown(_ stored: String, in folder: NodeID, _ tested: SearchedDrive) -> Bool {
        tested.drive.parts.tree.withLock { tree in tree.node(folder).flatMap { folder in Name(stored).flatMap { tree.node(stored: $0, of: folder) } } != nil }
    }

    @Test func oneNameIsFoundWithoutTheOthers() throws {
        let tested = try reopened("folder Sub\nphoto Sub/Cat png\ntext Sub/Notes one\nfile Sub/plain.bin x\nbookmark Swift https://swift.org\nfolder Sub/Inner\ntext Sub/Inner/Deep two")
        let sub = try tested.lookUp("Sub")
        for name in ["Cat.png", "Notes.txt", "plain.bin", "Inner"] { _ = try tested.lookUp(name, in: sub) }
        let inner = try tested.lookUp("Inner", in: sub), deep = try tested.lookUp("Deep.txt", in: inner)
        #expect(isUnread(.root, tested) && isUnread(sub, tested) && isUnread(inner, tested))
        #expect(try tested.lookUp("Deep.txt", in: inner) == deep)
        // What is not there, and what a listing shows: then all is read, and nothing has another number for it.
        #expect(throws: Errno.noSuchEntry) { try tested.lookUp("Nothing.txt", in: inner) }
        #expect(!isUnread(inner, tested))
        #expect(try tested.lookUp("Deep.txt", in: inner) == deep)
        #expect(try tested.list() == ["Sub", "Swift.url"])
        #expect(!isUnread(.root, tested))
    }

    /// Names that follow from others are those of a listing.
    @Test func namesAreThoseOfAListing() throws {
        let tested = try reopened("""
            bookmark Swift https://a.org stored=Bookmark_Swift-1772355901.000000
            bookmark Swift https://b.org stored=Bookmark_Swift-1772355902.000000
            bookmark Other https://c.org stored=Bookmark_Other-1772355903.000000
            """)
        _ = try tested.lookUp("Other.url")
        #expect(isUnread(.root, tested))
        let second = try tested.lookUp("Swift 1.url")
        #expect(!isUnread(.root, tested))
        #expect(try tested.lookUp("Swift.url") != second)
    }

    /// What was changed while nobody had the container, or is changed later, is as it is.
    @Test func whatChangedIsNotBelieved() throws {
        let tested = try reopened("folder Sub\ntext Sub/Notes one\ntext Sub/Other two")
        let sub = try tested.lookUp("Sub")
        _ = try tested.lookUp("Other.txt", in: sub)
        #expect(isUnread(sub, tested))
        try tested.container.add("text Sub/New three")
        _ = try tested.lookUp("New.txt", in: sub)
        unlink(tested.container.stored("Sub/Notes.stedoc"))
        #expect(throws: Errno.noSuchEntry) { try tested.lookUp("Notes.txt", in: sub) }
        #expect(try tested.list(sub) == ["New.txt", "Other.txt"])
    }

    /// Somebody else's change in a folder of which one name is known reaches those who watch it.
    @Test func changesOfOthersAreFollowed() throws {
        let tested = try reopened("folder Sub\ntext Sub/Notes one\ntext Sub/Other two")
        let sub = try tested.lookUp("Sub"), other = try tested.lookUp("Other.txt", in: sub)
        rename(tested.container.stored("Sub/Other.stedoc"), tested.container.stored("Sub/Another.stedoc"))
        #expect(eventually { !isUnread(sub, tested) })
        #expect(try tested.list(sub) == ["Another.txt", "Notes.txt"])
        #expect(throws: Errno.noSuchEntry) { try tested.lookUp("Other.txt", in: sub) }
        #expect(try tested.lookUp("Another.txt", in: sub) != other)
    }

    /// A large folder is watched when what was looked for in it is answered already. That has nobody read it.
    @Test func aLargeFolderIsWatchedLater() throws {
        let tested = try reopened("folder Sub\ntext Sub/Notes one\ntext Sub/Other two\nphoto Sub/Cat png", largeFolder: "Sub")
        let sub = try tested.lookUp("Sub"), notes = try tested.lookUp("Notes.txt", in: sub)
        #expect(eventually { isWatched(sub, tested) })
        #expect(eventually { !tested.drive.parts.noticed.isBehind })
        let cat = try tested.lookUp("Cat.png", in: sub)
        #expect(try tested.lookUp("Notes.txt", in: sub) == notes && tested.lookUp("Cat.png", in: sub) == cat)
        #expect(isUnread(sub, tested))
        // From then on it is followed like others.
        unlink(tested.container.stored("Sub/Notes.stedoc"))
        #expect(eventually { !isKnown("Notes.stedoc", in: sub, tested) })
        #expect(throws: Errno.noSuchEntry) { try tested.lookUp("Notes.txt", in: sub) }
    }

    /// What happens in the time between is seen as well.
    @Test(arguments: [0, 1, 50, 90, 96, 99, 101, 104, 110, 130] as [UInt32]) func whatChangesBeforeItIsWatchedIsSeen(milliseconds: UInt32) throws {
        let tested = try reopened("folder Sub\ntext Sub/Notes one\ntext Sub/Other two", largeFolder: "Sub")
        let sub = try tested.lookUp("Sub")
        _ = try tested.lookUp("Notes.txt", in: sub)
        usleep(milliseconds * 1000)
        rename(tested.container.stored("Sub/Notes.stedoc"), tested.container.stored("Sub/Another.stedoc"))
        // Without another look at it: whoever has the old name cached is told.
        #expect(eventually { !isKnown("Notes.stedoc", in: sub, tested) })
        #expect(throws: Errno.noSuchEntry) { try tested.lookUp("Notes.txt", in: sub) }
        _ = try tested.lookUp("Another.txt", in: sub)
    }

    /// While one folder is brought up to date, notices of others are taken with its own. Those are followed as well, though nothing happens any more
    /// that would wake the one who follows.
    @Test func whatIsNoticedOnTheWayIsFollowed() throws {
        let tested = try reopened("folder Sub\ntext Sub/Notes one\ntext Notes one")
        let parts = tested.drive.parts, sub = try tested.lookUp("Sub")
        _ = try tested.list()
        _ = try tested.list(sub)
        let before = parts.noticed.noticed.load(ordering: .relaxed)
        // Who follows has seen that something happened at the top, and waits for its turn there.
        parts.coordinator.write(LaneID(NodeNumber.root)) {
            rename(tested.container.stored("Notes.stedoc"), tested.container.stored("Another.stedoc"))
            #expect(eventually { parts.noticed.noticed.load(ordering: .relaxed) > before })
            usleep(50_000)
            rename(tested.container.stored("Sub/Notes.stedoc"), tested.container.stored("Sub/Another.stedoc"))
        }
        #expect(eventually { !isKnown("Notes.stedoc", in: sub, tested) })
        #expect(eventually { parts.tree.withLock { $0.node(stored: Name("Notes.stedoc")!, of: NodeNumber.root) } == nil })
    }
}
