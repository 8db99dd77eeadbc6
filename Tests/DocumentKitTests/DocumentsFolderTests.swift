import DocumentKit
import Foundation
import MountTesting
import Testing

/// The folder that documents have of their own comes later than the container, or is another one by now, while an app uses it.
@MainActor
@Suite(.timeLimit(.minutes(40))) struct DocumentsFolderTests {
    private final class Note: UIDocument {
        var text = ""
        override func contents(forType typeName: String) throws -> Any { Data(text.utf8) }
        override func load(fromContents contents: Any, ofType typeName: String?) throws { text = String(decoding: contents as? Data ?? Data(), as: UTF8.self) }
    }

    /// As in the first run of an app: it has asked for something before it makes the folder.
    @Test func itIsMadeLater() async throws {
        let container = try TemporaryContainer(), top = URL(fileURLWithPath: container.path), documents = top.appendingPathComponent("Documents")
        mkdir(container.path + "/.valise", 0o700)
        NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: top.appendingPathComponent("First.stedoc"), options: [], error: nil) { try? Data("first".utf8).write(to: $0) }
        let early = Note(fileURL: top.appendingPathComponent("New.stedoc"))
        #expect(await early.open() == false)
        try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: false)
        let note = Note(fileURL: documents.appendingPathComponent("New.stedoc"))
        note.text = "one"
        #expect(await note.save(to: note.fileURL, for: .forCreating))
        #expect(try String(contentsOf: note.fileURL, encoding: .utf8) == "one" && !FileManager.default.fileExists(atPath: container.path + "/New.stedoc"))
        note.text = "two"
        note.updateChangeCount(.done)
        #expect(await note.close())
        #expect(try String(contentsOf: note.fileURL, encoding: .utf8) == "two" && FileManager.default.contentsOfDirectory(atPath: documents.path).sorted() == ["New.stedoc"])
        // Another process has it there.
        try valise("versions", note.fileURL.path).good()
    }

    /// A copy takes its place, while a document in it is open.
    @Test func itIsReplaced() async throws {
        let container = try TemporaryContainer("folder Documents\ntext Documents/Notes one"), documents = container.path + "/Documents"
        mkdir(container.path + "/.valise", 0o700)
        let note = Note(fileURL: URL(fileURLWithPath: documents + "/Notes.stedoc"))
        #expect(await note.open())
        try shell("cp -a Documents ../copy && rm -rf Documents && sleep 0.2 && mv ../copy Documents", in: container.path).good()
        note.text = "two"
        note.updateChangeCount(.done)
        try await awaited("it is saved") { (try? String(contentsOfFile: documents + "/Notes.stedoc", encoding: .utf8)) == "two" }
        let new = Note(fileURL: URL(fileURLWithPath: documents + "/New.stedoc"))
        #expect(await new.save(to: new.fileURL, for: .forCreating))
        #expect(await new.close())
        #expect(await note.close())
        #expect(try FileManager.default.contentsOfDirectory(atPath: documents).sorted() == ["New.stedoc", "Notes.stedoc"])
        try Program(["sh", "-c", "\"$1\" coordinate --write \"$2\" -- true", "sh", Places.valise, documents + "/New.stedoc"]).wait().good()
    }
}
