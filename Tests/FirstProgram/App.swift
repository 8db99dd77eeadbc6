import DocumentKit
import Foundation

final class Note: UIDocument {
    var text = ""
    override func contents(forType typeName: String) throws -> Any { Data(text.utf8) }
    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        text = String(decoding: contents as? Data ?? Data(), as: UTF8.self)
    }
}

@main @MainActor struct App {
    static func main() async {
        let url = URL(fileURLWithPath: CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "First.txt")
        let note = Note(fileURL: url), isThere = FileManager.default.fileExists(atPath: url.path)
        let isOpen = isThere ? await note.open() : await note.save(to: url, for: .forCreating)
        guard isOpen else { exit(1) }
        note.text += "one more line\n"
        note.updateChangeCount(.done)
        guard await note.close() else { exit(1) }
        print(note.text, terminator: "")
    }
}
