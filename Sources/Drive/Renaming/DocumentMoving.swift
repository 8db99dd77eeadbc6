import Containers
import Coordination
import Documents
import LinuxFiles

/// Documents that get another name.
final class DocumentMoving: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let moves: MovesUnderWay
    private let removed: AwayDocuments
    private let saved: SavedDocuments
    private let saving: DraftSaving
    private let kinds: KindChanges
    private let plainDrafts: DraftsAsPlainFiles
    private let plainDocuments: DocumentsAsPlainFiles
    private let replacing: ReplacedByRenaming
    private let packages: PackageRenaming

    init(
        tree: Tree, coordinator: DocumentCoordinator, workshop: Workshop?, moves: MovesUnderWay, removed: AwayDocuments,
        saved: SavedDocuments, saving: DraftSaving, kinds: KindChanges, plainDrafts: DraftsAsPlainFiles,
        plainDocuments: DocumentsAsPlainFiles, replacing: ReplacedByRenaming, packages: PackageRenaming
    ) {
        self.packages = packages
        (self.tree, self.coordinator, self.workshop, self.moves) = (tree, coordinator, workshop, moves)
        (self.removed, self.saved, self.saving, self.kinds) = (removed, saved, saving, kinds)
        (self.plainDrafts, self.plainDocuments, self.replacing) = (plainDrafts, plainDocuments, replacing)
    }

    func move(_ move: RenameRequest) throws(Errno) {
        // Two documents are two lanes, the lower number first, as everywhere.
        try coordinator.write(LaneID(move.id), LaneID(move.replaced ?? move.id)) { () throws(Errno) in
            try moveInLanes(move)
        }
    }

    private func moveInLanes(_ move: RenameRequest) throws(Errno) {
        // What was written to it is saved first, if it can be. A program that has claimed it is not waited for: the
        // draft goes along.
        if let document = tree.document(move.id) { _ = try? saving.saveInLane(document, move.id, durably: false) }
        let node = tree[move.id]
        let keepsKind = tree.kind(of: node).kind.keeps(shownName: move.name.bytes) && !isForPlain(node, move)
        if !keepsKind {
            if try packages.move(move, node) { return }
            try checkContent(of: node, move)
            if !node.isUnborn { _ = try move.storedName() }
        }
        replacing.save(move)
        try moves.during { () throws(Errno) in
            try replacing.keepingUnsaved(move) { () throws(Errno) in
                if node.isUnborn { return try moveUnborn(move, node, keepsKind: keepsKind) }
                if keepsKind { try moveStored(move, node) } else { try plainDocuments.turnPlain(move, node) }
            }
        }
        if keepsKind { saveIfItFitsNow(move.id) }
    }

    /// Whether a document is a plain file from now on, whatever it is called: in a package, and where a program has
    /// just written it to put it in the place of a plain file.
    private func isForPlain(_ node: Node, _ move: RenameRequest) -> Bool {
        move.isPlainName && node.flags.contains(.isNew) || tree.isPackage(move.to.folder)
    }

    /// What takes a document's name has its content, or does not take it: as a plain file, so a document of another
    /// kind.
    private func checkContent(of node: Node, _ move: RenameRequest) throws(Errno) {
        guard let replaced = move.replacedDocument else { return }
        let draft = tree.document(move.id)?.draft
        guard try kinds.fits(node, draft, in: move.from, replaced.kind, move.name) else { throw .wrongContent }
    }

    /// What did not fit one name may fit the next one: then it is saved, by the last program that writes it or at once.
    /// In its lane, and its folder's.
    private func saveIfItFitsNow(_ id: NodeNumber) {
        coordinator.checkWriting(LaneID(id))
        guard let document = tree.document(id), let draft = document.draft, draft.fault != nil, !draft.isChanged,
            let content = try? draft.content(), kinds.fits(content, draft.kind, tree[id].shown)
        else { return }
        draft.touch()
        if document.state.withLock({ $0.writers }) == 0 { _ = try? saving.saveInLane(document, id, durably: false) }
    }

    private func moveStored(_ move: RenameRequest, _ node: Node) throws(Errno) {
        let workshop = try workshop.required()
        // What had the name a moment ago does not come back under it: its versions are not in this one's way.
        if move.replaced == nil { removed.forget(move.name, in: move.to.folder) }
        let replacedDocument = move.replacedDocument, copies = tree.copies(of: node.stored, in: move.from.folder)
        let outcome = try workshop.commit(
            .rename(
                node.stored, tree.kind(of: node), from: move.oldAddress, to: move.newAddress,
                replacing: replacedDocument, removing: move.replacedPlain(), draft: tree.document(move.id)?.draft,
                copies: copies),
            unfit: .inputOutput)
        let stored = try outcome.storedName()
        replacing.putAside(outcome.replaced, move)
        move.relocate(stored: stored)
        tree.document(move.id)?.state.withLock { $0.base = .stored(stored) }
        saved.renamed(node.stored, in: move.from.folder, to: move.id, storedAs: stored, in: move.to.place)
        // What copies are is found by reading the whole folder.
        if !copies.isEmpty { for folder in [move.from.folder, move.to.folder] { tree.forgetReading(of: folder) } }
    }

    /// A new document that is still being written is known by its name only.
    private func moveUnborn(_ move: RenameRequest, _ node: Node, keepsKind: Bool) throws(Errno) {
        guard let document = tree.document(move.id), let draft = document.draft else { throw .stale }
        var base: Base?
        if let replaced = move.replaced {
            let other = tree[replaced]
            if keepsKind, other.role == .document, tree.kind(of: other) == tree.kind(of: node), !other.isUnborn {
                // It takes the other one's place when it is saved.
                base = .stored(other.stored)
            }
        } else if keepsKind, let away = removed.take(move.name, tree.kind(of: node), in: move.to.folder) {
            base = .away(away)
        }
        let place = DraftPlace(draft: draft, address: move.newAddress, base: base)
        let gone: AwayItem?
        do throws(Errno) {
            gone = try removed.makingRoom { () throws(Errno) in
                try workshop.required().commit(
                    .renameDraft(place, replacing: move.replacedDocument, removing: move.replacedPlain()),
                    unfit: .invalid)
            }.replaced
        } catch {
            if case .away(let item) = base { removed.rememberAgain(item, as: move.name, in: move.to.folder) }
            throw error
        }
        replacing.putAsideForUnborn(gone, move)
        if case .away(let item) = document.base { removed.remember(item, as: node.shown, in: move.from.folder) }
        let taken: Name? = if case .stored(let stored) = base { stored } else { nil }
        tree.renameUnborn(move.id, to: move.name, in: move.to.folder, takingOver: taken, keeping: move.remains)
        document.state.withLock { $0.base = base }
        // What did not fit was no news while it was no document.
        if case .stored = base, let reason = draft.fault { saving.refused(document, draft, move.id, reason) }
        if !keepsKind { try plainDrafts.becomePlain(document, draft, move.id, move.to.place) }
    }
}
