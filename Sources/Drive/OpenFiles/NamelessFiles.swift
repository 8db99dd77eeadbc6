import Containers
import Coordination
import Glibc
import LinuxFiles

/// Files and documents that lost their names while programs have them open, because somebody removed or replaced them. What is open of them
/// is all that they are, and no document of that sort is saved. The state of their nodes is `nameless`; `NodeTable` lets go of one when no
/// program has it open and the kernel has forgotten it.
final class NamelessFiles: Sendable {
    private let tree: Tree
    private let handles: OpenHandles
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let places: Places

    init(tree: Tree, handles: OpenHandles, coordinator: DocumentCoordinator, workshop: Workshop?, places: Places) {
        (self.tree, self.handles, self.coordinator, self.workshop, self.places) = (tree, handles, coordinator, workshop, places)
    }

    /// A document loses its name: nothing of it is saved any more. Its handles read and write what they have until they are closed.
    func abandon(_ document: OpenDocument) {
        let draft = document.state.withLock { state in
            state.isNameless = true
            return state.draft
        }
        if let draft { workshop?.discard(draft) }
    }

    // MARK: What is left of them

    /// A node, and where it has no name what is left of it: what the drive held on to when the name went, or else what a handle has open.
    func nodeAndRemains(_ id: NodeNumber) throws(Errno) -> (Node, OpenFile?) {
        let (node, remains) = tree.nodeAndRemains(id)
        guard node.isNameless else { return (node, nil) }
        guard let file = remains ?? handles.content(of: id)?.file else { throw .stale }
        return (node, file)
    }

    /// What it is like now. Nil where it has a name, or nothing of it is open any more.
    func status(of id: NodeNumber) throws(Errno) -> FileStatus? {
        let (node, remains) = tree.nodeAndRemains(id)
        guard node.isNameless else { return nil }
        if let remains { return try remains.descriptor.status() }
        return try handles.content(of: id)?.currentStatus()
    }

    // MARK: They are written to

    /// The draft of a document without a name, for those who have it open. In its lane.
    func draft(of document: OpenDocument, _ id: NodeNumber, keepingContent: Bool) throws(Errno) -> Draft {
        coordinator.checkWriting(LaneID(id))
        let draft = try workshop.required().scratch(tree.kind(of: tree[id]))
        if keepingContent { try document.content.copy(to: draft) }
        if let status = try? document.content.currentStatus() {
            try? draft.file.descriptor.setOwner(status.owner, group: status.group)
            try draft.file.descriptor.setPermissions(status.permissions)
            if keepingContent { try draft.setTimes(accessed: .at(status.accessed), modified: .at(status.modified)) }
        }
        document.state.withLock { state in
            state.draft = draft
            state.isNameless = true
        }
        return draft
    }

    /// Another program took away what is to be written anew: it is as if that had been opened, and then removed. Nil where something is left of it.
    func emptyFile(insteadOf node: NodeID, _ flags: Int32) throws(Errno) -> (id: NodeNumber, file: OpenFile)? {
        guard let id = tree.withLock({ $0.node(node) }), tree[id].isNameless, tree[id].handles == 0 else { return nil }
        let kept = OpenFlags(rawValue: flags & (O_ACCMODE | O_SYNC | O_DSYNC))
        let place = try places.place(of: tree[id].parent)
        return (id, OpenFile(try place.descriptor.reopened([kept.readable, .nameless], mode: 0o600)))
    }
}
