import Containers
import Coordination
import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Drive

/// What is deleted and made anew under its stored name, as it was: nothing was deleted.
@Suite struct ReturnedDocumentTests {
    private let drive = try! UnmountedDrive(keeps: true)

    /// How the item is made that a tool sends.
    enum Way: CaseIterable, Sendable { case renamed, inPlace }

    private func send(_ content: String, _ way: Way, as name: String = "Notes.stedoc", in folder: NodeID = UnmountedDrive.root) throws {
        switch way {
        case .renamed:
            _ = try drive.make(".\(name).x7", content, in: folder)
            try drive.rename(".\(name).x7", in: folder, to: name)
        case .inPlace: _ = try drive.make(name, content, in: folder)
        }
    }

    /// A text that was written twice, and is shown under its own name.
    private func makeNotes(in folder: NodeID = UnmountedDrive.root) throws {
        let node = try drive.make("Notes.txt", "one", in: folder), handle = try drive.open(node, 1)
        try drive.write(Array("two".utf8), to: handle)
        try drive.flush(handle)
        drive.release(handle)
    }

    private var deleted: [DeletedItem] { drive.drive.parts.workshop?.deletedItems ?? [] }
    private func versions(_ folder: String = "") throws -> [String] {
        try shell("find .valise/versions/\(folder) -type f -printf '%P\\n' | sed 's|/[^/]*$||' | sort", in: drive.path).good().lines
    }

    /// At once, and after a while in which it is among the deleted.
    @Test(arguments: Way.allCases, [true, false]) func itIsUndone(way: Way, atOnce: Bool) throws {
        try makeNotes()
        #expect(try versions() == ["Notes.stedoc"])
        for _ in 1...3 {
            try drive.unlink("Notes.txt")
            if !atOnce { drive.drive.parts.removed.forgetAll() }
            #expect(deleted.count == 1)
            try send("two", way)
            #expect(deleted.isEmpty)
            #expect(try versions() == ["Notes.stedoc"])
            #expect(try drive.list().names == ["Notes.txt"])
            #expect(drive.storedBytes("Notes.stedoc") == Array("two".utf8))
        }
    }

    /// Another content is another document: the deleted one stays, and its versions with it.
    @Test(arguments: Way.allCases, [true, false]) func anotherContentIsNot(way: Way, atOnce: Bool) throws {
        try makeNotes()
        try drive.unlink("Notes.txt")
        if !atOnce { drive.drive.parts.removed.forgetAll() }
        try send("three", way)
        #expect(deleted.count == 1)
        let item = try #require(deleted.first)
        #expect(try drive.drive.parts.container.versionCount(of: item) == 1)
        // What was deleted before that is found, too.
        drive.drive.parts.tree.forgetReading(of: NodeNumber.root)
        #expect(try drive.list().names == ["Notes.txt"])
        try drive.unlink("Notes.txt")
        drive.drive.parts.removed.forgetAll()
        try send("two", way)
        #expect(deleted.count == 1)
        #expect(deleted.first?.number != item.number)
        #expect(try versions() == ["Notes.stedoc"])
    }

    /// Under the name that it was shown under, when that is not the same document by itself any more.
    @Test func alsoUnderItsShownName() throws {
        try makeNotes()
        try drive.unlink("Notes.txt")
        drive.drive.parts.removed.forgetAll()
        _ = try drive.make("Notes.txt", "two")
        #expect(deleted.isEmpty)
        #expect(try versions() == ["Notes.stedoc"])
    }

    /// A document that goes on, over what there is or within a moment, is not one that was deleted before: it keeps its own attributes, and gets no others.
    @Test func whatGoesOnIsNotAnother() throws {
        try drive.setAttribute("user.tag", of: drive.make("Notes.txt", "one"), to: Array("red".utf8))
        try drive.unlink("Notes.txt")
        drive.drive.parts.removed.forgetAll()
        _ = try drive.make("Notes.txt", "two")
        _ = try drive.make("new", "one")
        try drive.rename("new", to: "Notes.txt")
        #expect(throws: Errno.noData) { try drive.attribute("user.tag", of: drive.lookUp("Notes.txt")) }
        #expect(deleted.count == 1)
        let goesOn = try drive.lookUp("Notes.txt")
        try drive.setAttribute("user.tag", of: goesOn, to: Array("green".utf8))
        for way in ["renamed", "written"] {
            try drive.unlink("Notes.txt")
            if way == "renamed" {
                _ = try drive.make("new", "three")
                try drive.rename("new", to: "Notes.txt")
            } else { _ = try drive.make("Notes.txt", "four") }
            #expect(try drive.attribute("user.tag", of: drive.lookUp("Notes.txt")) == "green")
        }
        #expect(deleted.count == 1)
    }

    /// A new one with the content of one that was deleted is that one, with its attributes and the name that it is given.
    @Test func aNewOneWithItsContentIsThatOne() throws {
        try drive.setAttribute("user.tag", of: drive.make("Notes.txt", "one"), to: Array("red".utf8))
        try drive.unlink("Notes.txt")
        drive.drive.parts.removed.forgetAll()
        _ = try drive.make("new", "one")
        try drive.rename("new", to: "Notes.txt")
        #expect(try drive.attribute("user.tag", of: drive.lookUp("Notes.txt")) == "red")
        #expect(deleted.isEmpty)
        #expect(try drive.list().names == ["Notes.txt"])
    }

    /// What an app removes while it waits for its lane to be saved is a new document, and so one that was deleted perhaps.
    @Test func whatLosesItsItemBeforeItIsSaved() throws {
        let node = try drive.make("Notes.txt", "one"), handle = try drive.open(node, O_RDWR), parts = drive.drive.parts
        let id = NodeNumber(UInt32(truncatingIfNeeded: node.rawValue)), isSaved = DispatchSemaphore(value: 0)
        try drive.write(Array("two".utf8), to: handle)
        parts.coordinator.write(LaneID(id)) {
            Thread.detachNewThread { [drive = drive.drive] in
                try? drive.flush(handle)
                isSaved.signal()
            }
            usleep(300_000)
            unlink(drive.stored("Notes.stedoc"))
            _ = parts.tree.withLock { $0.loseItem(id) }
        }
        isSaved.wait()
        drive.release(handle)
        #expect(drive.storedBytes("Notes.stedoc") == Array("two".utf8))
        #expect(try drive.list().names == ["Notes.txt"])
    }

    /// Nothing is taken for something of another folder, whatever number that has and whatever it is called by then.
    @Test func anotherFolderIsAnother() throws {
        let album = try drive.makeFolder("Album")
        try makeNotes(in: album)
        try drive.unlink("Notes.txt", in: album)
        try drive.removeFolder("Album")
        let other = try drive.makeFolder("Other")
        try send("two", .inPlace, in: other)
        #expect(deleted.count == 1)
        let again = try drive.makeFolder("Album")
        try send("two", .inPlace, in: again)
        #expect(deleted.isEmpty)
        #expect(try versions("Album") == ["Notes.stedoc"])
    }
}
