import Containers
import Coordination
import LinuxFiles

/// Deleted documents that are made anew under their stored names, as they were: nothing was deleted then. So it is with tools that compare a drive with
/// an app's own folder, where documents have other names: they delete what they do not know, and send it again.
final class ReturnedDocuments: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let removed: AwayDocuments

    init(tree: Tree, coordinator: DocumentCoordinator, workshop: Workshop?, removed: AwayDocuments) {
        (self.tree, self.coordinator, self.workshop, self.removed) = (tree, coordinator, workshop, removed)
    }

    /// Whether a document of one file, of this stored name, was deleted in a folder and is kept.
    func isExpected(_ stored: Name, in folder: NodeNumber) -> Bool { !deleted(stored, in: folder).isEmpty }

    private func deleted(_ stored: Name, in folder: NodeNumber, isPackage: Bool = false) -> [DeletedItem] {
        guard let workshop, let path = tree.withLock({ $0.storedPath(of: folder) }), path.top == NodeNumber.root else { return [] }
        return workshop.deletedItems(called: stored, at: path.names).filter { $0.namingKind?.isPackage == isPackage }
    }

    /// Those that this may be. They do not wait any more whether the name comes back that they were shown under: their versions are with them now, and
    /// not in the way of what gets their place. In the folder's lane.
    func expected(_ stored: Name, in folder: NodeNumber) -> [DeletedItem] {
        coordinator.checkWriting(LaneID(folder))
        return deleted(stored, in: folder).compactMap { item in
            guard item.isAwayStill else { return item }
            removed.giveUp(item, in: folder)
            return workshop?.deletedItem(item.number).flatMap { $0.isAwayStill ? nil : $0 }
        }
    }

    /// A new document was saved under its own name, and may be one of those that were deleted. What waits for its name is another one's still.
    /// In the folder's lane.
    func rejoin(_ stored: Name, in folder: NodeNumber, _ place: OpenFile) {
        coordinator.checkWriting(LaneID(folder))
        let settled = deleted(stored, in: folder).filter { !$0.isAwayStill }
        _ = rejoin(settled, in: folder, place) { _ in nil }
    }

    /// What was made under this item's name may be one of these. In the folder's lane.
    func rejoin(_ items: [DeletedItem], in folder: NodeNumber, _ place: OpenFile) {
        coordinator.checkWriting(LaneID(folder))
        let isBack = rejoin(items, in: folder, place) { item in tree.withLock { $0.child(shown: item.shown, of: folder) } == nil ? item.shown : nil }
        // What it is called is found when that is read.
        if isBack { tree.forgetReading(of: folder) }
    }

    /// A package was made anew under this stored name, and may be one of those that were deleted. Before its folder is read. In the folder's lane.
    func rejoinPackage(_ stored: Name, in folder: NodeNumber, _ place: OpenFile) {
        coordinator.checkWriting(LaneID(folder))
        let settled = deleted(stored, in: folder, isPackage: true).filter { !$0.isAwayStill }
        _ = rejoin(settled, in: folder, place) { item in tree.withLock { $0.child(shown: item.shown, of: folder) } == nil ? item.shown : nil }
    }

    private func rejoin(_ items: [DeletedItem], in folder: NodeNumber, _ place: OpenFile, showing name: (DeletedItem) -> Name?) -> Bool {
        items.contains { item in
            guard let outcome = try? workshop?.commit(.rejoin(item, in: place, showing: name(item))) else { return false }
            return !outcome.isUnchanged
        }
    }
}
