import Containers
import Documents
import LinuxFiles

/// Documents that become plain files by their new names.
final class DocumentsAsPlainFiles: Sendable {
    private let tree: Tree
    private let handles: OpenHandles
    private let workshop: Workshop?
    private let container: Container
    private let removed: AwayDocuments
    private let saved: SavedDocuments
    private let kinds: KindChanges
    private let temporaryFiles: TemporaryFiles
    private let replacing: ReplacedByRenaming

    init(
        tree: Tree, handles: OpenHandles, workshop: Workshop?, container: Container, removed: AwayDocuments,
        saved: SavedDocuments, kinds: KindChanges, temporaryFiles: TemporaryFiles, replacing: ReplacedByRenaming
    ) {
        (self.tree, self.handles, self.workshop, self.container) = (tree, handles, workshop, container)
        (self.removed, self.saved, self.kinds) = (removed, saved, kinds)
        (self.temporaryFiles, self.replacing) = (temporaryFiles, replacing)
    }

    func turnPlain(_ move: RenameRequest, _ node: Node) throws(Errno) {
        let workshop = try workshop.required()
        let document = tree.document(move.id)
        if let draft = document?.draft {
            // The draft is what is shown, so it is what gets the name; the last good content goes away with the old
            // one.
            return try releaseDraft(move, node, document, draft)
        }
        let opened: ItemReader.Opened
        do throws(DocumentFault) {
            opened = try container.reader.open(node.stored, as: tree.kind(of: node), in: move.from.place.descriptor)
        } catch { throw tree.refuse(error, move.from.folder) }
        let stored = try move.storedName()
        let outcome = try workshop.commit(
            .turnPlain(
                opened, node.stored, from: move.oldAddress, to: move.newAddress, as: stored,
                replacing: move.replacedDocument, removing: move.replacedPlain(but: stored)),
            unfit: .invalid)
        if let away = outcome.away { removed.remember(away, as: node.shown, in: move.from.folder) }
        try nowPlain(move, document, as: stored, outcome.replaced)
    }

    private func releaseDraft(
        _ move: RenameRequest, _ node: Node, _ document: OpenDocument?, _ draft: Draft
    ) throws(Errno) {
        let stored = try move.storedName()
        let outdated = OutdatedDocument(
            stored: node.stored, at: move.oldAddress, replacing: move.replacedDocument,
            removing: move.replacedPlain(but: stored))
        let outcome = try workshop.required().commit(
            .release(draft, asPlain: stored, at: move.newAddress, over: outdated), unfit: .invalid)
        if let away = outcome.away { removed.remember(away, as: node.shown, in: move.from.folder) }
        document?.state.withLock { $0.draft = nil }
        saved.note(nil, of: move.id)
        try nowPlain(move, document, as: stored, outcome.replaced)
    }

    private func nowPlain(
        _ move: RenameRequest, _ document: OpenDocument?, as stored: Name, _ replaced: AwayItem?
    ) throws(Errno) {
        replacing.putAside(replaced, move)
        move.relocate(stored: stored)
        try kinds.becameFile(move.id, document, in: move.to.place)
        temporaryFiles.note(tree[move.id].inode, madeBy: move.caller)
        // The new name may be another kind's.
        guard let kind = move.kind, handles.writers(of: move.id) == 0 else { return }
        let source = (move.to.folder, move.to.place, stored)
        _ = try kinds.adopt(
            move.id, as: kind, named: move.name, in: move.to.folder, move.to.place, from: source, over: nil)
    }
}
