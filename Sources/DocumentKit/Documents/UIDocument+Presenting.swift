import Foundation

// What others ask of an open document, and what it hears of its file. All of it comes on the presenter's queue.
extension UIDocument {
    // MARK: Questions

    /// Nothing of the file is touched while somebody else has it: a save waits for its turn like others. Nobody waits for the main queue here.
    nonisolated func relinquish(disablingEditing: Bool, to other: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) {
        guard disablingEditing else { return other(nil) }
        let paused = PausedLife()
        MainQueue.run { [self] in
            paused.life = life
            pause()
        }
        // Closed meanwhile, it has nothing to go on with.
        other { MainQueue.run { [self] in if paused.life == life { goOn() } } }
    }

    nonisolated func saveForOthers(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
        // A save that waits behind who asks would wait for ever.
        file.comeFirst()
        WaitingMainQueue.run { [self] in save(forOthers: completion) }
    }

    private func save(forOthers completion: @escaping @Sendable ((any Error)?) -> Void) {
        var isAnswered = false
        let end: Completion = { [self] success in
            guard !isAnswered else { return }
            isAnswered = true
            completion(success ? nil : lastFailure ?? CocoaError(.fileWriteUnknown))
        }
        endEdit()
        if waitForSave(end) { return }
        guard phase == .open || phase == .closing, hasUnsavedChanges, !file.isDeleted else { return end(true) }
        // Completion handlers may come later than whoever waits for this.
        save(end)
        if !isAnswered { _ = waitForSave(end) }
    }

    /// False where what the document is now is not being saved.
    func waitForSave(_ then: @escaping Completion) -> Bool {
        guard let index = saves.firstIndex(where: { $0.state == history.current }) else { return false }
        saves[index].waiters.append(then)
        return true
    }

    // MARK: Editing

    func pause() {
        pauses += 1
        guard pauses == 1 else { return }
        if phase == .open { documentState.insert(.editingDisabled) }
        disableEditing()
    }

    func goOn() {
        guard pauses > 0 else { return }
        pauses -= 1
        guard pauses == 0 else { return }
        documentState.remove(.editingDisabled)
        enableEditing()
    }

    /// As long as nothing that is typed could be saved.
    func note(isReadOnly new: Bool) {
        guard phase != .closed, new != isReadOnly else { return }
        isReadOnly = new
        if new { pause() } else { goOn() }
    }

    // MARK: Events

    /// How often what others wrote is read again, if it cannot be read, or whoever grants claims ends meanwhile: each time after twice as long.
    private nonisolated static let mostReadings = 6

    nonisolated func followChange() { followChange(readings: 0) }

    private nonisolated func followChange(readings: Int) {
        performAsynchronousFileAccess { [self] in
            let url = fileURL
            guard DocumentFile.isThere(url) || followUntoldMove() || fileURL != url, file.isChanged else { return }
            MainQueue.run { [self] in
                // What was typed is saved later, and is the other side of a conflict then.
                guard phase == .open, !hasUnsavedChanges, saves.isEmpty else { return }
                beginReverting(to: fileURL, keepsEdits: true) { success in
                    // Nobody says a second time that it changed.
                    guard !success, readings < Self.mostReadings else { return }
                    MainQueue.run(after: 0.1 * Double(1 << readings)) { [weak self] in self?.followChange(readings: readings + 1) }
                }
            }
        }
    }

    nonisolated func followMove(to url: URL) {
        file.follow(to: url)
        MainQueue.run { [self] in tellState() }
    }

    /// Where somebody has moved the file without a word, the document is the one at the new place, and those are told who should have been, so that
    /// its versions go along. On its own queue, in no access.
    nonisolated func followUntoldMove() -> Bool {
        let old = fileURL, link = FilePresenters.link(of: ObjectIdentifier(self)), isPresented = link != nil
        guard let new = file.movedPlace() ?? link?.placeElsewhere(than: old) else { return false }
        NSFileCoordinator.removeFilePresenter(self)
        let coordinator = NSFileCoordinator(filePresenter: nil)
        try? coordinator.access([WantedItem(writing: old, .forMoving), WantedItem(writing: new, .forMoving)]) { coordinator.item(at: $0[0], didMoveTo: $0[1]) }
        file.url = new
        if isPresented { NSFileCoordinator.addFilePresenter(self) }
        MainQueue.run { [self] in tellState() }
        return true
    }

    /// It is closed as it is: there is nothing left that it could be saved to. Who saves it for creating has it again.
    nonisolated func followDeletion(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
        // At once: the one who asks may be the main thread.
        completion(nil)
        // Not by the main queue, which may be busy: a save that waits for that comes after this.
        performAsynchronousFileAccess { [self] in
            // The one who asks has not deleted it yet, or never does.
            // Nor is it gone where somebody says meanwhile that it was moved.
            let url = fileURL
            guard Self.isGone(url), !followUntoldMove(), fileURL == url else {
                if !file.isDeleted { file.deletion = .none }
                return
            }
            letGoOfDeleted()
        }
    }

    /// On its own queue.
    nonisolated func letGoOfDeleted() {
        file.deletion = .done
        NSFileCoordinator.removeFilePresenter(self)
        // It may have been saved for creating meanwhile. One that is closing is closed by that.
        MainQueue.run { [self] in if phase == .open, file.isDeleted { closed() } }
    }

    /// In an access, which comes after the one that deletes.
    private nonisolated static func isGone(_ url: URL) -> Bool {
        var isGone = false
        try? NSFileCoordinator(filePresenter: nil).access([WantedItem(reading: url, .withoutChanges)]) { isGone = DocumentFile.modificationDate(of: $0[0]) == nil }
        return isGone
    }

    nonisolated func followConflicts() {
        performAsynchronousFileAccess { [self] in
            let isInConflict = Self.isInConflict(fileURL)
            MainQueue.run { [self] in note(isInConflict: isInConflict) }
        }
    }

    func note(isInConflict: Bool) {
        guard phase == .open else { return }
        if isInConflict { documentState.insert(.inConflict) } else { documentState.remove(.inConflict) }
    }

    nonisolated static func isInConflict(_ url: URL, _ look: DocumentFile.Look? = nil) -> Bool {
        guard (look ?? DocumentFile.Look(url)).mayBeInConflict else { return false }
        return NSFileVersion.unresolvedConflictVersionsOfItem(at: url)?.isEmpty == false
    }
}

/// In which of its lives a document was paused.
@MainActor
private final class PausedLife {
    var life: UInt?
    nonisolated init() {}
}
