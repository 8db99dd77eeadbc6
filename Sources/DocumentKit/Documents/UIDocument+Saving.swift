import Foundation
import LinuxFiles

// Changes, and how they are saved. What writes files is on the document's own queue.
extension UIDocument {
    // MARK: Changes

    func count(_ change: ChangeKind) {
        switch change {
        case .done: history.done()
        case .undone: history.undone()
        case .redone: history.redone()
        case .cleared: return history.clear()
        }
        orderAutosave()
    }

    /// What was registered until now is an edit by itself.
    func endEdit() { if madeUndoManager?.hasOpenChanges == true { madeUndoManager?.endEventGroup() } }

    func watch(_ manager: UndoManager?) {
        for observer in undoObservers { NotificationCenter.default.removeObserver(observer) }
        undoObservers = []
        guard let manager else { return }
        func on(_ name: Notification.Name, _ change: ChangeKind) {
            undoObservers.append(NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) { [weak self] _ in
                MainActor.assumeIsolated { self?.heard(change) }
            })
        }
        on(.NSUndoManagerDidCloseUndoGroup, .done)
        on(.NSUndoManagerDidUndoChange, .undone)
        on(.NSUndoManagerDidRedoChange, .redone)
    }

    private func heard(_ change: ChangeKind) {
        if change == .done, let manager = madeUndoManager, manager.isUndoing || manager.isRedoing || manager.groupingLevel > 0 { return }
        updateChangeCount(change)
    }

    func orderAutosave() {
        guard !isAutosaveOrdered, phase == .open, hasUnsavedChanges else { return }
        isAutosaveOrdered = true
        MainQueue.run(after: autosaveDelay) { [weak self] in
            guard let self else { return }
            isAutosaveOrdered = false
            guard phase == .open, hasUnsavedChanges, !file.isDeleted else { return }
            // What could not be saved is tried again.
            isTryingAgain = true
            save { [weak self] _ in self?.orderAutosave() }
            isTryingAgain = false
        }
    }

    // MARK: Saving

    /// What is not saved, by the method that an app overrides. That calls its handler where it likes.
    func save(_ then: @escaping Completion) { autosave { success in MainQueue.now { then(success) } } }

    func beginSaving(to url: URL, _ operation: SaveOperation, _ then: @escaping Completion) {
        // Its place is looked up when it is its turn: it may be moved while its contents are made.
        let isOwn = operation == .forOverwriting && file.isOwn(url)
        let tellsOnce = isTryingAgain
        if isOwn, phase == .closed, file.isDeleted { return failSaving(FileFault.error(.noSuchEntry, url.path, isWriting: true), tellsOnce: tellsOnce, then) }
        endEdit()
        let token = changeCountToken(for: operation), state = history.current, loads = file.loads
        let contents: Handed<Any>, attributes: Handed<[AnyHashable: Any]>
        do {
            contents = Handed(try self.contents(forType: savingFileType ?? ""))
            attributes = Handed(try fileAttributesToWrite(to: url, for: operation))
        } catch { return failSaving(error, tellsOnce: tellsOnce, then) }
        saves.append((state, []))
        let handedToken = Handed(token)
        DocumentsAtEnd.whileWatching(self) { [self] in
            // What was taken before the document was read again is what was there before that: it was saved then, or was to be lost.
            let isOver = file.loads != loads && isOwn
            let failure = isOver ? nil : write(contents.value, attributes.value, to: isOwn ? nil : url, operation), outcome = file.takeOutcome()
            if failure == nil, operation == .forCreating {
                file.deletion = .none
                present(url)
            }
            // At a new place there are other versions, or none.
            let isInConflict = failure == nil && (outcome == .conflict || operation == .forCreating && Self.isInConflict(url))
            WaitingMainQueue.run { [self] in saved(failure, url, operation, handedToken.value, state, isInConflict: isInConflict, tellsOnce: tellsOnce, then) }
        }
    }

    /// A claim is gone with whoever granted it: then it is asked for again.
    private nonisolated static let mostTries = 5

    /// `other`: where to, where that is not its own place, wherever that is by then.
    private nonisolated func write(_ contents: Any, _ attributes: [AnyHashable: Any], to other: URL?, _ operation: SaveOperation) -> (any Error)? {
        var failure: (any Error)?
        for _ in 0..<Self.mostTries {
            let url = other ?? file.url
            if other == nil, file.isDeleted { return DocumentFile.Deleted() }
            var isMoved = false, isOvertaken = false
            do {
                try file.access(WantedItem(writing: url, operation == .forCreating ? .forReplacing : []), by: self, isOwn: other == nil) { place in
                    // What was moved, with or without a word, is not written a second time. What is gone is.
                    isMoved = other == nil && (file.hasLeft(place, sought: url) || isElsewhere(place))
                    guard !isMoved else { return }
                    // Who was about to delete it has done so while this was waited for.
                    if other == nil, file.deletion == .asked, !DocumentFile.isThere(place) {
                        letGoOfDeleted()
                        throw DocumentFile.Deleted()
                    }
                    try writeContents(contents, andAttributes: attributes.isEmpty ? nil : attributes, safelyTo: place, for: operation)
                    let mark = DocumentFile.Look(place).mark
                    if operation == .forCreating { file.url = url }
                    isOvertaken = file.noteWritten(mark)
                }
                if isOvertaken { followChange() }
                guard isMoved else { return nil }
            } catch is DocumentFile.MovedAway { isMoved = true } catch {
                if error is DocumentFile.Deleted { return error }
                failure = error is Failure ? FileFault.coordination(error, isWriting: true) : error
                guard FileFault.isOfLostClaim(error) else {
                    // The folder may have gone at any step.
                    if !DocumentFile.isThere(url.deletingLastPathComponent()) { failure = FileFault.error(.noSuchEntry, url.path, isWriting: true) }
                    break
                }
            }
            guard isMoved else { continue }
            if file.url == url { _ = followUntoldMove() }
            failure = FileFault.error(.noSuchEntry, url.path, isWriting: true)
        }
        return failure
    }

    /// Whether somebody has moved it out of its container, or into one, and the word of that has not come yet.
    private nonisolated func isElsewhere(_ place: URL) -> Bool {
        !DocumentFile.isThere(place) && FilePresenters.link(of: ObjectIdentifier(self))?.placeElsewhere(than: place) != nil
    }

    /// From now on it is the one at this place.
    private nonisolated func present(_ url: URL) {
        NSFileCoordinator.removeFilePresenter(self)
        NSFileCoordinator.addFilePresenter(self)
    }

    private func saved(
        _ failure: (any Error)?, _ url: URL, _ operation: SaveOperation, _ token: Any, _ state: UInt64, isInConflict: Bool, tellsOnce: Bool,
        _ then: @escaping Completion
    ) {
        let waiters = saves.firstIndex { $0.state == state }.map { saves.remove(at: $0).waiters } ?? []
        let end: Completion = { success in
            WaitingMainQueue.tell { then(success) }
            for waiter in waiters { waiter(success) }
        }
        // The document is closed, or is about to be: what became of its file is no fault of this save.
        if failure is DocumentFile.Deleted {
            lastFailure = FileFault.error(.noSuchEntry, url.path, isWriting: true)
            return end(false)
        }
        if let failure { return failSaving(failure, tellsOnce: tellsOnce, end) }
        updateChangeCount(withToken: token, for: operation)
        toldFailure = nil
        documentState.remove(.savingError)
        if operation == .forCreating || file.isOwn(url) { note(isReadOnly: false) }
        if isInConflict { documentState.insert(.inConflict) } else if operation == .forCreating { documentState.remove(.inConflict) }
        if operation == .forCreating, phase == .closed {
            phase = .open
            DocumentsAtEnd.add(self)
            documentState.remove(.closed)
        }
        orderAutosave()
        end(true)
    }

    /// `tellsOnce`: nobody asked for this save, and who was told why the last one failed is told again when that is another reason.
    private func failSaving(_ error: any Error, tellsOnce: Bool, _ then: @escaping Completion) {
        documentState.insert(.savingError)
        lastFailure = error
        let told = error as NSError, cause = told.userInfo[NSUnderlyingErrorKey] as? NSError
        let words = "\(told.domain) \(told.code) \(cause?.domain ?? "") \(cause?.code ?? 0) \(told.localizedDescription)"
        if tellsOnce, toldFailure == words { return then(false) }
        toldFailure = words
        fail(error) { _ in then(false) }
    }
}

extension FileFault {
    /// Whoever granted the claim ended before it could be used.
    static func isOfLostClaim(_ error: any Error) -> Bool {
        let error = coordination(error), cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
        return cause?.domain == NSPOSIXErrorDomain && [ECONNRESET, EPIPE].contains(Int32(clamping: cause?.code ?? 0))
    }
}
