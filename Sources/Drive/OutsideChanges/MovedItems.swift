import Containers
import Coordination
import LinuxFiles

/// Where the item of an open document is by now. Asked before somebody begins to write to it, who may be quicker than the notices, or mean one
/// that was moved to where nobody has looked; or to where the document cannot follow it, and becomes a new one.
final class MovedItems: Sendable {
    private let tree: Tree
    private let container: Container
    private let noticed: NoticedChanges
    private let watching: OutsideNotices
    private let folders: FolderContents
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let places: Places
    private let kernel: KernelMemory

    init(
        tree: Tree, container: Container, noticed: NoticedChanges, watching: OutsideNotices, folders: FolderContents, coordinator: DocumentCoordinator,
        workshop: Workshop?, places: Places, kernel: KernelMemory
    ) {
        (self.tree, self.container, self.noticed, self.watching, self.folders) = (tree, container, noticed, watching, folders)
        (self.coordinator, self.workshop, self.places, self.kernel) = (coordinator, workshop, places, kernel)
    }

    /// Has a document follow its item, as far as what is open says that it is somewhere: what is written of one that was deleted, and that the drive
    /// has not missed yet, is kept. In no lane.
    func follow(_ id: NodeNumber) throws(Errno) {
        guard let (node, document) = tree.awaited(id), let file = document.file, let status = try? file.descriptor.status(), status.links > 0 else { return }
        watching.gather()
        if !node.isNameless, noticed.notices == nil || noticed.mayHaveNews(of: node.parent) { try? folders.readNames(of: node.parent) }
        for folder in noticed.due().folders where tree.isLost(id) && tree.holdKnown(folder) {
            defer { tree.withLock { $0.removeHandle(folder) } }
            try? folders.readNames(of: folder)
        }
        guard tree.isLost(id) else { return }
        lookAlongThePath(of: file, for: id)
        if tree.isLost(id), isElsewhere(file) { try becomeNew(id, document) }
    }

    /// What was removed through Valise lies in its own folder for a while, and is gone for all others.
    private func isElsewhere(_ file: OpenFile) -> Bool {
        guard let path = try? AbsolutePath.of(file.descriptor), let top = try? AbsolutePath.of(container.base.descriptor) else { return false }
        return !path.hasPrefix("\(top)/\(container.state.name)/")
    }

    /// Its item has the name of another document that somebody writes to, or is out of the container: what is written to it is a new document where it was.
    private func becomeNew(_ id: NodeNumber, _ document: OpenDocument) throws(Errno) {
        let before = tree[id], folder = tree.withLock({ $0.storedPath(of: before.parent) })?.top == NodeNumber.root && tree.isFolder(before.parent) ? before.parent : NodeNumber.root
        guard tree.withLock({ $0.hold(folder) }), let status = try document.content.currentStatus() else { return }
        defer { tree.withLock { $0.removeHandle(folder) } }
        let workshop = try workshop.required(), place = try places.place(of: folder)
        try coordinator.write(LaneID(folder)) { () throws(Errno) in
            try folders.readNamesInLane(of: folder, place)
            try coordinator.write(LaneID(id)) { () throws(Errno) in
                guard tree.isLost(id), tree.awaited(id) != nil else { return }
                let name = tree.withLock { $0.freeName(before.shown, in: folder) }, address = tree.address(name, in: folder, place)
                let draft = try workshop.newDraft(tree.kind(of: before), at: address, mode: status.permissions, owner: (status.owner, status.group))
                do throws(Errno) { try document.content.copy(to: draft) } catch {
                    workshop.discard(draft)
                    throw error
                }
                draft.touch()
                let entry = tree.withLock { tree in
                    tree.becomeNew(id, document, draft, called: name, in: folder)
                    return tree.shown(EntryNumber(of: id), type: .regular)
                }
                kernel.tell([.added(entry), .attributes(id)])
                let shown = tree.withLock { $0.shownPath(of: id) }
                SystemLog.write(
                    "“\(before.shown)” was moved by another program to where it cannot be written to; what is written to it is “\(shown)”, a new document", .warning,
                    [SystemLog.Field("VALISE_DOCUMENT", shown)])
            }
        }
    }

    /// A file that is open says where it is. Of a package, that is a part.
    private func lookAlongThePath(of file: OpenFile, for id: NodeNumber) {
        guard let path = try? AbsolutePath.of(file.descriptor), let top = try? AbsolutePath.of(container.documents.descriptor), path.hasPrefix(top + "/") else { return }
        var folder = NodeNumber.root
        for part in path.utf8.dropFirst(top.utf8.count + 1).split(separator: UInt8(ascii: "/")) {
            guard tree.withLock({ $0.hold(folder) }) else { return }
            defer { tree.withLock { $0.removeHandle(folder) } }
            try? folders.readNames(of: folder)
            guard tree.isLost(id), let name = Name(part), let next = tree.withLock({ $0.node(stored: name, of: folder) }), tree.isFolder(next) else { return }
            folder = next
        }
    }
}
