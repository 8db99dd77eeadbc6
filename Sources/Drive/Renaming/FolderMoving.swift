import Containers
import LinuxFiles

/// Folders that get another name, with all that is in them.
final class FolderMoving: Sendable {
    private let tree: Tree
    private let workshop: Workshop?
    private let moves: MovesUnderWay
    private let removed: AwayDocuments
    private let packages: PackageRenaming
    private let folderItems: FolderItemRemovals

    init(
        tree: Tree, workshop: Workshop?, moves: MovesUnderWay, removed: AwayDocuments, packages: PackageRenaming,
        folderItems: FolderItemRemovals
    ) {
        self.folderItems = folderItems
        self.packages = packages
        (self.tree, self.workshop, self.moves, self.removed) = (tree, workshop, moves, removed)
    }

    func move(_ move: RenameRequest) throws(Errno) {
        if let replaced = move.replaced, tree.hasUnborn(in: replaced) { throw .notEmpty }
        let stored = try move.storedName()
        try moves.during { () throws(Errno) in
            try workshop.required().commit(
                .move(move.node.stored, from: move.oldAddress, to: move.newAddress, as: stored), unfit: .invalid)
            move.relocate(stored: stored)
        }
        removed.forget(move.name, in: move.to.folder)
        if let replaced = move.replaced { removed.forget(of: replaced) }
        if move.replaced == nil { folderItems.cameAnew(move.name, in: move.to.folder, by: move.caller) }
        try packages.moved(move, as: stored)
    }
}
