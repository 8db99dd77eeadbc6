@testable import DocumentKit
import Foundation
import MountTesting
import Testing

/// A document's file is moved, and the word of that comes at any moment.
@Suite(.waiting, .timeLimit(.minutes(40))) struct ToldMoveTests {
    private func moved() throws -> (file: DocumentFile, old: URL, new: URL) {
        let folder = try OwnContainer.folder(), old = folder.appendingPathComponent("Old.txt"), new = folder.appendingPathComponent("New.txt")
        try Data("one".utf8).write(to: old)
        let file = DocumentFile(old)
        file.mark = DocumentFile.Look(old).mark
        try FileManager.default.moveItem(at: old, to: new)
        return (file, old, new)
    }

    /// It is not written a second time at its old place, whenever the word comes.
    @Test func whatHasLeftHasLeft() throws {
        let (file, old, new) = try moved()
        let begun = DispatchSemaphore(value: 0), told = DispatchSemaphore(value: 0)
        let rounds = 2_000
        Thread.detachNewThread {
            for round in 0..<rounds {
                begun.wait()
                usleep(UInt32(round % 200))
                file.url = new
                told.signal()
            }
        }
        var wrong = 0
        for _ in 0..<rounds {
            file.url = old
            begun.signal()
            if !file.hasLeft(old, sought: old) { wrong += 1 }
            told.wait()
        }
        #expect(wrong == 0)
    }

    /// Who has asked a document for its place means the document, also where it was moved twice since.
    @Test func anOldPlaceIsItsOwn() throws {
        let (file, old, new) = try moved()
        let newer = new.deletingLastPathComponent().appendingPathComponent("Newer.txt")
        (file.url, file.url) = (new, newer)
        #expect(file.isOwn(old) && file.isOwn(new) && file.isOwn(newer))
        for number in 0..<10 { file.url = old.appendingPathExtension("\(number)") }
        #expect(!file.isOwn(old) && !file.isOwn(newer))
    }

    /// From one container into another: any presenter is told where its item is, and of what is done with it there. In a folder that moves, too.
    @Test(arguments: [true, false]) func presentersFollowIntoAnotherContainer(isInFolder: Bool) throws {
        let folder = try OwnContainer.folder(), other = try TemporaryContainer("folder Inbox")
        mkdir(other.path + "/.valise", 0o700)
        let old = folder.appendingPathComponent(isInFolder ? "Sub" : "Old.stedoc"), new = URL(fileURLWithPath: other.path).appendingPathComponent(isInFolder ? "Sub" : "New.stedoc")
        func item(_ top: URL) -> URL { isInFolder ? top.appendingPathComponent("New.stedoc") : top }
        if isInFolder { try FileManager.default.createDirectory(at: old, withIntermediateDirectories: false) }
        try Data("one".utf8).write(to: item(old))
        let presenter = SpokenPresenter(item(old)), coordinator = NSFileCoordinator(filePresenter: nil)
        defer { presenter.end() }
        coordinator.coordinate(writingItemAt: old, options: .forMoving, writingItemAt: new, options: .forReplacing, error: nil) { from, to in
            try? FileManager.default.moveItem(at: from, to: to)
            coordinator.item(at: from, didMoveTo: to)
        }
        #expect(eventually { presenter.said.has("moved New.stedoc") })
        coordinator.coordinate(writingItemAt: item(new), options: [], error: nil) { try? Data("two".utf8).write(to: $0) }
        #expect(eventually { presenter.said.has("changed") } && !presenter.said.has("deleted"), "\(presenter.said.all)")
    }

    /// A container that is moved takes its items along: they have not left it.
    @Test func whatGoesWithItsContainerHasNotLeft() throws {
        let container = try TemporaryContainer("text Notes one\ntext Out two"), away = container.path + ".away"
        mkdir(container.path + "/.valise", 0o700)
        func held(_ name: String) throws -> OpenItem {
            let url = URL(fileURLWithPath: container.path + "/" + name)
            return try #require(OpenItem(url, of: ItemPlace(url)))
        }
        let staying = try held("Notes.stedoc"), leaving = try held("Out.stedoc")
        #expect(staying.placeElsewhere == nil)
        try FileManager.default.moveItem(atPath: container.path + "/Out.stedoc", toPath: container.beside("Out.stedoc"))
        #expect(leaving.placeElsewhere?.lastPathComponent == "Out.stedoc")
        try FileManager.default.moveItem(atPath: container.path, toPath: away)
        defer { try? FileManager.default.moveItem(atPath: away, toPath: container.path) }
        #expect(staying.placeElsewhere == nil)
    }
}
