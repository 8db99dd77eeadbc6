import AppSupport
import DocumentKit
import Foundation
import MountTesting
import Testing
import TextEditorModel

// Simple Text Editor: its list and its editor are those of Examples/TextEditor.

@MainActor
@Suite(.long, .waiting, .timeLimit(.minutes(40))) struct EditorListStoryTests {
    @Test func theListFollowsTheContainer() async throws {
        let folder = try OwnContainer.folder()
        func write(_ name: String) throws { try "text".write(to: folder.appendingPathComponent(name), atomically: false, encoding: .utf8) }
        try write("Note 1.stedoc")
        try write(".Note 9.stedoc")
        try write("other.txt")
        let list = try NoteList()
        try list.live.start()
        defer { list.live.stop() }
        func shown() -> [String] { list.live.rows.filter { $0.file.path.hasPrefix(folder.path) }.map(\.file.lastPathComponent) }
        func comes(_ names: [String]) async throws {
            for _ in 0..<3_000 where shown() != names { try await Task.sleep(for: .milliseconds(10)) }
            #expect(shown() == names)
        }
        try await comes(["Note 1.stedoc"])
        #expect(list.newUntitledDocumentName() == "Note 2.stedoc")
        try write("Note 10.stedoc")
        try write("Note 2.stedoc")
        try await comes(["Note 1.stedoc", "Note 2.stedoc", "Note 10.stedoc"])
        try FileManager.default.removeItem(at: folder.appendingPathComponent("Note 1.stedoc"))
        try await comes(["Note 2.stedoc", "Note 10.stedoc"])
        #expect(list.newUntitledDocumentName() == "Note 1.stedoc")
        // What cannot be a name says why, and what is taken stays as it is.
        let file = folder.appendingPathComponent("Note 2.stedoc")
        for name in ["", " ", ".hidden", String(repeating: "x", count: 249)] { await #expect(throws: AppFault.self) { try await list.rename(file, to: name) } }
        await #expect(throws: AppFault("Name already taken.")) { try await list.rename(file, to: "Note 10") }
        #expect(try await list.rename(file, to: "a/b").lastPathComponent == "a∕b.stedoc")
        try await comes(["a∕b.stedoc", "Note 10.stedoc"])
    }

    /// Another app edits it while it is open, and then somebody replaces the file without asking anybody.
    @Test func noLetterIsTakenAway() async throws {
        let file = try OwnContainer.folder().appendingPathComponent("Note.stedoc"), list = try NoteList()
        func writeOutside(_ text: String) throws { try text.write(to: file, atomically: true, encoding: .utf8) }
        try writeOutside("first\n")
        let editor = NoteEditor(file)
        var events: [NoteEditor.Event] = []
        editor.happened = { events.append($0) }
        try await editor.open()
        editor.type("saved\n")
        try await until { (try? String(contentsOf: file, encoding: .utf8)) == "first\nsaved\n" }
        // All that was typed is saved: the editor follows, and can go back.
        try await list.edit(file) { _ in "outside\n" }
        try await until { editor.text == "outside\n" }
        #expect(events == [.otherText] && editor.textBefore == "first\nsaved\n")
        try editor.bringBack()
        #expect(editor.text == "first\nsaved\n" && editor.canUndo)
        editor.undo()
        #expect(editor.text == "outside\n")
        // What is not saved stays, and there are two sides.
        editor.type("typed\n")
        try writeOutside("outside again\n")
        try await until { events.contains(.inConflict) }
        #expect(editor.text == "outside\ntyped\n")
        try await editor.close()
        let sides = try list.conflict(of: file)
        #expect(Set(sides.map(\.text)) == ["outside\ntyped\n", "outside again\n"])
        let other = try #require(sides.last)
        #expect(other.difference == TextDifference(from: sides[0].text, to: other.text) && other.difference.lines.contains { $0.mark == .new })
        try await list.resolve(file, with: other.number)
        #expect(try String(contentsOf: file, encoding: .utf8) == other.text && list.conflict(of: file).isEmpty)
    }

    @Test func whatIsNoTextIsNotReplaced() async throws {
        let file = try OwnContainer.folder().appendingPathComponent("Note.stedoc"), bytes = Data([0xFF, 0xFE, 0x41])
        try bytes.write(to: file)
        let list = try NoteList()
        await #expect(throws: (any Error).self) { try await list.edit(file) { $0 + "more" } }
        #expect(try Data(contentsOf: file) == bytes)
    }

    @Test func differencesAreMarkedLineByLine() {
        func marked(_ old: String, _ new: String) -> String { TextDifference(from: old, to: new).lines.map { $0.mark.rawValue + $0.text }.joined(separator: "|") }
        #expect(marked("a\nb\nc", "a\nx\nc") == " a|-b|+x| c")
        #expect(marked("a\nb", "a\nb") == " a| b")
        #expect(marked("a\nb\nc", "c") == "-a|-b| c")
        #expect(marked("a", "a\nb\nc") == " a|+b|+c")
        #expect(marked("", "a") == "-|+a")
    }
}
