import Containers
import Coordination
import LinuxFiles

/// Drafts that are given up, because there was no room for anything that was to be written: then the document is what
/// it was. A program that reads it next, as `sed -i` does, must not take nothing for its text.
final class UnwrittenDrafts: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let places: Places
    private let saved: SavedDocuments

    init(
        tree: Tree, coordinator: DocumentCoordinator, workshop: Workshop?, places: Places, saved: SavedDocuments
    ) {
        (self.tree, self.coordinator, self.workshop) = (tree, coordinator, workshop)
        (self.places, self.saved) = (places, saved)
    }

    /// The last program that wrote it has closed it.
    func giveUp(_ document: OpenDocument, _ id: NodeNumber) {
        guard let draft = document.draft, document.isUnwritten(draft, tree[id]) else { return }
        try? coordinator.write(LaneID(id)) { () throws(Errno) in
            guard document.draft === draft, document.state.withLock({ $0.writers }) == 0,
                document.isUnwritten(draft, tree[id])
            else { return }
            document.state.withLock { $0.draft = nil }
            workshop?.discard(draft)
            _ = saved.keep(nil, of: id)
            saved.tell(Draft.unwrittenReason, of: id)
            let node = tree[id]
            saved.refreshContent(of: id, stored: node.stored, in: try places.place(of: node.parent))
        }
    }
}
