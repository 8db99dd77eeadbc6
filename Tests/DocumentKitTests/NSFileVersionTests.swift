import DocumentKit
import Foundation
import MountTesting
import Testing

/// What documents were, as an app sees it.
@Suite(.waiting, .timeLimit(.minutes(40))) struct NSFileVersionTests {
    /// A document, a plain file, and a file of a type that nobody knows: their versions are the same.
    static let names = ["Note.stedoc", "Note.md", "Note.mydoc"]
    private let folder: MountTesting.TemporaryFolder

    init() throws {
        folder = try MountTesting.TemporaryFolder()
        mkdir(folder.path + "/.valise", 0o700)
    }

    private func url(_ name: String = "Note.stedoc") -> URL { URL(fileURLWithPath: folder.path + "/" + name) }

    private func text(_ url: URL) -> String? { try? String(contentsOf: url, encoding: .utf8) }

    @MainActor
    private func document(_ url: URL, _ texts: String...) async -> PlainNote {
        let note = PlainNote(fileURL: url)
        for (index, text) in texts.enumerated() {
            note.text = text
            #expect(await note.save(to: url, for: index == 0 ? .forCreating : .forOverwriting))
        }
        return note
    }

    @MainActor @Test(arguments: names) func theFactsOfVersions(name: String) async throws {
        let url = url(name), note = await document(url, "one", "two", "three")
        let current = try #require(NSFileVersion.currentVersionOfItem(at: url)), others = try #require(NSFileVersion.otherVersionsOfItem(at: url))
        #expect(current.url == url && current.localizedName == "Note" && !current.isConflict && current.isResolved && !current.isDiscardable && current.hasLocalContents)
        #expect(current.modificationDate.map { abs($0.timeIntervalSinceNow) < 60 } == true && current.localizedNameOfSavingComputer != nil)
        #expect(others.map { text($0.url) } == ["two", "one"])
        #expect(others.allSatisfy { $0.isDiscardable && !$0.isConflict && $0.localizedName == "Note" && !$0.hasThumbnail })
        let again = NSFileVersion.version(itemAt: url, forPersistentIdentifier: others[1].persistentIdentifier)
        #expect(again.flatMap { text($0.url) } == "one")
        #expect(NSFileVersion.version(itemAt: url, forPersistentIdentifier: "nothing") == nil)
        // The open document reads what it is then.
        #expect(try others[1].replaceItem(at: url) == url)
        #expect(text(url) == "one")
        #expect(await until { note.text == "one" })
        try others[0].remove()
        #expect(throws: (any Error).self) { try current.remove() }
        #expect(NSFileVersion.otherVersionsOfItem(at: url)?.map { text($0.url) } == ["three", "one"])
        let copy = URL(fileURLWithPath: folder.path + "/Copy.\(url.pathExtension)")
        try NSFileVersion.otherVersionsOfItem(at: url)?.first?.replaceItem(at: copy, options: .byMoving)
        #expect(text(copy) == "three")
        try NSFileVersion.removeOtherVersionsOfItem(at: url)
        #expect(NSFileVersion.otherVersionsOfItem(at: url)?.isEmpty == true)
        await note.close()
    }

    @MainActor @Test(arguments: names) func conflictsAreDecidedAbout(name: String) async throws {
        let url = url(name), note = await document(url, "one")
        try Data("theirs".utf8).write(to: url)
        note.text = "mine"
        // Or what it hears of its own first save may have it read theirs.
        note.updateChangeCount(.done)
        #expect(await note.save(to: url, for: .forOverwriting))
        let conflict = try #require(NSFileVersion.unresolvedConflictVersionsOfItem(at: url)?.first)
        #expect(conflict.isConflict && !conflict.isResolved && !conflict.isDiscardable && text(conflict.url) == "theirs" && note.documentState.contains(.inConflict))
        #expect(throws: (any Error).self) { try conflict.remove() }
        try NSFileVersion.removeOtherVersionsOfItem(at: url)
        #expect(NSFileVersion.unresolvedConflictVersionsOfItem(at: url)?.count == 1)
        // In a claim of the app's own, as it is written for iOS.
        let coordinator = NSFileCoordinator(filePresenter: nil)
        coordinator.coordinate(writingItemAt: url, options: .forDeleting, error: nil) { _ in conflict.isResolved = true }
        #expect(conflict.isResolved && NSFileVersion.unresolvedConflictVersionsOfItem(at: url)?.isEmpty == true)
        #expect(await until { !note.documentState.contains(.inConflict) })
        conflict.isResolved = false
        #expect(conflict.isResolved)
        await note.close()
    }

    @Test func whatHasNoVersions() throws {
        let plain = URL(fileURLWithPath: folder.path + "/plain.dat"), outside = try MountTesting.TemporaryFolder()
        try Data("x".utf8).write(to: plain)
        // Nothing has replaced the one, and the other one lies in no container.
        let other = URL(fileURLWithPath: outside.path + "/a.txt")
        try Data("x".utf8).write(to: other)
        for file in [plain, other] {
            #expect(NSFileVersion.currentVersionOfItem(at: file)?.url == file && NSFileVersion.otherVersionsOfItem(at: file)?.isEmpty == true)
            #expect(throws: Never.self) { try NSFileVersion.removeOtherVersionsOfItem(at: file) }
        }
        let missing = URL(fileURLWithPath: folder.path + "/missing")
        #expect(NSFileVersion.currentVersionOfItem(at: missing) == nil && NSFileVersion.otherVersionsOfItem(at: missing) == nil)
        #expect(throws: (any Error).self) { try NSFileVersion.removeOtherVersionsOfItem(at: missing) }
    }

    /// A second time it would be written over what somebody else writes in between.
    @MainActor @Test func whatIsBeingSavedIsNotSavedTwice() async throws {
        let note = CountedNote(fileURL: URL(fileURLWithPath: folder.path + "/Counted.md"))
        #expect(await note.save(to: note.fileURL, for: .forCreating))
        note.text = "two"
        note.updateChangeCount(.done)
        async let first = note.autosave(), second = note.autosave()
        let areSaved = await (first, second)
        #expect(areSaved.0 && areSaved.1 && note.count == 2 && text(note.fileURL) == "two" && !note.hasUnsavedChanges)
        // What was typed meanwhile is.
        note.text = "three"
        note.updateChangeCount(.done)
        note.autosave(completionHandler: nil)
        note.text = "four"
        note.updateChangeCount(.done)
        #expect(await note.autosave() && note.count == 4 && text(note.fileURL) == "four")
        #expect(await note.close())
    }

    /// Of a file in no container no version is kept: then it is not written.
    @MainActor @Test func whatHasNoVersionsIsNotWrittenOverUnseen() async throws {
        let outside = try MountTesting.TemporaryFolder(), plain = URL(fileURLWithPath: outside.path + "/conf.md"), note = PlainNote(fileURL: plain)
        note.text = "one"
        #expect(await note.save(to: plain, for: .forCreating))
        try Data("theirs".utf8).write(to: plain)
        note.text = "mine"
        note.updateChangeCount(.done)
        #expect(await !note.autosave() && text(plain) == "theirs" && note.hasUnsavedChanges && note.documentState.contains(.savingError))
        #expect(await !note.close() && note.documentState.isDisjoint(with: [.closed, .editingDisabled]))
        // Whoever says that it was seen has it written.
        note.fileModificationDate = try FileManager.default.attributesOfItem(atPath: plain.path)[.modificationDate] as? Date
        #expect(await note.autosave() && text(plain) == "mine" && note.documentState.isEmpty)
        // The same bytes are nothing new.
        try await Task.sleep(for: .milliseconds(20))
        try Data("same".utf8).write(to: plain)
        note.text = "same"
        #expect(await note.save(to: plain, for: .forOverwriting))
        #expect(await note.close())
    }

    /// As on Apple's systems: there is no such folder.
    @MainActor @Test(arguments: [true, false]) func savingIntoNoFolderIsNoSuchFile(isInContainer: Bool) async throws {
        final class Kept: PlainNote {
            var codes: [Int] = []
            override func handleError(_ error: any Error, userInteractionPermitted: Bool) {
                codes.append((error as NSError).domain == NSCocoaErrorDomain ? (error as NSError).code : 0)
                super.handleError(error, userInteractionPermitted: userInteractionPermitted)
            }
        }
        let outside = try MountTesting.TemporaryFolder(), url = URL(fileURLWithPath: (isInContainer ? folder : outside).path + "/none/a.stedoc"), note = Kept(fileURL: url)
        #expect(await !note.save(to: url, for: .forCreating) && note.codes == [CocoaError.Code.fileNoSuchFile.rawValue])
    }

    /// What an app adds is beside what the item is, which stays so.
    @MainActor @Test(arguments: names) func aVersionIsAdded(name: String) async throws {
        let url = url(name), note = await document(url, "one", "two"), draft = URL(fileURLWithPath: folder.path + "/draft.txt")
        try Data("draft".utf8).write(to: draft)
        let added = try NSFileVersion.addOfItem(at: url, withContentsOf: draft)
        #expect(text(added.url) == "draft" && text(url) == "two" && FileManager.default.fileExists(atPath: draft.path))
        #expect(NSFileVersion.otherVersionsOfItem(at: url)?.map { text($0.url) } == ["draft", "one"])
        try NSFileVersion.addOfItem(at: url, withContentsOf: draft, options: .byMoving)
        #expect(!FileManager.default.fileExists(atPath: draft.path) && NSFileVersion.otherVersionsOfItem(at: url)?.count == 3)
        #expect(note.text == "two" && !note.documentState.contains(.inConflict) && added.originatorNameComponents == nil)
        #expect(try await NSFileVersion.nonlocalVersionsOfItem(at: url).isEmpty)
        await #expect(throws: (any Error).self) { _ = try await NSFileVersion.nonlocalVersionsOfItem(at: draft) }
        let room = NSFileVersion.temporaryDirectoryURLForNewVersionOfItem(at: url)
        #expect(FileManager.default.fileExists(atPath: room.path))
        try? FileManager.default.removeItem(at: room)
        #expect(throws: (any Error).self) { try NSFileVersion.addOfItem(at: URL(fileURLWithPath: folder.path + "/none.stedoc"), withContentsOf: url) }
        await note.close()
    }

    /// What a drive keeps no version of, an app does not replace without one: what it has not seen would be lost.
    @MainActor @Test(arguments: ["Note.md~", "draft.tmp", "base"]) func whatHasNoVersionsHasConflicts(name: String) async throws {
        let url = url(name), header = name == "base" ? "SQLite format 3\0" : ""
        let note = await document(url, header + "one", header + "two")
        #expect(NSFileVersion.otherVersionsOfItem(at: url)?.isEmpty == true)
        try Data("theirs".utf8).write(to: url)
        note.text = "mine"
        note.updateChangeCount(.done)
        #expect(await note.save(to: url, for: .forOverwriting))
        #expect(NSFileVersion.unresolvedConflictVersionsOfItem(at: url)?.map { text($0.url) } == ["theirs"] && text(url) == "mine")
        #expect(try valise("conflicts", folder.path).good().output.contains(name))
        await note.close()
    }

    /// What goes on under another name is not what the version has.
    @MainActor @Test func aFileWithTwoNamesHasItsOwnVersion() async throws {
        let url = url("Note.md"), other = self.url("Other.md"), note = await document(url, "one")
        try FileManager.default.linkItem(at: url, to: other)
        note.text = "two"
        #expect(await note.save(to: url, for: .forOverwriting))
        let handle = try FileHandle(forWritingTo: other)
        try handle.write(contentsOf: Data("other".utf8))
        try handle.close()
        #expect(NSFileVersion.otherVersionsOfItem(at: url)?.map { text($0.url) } == ["one"])
        #expect(text(url) == "two" && text(other) == "other")
        await note.close()
    }

    @MainActor private func until(_ condition: () -> Bool) async -> Bool {
        for _ in 0..<3000 where !condition() { try? await Task.sleep(for: .milliseconds(10)) }
        return condition()
    }
}

/// The smallest document.
class PlainNote: UIDocument {
    var text = ""
    override func contents(forType typeName: String) throws -> Any { Data(text.utf8) }
    override func load(fromContents contents: Any, ofType typeName: String?) throws { text = String(decoding: contents as? Data ?? Data(), as: UTF8.self) }
}

/// One that counts how often its contents are asked for.
private final class CountedNote: PlainNote {
    private(set) var count = 0
    override func contents(forType typeName: String) throws -> Any {
        count += 1
        return try super.contents(forType: typeName)
    }
}
