import Containers
import Coordination
import LinuxFiles

/// Drafts become documents.
final class DraftSaving: DraftSaver {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let places: Places
    private let removed: AwayDocuments
    private let changes: FolderChanges
    private let claims: ExternalClaims
    private let saved: SavedDocuments
    private let lost: DraftsInLostFolders
    private let waiting: WaitingDrafts

    init(
        tree: Tree, coordinator: DocumentCoordinator, workshop: Workshop?, places: Places,
        removed: AwayDocuments, changes: FolderChanges, claims: ExternalClaims, saved: SavedDocuments,
        lost: DraftsInLostFolders, waiting: WaitingDrafts
    ) {
        (self.tree, self.coordinator, self.workshop, self.places) = (tree, coordinator, workshop, places)
        (self.removed, self.changes, self.claims, self.saved) = (removed, changes, claims, saved)
        (self.lost, self.waiting) = (lost, waiting)
    }

    /// Saves every draft that can be saved. What cannot stays in staging, and is shown by the next drive.
    func saveEverything() {
        let open = tree.openDocuments()
        for (id, document) in open {
            if let why = document.missingEnd {
                saved.note(why, of: id)
            } else {
                try? save(document, id, durably: false)
            }
        }
    }

    /// Saves it for another program, which has asked those that have it open. What is half written goes on being a
    /// draft.
    func saveForOthers(_ document: OpenDocument, _ id: NodeNumber) {
        if document.missingEnd == nil { try? save(document, id, durably: false, asks: false) }
    }

    /// Saves what was written, if anything was. A new document whose content does not fit yet is left as it is. Other
    /// programs that have it open are asked before, unless that was done.
    func save(_ document: OpenDocument, _ id: NodeNumber, durably: Bool, asks: Bool = true) throws(Errno) {
        let patience = SavePatience()
        let isAsked = asks && document.draft?.isChanged == true
        let use = isAsked
            ? claims.askPresenters(of: id, for: .writing, by: document.state.withLock { $0.writer }) : nil
        defer { use?.end() }
        var isSettled = false
        while !isSettled {
            guard let draft = document.draft, draft.isChanged, !document.state.withLock({ $0.isNameless }) else { return }
            if tree.withLock({ $0.lostFolder(of: id) }) != nil {
                try changes.changing(NodeNumber.root) { (top) throws(Errno) in
                    coordinator.write(LaneID(id)) { _ = lost.takeToTop(document, id, top) }
                }
            }
            claims.waitForOthers(on: id, patience)
            if tree[id].isUnborn || document.isNew {
                // A new item appears in the folder: no program lists it meanwhile.
                isSettled = try changes.changingFolder(of: id) { (_) throws(Errno) in
                    try saveInLane(document, id, durably: durably, patience)
                }
            } else {
                isSettled = try coordinator.write(LaneID(id)) { () throws(Errno) in
                    try saveInLane(document, id, durably: durably, inFolderLane: false, patience)
                }
            }
        }
    }

    /// False, and nothing is saved, where another program has a claim on the document and there is patience left; or
    /// where its item went before its lane was free, so that a new one is to appear in the folder, and the folder's
    /// lane is not held.
    @discardableResult
    func saveInLane(
        _ document: OpenDocument, _ id: NodeNumber, durably: Bool, inFolderLane: Bool = true,
        _ patience: SavePatience = SavePatience()
    ) throws(Errno) -> Bool {
        coordinator.checkWriting(LaneID(id))
        let (draft, base, isNameless) = document.state.withLock { ($0.draft, $0.base, $0.isNameless) }
        guard let draft, draft.isChanged, !isNameless else { return true }
        if !inFolderLane { guard case .stored? = base else { return false } }
        guard patience.isOver || !claims.isClaimedByOthers(id) else { return false }
        // What a program was writing when the drive was killed goes along as the draft that it is, until it is written
        // again and closed.
        guard !draft.isUnclosed || draft.missingEnd() == nil else { return true }
        let unreported = document.takeUnreported()
        let node = tree[id]
        // Its folder became a package since: there it is a plain file.
        guard !node.isUnborn || !tree.isPackage(node.parent) else { return true }
        let folder = try places.place(of: node.parent)
        guard base == nil || !draft.isIncomplete else {
            if !document.isUnwritten(draft, tree[id]) { saved.note(Draft.incompleteReason, of: id) }
            throw .noSpace
        }
        let outcome: Outcome
        do throws(SaveFault) {
            let address = tree.address(node.shown, in: node.parent, folder)
            outcome = try savingWithRoom(draft, at: address, over: base, durably: durably)
        } catch {
            switch error {
            case .failed(let errno):
                waiting.failed(draft, of: id, errno, savedBy: self)
                throw errno
            case .unfit(let reason):
                guard !node.isUnborn else { return true }
                refused(document, draft, id, reason, unreported)
                throw .invalid
            }
        }
        try saved.saved(
            document, id, as: outcome.storedName(), in: folder, base, draft, current: outcome.current,
            isNew: base == nil)
        return true
    }

    /// Where there is no room, what is only remembered gives up its own, and it is tried again.
    private func savingWithRoom(
        _ draft: Draft, at address: Address, over base: Base?, durably: Bool
    ) throws(SaveFault) -> Outcome {
        let workshop = try workshop.required(orFault: ())
        return try removed.makingRoomToSave { () throws(SaveFault) in
            try workshop.commit(.save(draft, at: address, over: base, durably: durably))
        }
    }

    /// A document is about to lose its name, or another one is to be in its place: what was written of it is saved
    /// before, if it fits. In its lane.
    func saveBeforeItGoes(_ document: OpenDocument, _ id: NodeNumber) {
        coordinator.checkWriting(LaneID(id))
        if isSavedBeforeItGoes(document, id) { _ = try? saveInLane(document, id, durably: false) }
    }

    /// Whether it is, unless its content does not fit. What was only emptied is about to be written, and so is the rest
    /// of half an image. Without versions there would be nothing left of what the document was.
    func isSavedBeforeItGoes(_ document: OpenDocument, _ id: NodeNumber) -> Bool {
        guard workshop?.keepsVersions == true, tree[id].hasItem, let draft = document.draft, draft.isChanged else {
            return false
        }
        return ((try? draft.length()) ?? 0) > 0 && document.missingEnd == nil
    }

    /// A shell closes what it opened for “>” once before anything is written, because it has a copy: what is empty
    /// while a program may write is told when none may any more, if it is so still.
    func refused(
        _ document: OpenDocument, _ draft: Draft, _ id: NodeNumber, _ reason: String, _ unreported: String? = nil
    ) {
        guard (try? draft.length()) == 0, document.state.withLock({ $0.writers }) > 0 else {
            // It may be refused for the same reason as when it was empty.
            return reason == unreported ? saved.tell(reason, of: id) : saved.note(reason, of: id)
        }
        if saved.keep(reason, of: id) { document.state.withLock { $0.unreported = reason } }
    }

    /// The last program that wrote it has closed it: why it is not saved is told now, if it was not.
    func tellRefusal(of document: OpenDocument, _ id: NodeNumber) {
        let unreported = document.state.withLock { state in
            defer { state.unreported = nil }
            return state.draft == nil || state.isNameless ? nil : state.unreported
        }
        if let unreported { saved.tell(unreported, of: id) }
    }
}
