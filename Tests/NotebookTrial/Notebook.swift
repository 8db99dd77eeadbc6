import DocumentKit
import Foundation

typealias NSKeyedArchiver = KeyedArchiver
typealias NSKeyedUnarchiver = KeyedUnarchiver

/// What is known of a notebook beside its text.
final class NotebookInfo: NSObject, NSCoding {
    let title: String
    let tags: [NSString]

    init(title: String, tags: [NSString]) { (self.title, self.tags) = (title, tags) }

    required init?(coder: NSCoder) {
        title = coder.decodeObject(forKey: "Title") as? String ?? ""
        tags = coder.decodeArrayOfObjects(ofClass: NSString.self, forKey: "Tags") ?? []
    }

    func encode(with coder: NSCoder) {
        coder.encode(title, forKey: "Title")
        coder.encode(tags, forKey: "Tags")
    }
}

/// A notebook in Markdown, as an app for iOS has it: a package with its text, what is known of it, and pictures that are never written again.
final class Notebook: UIDocument {
    private(set) var text = ""
    private(set) var info = NotebookInfo(title: "Untitled", tags: [])
    private var package = FileWrapper(directoryWithFileWrappers: [:])

    /// Why something failed is among what it did: whoever looks for a fault reads that.
    override func handleError(_ error: any Error, userInteractionPermitted: Bool) {
        say("error \(error)")
        super.handleError(error, userInteractionPermitted: userInteractionPermitted)
    }

    func append(_ line: String) { setText(text + line + "\n") }

    private func setText(_ new: String) {
        let old = text
        undoManager.registerUndo(withTarget: self) { $0.setText(old) }
        undoManager.setActionName("Typing")
        text = new
    }

    func tag(_ tags: [NSString]) {
        info = NotebookInfo(title: localizedName, tags: tags)
        updateChangeCount(.done)
    }

    override func contents(forType typeName: String) throws -> Any {
        put(Data(text.utf8), "text.md")
        put(try NSKeyedArchiver.archivedData(withRootObject: info, requiringSecureCoding: false), "info")
        return package
    }

    /// A part that is the same stays the one that was read.
    private func put(_ data: Data, _ name: String) {
        if let old = package.fileWrappers?[name] {
            guard old.regularFileContents != data else { return }
            package.removeFileWrapper(old)
        }
        package.addRegularFile(withContents: data, preferredFilename: name)
    }

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        guard let wrapper = contents as? FileWrapper, wrapper.isDirectory else { throw CocoaError(.fileReadCorruptFile) }
        package = wrapper
        text = String(decoding: wrapper.fileWrappers?["text.md"]?.regularFileContents ?? Data(), as: UTF8.self)
        info = try wrapper.fileWrappers?["info"]?.regularFileContents.flatMap { try NSKeyedUnarchiver.unarchivedObject(ofClass: NotebookInfo.self, from: $0) } ?? info
    }
}
