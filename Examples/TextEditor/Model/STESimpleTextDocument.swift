import AppSupport
import DocumentKit
import Foundation

/// A note: a file of UTF-8 text.
public final class STESimpleTextDocument: UIDocument, AppDocument {
    public private(set) var documentText = ""
    /// The editor is told of what was read.
    public var contentsUpdated: ((String) -> Void)?
    public var failure: (any Error)?

    /// An edit: it can be undone, and that is also what marks the document as changed, so that it is saved by itself.
    public func setDocumentText(_ newText: String) {
        let oldText = documentText
        documentText = newText
        undoManager.setActionName("Text Change")
        undoManager.registerUndo(withTarget: self) { $0.setDocumentText(oldText) }
    }

    public override func contents(forType typeName: String) throws -> Any { Data(documentText.utf8) }

    public override func load(fromContents contents: Any, ofType typeName: String?) throws {
        documentText = try Self.text(of: (contents as? FileWrapper)?.regularFileContents ?? contents as? Data)
        contentsUpdated?(documentText)
    }

    /// What is no text is not shown as an empty one: that would be saved in its place.
    static func text(of data: Data?) throws -> String {
        guard let data, let text = String(data: data, encoding: .utf8) else { throw AppFault("It is no text in UTF-8.") }
        return text
    }

    public override func handleError(_ error: any Error, userInteractionPermitted: Bool) {
        failure = error
        super.handleError(error, userInteractionPermitted: userInteractionPermitted)
    }
}
