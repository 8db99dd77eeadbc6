import Containers
import Coordination
import LinuxFiles

/// What another computer says of items is so on the drive, too: in the lanes of the items and of their folders. Those
/// who have an item open go on with what came, and what they have written and not saved is never put an end to.
final class AdoptedItems: Sendable {
    private let tree: Tree
    private let handles: OpenHandles
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let container: Container
    private let kernel: KernelMemory
    private let moves: MovesUnderWay
    private let folders: FolderContents
    private let changes: FolderChanges
    private let saved: SavedDocuments
    private let appSaves: AppSaves

    init(
        tree: Tree, handles: OpenHandles, coordinator: DocumentCoordinator, workshop: Workshop?, container: Container,
        kernel: KernelMemory,
        moves: MovesUnderWay, folders: FolderContents, changes: FolderChanges, saved: SavedDocuments, appSaves: AppSaves
    ) {
        (self.tree, self.handles, self.coordinator, self.workshop, self.container) = (
            tree, handles, coordinator, workshop, container
        )
        (self.kernel, self.moves, self.folders, self.changes) = (kernel, moves, folders, changes)
        (self.saved, self.appSaves) = (saved, appSaves)
    }

    func adopt(_ adoption: Adoption) throws(SaveFault) -> Adopted {
        do throws(Errno) {
            switch adoption.what {
            case .current, .version, .permissions, .gone: return try adoptAlone(adoption)
            case .moved(let target), .exchanged(let target, _): return try adopt(adoption, with: target)
            }
        } catch { throw .failed(error) }
    }

    /// Where the folder is gone, nothing is here of what the other computer knew.
    private func folder(of item: [Name]) throws(Errno) -> NodeNumber {
        guard !item.isEmpty else { throw .isDirectory }
        do throws(Errno) { return try folders.folderNode(at: item.dropLast()) } catch {
            throw error == .noSuchEntry || error == .notDirectory ? .tryAgain : error
        }
    }

    private func name(of item: [Name]) throws(Errno) -> Name {
        guard let name = item.last else { throw .isDirectory }
        return name
    }

    private func node(_ name: Name, in folder: NodeNumber) -> NodeNumber? {
        tree.withLock { $0.node(stored: name, of: folder) }
    }

    // MARK: One item

    private func adoptAlone(_ adoption: Adoption) throws(Errno) -> Adopted {
        let workshop = try workshop.required(), folder = try folder(of: adoption.item),
            name = try name(of: adoption.item)
        defer { look(at: [folder]) }
        return try changes.changing(folder) { (place) throws(Errno) in
            guard let id = node(name, in: folder) else { return try commit(adoption, workshop) }
            return try coordinator.write(LaneID(id)) { () throws(Errno) in
                if case .gone = adoption.what { try checkUnwritten(id) }
                let adopted = try commit(adoption, workshop)
                if case .gone = adoption.what { return adopted }
                appSaves.follow(id, name, in: place)
                kernel.tell([.attributes(id)])
                return adopted
            }
        }
    }

    private func commit(_ adoption: Adoption, _ workshop: Workshop) throws(Errno) -> Adopted {
        Adopted(try workshop.commit(.adopt(adoption), unfit: .wrongContent))
    }

    /// A program that writes to it would write to what is among the deleted.
    private func checkUnwritten(_ id: NodeNumber) throws(Errno) {
        let (node, document) = tree.nodeAndDocument(id)
        let isWritten =
            node.role == .document
            ? document?.draft != nil : node.role == .folder ? tree.hasWriters(below: id) : handles.writers(of: id) > 0
        if isWritten { throw .busy }
    }

    // MARK: Two items

    /// It moves to where nothing is, or changes places with what is there.
    private func adopt(_ adoption: Adoption, with target: [Name]) throws(Errno) -> Adopted {
        let workshop = try workshop.required(), names = (try name(of: adoption.item), try name(of: target))
        let homes = (try folder(of: adoption.item), try folder(of: target))
        defer { look(at: homes.0 == homes.1 ? [homes.0] : [homes.0, homes.1]) }
        return try changes.changing(homes.0, homes.1) { (_, _) throws(Errno) in
            let nodes = (node(names.0, in: homes.0), node(names.1, in: homes.1))
            // What is in a folder that moves is not touched.
            let lanes = [nodes.0, nodes.1].compactMap { $0 }.filter { !tree[$0].role.isFolder }.map(LaneID.init)
            return try inLanes(lanes) { () throws(Errno) in
                try moves.during { () throws(Errno) in
                    let adopted = try commit(adoption, workshop)
                    if case .exchanged = adoption.what {
                        exchange(names, homes)
                    } else if let id = nodes.0 {
                        move(id, from: homes.0, to: target, in: homes.1)
                    }
                    return adopted
                }
            }
        }
    }

    private func inLanes(_ lanes: [LaneID], _ body: () throws(Errno) -> Adopted) throws(Errno) -> Adopted {
        guard let first = lanes.first, let last = lanes.last else { return try body() }
        return try coordinator.write(first, last, body)
    }

    /// The node goes along, with what is open and written of it. Where the name is another one's on the drive, whoever
    /// looks at the folders finds what it is.
    private func move(_ id: NodeNumber, from home: NodeNumber, to path: [Name], in folder: NodeNumber) {
        guard let stored = path.last else { return }
        let node = tree[id], document = node.role == .document ? (try? container.document(at: path)) : nil
        let shown = document?.shown ?? stored
        guard node.role != .document || document.map({ $0.place.kind == tree.kind(of: node) }) == true,
            tree.withLock({ $0.entry(shown: shown, of: folder) == nil })
        else { return }
        tree.rename((node.shown, home), to: shown, in: folder, storedAs: stored, keeping: nil)
        if let document {
            tree.document(id)?.state.withLock { state in if case .stored? = state.base { state.base = .stored(stored) }
            }
            saved.refreshContent(of: id, stored: stored, in: document.place.folder)
        }
        kernel.tell([.entry(node.shown, in: home), .entry(shown, in: folder)])
    }

    private func exchange(_ names: (Name, Name), _ homes: (NodeNumber, NodeNumber)) {
        let shown = tree.withLock { tree in
            (
                tree.entry(stored: names.0, of: homes.0).map { tree[$0].shown },
                tree.entry(stored: names.1, of: homes.1).map { tree[$0].shown }
            )
        }
        guard let one = shown.0, let other = shown.1 else { return }
        tree.exchange((one, homes.0), (other, homes.1), storedAs: nil)
        kernel.tell([.entry(one, in: homes.0), .entry(other, in: homes.1)])
    }

    // MARK: Afterwards

    /// As with what others do in the container, what is there now says what it is. In no lane.
    private func look(at folders: [NodeNumber]) {
        for folder in folders { tree.forgetReading(of: folder) }
        for folder in folders { try? self.folders.readNames(of: folder) }
        kernel.tell(folders.map { .content($0) })
    }
}
