import Containers
import Coordination
import LinuxFiles

/// What a Mac keeps beside files (`BesideName.swift`): it gets another name with its file, and is forgotten with it.
final class BesideFiles: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?

    init(tree: Tree, coordinator: DocumentCoordinator, workshop: Workshop?) {
        (self.tree, self.coordinator, self.workshop) = (tree, coordinator, workshop)
    }

    /// Something has another name, or is in another folder. What lay beside a file that gave way is that of the one that has the name, unless that brings its
    /// own: programs save so. In the lanes of both folders.
    func follow(_ move: RenameRequest) {
        coordinator.checkWriting(LaneID(move.to.folder))
        let now = tree.node(move.id, called: move.name, in: move.to.folder)
        var pairs = [(move.node.shown, move.name)]
        if move.node.stored != move.node.shown || now.stored != move.name { pairs.append((move.node.stored, now.stored)) }
        for (old, new) in pairs {
            guard let name = BesideName.of(old), let newName = BesideName.of(new), move.from.folder != move.to.folder || name != newName else { continue }
            try? moveFile(name, move, as: newName)
        }
    }

    private func moveFile(_ name: Name, _ move: RenameRequest, as newName: Name) throws(Errno) {
        guard let id = tree.withLock({ $0.child(shown: name, of: move.from.folder) }), let workshop else { return }
        let node = tree.node(id, called: name, in: move.from.folder)
        let there = tree.withLock { $0.child(shown: newName, of: move.to.folder) }
        guard node.role == .plain, there.map({ tree[$0].role == .plain && tree[$0].stored == newName }) ?? true else { return }
        let from = tree.address(name, in: move.from.folder, move.from.place), to = tree.address(newName, in: move.to.folder, move.to.place)
        try workshop.commit(.move(node.stored, from: from, to: to, as: newName), unfit: .invalid)
        tree.rename((name, move.from.folder), to: newName, in: move.to.folder, storedAs: newName, keeping: nil)
    }

    /// A file has gone, and perhaps what lay beside it. In the folder's lane.
    func left(_ name: Name, _ stored: Name, in folder: NodeNumber, _ place: OpenFile) {
        coordinator.checkWriting(LaneID(folder))
        for beside in BesideName.all(shown: name, stored: stored) {
            guard tree.withLock({ $0.child(shown: beside, of: folder) }) != nil, (try? place.descriptor.exists(beside)) == false else { continue }
            tree.withLock { $0.remove(beside, of: folder) }
        }
    }
}
