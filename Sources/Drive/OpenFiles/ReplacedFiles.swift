import Coordination
import LinuxFiles

/// Documents and files that another program replaced in the container while they are open here. The two part: whoever has one open
/// goes on with what was opened, under a node that has no name any more, and the name gets a new node. So nobody reads
/// some of the one and some of the other, not from what the kernel keeps of a node either.
final class ReplacedFiles: Sendable {
    private let tree: Tree
    private let handles: OpenHandles
    private let coordinator: DocumentCoordinator
    private let kernel: KernelMemory
    private let items: NodeItems

    init(tree: Tree, handles: OpenHandles, coordinator: DocumentCoordinator, kernel: KernelMemory, items: NodeItems) {
        (self.tree, self.handles, self.coordinator, self.kernel, self.items) = (tree, handles, coordinator, kernel, items)
    }

    /// What a node's name leads to; nil if that is something else than its handles have open, and the two were separated.
    /// For whoever hears of a change from outside. In neither its lane nor a table; the folder's lane may be held.
    func currentStatus(of id: NodeNumber) throws(Errno) -> FileStatus? {
        let status = try items.currentItem(of: id).status
        guard tree.withLock({ $0.isReplaced(id, by: status) }) else { return status }
        // Looked at again in its lane, because a save of our own replaces things too.
        return try coordinator.write(LaneID(id)) { () throws(Errno) in
            let status = try items.currentItem(of: id).status
            let document = tree.document(id)
            guard tree.withLock({ $0.isReplaced(id, by: status) }) else { return status }
            // Who writes to a document holds on to it until the last writer is gone.
            if let document, document.isWritten { return try document.content.currentStatus() }
            separate(id)
            return nil
        }
    }

    /// The node keeps what is open, and loses its name. The name has a new node at once, for nobody who looks for it meanwhile
    /// is to think that it is gone; what that is, is read when it is asked for. In the node's lane, if it is a document's.
    func separate(_ id: NodeNumber) {
        if tree[id].role == .document { coordinator.checkWriting(LaneID(id)) }
        let file = handles.content(of: id)?.file
        guard let change = tree.separate(id, keeping: file) else { return }
        kernel.tell([change])
        guard let listener = kernel.listening else { return tree.withLock { $0.separated.remove(id) } }
        listener.afterwards { [self] in tree.withLock { $0.separated.noteKernelKnows(id, at: Timestamp.now.seconds) } }
    }

    /// The entries of a folder, after those were separated that lead elsewhere than what is open. In the folder's lane.
    func separateReplaced(_ found: [FoundEntry], in folder: NodeNumber) throws(Errno) -> [FoundEntry] {
        coordinator.checkWriting(LaneID(folder))
        guard handles.count > 0 else { return found }
        let replaced = tree.replaced(among: found, in: folder)
        var result = found
        for (index, id) in replaced {
            let entry = result[index]
            do throws(Errno) {
                guard let status = try currentStatus(of: id) else { continue }
                result[index] = FoundEntry(
                    name: entry.name, number: entry.number,
                    facts: entry.facts.map { EntryFacts(status: status, document: $0.document, fault: $0.fault) }, watch: entry.watch)
            } catch {
                switch error {
                case .stale: break
                // It is being written, and stays what it was until it is looked at again.
                case .busy: result[index] = FoundEntry(name: entry.name, number: entry.number, facts: nil, watch: entry.watch)
                default: throw error
                }
            }
        }
        return result
    }
}
