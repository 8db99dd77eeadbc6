import DocumentKit
import Foundation

// EditingTrial FILE NAME: an app with one text open, for Tests/Apps/run: a file, or a package of its own (`*.mydoc`). It
// does what its input says, a word a line, and prints what becomes of it: `typed N`, `kept N` once edit N is saved, `text …` when it is asked, `lost` where an edit was taken away.

guard CommandLine.arguments.count == 3 else { exit(2) }
let name = CommandLine.arguments[2]

/// In one call each: what is printed has to be heard at once, and `fflush(nil)` would wait for the input.
@Sendable func say(_ words: String) { FileHandle.standardOutput.write(Data((words + "\n").utf8)) }

final class Text: UIDocument {
    private(set) var text = ""
    /// The last edit of this process.
    private var last = 0
    private final class Token: NSObject {
        let own: Any, edit: Int
        init(_ own: Any, _ edit: Int) { (self.own, self.edit) = (own, edit) }
    }

    func type() {
        last += 1
        text += "\(name).\(last)\n"
        updateChangeCount(.done)
        say("typed \(last)")
    }

    /// Where it is one.
    private var package: FileWrapper?
    private static let part = "text.md"

    override func contents(forType typeName: String) throws -> Any {
        guard let package else { return Data(text.utf8) }
        for (name, content) in [(Self.part, text), ("info", "\(name) \(last)\n")] {
            if let old = package.fileWrappers?[name] { package.removeFileWrapper(old) }
            package.addRegularFile(withContents: Data(content.utf8), preferredFilename: name)
        }
        return package
    }

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        if hasUnsavedChanges { say("lost") }
        package = contents as? FileWrapper
        let content = package.map { $0.fileWrappers?[Self.part]?.regularFileContents } ?? contents as? Data
        text = String(decoding: content ?? Data(), as: UTF8.self)
    }

    override func changeCountToken(for saveOperation: SaveOperation) -> Any { Token(super.changeCountToken(for: saveOperation), last) }

    override func updateChangeCount(withToken changeCountToken: Any, for saveOperation: SaveOperation) {
        guard let token = changeCountToken as? Token else { return }
        super.updateChangeCount(withToken: token.own, for: saveOperation)
        say("kept \(token.edit)")
    }

    func obey(_ word: String) {
        switch word {
        case "open": open { say("open \($0)") }
        case "close": close { say("close \($0)") }
        // As an editor that is not shown yet.
        case "type": if !documentState.contains(.closed) { type() }
        case "save": save(to: fileURL, for: .forOverwriting) { say("save \($0)") }
        case "text": say("text \(hasUnsavedChanges) " + text.replacingOccurrences(of: "\n", with: " "))
        case "end": close { exit($0 ? 0 : 1) }
        default: exit(2)
        }
    }
}

/// Its input, word by word.
enum BackgroundReading {
    static func start(_ document: Text) {
        Thread.detachNewThread {
            while let word = readLine() { DispatchQueue.main.async { MainActor.assumeIsolated { document.obey(word) } } }
            exit(3)
        }
    }
}

let document = Text(fileURL: URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: false))
document.open { say("open \($0)") }
BackgroundReading.start(document)
dispatchMain()
