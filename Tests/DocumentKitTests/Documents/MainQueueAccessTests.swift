import DocumentKit
import Foundation
import MountTesting
import Testing

/// An app that coordinates on the main queue, and waits there, while documents of its own are open: they belong to that queue, and go on all the same.
@MainActor
@Suite(.waiting, .timeLimit(.minutes(40))) struct MainQueueAccessTests {
    private final class Text: UIDocument {
        var text = ""
        var taken = 0
        /// In the place of `contents`, while that is asked for.
        var whileTaken: (() -> Void)?

        override func contents(forType typeName: String) throws -> Any {
            taken += 1
            whileTaken?()
            return Data(text.utf8)
        }

        override func load(fromContents contents: Any, ofType typeName: String?) throws { text = String(decoding: contents as? Data ?? Data(), as: UTF8.self) }

        func type(_ new: String) {
            text = new
            updateChangeCount(.done)
        }
    }

    /// In a container, and in none.
    nonisolated static let places = [true, false]

    private func folder(_ isContainer: Bool) throws -> (TemporaryContainer, URL) {
        let container = try TemporaryContainer()
        if isContainer { mkdir(container.path + "/.valise", 0o700) }
        return (container, URL(fileURLWithPath: container.path, isDirectory: true))
    }

    private func opened(_ name: String, in folder: URL) async throws -> Text {
        let url = folder.appendingPathComponent(name)
        try Data("before".utf8).write(to: url)
        let document = Text(fileURL: url)
        // What is saved is what was asked for, and not what comes by itself.
        document.autosaveDelay = 3600
        #expect(await document.open())
        return document
    }

    private func content(_ url: URL) -> String { (try? String(contentsOf: url, encoding: .utf8)) ?? "" }

    /// Whoever did not answer was passed over after five seconds, and what was typed was missing from what was moved.
    @Test(arguments: places) func whatIsTypedIsSavedBeforeItIsMoved(_ isContainer: Bool) async throws {
        let (container, folder) = try folder(isContainer), document = try await opened("Note.stedoc", in: folder)
        let old = document.fileURL, new = folder.appendingPathComponent("Other.stedoc")
        document.type("typed")
        var found = "", failure: NSError?
        let coordinator = NSFileCoordinator(filePresenter: nil)
        coordinator.coordinate(writingItemAt: old, options: .forMoving, writingItemAt: new, options: .forReplacing, error: &failure) { from, to in
            found = content(from)
            try? FileManager.default.moveItem(at: from, to: to)
            coordinator.item(at: from, didMoveTo: to)
        }
        #expect(failure == nil && found == "typed" && document.taken == 1)
        try await until { document.fileURL.lastPathComponent == "Other.stedoc" && !document.hasUnsavedChanges }
        document.type("more")
        #expect(await document.close())
        #expect(content(new) == "more" && !FileManager.default.fileExists(atPath: old.path))
        withExtendedLifetime(container) {}
    }

    /// One that is asked and has nothing to save is passed over by nobody: it is asked the next time as well.
    @Test(arguments: places) func whatHasNothingToSaveAnswers(_ isContainer: Bool) async throws {
        let (container, folder) = try folder(isContainer), document = try await opened("Note.stedoc", in: folder)
        var reads: [String] = []
        let coordinator = NSFileCoordinator(filePresenter: nil)
        for word in ["before", "one", "two"] {
            if word != "before" { document.type(word) }
            coordinator.coordinate(readingItemAt: document.fileURL, error: nil) { reads.append(content($0)) }
            // What was saved in there is known afterwards.
            try await until { !document.hasUnsavedChanges }
        }
        #expect(reads == ["before", "one", "two"])
        #expect(await document.close())
        withExtendedLifetime(container) {}
    }

    /// A document that is being read has its file, and waits for the main queue to take what was read.
    @Test(arguments: places) func whatIsBeingReadIsTaken(_ isContainer: Bool) async throws {
        let (container, folder) = try folder(isContainer)
        for round in 0..<20 {
            let url = folder.appendingPathComponent("Note \(round).stedoc")
            try Data("before".utf8).write(to: url)
            let document = Text(fileURL: url)
            var isOpen: Bool?
            document.open { success in MainActor.assumeIsolated { isOpen = success } }
            // It is on its way, further in each round.
            usleep(UInt32(round) * 200)
            var failure: NSError?
            NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: url, options: .forReplacing, error: &failure) { try? Data("theirs".utf8).write(to: $0) }
            // Nobody's completion handler comes in the middle of somebody's call.
            #expect(failure == nil && isOpen == nil)
            try await until { isOpen != nil && document.text == "theirs" }
            #expect(await document.close())
        }
        withExtendedLifetime(container) {}
    }

    /// An app that moves an item and ends at once, where nobody else writes in the container: nothing is left for later.
    @Test func versionsAreThereWhenAMoveHasEnded() async throws {
        let (container, folder) = try folder(true), document = try await opened("Note.stedoc", in: folder)
        document.type("after")
        #expect(await document.close())
        var url = document.fileURL
        for round in 0..<50 {
            let next = folder.appendingPathComponent("Note \(round).stedoc"), coordinator = NSFileCoordinator(filePresenter: nil)
            coordinator.coordinate(writingItemAt: url, options: .forMoving, writingItemAt: next, options: .forReplacing, error: nil) { from, to in
                try? FileManager.default.moveItem(at: from, to: to)
                coordinator.item(at: from, didMoveTo: to)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: container.path + "/.valise/versions") == [next.lastPathComponent])
            url = next
        }
    }

    /// What a document does meanwhile cannot wait for the one who waits for it.
    @Test(arguments: places) func whoWouldWaitForThemselvesIsTold(_ isContainer: Bool) async throws {
        let (container, folder) = try folder(isContainer), document = try await opened("Note.stedoc", in: folder)
        document.type("typed")
        var inner: NSError?
        document.whileTaken = { NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: document.fileURL, options: [], error: &inner) { _ in } }
        var found = ""
        NSFileCoordinator(filePresenter: nil).coordinate(readingItemAt: document.fileURL, error: nil) { found = content($0) }
        #expect(found == "typed")
        #expect((inner?.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == Int(EDEADLK))
        document.whileTaken = nil
        #expect(await document.close())
        withExtendedLifetime(container) {}
    }
}
