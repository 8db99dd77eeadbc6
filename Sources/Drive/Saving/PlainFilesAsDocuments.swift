import Containers
import Coordination
import LinuxFiles

/// New plain files that become documents when the last program that writes to them closes them, because their content
/// fits their name.
final class PlainFilesAsDocuments: Sendable {
    private let tree: Tree
    private let handles: OpenHandles
    private let coordinator: DocumentCoordinator
    private let changes: FolderChanges
    private let removed: AwayDocuments
    private let returned: ReturnedDocuments
    private let kinds: KindChanges
    private let newKinds: NewKinds

    init(
        tree: Tree, handles: OpenHandles, coordinator: DocumentCoordinator, changes: FolderChanges,
        removed: AwayDocuments, returned: ReturnedDocuments, kinds: KindChanges, newKinds: NewKinds
    ) {
        (self.tree, self.handles, self.coordinator, self.changes) = (tree, handles, coordinator, changes)
        (self.removed, self.returned, self.kinds, self.newKinds) = (removed, returned, kinds, newKinds)
    }

    /// With so many handles left that write. In the lane of the file, in which it is opened for writing too: a program
    /// that opens it now finds it before or after.
    func adoptIfLastWriter(_ id: NodeNumber, handles count: Int) throws(Errno) {
        func plainNode() -> Node? {
            tree.namedNode(id).flatMap { $0.role == .plain ? $0 : nil }
        }
        guard let parent = plainNode()?.parent, plainNode().flatMap(newKinds.kind) != nil,
            handles.writers(of: id) <= count
        else { return }
        try changes.changing(parent) { (place) throws(Errno) in
            try coordinator.write(LaneID(id)) { () throws(Errno) in
                guard let node = plainNode(), node.parent == parent, let kind = newKinds.kind(of: node),
                    handles.writers(of: id) <= count
                else { return }
                let away = removed.take(node.shown, kind, in: parent)
                var isAdopted = false
                defer { if !isAdopted, let away { removed.rememberAgain(away, as: node.shown, in: parent) } }
                isAdopted = try kinds.adopt(
                    id, as: kind, named: node.shown, in: parent, place, from: (parent, place, node.stored),
                    over: away.map(Base.away))
            }
        }
    }

    /// What was written under the name of a deleted document's item may be that document.
    func rejoinIfLastWriter(_ id: NodeNumber) {
        guard let node = tree.namedNode(id), handles.writers(of: id) == 0,
            returned.isExpected(node.stored, in: node.parent)
        else { return }
        try? changes.changingFolder(of: id) { (place) throws(Errno) in
            guard let node = tree.namedNode(id), node.hasItem else { return }
            returned.rejoin(returned.expected(node.stored, in: node.parent), in: node.parent, place)
        }
    }
}
