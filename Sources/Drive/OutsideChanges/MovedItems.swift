import Containers
import LinuxFiles

/// Where the item of an open document is by now. Asked before somebody begins to write to it, who may be quicker than the notices, or mean one
/// that was moved to where nobody has looked.
final class MovedItems: Sendable {
    private let tree: TreeTable
    private let container: Container
    private let noticed: NoticedChanges
    private let watching: ChangeWatch
    private let folders: FolderContents

    init(tree: TreeTable, container: Container, noticed: NoticedChanges, watching: ChangeWatch, folders: FolderContents) {
        (self.tree, self.container, self.noticed, self.watching, self.folders) = (tree, container, noticed, watching, folders)
    }

    /// Has a document follow its item, as far as what is open says that it is somewhere: what is written of one that was deleted, and that the drive
    /// has not missed yet, is kept. In no lane.
    func follow(_ id: NodeNumber) {
        guard let (node, document) = tree.awaited(id), let file = document.content.file, let status = try? file.descriptor.status(), status.links > 0 else { return }
        watching.gather()
        if !node.isNameless, noticed.notices == nil || noticed.hasNews(of: node.parent) { try? folders.readNames(of: node.parent) }
        for folder in noticed.due().folders where tree.isLost(id) && tree.holdKnown(folder) {
            defer { tree.removeHandle(folder) }
            try? folders.readNames(of: folder)
        }
        if tree.isLost(id) { lookAlongThePath(of: file, for: id) }
    }

    /// A file that is open says where it is. Of a package, that is a part.
    private func lookAlongThePath(of file: OpenFile, for id: NodeNumber) {
        guard let path = try? AbsolutePath.of(file.descriptor), let top = try? AbsolutePath.of(container.documents.descriptor), path.hasPrefix(top + "/") else { return }
        var folder = Tree.root
        for part in path.utf8.dropFirst(top.utf8.count + 1).split(separator: UInt8(ascii: "/")) {
            guard tree.hold(folder) else { return }
            defer { tree.removeHandle(folder) }
            try? folders.readNames(of: folder)
            guard tree.isLost(id), let name = Name(part), let next = tree.node(stored: name, of: folder), tree.isFolder(next) else { return }
            folder = next
        }
    }
}
