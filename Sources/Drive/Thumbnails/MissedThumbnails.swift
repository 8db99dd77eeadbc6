import Catalog
import Containers
import Dispatch
import Glibc
import LinuxFiles

/// Photos that an earlier drive left without thumbnails: it ended too soon, or had nothing that makes them.
final class MissedThumbnails: Sendable {
    private let tree: Tree
    private let workshop: Workshop?
    private let container: Container
    private let queue: ThumbnailQueue?
    private let folders: FolderContents
    private let thumbnails: ThumbnailMaking

    init(
        tree: Tree, workshop: Workshop?, container: Container, queue: ThumbnailQueue?, folders: FolderContents,
        thumbnails: ThumbnailMaking
    ) {
        (self.tree, self.workshop, self.container, self.queue, self.folders) = (tree, workshop, container, queue, folders)
        self.thumbnails = thumbnails
    }

    /// They get theirs, in the order of their names, one after another: what is saved meanwhile comes first. The drive
    /// is left alone at its beginning, and the container is looked through slowly.
    func make() {
        guard let queue, let workshop else { return }
        queue.inTheEnd { [self] in
            lookThroughFolders(while: { queue.isOpen }) { path, folder, name in
                guard workshop.lacksThumbnail(name, in: folder.descriptor), let photo = try? node(of: name, below: path) else { return }
                let isDone = DispatchSemaphore(value: 0)
                thumbnails.order(of: photo) { isDone.signal() }
                isDone.wait()
            }
        }
    }

    /// Calls `look` for every package of the container, but for those that lie very deep. Each folder is opened from its parent.
    private func lookThroughFolders(while goesOn: () -> Bool, _ look: ([Name], OpenFile, Name) -> Void) {
        var waiting: [(depth: Int, name: Name?)] = [(0, nil)], path: [Name] = []
        let chain = FolderChain(from: container.documents)
        var looked = 0
        while let next = waiting.popLast(), goesOn() {
            if let name = next.name { path = path.prefix(next.depth - 1) + [name] }
            guard let folder = try? chain.folder(at: path), let names = try? folders(in: folder, isTop: path.isEmpty) else { continue }
            var inner: [Name] = []
            for name in names {
                guard goesOn() else { return }
                if container.reader.candidate(for: name, isFolder: true) != nil {
                    look(path, folder, name)
                } else if !container.kinds.isPackage(name) {
                    inner.append(name)
                }
                looked += 1
                if looked % 32 == 0 { usleep(10_000) }
            }
            if path.count < Catalog.deepest { waiting += inner.reversed().map { (path.count + 1, $0) } }
        }
    }

    private func folders(in folder: OpenFile, isTop: Bool) throws(Errno) -> [Name] {
        var names: [Name] = []
        var reader = try FolderReader(untraced: folder.descriptor)
        while let entry = try reader.next() {
            if isTop, Hidden.isState(entry.name) { continue }
            let type = entry.type == .unknown ? try? folder.descriptor.status(of: entry.name).type : entry.type
            if type == .folder { names.append(entry.name) }
        }
        return names.sorted()
    }

    /// The node of an item, found as a look-up finds it.
    private func node(of name: Name, below path: [Name]) throws(Errno) -> NodeNumber? {
        var folder = NodeNumber.root
        for step in path + [name] {
            try folders.readNames(of: folder)
            guard let child = tree.withLock({ $0.node(stored: step, of: folder) }) else { return nil }
            folder = child
        }
        return folder
    }
}
