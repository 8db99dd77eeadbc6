import Foundation

// Opening, reading again and closing, step by step. What reads files is on the document's own queue.
extension UIDocument {
    func tellState() { WaitingMainQueue.tell { [self] in NotificationCenter.default.post(name: Self.stateChangedNotification, object: self) } }

    // MARK: Opening

    func beginOpening(_ then: @escaping Completion) {
        switch phase {
        case .open: return MainQueue.run { then(true) }
        // Once it is closed it is opened again.
        case .opening, .closing: return openings.append(then)
        case .closed: break
        }
        phase = .opening
        openings.append(then)
        let url = fileURL
        DocumentsAtEnd.whileWatching(self) { [self] in
            file.deletion = .none
            let place = FilePresenters.add(self), (outcome, isInConflict) = file.readingFirst { readCoordinated(url, at: place) }
            if outcome != nil { NSFileCoordinator.removeFilePresenter(self) }
            MainQueue.run { [self] in opened(outcome, isInConflict) }
        }
    }

    private func opened(_ failure: (any Error)?, _ isInConflict: Bool) {
        if let failure { return fail(failure) { [self] _ in endOpening(false) } }
        begin(isInConflict: isInConflict)
        endOpening(true)
    }

    /// It is open, and what it has is what is on disk.
    func begin(isInConflict: Bool) {
        phase = .open
        startAnewOnce()
        DocumentsAtEnd.add(self)
        let isPaused = pauses > 0
        isReadOnly = file.isReadOnly
        if isReadOnly { pauses += 1 }
        var state: State = isInConflict ? .inConflict : .normal
        if pauses > 0 { state.insert(.editingDisabled) }
        documentState = state
        if isReadOnly, !isPaused { disableEditing() }
    }

    func startAnew() {
        madeUndoManager?.removeAllActions()
        history.begin()
    }

    /// Not again where that was done when it was loaded. Who reads by themselves loads by themselves.
    private func startAnewOnce() {
        if !hasStartedAnew { startAnew() }
        hasStartedAnew = false
    }

    private func endOpening(_ success: Bool) {
        if !success { phase = .closed }
        let waiting = openings
        openings = []
        for then in waiting { then(success) }
        guard !closings.isEmpty, phase != .closing else { return }
        let closing = closings
        closings = []
        for then in closing { beginClosing(then) }
    }

    // MARK: Reading

    /// Why it could not be read; and whether somebody has to decide about versions of it.
    nonisolated func readCoordinated(_ url: URL, at place: ItemPlace? = nil) -> (failure: (any Error)?, isInConflict: Bool) {
        var wanted = WantedItem(reading: url, []), isInConflict = false
        wanted.place = place
        do {
            try file.access(wanted, by: self) { url in
                let look = DocumentFile.Look(url, at: url == wanted.url ? place : nil)
                if look.isSymbolicLink { throw DocumentFile.SymbolicLink() }
                try file.looking(at: url, look) { try read(from: url) }
                // What was moved while it was read is the same file.
                guard file.url == wanted.url || file.isOwn(wanted.url) && !DocumentFile.isThere(wanted.url) else { return }
                file.mark = look.mark
                file.isReadOnly = look.isReadOnly
                isInConflict = Self.isInConflict(url, look)
            }
            return (nil, isInConflict)
        } catch is DocumentFile.SymbolicLink {
            guard let target = followLink(url) else { return (FileFault.error(.tooManySymbolicLinks, url.path, isWriting: false), false) }
            return readCoordinated(target)
        } catch { return (error, false) }
    }

    /// What a symbolic link leads to. A document that is opened by one is the document there, and presented there: a save would take the link's place.
    private nonisolated func followLink(_ url: URL) -> URL? {
        let target = url.resolvingSymlinksInPath()
        guard (try? FilePlace(target).status().type) != .symbolicLink else { return nil }
        guard file.url == url else { return target }
        let isPresented = FilePresenters.link(of: ObjectIdentifier(self)) != nil
        NSFileCoordinator.removeFilePresenter(self)
        file.url = target
        if isPresented { NSFileCoordinator.addFilePresenter(self) }
        return target
    }

    func loadUnlessEdited(_ contents: Any, _ type: String) throws {
        if keepsEdits, hasUnsavedChanges { throw CocoaError(.userCancelled) }
        try load(fromContents: contents, ofType: type)
        file.noteLoad()
        // In the same turn: what is typed from here on is an edit of that.
        startAnew()
        hasStartedAnew = true
    }

    /// `keepsEdits`: somebody else changed it, and what was typed since is not to be lost because of that.
    func beginReverting(to url: URL, keepsEdits: Bool, _ then: @escaping Completion) {
        pause()
        performAsynchronousFileAccess { [self] in
            try? WaitingMainQueue.runAndWait { [self] in self.keepsEdits = keepsEdits }
            let failure = readCoordinated(url).failure, isInConflict = Self.isInConflict(fileURL)
            MainQueue.run { [self] in reverted(failure, isInConflict, keepsEdits: keepsEdits, then) }
        }
    }

    private func reverted(_ failure: (any Error)?, _ isInConflict: Bool, keepsEdits: Bool, _ then: @escaping Completion) {
        self.keepsEdits = false
        defer { goOn() }
        note(isInConflict: isInConflict)
        note(isReadOnly: file.isReadOnly)
        guard let failure else {
            startAnewOnce()
            // There is nothing left that could not be saved.
            documentState.remove(.savingError)
            return then(true)
        }
        if keepsEdits { return then(false) }
        documentState.insert(.savingError)
        fail(failure) { [self] _ in
            // Where nothing was to be saved, the document is what it was before.
            if !hasUnsavedChanges { documentState.remove(.savingError) }
            then(false)
        }
    }

    // MARK: Closing

    func beginClosing(_ then: @escaping Completion) {
        switch phase {
        // One whose file was deleted still has what was typed.
        case .closed: return MainQueue.run { [self] in then(!hasUnsavedChanges) }
        case .opening, .closing: return closings.append(then)
        case .open: break
        }
        pause()
        phase = .closing
        closings.append(then)
        saveAndClose()
    }

    private func saveAndClose(tries: Int = 0) {
        endEdit()
        guard hasUnsavedChanges else { return letGo() }
        let isWaiting = !saves.isEmpty
        save { [self] success in
            // What was being saved already is what was there before, and perhaps not what can be saved now.
            if !success, isWaiting, tries < 8, !file.isDeleted { return saveAndClose(tries: tries + 1) }
            guard success, tries < 8 else {
                phase = .open
                if file.isDeleted { return closed() }
                goOn()
                // It is open still, and what was ordered before may have come meanwhile.
                orderAutosave()
                return endClosing(false)
            }
            // Edited while it was saved.
            saveAndClose(tries: tries + 1)
        }
    }

    private func letGo() {
        // Where nothing is under way, and whoever grants claims is this process, nobody has to be waited for.
        if file.isIdle, FilePresenters.link(of: ObjectIdentifier(self))?.isOfThisProcess == true {
            NSFileCoordinator.removeFilePresenter(self)
            return MainQueue.run { [self] in closed() }
        }
        performAsynchronousFileAccess { [self] in
            NSFileCoordinator.removeFilePresenter(self)
            MainQueue.run { [self] in closed() }
        }
    }

    func closed() {
        phase = .closed
        life += 1
        (pauses, isReadOnly) = (0, false)
        DocumentsAtEnd.remove(self)
        documentState = .closed
        endClosing(!hasUnsavedChanges)
    }

    private func endClosing(_ success: Bool) {
        let waiting = closings, opening = openings
        (closings, openings) = ([], [])
        for then in waiting { then(success) }
        for then in opening { beginOpening(then) }
    }

    // MARK: Errors

    /// `then` follows when the error was dealt with.
    func fail(_ error: any Error, _ then: @escaping Completion) {
        errors.append((error, then))
        handleError(error, userInteractionPermitted: !DocumentsAtEnd.isEnding)
    }

    func endError(_ recovered: Bool) {
        guard !errors.isEmpty else { return }
        errors.removeFirst().then(recovered)
    }

    /// The process ends.
    func giveUpAsking() { for waiting in errors { userInteractionNoLongerPermitted(forError: waiting.error) } }
}

/// A value that is handed from one queue to another, and used by one of them at a time.
struct Handed<Value>: @unchecked Sendable {
    // Sendable, because who hands it on does not use it any more.
    let value: Value
    init(_ value: Value) { self.value = value }
}
