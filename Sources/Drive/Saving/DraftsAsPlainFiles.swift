import Containers
import Coordination
import LinuxFiles

/// Drafts of new documents that become the plain files that they look like, because their content does not fit: when that is so, and what is done then.
final class DraftsAsPlainFiles: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let removed: AwayDocuments
    private let saved: SavedDocuments
    private let kinds: KindChanges
    private let versions: PlainFileVersions

    init(
        tree: Tree, coordinator: DocumentCoordinator, workshop: Workshop?, removed: AwayDocuments,
        saved: SavedDocuments, kinds: KindChanges, versions: PlainFileVersions
    ) {
        (self.tree, self.coordinator, self.workshop) = (tree, coordinator, workshop)
        (self.removed, self.saved, self.kinds, self.versions) = (removed, saved, kinds, versions)
    }

    /// Whether what was written of a new document, and could not be saved as one, stays a plain file. That is so when its last writer is gone;
    /// and where a program only closes it (`isClosing`) and no other may write, unless it is empty: a shell closes copies of what it is about to
    /// write, and a photo is to be written where it stays.
    func staysPlain(_ document: OpenDocument, _ id: NodeNumber, isClosing: Bool = false) -> Bool {
        guard tree[id].isUnborn, let draft = document.draft else { return false }
        let writers = document.state.withLock { $0.writers }
        return writers == 0 || isClosing && writers == 1 && (try? draft.length()) ?? 0 > 0
    }

    /// A draft that is no document becomes the plain file that it looks like. In the lanes of its folder and its own.
    func becomePlain(_ document: OpenDocument, _ draft: Draft, _ id: NodeNumber, _ place: OpenFile) throws(Errno) {
        coordinator.checkWriting(LaneID(id))
        let node = tree[id]
        coordinator.checkWriting(LaneID(node.parent))
        guard node.isUnborn, !node.isNameless, document.draft === draft else { return }
        if case .away(let item) = document.base, draft.kind.kind.takes(shownName: node.shown.bytes),
            workshop?.isThere(item) == true
        {
            return try putBack(item, with: draft, document, id, place)
        }
        let stored = tree.freeStoredName(node.shown, in: node.parent)
        let address = tree.address(node.shown, in: node.parent, place)
        try workshop.required().commit(.release(draft, asPlain: stored, at: address), unfit: .invalid)
        if case .away(let item) = document.base { removed.remember(item, as: node.shown, in: node.parent) }
        tree.withLock { $0.becomeStored(id, as: stored) }
        try kinds.becameFile(id, document, in: place)
        versions.becamePlain(node.shown, in: node.parent, place)
    }

    /// A program moved a document away a moment ago and wrote something else under its name, which does not fit. The
    /// drive brings the document back under that name, and takes what was written for its draft: nothing that does not
    /// fit takes a document's place, however a program saves.
    private func putBack(
        _ item: AwayItem, with draft: Draft, _ document: OpenDocument, _ id: NodeNumber, _ place: OpenFile
    ) throws(Errno) {
        let node = tree[id], address = tree.address(node.shown, in: node.parent, place)
        let outcome = try workshop.required().commit(.putBack(item, at: address, with: draft), unfit: .invalid)
        saved.cameBack(document, id, as: try outcome.storedName(), in: place, because: draft.fault)
    }
}
