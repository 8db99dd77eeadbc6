import Containers
import Coordination
import LinuxFiles

/// Plain files that get another name, and stay what they are unless that is how a program saves a document.
final class PlainFileMoving: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let moves: MovesUnderWay
    private let removed: AwayDocuments
    private let returned: ReturnedDocuments
    private let replacing: ReplacedByRenaming
    private let saves: SavesByRenaming

    init(
        tree: Tree, coordinator: DocumentCoordinator, workshop: Workshop?, moves: MovesUnderWay, removed: AwayDocuments,
        returned: ReturnedDocuments, replacing: ReplacedByRenaming, saves: SavesByRenaming
    ) {
        (self.tree, self.coordinator, self.workshop, self.moves) = (tree, coordinator, workshop, moves)
        (self.removed, self.returned, self.replacing, self.saves) = (removed, returned, replacing, saves)
    }

    func move(_ move: RenameRequest) throws(Errno) {
        if try saves.save(move) { return }
        let expected = move.replaced == nil ? returned.expected(move.name, in: move.to.folder) : []
        try moveAsPlain(move)
        returned.rejoin(expected, in: move.to.folder, move.to.place)
        replacing.noteMovedPlain(move)
    }

    /// A plain file takes a name that may have been a document's.
    private func moveAsPlain(_ move: RenameRequest) throws(Errno) {
        // Also one that is new and still being written.
        guard let replaced = move.replaced, move.replacedNode?.role == .document else {
            return try moves.during { () throws(Errno) in try replaceAll(move) }
        }
        try coordinator.write(LaneID(replaced)) { () throws(Errno) in
            try moves.during { () throws(Errno) in try replaceAll(move) }
        }
    }

    private func replaceAll(_ move: RenameRequest) throws(Errno) {
        let stored = try move.storedName()
        replacing.save(move)
        try replacing.keepingUnsaved(move) { () throws(Errno) in
            let outcome = try removed.makingRoom { () throws(Errno) in
                try workshop.required().commit(
                    .move(
                        move.node.stored, from: move.oldAddress, to: move.newAddress, as: stored,
                        replacing: move.replacedDocument, removing: move.replacedPlain(but: stored), plain: move.plain),
                    unfit: .invalid)
            }
            replacing.putAside(outcome.replaced, move)
            move.relocate(stored: stored)
        }
    }
}
