import DocumentKit
import Foundation
import Synchronization

/// A text document that prints what happens to it, a line each.
final class TracedNote: UIDocument {
    var text = ""
    /// What it refuses: "contents", "load", "write"; or what goes wrong otherwise.
    var refuses = "" { didSet { refusing.withLock { $0 = refuses } } }
    /// The same for its own queue, which must not wait for the main one: that may wait for it.
    private let refusing = Mutex("")
    /// A document that is a folder: what is typed is a part of it.
    private var package: FileWrapper?
    /// It asks the user about errors, who does not answer at once.
    var asks = false
    private(set) var asked: [any Error] = []
    private(set) var lastSentence = ""
    private var observer: (any NSObjectProtocol)?

    override init(fileURL url: URL) {
        super.init(fileURL: url)
        observer = NotificationCenter.default.addObserver(forName: UIDocument.stateChangedNotification, object: self, queue: nil) { [weak self] _ in
            MainActor.assumeIsolated { if let self { say("state", self.states) } }
        }
    }

    struct Refusal: Error {}

    override func contents(forType typeName: String) throws -> Any {
        say("contents", text)
        if refuses == "contents" { throw Refusal() }
        // A main thread that is busy for longer than anybody is waited for.
        if refuses == "haste" { sleep(8) }
        if refuses == "deletes" { try? FileManager.default.removeItem(at: fileURL) }
        guard let package else { return Data(text.utf8) }
        package.addRegularFile(withContents: Data(text.utf8), preferredFilename: "text")
        return package
    }

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        package = contents as? FileWrapper
        guard let data = package == nil ? contents as? Data : Data(), !["load", "once"].contains(refuses) else {
            say("load", "refused")
            if refuses == "once" { refuses = "" }
            throw Refusal()
        }
        text = String(decoding: data, as: UTF8.self)
        say("load", text)
    }

    override nonisolated func writeContents(_ contents: Any, to url: URL, for saveOperation: SaveOperation, originalContentsURL: URL?) throws {
        if refusing.withLock({ $0 == "write" }) { throw Refusal() }
        try super.writeContents(contents, to: url, for: saveOperation, originalContentsURL: originalContentsURL)
    }

    override nonisolated func writeContents(_ contents: Any, andAttributes attributes: [AnyHashable: Any]?, safelyTo url: URL, for saveOperation: SaveOperation) throws {
        try super.writeContents(contents, andAttributes: attributes, safelyTo: url, for: saveOperation)
        guard refusing.withLock({ $0 == "lastWord" }) else { return }
        // A shell that knows of no access, the moment after.
        let file = try FileHandle(forWritingTo: url)
        try file.seekToEnd()
        try file.write(contentsOf: Data("theirs".utf8))
        try file.close()
    }

    /// The word of a move takes its time.
    override nonisolated func presentedItemDidMove(to newURL: URL) {
        if refusing.withLock({ $0 == "news" }) { usleep(500_000) }
        super.presentedItemDidMove(to: newURL)
    }

    override func disableEditing() { say("disable") }
    override func enableEditing() { say("enable") }

    /// What was wrong the last time.
    private(set) var fault = ""

    override func handleError(_ error: any Error, userInteractionPermitted: Bool) {
        fault = error.localizedDescription
        say("error", error is Refusal ? "refused" : "\((error as NSError).domain == NSCocoaErrorDomain ? "cocoa" : "other")", userInteractionPermitted ? "" : "ending")
        lastSentence = (error as NSError).localizedDescription
        guard asks else { return super.handleError(error, userInteractionPermitted: userInteractionPermitted) }
        asked.append(error)
    }

    func answer(_ recovered: Bool) { if !asked.isEmpty { finishedHandlingError(asked.removeFirst(), recovered: recovered) } }

    var states: String {
        let names: [(State, String)] = [(.closed, "closed"), (.inConflict, "inConflict"), (.savingError, "savingError"), (.editingDisabled, "editingDisabled")]
        let found = names.filter { documentState.contains($0.0) }.map(\.1)
        return found.isEmpty ? "normal" : found.joined(separator: "+")
    }

    /// As an editor does it: an edit that can be undone.
    func type(_ new: String) {
        let old = text
        undoManager.registerUndo(withTarget: self) { $0.type(old) }
        text = new
    }
}

func say(_ words: String...) {
    let line = words.filter { !$0.isEmpty }.joined(separator: " ")
    said.withLock { $0.append(line) }
    print(line)
    fflush(nil)
}

let said = Mutex<[String]>([])
