import AppSupport
import DocumentKit
import Foundation

/// The editor's screen: one note that is open, and follows whoever else changes it. What was typed and is not saved yet is kept whatever others
/// do: there are two sides then, to choose from. What was saved and is something else now can be brought back.
/// Without a drive, who replaces the file and asks nobody is noticed when the next edit is saved: as another side, too.
@MainActor
public final class NoteEditor {
    public enum Event: Sendable, Equatable { case otherText, otherName, inConflict, gone, notSaved, saved }

    /// On the main queue.
    public var happened: ((Event) -> Void)?
    /// What it was before somebody else changed it.
    public private(set) var textBefore: String?
    public var text: String { document.documentText }
    public var file: URL { document.fileURL }
    public var isInConflict: Bool { document.documentState.contains(.inConflict) }
    /// Why it could not be saved last.
    public var failure: String? { document.failure.map { AppFault.sentence(of: $0) } }
    public var canUndo: Bool { document.undoManager.canUndo }
    public var canRedo: Bool { document.undoManager.canRedo }

    private let document: STESimpleTextDocument
    private var observer: (any NSObjectProtocol)?
    private var state: UIDocument.State = .normal, place: URL, shown = ""
    private var isClosing = false

    /// `levelsOfUndo`: a text view that has an undo of its own needs none of each letter's, which has the whole text in it. 0: all.
    public init(_ file: URL, levelsOfUndo: Int = 0) {
        place = file
        document = STESimpleTextDocument(fileURL: file)
        document.undoManager.levelsOfUndo = levelsOfUndo
    }

    isolated deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }

    public func open() async throws {
        try await document.openOrThrow()
        (state, place, shown) = (document.documentState, document.fileURL, document.documentText)
        document.contentsUpdated = { [weak self] in self?.take($0) }
        observer = NotificationCenter.default.addObserver(forName: UIDocument.stateChangedNotification, object: document, queue: nil) { [weak self] _ in
            MainActor.assumeIsolated { self?.look() }
        }
    }

    /// The editor disappears. Where that fails, it is open still, with all that was typed.
    public func close() async throws {
        isClosing = true
        defer { isClosing = false }
        try await document.closeOrThrow()
    }

    /// It disappears, and what was not saved with it: for whoever was told that it cannot be.
    public func discard() async {
        isClosing = true
        defer { isClosing = false }
        document.updateChangeCount(.cleared)
        await document.close()
    }

    // MARK: Typing

    public func type(_ words: String) { set(text + words) }

    /// As a text view has it after each letter.
    public func set(_ text: String) {
        guard text != document.documentText else { return }
        document.setDocumentText(text)
        shown = text
    }

    public func undo() {
        document.undoManager.undo()
        shown = document.documentText
    }

    public func redo() {
        document.undoManager.redo()
        shown = document.documentText
    }

    /// What somebody else has replaced is the text again. That is an edit like others, and can be undone.
    public func bringBack() throws {
        guard let textBefore else { throw AppFault("Nobody else has changed it.") }
        set(textBefore)
        self.textBefore = nil
    }

    // MARK: What others do

    private func take(_ text: String) {
        guard text != shown else { return }
        (textBefore, shown) = (shown, text)
        happened?(.otherText)
    }

    private func look() {
        let new = document.documentState, old = state
        state = new
        if document.fileURL != place {
            place = document.fileURL
            happened?(.otherName)
        }
        if new.contains(.inConflict), !old.contains(.inConflict) { happened?(.inConflict) }
        if new.contains(.savingError), !old.contains(.savingError) { happened?(.notSaved) }
        if !new.contains(.savingError), old.contains(.savingError) { happened?(.saved) }
        if new.contains(.closed), !old.contains(.closed), !isClosing { happened?(.gone) }
    }
}
