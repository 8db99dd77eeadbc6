import DocumentKit
import Foundation
import MountTesting
import Testing

/// What an app is told where its document cannot be saved: how often, and of what.
@MainActor
@Suite(.waiting, .timeLimit(.minutes(40))) struct SavingErrorTests {
    private final class Note: UIDocument {
        var contents: Any = Data("one".utf8)
        var tries = 0, told: [NSError] = []
        override func contents(forType typeName: String) throws -> Any {
            tries += 1
            return contents
        }
        /// As long a write takes.
        nonisolated(unsafe) var sleeps = 0.0
        override nonisolated func writeContents(_ contents: Any, to url: URL, for saveOperation: SaveOperation, originalContentsURL: URL?) throws {
            usleep(UInt32(sleeps * 1e6))
            try super.writeContents(contents, to: url, for: saveOperation, originalContentsURL: originalContentsURL)
        }
        override func load(fromContents contents: Any, ofType typeName: String?) throws {}
        override func handleError(_ error: any Error, userInteractionPermitted: Bool) {
            told.append(error as NSError)
            super.handleError(error, userInteractionPermitted: userInteractionPermitted)
        }
    }

    private func note(isInContainer: Bool) throws -> (TemporaryContainer, Note) {
        let container = try TemporaryContainer()
        if isInContainer { mkdir(container.path + "/.valise", 0o700) }
        return (container, Note(fileURL: URL(fileURLWithPath: container.path + "/Notes.stedoc")))
    }

    /// It was saved once, and is edited: neither bytes nor a wrapper.
    private func noteThatCannotBeSaved() async throws -> (TemporaryContainer, Note) {
        let (container, note) = try note(isInContainer: true)
        #expect(await note.save(to: note.fileURL, for: .forCreating))
        note.autosaveDelay = 0.01
        note.contents = 42
        note.updateChangeCount(.done)
        return (container, note)
    }

    /// Nobody knows the name under which it is written before it is saved.
    @Test(arguments: [true, false]) func itNamesTheDocument(isInContainer: Bool) async throws {
        let (container, note) = try note(isInContainer: isInContainer)
        // Neither bytes nor a wrapper.
        note.contents = 42
        #expect(await note.save(to: note.fileURL, for: .forCreating) == false)
        let error = try #require(note.told.first)
        #expect(error.domain == NSCocoaErrorDomain && error.userInfo[NSFilePathErrorKey] as? String == note.fileURL.path)
        #expect(error.localizedDescription.contains("“\(note.fileURL.path)”"), "\(error.localizedDescription)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: container.path).filter { $0 != ".valise" } == [])
    }

    /// What cannot be saved is tried again and again, and who is told of it once knows it. Who asks for a save is told each time.
    @Test func whatIsTriedAgainIsToldOnce() async throws {
        let (container, note) = try await noteThatCannotBeSaved()
        defer { withExtendedLifetime(container) {} }
        let before = note.tries
        try await awaited("it is tried again") { note.tries >= before + 4 }
        #expect(note.told.count == 1 && note.documentState.contains(.savingError))
        #expect(await note.save(to: note.fileURL, for: .forOverwriting) == false)
        #expect(note.told.count == 2)
        // Another reason is told.
        let folder = note.fileURL.deletingLastPathComponent()
        try FileManager.default.moveItem(at: folder, to: URL(fileURLWithPath: container.beside("elsewhere")))
        try await awaited("it is told") { note.told.count == 3 }
        let then = note.tries
        try await awaited("it is tried again") { note.tries >= then + 4 }
        #expect(note.told.count == 3)
        try FileManager.default.moveItem(at: URL(fileURLWithPath: container.beside("elsewhere")), to: folder)
        note.contents = Data("two".utf8)
        try await awaited("it is saved") { !note.hasUnsavedChanges }
        #expect(note.documentState == .normal)
        // And what goes wrong after that is news.
        note.contents = 42
        note.updateChangeCount(.done)
        try await awaited("it is told") { note.told.count >= 4 }
        note.contents = Data("three".utf8)
        #expect(await note.close())
    }

    /// An autosave is under way that cannot save what was there when it began.
    @Test func closingSavesWhatIsThereNow() async throws {
        let (container, note) = try await noteThatCannotBeSaved()
        defer { withExtendedLifetime(container) {} }
        note.sleeps = 0.3
        let before = note.tries
        try await awaited("it is tried again") { note.tries >= before + 2 }
        note.contents = Data("two".utf8)
        #expect(await note.close())
        #expect(try String(contentsOf: note.fileURL, encoding: .utf8) == "two")
    }

    /// Who is told that it cannot be closed need not do anything for it to be saved.
    @Test func whatCannotBeClosedIsSavedLater() async throws {
        let (container, note) = try await noteThatCannotBeSaved()
        defer { withExtendedLifetime(container) {} }
        // The autosave comes while it closes.
        note.sleeps = 0.1
        #expect(await note.close() == false)
        note.contents = Data("two".utf8)
        try await awaited("it is saved") { !note.hasUnsavedChanges }
        #expect(try String(contentsOf: note.fileURL, encoding: .utf8) == "two")
        #expect(await note.close())
    }
}
