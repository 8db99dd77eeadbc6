import DocumentKit
import Foundation

// NotebookTrial PACKAGE NAME: an app with one notebook open, for Tests/Apps/notebook. It does what its input says, a word a line, and
// prints what became of it: `typed N`, and `kept N` once all up to line N is saved.

guard CommandLine.arguments.count == 3 else { exit(2) }
let name = CommandLine.arguments[2]
KeyedArchiver.setClassName("NotebookInfo", for: NotebookInfo.self)
KeyedUnarchiver.setClass(NotebookInfo.self, forClassName: "NotebookInfo")

/// In one call each: what is printed has to be heard at once, and `fflush(nil)` would wait for the input.
@Sendable func say(_ words: String) { FileHandle.standardOutput.write(Data((words + "\n").utf8)) }

@MainActor
final class Editor {
    private let notebook: Notebook
    private var last = 0

    init(_ url: URL) { notebook = Notebook(fileURL: url) }

    func open() {
        guard !FileManager.default.fileExists(atPath: notebook.fileURL.path) else { return notebook.open { say("open \($0)") } }
        notebook.save(to: notebook.fileURL, for: .forCreating) { say("open \($0)") }
    }

    func obey(_ word: String) {
        switch word {
        case "type":
            guard !notebook.documentState.contains(.closed) else { return }
            last += 1
            notebook.append("- \(name).\(last)")
            say("typed \(last)")
        case "tag": if !notebook.documentState.contains(.closed) { notebook.tag([NSString(string: "tag\(last)"), "all"]) }
        case "save":
            let edit = last
            notebook.autosave { success in say(success ? "kept \(edit)" : "failed") }
        case "reopen": notebook.close { _ in MainActor.assumeIsolated { self.open() } }
        case "text": say("text \(notebook.text.split(separator: "\n").count) \(notebook.info.tags.count) \(notebook.hasUnsavedChanges)")
        case "end":
            let edit = last
            notebook.close { success in
                if success { say("kept \(edit)") }
                exit(success ? 0 : 1)
            }
        default: exit(2)
        }
    }
}

let editor = Editor(URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: false))
editor.open()
Thread.detachNewThread {
    while let word = readLine() { DispatchQueue.main.async { MainActor.assumeIsolated { editor.obey(word) } } }
    exit(3)
}
dispatchMain()
