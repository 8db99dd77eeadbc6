import Foundation
import MountTesting
import Testing

private let hasCompiler = (try? run("sh", "-c", "command -v swiftc").code) == 0

/// Code as it is written for Apple's systems, given to the compiler: what is declared otherwise there than here would stop a port.
@Suite(.long, .disabled(if: !hasCompiler, "there is no swiftc here"), .timeLimit(.minutes(20))) struct PortedCodeTests {
    /// What the compiler says of a program, a line each.
    private func messages(_ code: String, swift mode: Int) throws -> [String] {
        let folder = try MountTesting.TemporaryFolder(), built = URL(fileURLWithPath: Places.built)
        // At the top level of this one, code runs.
        let file = folder.path + "/main.swift"
        try "import DocumentKit\nimport Foundation\n\(code)\n".write(toFile: file, atomically: false, encoding: .utf8)
        let maps = try FileManager.default.contentsOfDirectory(at: built, includingPropertiesForKeys: nil).map { $0.path + "/module.modulemap" }
            .filter { ($0 as NSString).deletingLastPathComponent.hasSuffix(".build") && FileManager.default.fileExists(atPath: $0) }
        let ended = try Program(
            ["swiftc", "-typecheck", "-swift-version", "\(mode)", "-I", built.path + "/Modules", "-diagnostic-style", "llvm", "-no-color-diagnostics"]
                + maps.flatMap { ["-Xcc", "-fmodule-map-file=" + $0] } + [file]).wait(seconds: 300)
        let said = (ended.errors + ended.output).split(separator: "\n").map(String.init).filter { $0.contains(": error:") || $0.contains(": warning:") }
        guard (ended.code == 0) == !said.contains(where: { $0.contains(": error:") }) else { throw Failed("swiftc: \(ended.errors)\(ended.output)") }
        return said
    }

    private func errors(_ code: String, swift mode: Int) throws -> [String] { try messages(code, swift: mode).filter { $0.contains(": error:") } }

    private static let note = """
        class Note: UIDocument {
            var text = ""
            override func contents(forType typeName: String) throws -> Any { Data(text.utf8) }
            override func load(fromContents contents: Any, ofType typeName: String?) throws { text = String(decoding: contents as? Data ?? Data(), as: UTF8.self) }
            func type(_ new: String) {
                let old = text
                undoManager.registerUndo(withTarget: self) { $0.type(old) }
                text = new
            }
        }

        """

    /// As the documentation has them.
    @Test(arguments: [5, 6]) func methodsAreOverriddenAsApplesAre(mode: Int) throws {
        let said = try messages("""
            class Traced: UIDocument {
                override func open(completionHandler: (@Sendable (Bool) -> Void)? = nil) { super.open(completionHandler: completionHandler) }
                override func close(completionHandler: (@Sendable (Bool) -> Void)? = nil) { super.close(completionHandler: completionHandler) }
                override func save(to url: URL, for saveOperation: UIDocument.SaveOperation, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
                    super.save(to: url, for: saveOperation, completionHandler: completionHandler)
                }
                override func autosave(completionHandler: (@Sendable (Bool) -> Void)? = nil) { super.autosave(completionHandler: completionHandler) }
                override func revert(toContentsOf url: URL, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
                    super.revert(toContentsOf: url, completionHandler: completionHandler)
                }
                override func performAsynchronousFileAccess(_ block: @escaping @Sendable () -> Void) { super.performAsynchronousFileAccess(block) }
                override func read(from url: URL) throws { try super.read(from: url) }
                override func handleError(_ error: any Error, userInteractionPermitted: Bool) { finishedHandlingError(error, recovered: false) }
            }
            @MainActor func use(_ document: Traced) {
                document.open()
                document.open { print($0) }
                document.performAsynchronousFileAccess { print("read") }
                document.save(to: document.fileURL, for: .forOverwriting)
                document.autosave()
                document.revert(toContentsOf: document.fileURL)
                document.close()
            }
            """, swift: mode)
        #expect(said.isEmpty, "\(said.joined(separator: "\n"))")
    }

    /// A model that says nothing of actors, because Apple's class does not: in Swift 5 nobody is told of anything, and Swift 6 warns.
    @Test func modelsThatBelongToNoActorCompile() throws {
        let model = Self.note + """
            class Model {
                var note: Note?, title = ""
                func open(_ url: URL) {
                    let note = Note(fileURL: url)
                    note.type("x")
                    note.updateChangeCount(.done)
                    note.undoManager.registerUndo(withTarget: self) { $0.title = "" }
                    note.undoManager.setActionName("Typing")
                    if note.documentState.contains(.closed), !note.hasUnsavedChanges { self.note = note }
                    note.open { [self] isOpen in title = isOpen ? note.text : "\\(note.documentState)" }
                    note.save(to: url, for: .forCreating)
                    note.close()
                }
            }
            """
        let said = try messages(model, swift: 5), errors = try errors(model, swift: 6)
        #expect(said.isEmpty && errors.isEmpty, "\((said + errors).joined(separator: "\n"))")
    }

    /// The handler belongs to the main actor, of whatever the target is.
    @Test(arguments: [5, 6]) func undoHandlersAreWrittenAsOnApplesSystems(mode: Int) throws {
        let said = try messages(Self.note + """
            @MainActor final class Editor {
                let undoManager = UndoManager()
                var title = ""
                func rename(_ new: String) {
                    let old = title
                    undoManager.registerUndo(withTarget: self) { $0.rename(old) }
                    undoManager.registerUndo(withTarget: self) { editor in MainActor.assumeIsolated { editor.rename(old) } }
                    title = new
                }
            }
            final class Plain {
                let undoManager = UndoManager()
                var title = ""
                func rename(_ new: String) {
                    let old = title
                    undoManager.registerUndo(withTarget: self) { $0.rename(old) }
                    title = new
                }
            }
            """, swift: mode)
        #expect(said.isEmpty, "\(said.joined(separator: "\n"))")
    }

    /// At the top level of main.swift, Swift takes each of these calls for the one that does not wait.
    @Test func whatWouldNotWaitIsAnErrorAtTheTop() throws {
        let calls = ["open()", "save(to: url, for: .forCreating)", "autosave()", "revert(toContentsOf: url)", "close()"]
        let top = Self.note + "let url = URL(fileURLWithPath: \"a\"), note = Note(fileURL: url)\n"
        let said = try errors(top + calls.map { "_ = await note.\($0)" }.joined(separator: "\n"), swift: 6)
        #expect(said.count == calls.count && said.allSatisfy { $0.contains("nothing waits for it here") }, "\(said.joined(separator: "\n"))")
        let main = Self.note + "func main(_ note: Note, _ url: URL) async {\n" + calls.map { "_ = await note.\($0)" }.joined(separator: "\n") + "\n}"
        let nothing = try messages(main, swift: 6)
        #expect(nothing.isEmpty, "\(nothing.joined(separator: "\n"))")
    }

    /// Each way in which the calls are written is ours, or no call at all: Foundation's removes what is to be replaced.
    @Test func replacingIsNeverFoundations() throws {
        let calls = [
            "manager.replaceItemAt(url, withItemAt: new)", "manager.replaceItemAt(url, withItemAt: new, backupItemName: nil)", "manager.replaceItemAt(url, withItemAt: new, backupItemName: \"Old\")",
            "manager.replaceItemAt(url, withItemAt: new, backupItemName: name)", "manager.replaceItemAt(url, withItemAt: new, options: .usingNewMetadataOnly)",
            "manager.replaceItemAt(url, withItemAt: new, options: options)", "manager.replaceItemAt(url, withItemAt: new, backupItemName: nil, options: [])",
            "manager.replaceItemAt(url, withItemAt: new, backupItemName: name, options: [.usingNewMetadataOnly, .withoutDeletingBackupItem])",
            "manager.replaceItemAt(url, withItemAt: new, backupItemName: \"Old\", options: .withoutDeletingBackupItem)",
            "manager.replaceItem(at: url, withItemAt: new, backupItemName: nil, options: [], resultingItemURL: &place)",
            "manager.replaceItem(at: url, withItemAt: new, backupItemName: nil, resultingItemURL: nil)",
        ]
        let beginning = """
            let manager = FileManager.default, url = URL(fileURLWithPath: "a"), new = URL(fileURLWithPath: "b"), name: String? = nil
            let options = FileManager.ItemReplacementOptions.usingNewMetadataOnly
            var place: NSURL?

            """
        let said = try messages(beginning + calls.map { "_ = try? \($0)" }.joined(separator: "\n"), swift: 6)
        #expect(said.isEmpty, "\(said.joined(separator: "\n"))")
        let unclear = ["backupItemName: nil, options: .usingNewMetadataOnly", "backupItemName: nil, options: options", "backupItemName: name, options: options"]
        let errors = try errors(beginning + unclear.map { "_ = try? manager.replaceItemAt(url, withItemAt: new, \($0))" }.joined(separator: "\n"), swift: 6)
        #expect(errors.count == unclear.count && errors.allSatisfy { $0.contains("ambiguous use") }, "\(errors.joined(separator: "\n"))")
    }
}

/// The first program of docs/PORTING.md, which is built with the tests.
@Suite struct FirstProgramTests {
    @Test func itIsThatOfThePage() throws {
        let page = try String(contentsOfFile: Places.inPackage("docs/PORTING.md"), encoding: .utf8)
        let program = try String(contentsOfFile: Places.inPackage("Tests/FirstProgram/App.swift"), encoding: .utf8)
        #expect(page.contains("```swift\n\(program)```\n"))
    }

    @Test func itSavesWhatItWrites() throws {
        let folder = try MountTesting.TemporaryFolder(), file = folder.path + "/Note.txt"
        for count in 1...2 {
            let lines = String(repeating: "one more line\n", count: count)
            #expect(try Program([Places.built + "/FirstProgram", file]).wait().good().output == lines)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == lines)
        }
    }
}
