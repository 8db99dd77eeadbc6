import Containers
import LinuxFiles

/// Folders that get another name, with the drafts that are written in them.
final class FolderMoving: Sendable {
    private let tree: Tree
    private let workshop: Workshop?
    private let moves: MovesUnderWay
    private let places: Places
    private let removed: AwayDocuments
    private let packages: PackageRenaming
    private let folderItems: FolderItemRemovals

    init(
        tree: Tree, workshop: Workshop?, moves: MovesUnderWay, places: Places, removed: AwayDocuments, packages: PackageRenaming,
        folderItems: FolderItemRemovals
    ) {
        self.folderItems = folderItems
        self.packages = packages
        (self.tree, self.workshop, self.moves, self.places, self.removed) = (tree, workshop, moves, places, removed)
    }

    func move(_ move: RenameRequest) throws(Errno) {
        if let replaced = move.replaced, tree.hasUnborn(in: replaced) { throw .notEmpty }
        let stored = try move.storedName(), drafts = drafts(below: move.id, as: stored, in: move.to.folder)
        try moves.during { () throws(Errno) in
            try workshop.required().commit(
                .move(move.node.stored, from: move.oldAddress, to: move.newAddress, as: stored, drafts: drafts),
                unfit: .invalid)
            move.relocate(stored: stored)
        }
        removed.forget(move.name, in: move.to.folder)
        if let replaced = move.replaced { removed.forget(of: replaced) }
        if move.replaced == nil { folderItems.cameAnew(move.name, in: move.to.folder, by: move.caller) }
        try packages.moved(move, as: stored)
    }

    /// The drafts in a folder, where they are when it has another name.
    func drafts(below folder: NodeNumber, as stored: Name, in parent: NodeNumber) -> [DraftPlace] {
        let old = tree.withLock({ $0.storedPath(of: folder) })?.names ?? []
        let new = (tree.withLock({ $0.storedPath(of: parent) })?.names ?? []) + [stored]
        return tree.drafts(of: folder).compactMap { id, document in
            let node = tree[id]
            guard let draft = document.draft, let place = try? places.place(of: node.parent) else { return nil }
            let now = tree.address(node.shown, in: node.parent, place)
            let then = Address(folder: now.folder, path: new + now.path.dropFirst(old.count), shown: now.shown)
            return DraftPlace(draft: draft, address: then, base: document.base)
        }
    }
}
