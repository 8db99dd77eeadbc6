import Containers
import Coordination
import LinuxFiles

/// Programs that save by a rename: they write a new file and give it the document's name. If its content fits, that is a save of the document
/// which has the name or had it a moment ago, and where there is none a new document. If it does not fit, no document gives way to it.
final class SavesByRenaming: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let moves: MovesUnderWay
    private let removed: AwayDocuments
    private let nameless: NamelessFiles
    private let kinds: KindChanges
    private let replacing: ReplacedByRenaming

    init(
        tree: Tree, coordinator: DocumentCoordinator, moves: MovesUnderWay, removed: AwayDocuments, nameless: NamelessFiles,
        kinds: KindChanges, replacing: ReplacedByRenaming
    ) {
        (self.tree, self.coordinator, self.moves, self.removed) = (tree, coordinator, moves, removed)
        (self.nameless, self.kinds, self.replacing) = (nameless, kinds, replacing)
    }

    /// Makes a document of a plain file that gets another name. False where it stays a plain file.
    func save(_ move: RenameRequest) throws(Errno) -> Bool {
        guard let kind = try kind(of: move), try move.from.place.descriptor.status(of: move.node.stored).type == .regular
        else { return false }
        let replaced = move.replaced.map { id in (id: id, node: tree[id]) }
        return try coordinator.write(LaneID(move.id), LaneID(move.replaced ?? move.id)) { () throws(Errno) in
            try moves.during { () throws(Errno) in
                guard let replaced, replaced.node.role == .document else { return try become(kind, move) }
                guard tree.kind(of: replaced.node) == kind else { return false }
                try save(move, over: replaced.id, replaced.node, kind)
                return true
            }
        }
    }

    /// What it becomes if its content fits. A document keeps its name from what is none also where such documents are not
    /// made; and what was a document is one again, but for a package, and for the name of a plain file that was found.
    private func kind(of move: RenameRequest) throws(Errno) -> KindID? {
        if let kind = move.kind ?? move.replacedDocument?.kind { return kind }
        guard !move.isPlainName, !tree.isPackage(move.to.folder) else { return nil }
        return try kinds.formerKind(of: move.node.stored, in: move.from.place, as: move.name)
    }

    /// Over the document that has the name. In the lanes of both.
    private func save(_ move: RenameRequest, over replaced: NodeNumber, _ node: Node, _ kind: KindID) throws(Errno) {
        coordinator.checkWriting(LaneID(move.id))
        let document = tree.document(replaced), base: Base? = node.isUnborn ? document?.base : .stored(node.stored)
        if replacing.isSavedBeforeItGoes(replaced, document) {
            guard try kinds.isAdoptable(move.node.stored, in: move.from.place, as: kind, named: move.name) else {
                throw .wrongContent
            }
            replacing.save(move)
        }
        try replacing.keepingUnsaved(move) { () throws(Errno) in
            // Where it does not fit, the document keeps its content, and the file keeps its name: nothing is lost.
            guard try kinds.adopt(
                move.id, as: kind, named: move.name, in: move.to.folder, move.to.place, from: source(of: move), over: base,
                replacing: replaced, by: move.caller)
            else { throw .wrongContent }
        }
        if let document { nameless.abandon(document) }
    }

    /// No document has the name. One that had it a moment ago is what is saved, and also has its name again where that does
    /// not fit. In the lanes of the file and of what has the name.
    private func become(_ kind: KindID, _ move: RenameRequest) throws(Errno) -> Bool {
        coordinator.checkWriting(LaneID(move.id))
        let away = removed.take(move.name, kind, in: move.to.folder)
        var isDocument = false
        defer { if !isDocument, let away { removed.rememberAgain(away, as: move.name, in: move.to.folder) } }
        isDocument = try kinds.adopt(
            move.id, as: kind, named: move.name, in: move.to.folder, move.to.place, from: source(of: move),
            over: away.map(Base.away), replacing: move.replaced, move.remains, by: move.caller)
        if !isDocument, move.replaced == nil, let away {
            isDocument = try kinds.becomeDraft(
                move.id, of: away, named: move.name, in: move.to.folder, move.to.place, from: source(of: move), by: move.caller)
        }
        return isDocument
    }

    private func source(of move: RenameRequest) -> (folder: NodeNumber, place: OpenFile, stored: Name) {
        (move.from.folder, move.from.place, move.node.stored)
    }
}
