import Foundation
import LinuxFiles

/// A document that is open in an app: read from a file or package, edited, and saved without anybody asking for it. As UIKit's class of
/// this name, which Linux does not have.
///
/// It belongs to the main queue: its methods are called there, and completion handlers come there. Files are read and written on a
/// queue of its own, in coordinated accesses: it is a presenter of its file, so that whoever reads that, in another process or on a
/// drive, gets what was typed. A program has to serve its main queue: `dispatchMain()`, `RunLoop.main.run()` or an `async` main function.
/// Only under the second of these it is always the main thread that does: `Thread.isMainThread` may be false in what a document calls, so that
/// who is not on that thread must not wait for the main queue because of it. `MainActor.assumeIsolated` is right there under all three.
///
/// Apple's belongs to no actor, and code that is written for it calls it from anywhere. That compiles here, too, with a warning where the main queue
/// is not certain: hence `@preconcurrency`.
///
/// ```swift
/// final class Note: UIDocument {
///     var text = ""
///     override func contents(forType typeName: String) throws -> Any { Data(text.utf8) }
///     override func load(fromContents contents: Any, ofType typeName: String?) throws { text = String(decoding: contents as? Data ?? Data(), as: UTF8.self) }
/// }
/// let note = Note(fileURL: url)
/// note.open { success in if success { show(note.text) } }
/// ```
@preconcurrency @MainActor
open class UIDocument: NSObject, NSFilePresenter {
    /// What is the matter with a document.
    ///
    /// ```swift
    /// if document.documentState.contains(.inConflict) { showConflict() }
    /// ```
    public struct State: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// It is open, and all is well.
        public static let normal: State = []
        /// It was not opened yet, or is closed.
        public static let closed = State(rawValue: 1 << 0)
        /// Somebody has to decide about other versions of it.
        public static let inConflict = State(rawValue: 1 << 1)
        /// It could not be saved the last time.
        public static let savingError = State(rawValue: 1 << 2)
        /// What is typed now would be lost: somebody else writes it, it is being read again, or it cannot be saved, because its place is read-only.
        public static let editingDisabled = State(rawValue: 1 << 3)
        /// ``UIDocument/progress`` says how far it is. Nothing takes so long here.
        public static let progressAvailable = State(rawValue: 1 << 4)
    }

    /// For the first time, or in the place of what is there.
    ///
    /// ```swift
    /// document.save(to: url, for: .forCreating) { success in show(success) }
    /// ```
    public enum SaveOperation: Int, Sendable {
        /// There is nothing at its place yet.
        case forCreating = 0
        /// What is there is its own, from before.
        case forOverwriting = 1
    }

    /// What an edit was.
    ///
    /// ```swift
    /// document.updateChangeCount(.done)
    /// ```
    public enum ChangeKind: Int, Sendable {
        /// Something new was done.
        case done = 0
        /// What was done last was undone.
        case undone = 1
        /// What was undone last was done again.
        case redone = 2
        /// What the document is now counts as saved.
        case cleared = 3
    }

    /// ``documentState`` is another one, or ``fileURL``. Posted on the main queue.
    ///
    /// ```swift
    /// NotificationCenter.default.addObserver(forName: UIDocument.stateChangedNotification, object: document, queue: nil) { _ in update() }
    /// ```
    public nonisolated static let stateChangedNotification = Notification.Name("UIDocumentStateChangedNotification")

    enum Phase { case closed, opening, open, closing }

    nonisolated let file: DocumentFile
    var phase = Phase.closed
    /// On the main queue; whether it went well.
    typealias Completion = @MainActor (Bool) -> Void

    var openings: [Completion] = [], closings: [Completion] = []
    var history = ChangeHistory()
    /// Saves that have begun: which state each has, and who waits for it.
    var saves: [(state: UInt64, waiters: [Completion])] = []
    /// Errors that somebody is being told of, and what follows.
    var errors: [(error: any Error, then: Completion)] = []
    /// Why it could not be saved the last time, for whoever asks it to save.
    var lastFailure: (any Error)?
    var pauses = 0
    /// One of these is because its file cannot be written.
    var isReadOnly = false
    /// How often it was closed: what paused it before that does not end a pause after it.
    var life: UInt = 0
    /// What is being read again must not take the place of an edit.
    var keepsEdits = false
    /// What was loaded last is what its history begins with.
    var hasStartedAnew = false
    var isAutosaveOrdered = false
    /// While a save is asked for that nobody called.
    var isTryingAgain = false
    /// Why the last save failed, where somebody was told of that.
    var toldFailure: String?
    var undoObservers: [any NSObjectProtocol] = []
    private var ownUndoManager: UndoManager?
    /// An edit is saved after so many seconds.
    package var autosaveDelay = 3.0

    /// A document of this file, which need not be there yet. Nothing is read.
    ///
    /// ```swift
    /// let document = Note(fileURL: url)
    /// ```
    public init(fileURL url: URL) {
        file = DocumentFile(url)
        super.init()
        WaitingMainQueue.noteDocument()
    }

    // MARK: What it is

    /// Where its file is. Follows it when it is moved or renamed.
    ///
    /// ```swift
    /// print(document.fileURL.lastPathComponent)
    /// ```
    open nonisolated var fileURL: URL { file.url }

    /// The file's name, without its extension.
    ///
    /// ```swift
    /// label.text = document.localizedName
    /// ```
    open nonisolated var localizedName: String { fileURL.deletingPathExtension().lastPathComponent }

    /// The type of its file, from its name: see ``ContentTypes``, where an app adds its own.
    ///
    /// ```swift
    /// if document.fileType == "public.plain-text" { … }
    /// ```
    open nonisolated var fileType: String? { ContentTypes.identifier(of: fileURL) }

    /// When its file was written, as far as the document knows that. Whoever writes the file by themselves sets it; set to what the
    /// file says now, what is there counts as seen, and the next save replaces it.
    ///
    /// ```swift
    /// label.text = document.fileModificationDate?.formatted()
    /// ```
    open nonisolated var fileModificationDate: Date? {
        get { file.mark?.date }
        set { file.noteSeen(newValue) }
    }

    /// What is the matter with it. A change is told by ``stateChangedNotification``.
    ///
    /// ```swift
    /// editor.isEnabled = document.documentState.isDisjoint(with: [.closed, .editingDisabled])
    /// ```
    open internal(set) var documentState: State = .closed {
        didSet { if documentState != oldValue { tellState() } }
    }

    /// How far a long operation is: nil, for there is none here.
    ///
    /// ```swift
    /// bar.observedProgress = document.progress
    /// ```
    open var progress: Progress? { nil }

    // MARK: Its life

    /// Reads the file. A document that is open stays as it is; one that is being opened is opened once.
    ///
    /// ```swift
    /// document.open { success in if success { show(document) } }
    /// ```
    /// - Parameter completionHandler: on the main queue; whether it is open.
    open func open(completionHandler: (@Sendable (Bool) -> Void)?) { beginOpening { completionHandler?($0) } }

    /// Saves what is not saved, and lets go of the file. Where that cannot be saved it stays open. Closed once, whoever else calls it. False as
    /// long as something is not saved, also of one that was closed because its file was deleted.
    ///
    /// ```swift
    /// document.close { success in if !success { warn() } }
    /// ```
    /// - Parameter completionHandler: on the main queue; whether it is closed.
    open func close(completionHandler: (@Sendable (Bool) -> Void)?) { beginClosing { completionHandler?($0) } }

    /// Saves the document. Its contents are taken at once, and written behind the caller's back: an edit made meanwhile stays unsaved.
    /// One that is saved for creating is open afterwards, at its new place.
    ///
    /// ```swift
    /// document.save(to: url, for: .forCreating) { success in if success { list.append(document) } }
    /// ```
    /// - Parameters:
    ///   - url: its file, or another place for it.
    ///   - saveOperation: whether something is there already.
    ///   - completionHandler: on the main queue; whether it is saved.
    open func save(to url: URL, for saveOperation: SaveOperation, completionHandler: (@Sendable (Bool) -> Void)?) { beginSaving(to: url, saveOperation) { completionHandler?($0) } }

    /// Saves what is not saved. Called a few seconds after an edit, before somebody else reads the file, and when the process is told to end.
    ///
    /// ```swift
    /// document.autosave { success in … }
    /// ```
    open func autosave(completionHandler: (@Sendable (Bool) -> Void)?) {
        endEdit()
        guard hasUnsavedChanges else { return MainQueue.run { completionHandler?(true) } }
        if file.isDeleted { return MainQueue.run { completionHandler?(false) } }
        // What is being saved already, because somebody else asked for the file, would be saved a second time over what he writes.
        if history.hasUnsavedChanges, waitForSave({ completionHandler?($0) }) { return }
        save(to: fileURL, for: .forOverwriting, completionHandler: completionHandler)
    }

    /// Reads it again, from its file or another one. What was not saved is lost.
    ///
    /// ```swift
    /// document.revert(toContentsOf: document.fileURL) { success in show(document) }
    /// ```
    open func revert(toContentsOf url: URL, completionHandler: (@Sendable (Bool) -> Void)?) { beginReverting(to: url, keepsEdits: false) { completionHandler?($0) } }

    // MARK: To be overridden

    /// What is to be saved: `Data`, or a ``FileWrapper``. Called on the main queue. What it throws, ``handleError(_:userInteractionPermitted:)`` gets.
    ///
    /// ```swift
    /// override func contents(forType typeName: String) throws -> Any { Data(text.utf8) }
    /// ```
    open func contents(forType typeName: String) throws -> Any { throw FileFault.error(.featureUnsupported, fileURL.path, nil) }

    /// Takes what was read: `Data` of a file, a ``FileWrapper`` of a folder. Called on the main queue.
    ///
    /// ```swift
    /// override func load(fromContents contents: Any, ofType typeName: String?) throws { text = String(decoding: contents as? Data ?? Data(), as: UTF8.self) }
    /// ```
    open func load(fromContents contents: Any, ofType typeName: String?) throws { throw FileFault.error(.featureUnsupported, fileURL.path, nil) }

    /// Reads a file, on the document's own queue, in an access, and has it loaded on the main one.
    ///
    /// ```swift
    /// override nonisolated func read(from url: URL) throws { try stream(from: url) }
    /// ```
    open nonisolated func read(from url: URL) throws {
        let contents = Handed(try file.contents(of: url)), type = ContentTypes.identifier(of: url)
        try WaitingMainQueue.runAndWait(lettingGo: file.lettingGo) { [self] in try loadUnlessEdited(contents.value, type) }
    }

    /// Writes contents wholly or not at all, on the document's own queue, in an access. In a container, whoever writes there puts them in
    /// their place, with a version of what was there.
    ///
    /// ```swift
    /// override nonisolated func writeContents(_ contents: Any, andAttributes attributes: [AnyHashable: Any]?, safelyTo url: URL, for operation: SaveOperation) throws {
    ///     try super.writeContents(contents, andAttributes: attributes, safelyTo: url, for: operation)
    /// }
    /// ```
    open nonisolated func writeContents(_ contents: Any, andAttributes additionalFileAttributes: [AnyHashable: Any]? = nil, safelyTo url: URL, for saveOperation: SaveOperation) throws {
        let original = DocumentFile.modificationDate(of: url) == nil ? nil : url
        try file.put(at: url) { place in
            try writeContents(contents, to: place, for: saveOperation, originalContentsURL: original)
            let known = (additionalFileAttributes ?? [:]).compactMap { key, value in (key as? FileAttributeKey ?? (key as? String).map { FileAttributeKey($0) }).map { ($0, value) } }
            if !known.isEmpty { try FileManager.default.setAttributes(Dictionary(known) { $1 }, ofItemAtPath: place.path) }
        }
        (contents as? FileWrapper)?.filename = url.lastPathComponent
    }

    /// Writes contents to a place that nobody sees yet. What did not change may be taken over from the original, by a second name.
    ///
    /// ```swift
    /// override nonisolated func writeContents(_ contents: Any, to url: URL, for operation: SaveOperation, originalContentsURL: URL?) throws { try stream(to: url) }
    /// ```
    open nonisolated func writeContents(_ contents: Any, to url: URL, for saveOperation: SaveOperation, originalContentsURL: URL?) throws {
        try DocumentFile.write(contents, to: url, original: originalContentsURL)
    }

    /// Facts that the file is to have: permissions and times, by `FileAttributeKey`. Called on the main queue.
    ///
    /// ```swift
    /// override func fileAttributesToWrite(to url: URL, for operation: SaveOperation) throws -> [AnyHashable: Any] { [FileAttributeKey.posixPermissions: 0o600] }
    /// ```
    open func fileAttributesToWrite(to url: URL, for saveOperation: SaveOperation) throws -> [AnyHashable: Any] { [:] }

    /// The type that it is saved as.
    ///
    /// ```swift
    /// override var savingFileType: String? { "public.plain-text" }
    /// ```
    open var savingFileType: String? { fileType }

    /// The extension for a type: the file's own for its own type.
    ///
    /// ```swift
    /// let word = document.fileNameExtension(forType: document.savingFileType, saveOperation: .forCreating)
    /// ```
    open func fileNameExtension(forType typeName: String?, saveOperation: SaveOperation) -> String {
        if typeName == nil || typeName == fileType { return fileURL.pathExtension }
        return typeName.flatMap(ContentTypes.fileNameExtension) ?? fileURL.pathExtension
    }

    /// Runs a block on the queue on which the file is read and written, after what is under way there.
    ///
    /// ```swift
    /// document.performAsynchronousFileAccess { measure(url) }
    /// ```
    open nonisolated func performAsynchronousFileAccess(_ block: @escaping @Sendable () -> Void) { file.run(block) }

    // MARK: Changes

    /// Whether something is not saved.
    ///
    /// ```swift
    /// dot.isHidden = !document.hasUnsavedChanges
    /// ```
    open var hasUnsavedChanges: Bool { history.hasUnsavedChanges || ownUndoManager?.hasOpenChanges == true }

    /// Says that it was edited; it is saved a few seconds later. Not needed where the edit was registered with ``undoManager``.
    ///
    /// ```swift
    /// note.text = new
    /// note.updateChangeCount(.done)
    /// ```
    open func updateChangeCount(_ change: ChangeKind) { count(change) }

    /// What the document is now, to say later that this is saved. For who saves by themselves.
    ///
    /// ```swift
    /// let token = document.changeCountToken(for: .forOverwriting)
    /// ```
    open func changeCountToken(for saveOperation: SaveOperation) -> Any { ChangeToken(state: history.current) }

    /// What the token was made of is saved. Later edits are not.
    ///
    /// ```swift
    /// document.updateChangeCount(withToken: token, for: .forOverwriting)
    /// ```
    open func updateChangeCount(withToken changeCountToken: Any, for saveOperation: SaveOperation) {
        if let token = changeCountToken as? ChangeToken { history.noteSaved(token.state) }
    }

    /// Where changes are registered to be undone: that marks the document as edited. Made when it is asked for first.
    ///
    /// ```swift
    /// document.undoManager.registerUndo(withTarget: self) { $0.text = old }
    /// ```
    open var undoManager: UndoManager! {
        get {
            if let ownUndoManager { return ownUndoManager }
            let new = UndoManager()
            ownUndoManager = new
            watch(new)
            return new
        }
        set {
            ownUndoManager = newValue
            watch(newValue)
        }
    }

    /// The undo manager, if there is one yet.
    var madeUndoManager: UndoManager? { ownUndoManager }

    /// What is typed from here on would be lost. Called on the main queue; here nothing follows.
    ///
    /// ```swift
    /// override func disableEditing() { editor.isEnabled = false }
    /// ```
    open func disableEditing() {}

    /// The opposite.
    ///
    /// ```swift
    /// override func enableEditing() { editor.isEnabled = true }
    /// ```
    open func enableEditing() {}

    // MARK: What somebody does with it

    /// What is being done with it, where the app has said that. It has the document's URL then. None is made by itself.
    ///
    /// ```swift
    /// document.userActivity = NSUserActivity(activityType: "com.example.App.editing")
    /// ```
    open var userActivity: NSUserActivity? { didSet { if let userActivity { updateUserActivityState(userActivity) } } }

    /// Puts the URL into an activity; who overrides it adds what else is needed to go on.
    ///
    /// ```swift
    /// override func updateUserActivityState(_ activity: NSUserActivity) { super.updateUserActivityState(activity); activity.addUserInfoEntries(from: ["line": line]) }
    /// ```
    open func updateUserActivityState(_ userActivity: NSUserActivity) { userActivity.addUserInfoEntries(from: [Self.userActivityURLKey: fileURL]) }

    /// Goes on with an activity. To be overridden; here nothing follows.
    ///
    /// ```swift
    /// override func restoreUserActivityState(_ activity: NSUserActivity) { line = activity.userInfo?["line"] as? Int ?? 0 }
    /// ```
    open func restoreUserActivityState(_ userActivity: NSUserActivity) {}

    // MARK: Errors

    /// It could not be read or saved. Whoever overrides it and asks the user calls ``finishedHandlingError(_:recovered:)`` afterwards, or
    /// `super`; who waits for the operation is told then.
    ///
    /// ```swift
    /// override func handleError(_ error: any Error, userInteractionPermitted: Bool) { show(error); finishedHandlingError(error, recovered: false) }
    /// ```
    /// - Parameter userInteractionPermitted: false while the process ends.
    open func handleError(_ error: any Error, userInteractionPermitted: Bool) { finishedHandlingError(error, recovered: false) }

    /// The error was dealt with.
    ///
    /// ```swift
    /// document.finishedHandlingError(error, recovered: true)
    /// ```
    open func finishedHandlingError(_ error: any Error, recovered: Bool) { endError(recovered) }

    /// The process ends: nobody can be asked any more.
    ///
    /// ```swift
    /// override func userInteractionNoLongerPermitted(forError error: any Error) { sheet.close(); super.userInteractionNoLongerPermitted(forError: error) }
    /// ```
    open func userInteractionNoLongerPermitted(forError error: any Error) { finishedHandlingError(error, recovered: false) }

    // MARK: As a presenter

    open nonisolated var presentedItemURL: URL? { fileURL }
    open nonisolated var presentedItemOperationQueue: OperationQueue { file.presenterQueue }
    open nonisolated func relinquishPresentedItem(toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) { relinquish(disablingEditing: false, to: reader) }
    open nonisolated func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) { relinquish(disablingEditing: true, to: writer) }
    open nonisolated func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) { saveForOthers(completionHandler) }
    open nonisolated func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable ((any Error)?) -> Void) { followDeletion(completionHandler) }
    open nonisolated func presentedItemDidMove(to newURL: URL) { followMove(to: newURL) }
    open nonisolated func presentedItemDidChange() { followChange() }
    // A package is one item, whatever changed in it.
    open nonisolated func presentedSubitemDidAppear(at url: URL) { followChange() }
    open nonisolated func presentedSubitemDidChange(at url: URL) { followChange() }
    open nonisolated func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL) { followChange() }
    open nonisolated func accommodatePresentedSubitemDeletion(at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        completionHandler(nil)
        followChange()
    }
    open nonisolated func presentedItemDidGain(_ version: NSFileVersion) { if version.isConflict { followConflicts() } }
    open nonisolated func presentedItemDidLose(_ version: NSFileVersion) { followConflicts() }
    open nonisolated func presentedItemDidResolveConflict(_ version: NSFileVersion) { followConflicts() }
}

/// What a document was when its contents were taken.
final class ChangeToken: NSObject, Sendable {
    let state: UInt64
    init(state: UInt64) { self.state = state }
}
