import Containers
import Coordination
import Documents
import LinuxFiles

/// Names that change. A plain file that is given a document's name becomes a document if its content fits, and a document that is
/// given a foreign name becomes a plain file.
final class Renaming: Sendable {
    let tree: TreeTable
    let handles: OpenHandles
    let coordinator: DocumentCoordinator
    let workshop: Workshop?
    let container: Container
    let rights: CallerRights
    let moves: Moves
    let testPoints: TestPoints<TestPoint>
    let places: Places
    let namesAlike: NamesAlike
    let removed: RemovedDocuments
    let changes: FolderChanges
    let access: AccessChecks
    let claims: ExternalClaims
    let saved: SavedDocuments
    let saving: DraftSaving
    let kinds: KindChanges
    let newKinds: NewKinds
    let folders: FolderContents
    let passing: PassingFiles
    let kept: PlainFilesKept
    let returned: ReturnedDocuments

    init(
        tree: TreeTable, handles: OpenHandles, coordinator: DocumentCoordinator, workshop: Workshop?, container: Container,
        rights: CallerRights, moves: Moves, testPoints: TestPoints<TestPoint>, places: Places, namesAlike: NamesAlike,
        removed: RemovedDocuments, changes: FolderChanges, access: AccessChecks, claims: ExternalClaims,
        saved: SavedDocuments, saving: DraftSaving, kinds: KindChanges, newKinds: NewKinds, folders: FolderContents,
        passing: PassingFiles, kept: PlainFilesKept, returned: ReturnedDocuments
    ) {
        (self.tree, self.handles, self.coordinator, self.workshop, self.container) = (tree, handles, coordinator, workshop, container)
        (self.rights, self.moves, self.testPoints, self.places, self.namesAlike) = (rights, moves, testPoints, places, namesAlike)
        (self.removed, self.changes, self.access, self.claims, self.saved) = (removed, changes, access, claims, saved)
        (self.saving, self.kinds, self.passing, self.kept) = (saving, kinds, passing, kept)
        (self.newKinds, self.folders, self.returned) = (newKinds, folders, returned)
    }

    static let noReplace: UInt32 = 1
    private static let exchange: UInt32 = 2

    func rename(
        _ name: Name, in old: NodeNumber, to newName: Name, in new: NodeNumber, flags: UInt32, caller: Caller
    ) throws(Errno) {
        guard flags & ~(Self.noReplace | Self.exchange) == 0 else { throw .invalid }
        if new == Tree.root, Hidden.isState(newName) { throw .notPermitted }
        let moving = claims.askPresenters(of: tree.child(shown: namesAlike.spelling(of: name, in: old), of: old), for: .moving, by: caller.thread)
        defer { moving.end() }
        let replacing = claims.askPresenters(of: tree.child(shown: namesAlike.spelling(of: newName, in: new), of: new), for: .replacing, by: caller.thread)
        defer { replacing.end() }
        let moved = tree.child(shown: name, of: old), there = flags & Self.exchange != 0 ? tree.child(shown: newName, of: new) : nil
        let werePackages = (moved.map(tree.isPackage) ?? false, there.map(tree.isPackage) ?? false)
        try prepare(moved, for: newName, in: new)
        try prepare(there, for: name, in: old)
        defer {
            lookAgain(at: moved, wasPackage: werePackages.0)
            lookAgain(at: there, wasPackage: werePackages.1)
        }
        try changes.changing(old, new, for: caller) { (from, to) throws(Errno) in
            let asked = (name, newName), name = namesAlike.spelling(of: asked.0, in: old), spelled = namesAlike.spelling(of: asked.1, in: new)
            // Its own name with other letters is a new one.
            let newName = old == new && spelled == name ? newName : spelled
            // Of what is replaced under another name the kernel remembers that it was there, too.
            defer {
                namesAlike.leavesName(name, in: old, askedAs: asked.0)
                namesAlike.leavesName(newName, in: new, askedAs: asked.1)
            }
            guard let id = tree.child(shown: name, of: old) else { throw name.absence }
            let replaced = tree.child(shown: newName, of: new)
            if flags & Self.noReplace != 0, replaced != nil { throw .exists }
            let replacedFlags = replaced.map { id in tree[id].flags }
            let isPlainName = replaced.map { id in tree[id].isFoundPlain } ?? newKinds.wasPlain(newName, in: new)
            let move = RenameRequest(
                id: id, node: tree.node(id, called: name, in: old), replaced: replaced,
                remains: remains(of: replaced, called: newName, in: new, to), from: (old, from), to: (new, to), name: newName,
                isPlainName: isPlainName, kind: isPlainName ? nil : newKinds.kind(of: newName, in: new), caller: caller)
            try checkMoving(move, exchanging: flags & Self.exchange != 0)
            if flags & Self.exchange != 0 { return try exchangePlaces(move) }
            guard replaced != id else { return }
            try checkReplacing(move)
            try keepingReplaced(move) { () throws(Errno) in try carryOut(move) }
            newKinds.leaves(move.node, name, in: old)
            setNew(move, replacedFlags)
            claims.tellOthers(move.node.stored, in: old, becameShown: newName, in: new)
        }
    }

    /// Whether what has the name now may become another thing by what is written into it. A document that goes on being one is as new as it was, and what was
    /// found is not new because its name makes it a document.
    private func setNew(_ move: RenameRequest, _ replaced: NodeFlags?) {
        let now = tree[move.id].role
        guard move.node.role == .plain || now == .plain else { return }
        tree.setNew(move.kind != nil && replaced?.contains(.isNew) != false && !(now == .document && move.node.isFoundPlain), move.id)
    }

    /// Both names stand for what was meant, and the caller may take them away. A folder that gets another one above it is changed
    /// itself: it says there which that is.
    func checkMoving(_ move: RenameRequest, exchanging: Bool) throws(Errno) {
        if move.node.role.isFolder { try changes.checkNoDocumentsFolder(move.name, in: move.to.folder) }
        if exchanging, let replaced = move.replaced, tree[replaced].role.isFolder { try changes.checkNoDocumentsFolder(move.node.shown, in: move.from.folder) }
        guard rights.areChecked else { return }
        let moved = move.node.isUnborn ? nil : move.from.place.item(move.node.stored)
        try access.checkRemoval(of: move.id, moved, move.from.place, by: move.caller)
        if let replaced = move.replaced {
            let node = tree.node(replaced, called: move.name, in: move.to.folder)
            let there = node.isUnborn ? nil : move.to.place.item(node.stored)
            try access.checkRemoval(of: replaced, there, move.to.place, by: move.caller)
            if exchanging, node.role.isFolder, let there { try checkMovingFolder(there, move) }
        }
        if move.node.role.isFolder, let moved { try checkMovingFolder(moved, move) }
    }

    func checkMovingFolder(_ folder: OpenFile, _ move: RenameRequest) throws(Errno) {
        guard move.from.folder != move.to.folder else { return }
        try rights.require(.write, of: move.caller, on: folder, folder.descriptor.status())
    }

    func remains(of replaced: NodeNumber?, called name: Name, in folder: NodeNumber, _ place: OpenFile) -> OpenFile? {
        guard let node = replaced.map({ id in tree.node(id, called: name, in: folder) }), node.role != .document else { return nil }
        return place.item(node.stored)
    }

    func checkReplacing(_ move: RenameRequest) throws(Errno) {
        guard let replaced = move.replaced else { return }
        let isFolder = tree[replaced].role.isFolder
        if isFolder, !move.node.role.isFolder { throw .isDirectory }
        if !isFolder, move.node.role.isFolder { throw .notDirectory }
    }

    /// A plain file that gives way is kept, unless a program saves so: what it made a moment ago takes the place of what was.
    private func keepingReplaced(_ move: RenameRequest, _ body: () throws(Errno) -> Void) throws(Errno) {
        let isSave = move.node.role == .plain && passing.isPassing(move.node.inode, called: move.node.shown, by: move.caller)
        let replaced = isSave ? nil : replacedNode(move).flatMap { $0.role == .plain ? $0.stored : nil }
        try kept.keeping(move.replaced, replaced, in: newAddress(move), move.to.folder, by: move.caller, body)
    }

    func carryOut(_ move: RenameRequest) throws(Errno) {
        switch move.node.role {
        case .folder: try moveFolder(move)
        case .plain: try movePlain(move)
        case .document:
            // Two documents are two lanes, the lower number first, as everywhere.
            try coordinator.write(LaneID(move.id), LaneID(move.replaced ?? move.id)) { () throws(Errno) in try moveDocument(move) }
        default: throw .readOnly
        }
    }

    func moveFolder(_ move: RenameRequest) throws(Errno) {
        if let replaced = move.replaced, tree.hasUnborn(in: replaced) { throw .notEmpty }
        let stored = try storedName(of: move), drafts = drafts(below: move.id, as: stored, in: move.to.folder)
        try moves.during { () throws(Errno) in
            try workshop.required().commit(
                .move(move.node.stored, from: oldAddress(move), to: newAddress(move), as: stored, drafts: drafts), unfit: .invalid)
            relocate(move, stored: stored)
        }
        removed.forget(move.name, in: move.to.folder)
        if let replaced = move.replaced { removed.forget(of: replaced) }
    }

    func oldAddress(_ move: RenameRequest) -> Address { tree.address(move.node.shown, in: move.from.folder, move.from.place) }

    func newAddress(_ move: RenameRequest) -> Address { tree.address(move.name, in: move.to.folder, move.to.place) }

    /// What a plain file or a folder is called in the container: as it is shown. Where an item is called so that is shown
    /// otherwise, that name is not to be had.
    func storedName(of move: RenameRequest) throws(Errno) -> Name {
        if tree.isTaken(move.name, in: move.to.folder, butBy: (move.node.shown, move.from.folder)) { throw .exists }
        return move.name
    }

    func movePlain(_ move: RenameRequest) throws(Errno) {
        // A document keeps its name from what is none also where such documents are not made.
        var kind = move.kind ?? replacedDocument(move)?.kind
        if kind == nil { kind = try formerKind(move) }
        if let kind, try isRegular(move.node.stored, in: move.from.place) {
            let replaced = move.replaced.map { id in (id: id, node: tree[id]) }
            let isAdopted = try coordinator.write(LaneID(move.id), LaneID(move.replaced ?? move.id)) { () throws(Errno) in
                try moves.during { () throws(Errno) in try adoptMoved(move, kind, over: replaced) }
            }
            if isAdopted { return }
        }
        let expected = move.replaced == nil ? returned.expected(move.name, in: move.to.folder) : []
        try replaceByPlain(move)
        returned.rejoin(expected, in: move.to.folder, move.to.place)
        passing.note(move.node.inode, renamedBy: move.caller, from: RemovedName(folder: move.from.folder, name: move.node.shown))
        if passing.isPassing(move.node.inode, called: move.node.shown, by: move.caller) { kept.cameAnew(move.name, in: move.to.folder, by: move.caller) }
    }

    /// The kind of the document that the file was. In a package, and under the name of a plain file that was found, it stays what it is.
    private func formerKind(_ move: RenameRequest) throws(Errno) -> KindID? {
        guard !move.isPlainName, !tree.isPackage(move.to.folder) else { return nil }
        return try kinds.formerKind(of: move.node.stored, in: move.from.place, as: move.name)
    }

    func isRegular(_ name: Name, in place: OpenFile) throws(Errno) -> Bool {
        try place.descriptor.status(of: name).type == .regular
    }

    /// A plain file takes a name that may have been a document's.
    func replaceByPlain(_ move: RenameRequest) throws(Errno) {
        // Also one that is new and still being written.
        guard let replaced = move.replaced, replacedNode(move)?.role == .document else {
            return try moves.during { () throws(Errno) in try replaceAllByPlain(move) }
        }
        try coordinator.write(LaneID(replaced)) { () throws(Errno) in
            try moves.during { () throws(Errno) in try replaceAllByPlain(move) }
        }
    }

    func replaceAllByPlain(_ move: RenameRequest) throws(Errno) {
        let stored = try storedName(of: move)
        saveReplaced(move)
        try keepingUnsaved(move) { () throws(Errno) in
            let outcome = try removed.makingRoom { () throws(Errno) in
                try workshop.required().commit(
                    .move(
                        move.node.stored, from: oldAddress(move), to: newAddress(move), as: stored, replacing: replacedDocument(move),
                        removing: replacedPlain(move, but: stored)),
                    unfit: .invalid)
            }
            putAside(outcome.replaced, move)
            relocate(move, stored: stored)
        }
    }

    /// What was written to the document that gives way becomes a version. A rename that is refused leaves it unsaved, so this comes after whatever may
    /// refuse. In its lane.
    func saveReplaced(_ move: RenameRequest) {
        guard let replaced = move.replaced, let document = tree.document(replaced) else { return }
        saving.saveBeforeItGoes(document, replaced)
    }

    /// What was written to the document that gives way, and could not become it, is nowhere else. In its lane.
    func keepingUnsaved(_ move: RenameRequest, _ body: () throws(Errno) -> Void) throws(Errno) {
        guard let replaced = move.replaced, let document = tree.document(replaced) else { return try body() }
        coordinator.checkWriting(LaneID(replaced))
        guard let draft = document.draft else { return try body() }
        try workshop.required().keepingDeleted(draft, from: newAddress(move), body)
    }

    /// The document that gave way is remembered, and whoever has it open goes on without its name.
    func putAside(_ away: AwayItem?, _ move: RenameRequest) {
        let document = move.replaced.flatMap { id in tree.document(id) }
        if let away {
            removed.remember(away, as: move.name, in: move.to.folder)
        } else if case .away(let item) = document?.base {
            // It was a draft, with which that one was to come back.
            removed.remember(item, as: move.name, in: move.to.folder)
        } else {
            removed.forget(move.name, in: move.to.folder)
        }
        removed.abandon(document)
    }

    /// What the tree makes of a rename that was carried out.
    func relocate(_ move: RenameRequest, stored: Name) {
        tree.rename((move.node.shown, move.from.folder), to: move.name, in: move.to.folder, storedAs: stored, keeping: move.remains)
    }

    /// Makes a document of a plain file that is given a document's name, in the lanes of both. False where it stays a plain file.
    func adoptMoved(_ move: RenameRequest, _ kind: KindID, over replaced: (id: NodeNumber, node: Node)?) throws(Errno) -> Bool {
        coordinator.checkWriting(LaneID(move.id))
        guard let replaced, replaced.node.role == .document, tree.kind(of: replaced.node) == kind else {
            if let replaced, replaced.node.role == .document { return false }
            let away = removed.take(move.name, kind, in: move.to.folder)
            let source = (move.from.folder, move.from.place, move.node.stored)
            var isAdopted = false
            defer { if !isAdopted, let away { removed.rememberAgain(away, as: move.name, in: move.to.folder) } }
            isAdopted = try kinds.adopt(
                move.id, as: kind, named: move.name, in: move.to.folder, move.to.place, from: source, over: away.map(Base.away),
                replacing: move.replaced, move.remains, by: move.caller)
            if !isAdopted, move.replaced == nil, let away {
                isAdopted = try kinds.becomeDraft(
                    move.id, of: away, named: move.name, in: move.to.folder, move.to.place, from: source, by: move.caller)
            }
            return isAdopted
        }
        let document = tree.document(replaced.id)
        let base: Base? = replaced.node.isUnborn ? document?.base : .stored(replaced.node.stored)
        let source = (move.from.folder, move.from.place, move.node.stored)
        if let document, saving.isSavedBeforeItGoes(document, replaced.id) {
            guard try kinds.isAdoptable(move.node.stored, in: move.from.place, as: kind, named: move.name) else { throw .wrongContent }
            saveReplaced(move)
        }
        try keepingUnsaved(move) { () throws(Errno) in
            // Where it does not fit, the document keeps its content, and the file keeps its name: nothing is lost.
            guard try kinds.adopt(
                move.id, as: kind, named: move.name, in: move.to.folder, move.to.place, from: source, over: base, replacing: replaced.id, by: move.caller)
            else { throw .wrongContent }
        }
        removed.abandon(document)
        return true
    }

    /// The document that gives way, for the workshop. One that is a draft only is thrown away when all is done.
    func replacedDocument(_ move: RenameRequest) -> ReplacedDocument? {
        guard let node = replacedNode(move), node.role == .document, !node.isUnborn else { return nil }
        let draft = move.replaced.flatMap { id in tree.document(id)?.draft }
        return ReplacedDocument(stored: node.stored, kind: tree.kind(of: node), draft: draft)
    }

    /// The item of the plain file that gives way, unless it is replaced by its name.
    func replacedPlain(_ move: RenameRequest, but stored: Name? = nil) -> Name? {
        guard let node = replacedNode(move), node.role != .document, node.stored != stored else { return nil }
        return node.stored
    }

    func replacedNode(_ move: RenameRequest) -> Node? {
        move.replaced.map { id in tree.node(id, called: move.name, in: move.to.folder) }
    }

    /// The drafts in a folder, where they are when it has another name.
    func drafts(below folder: NodeNumber, as stored: Name, in parent: NodeNumber) -> [DraftPlace] {
        let old = tree.storedPath(of: folder)?.names ?? [], new = (tree.storedPath(of: parent)?.names ?? []) + [stored]
        return tree.drafts(of: folder).compactMap { id, document in
            let node = tree[id]
            guard let draft = document.draft, let place = try? places.place(of: node.parent) else { return nil }
            let now = tree.address(node.shown, in: node.parent, place)
            let then = Address(folder: now.folder, path: new + now.path.dropFirst(old.count), shown: now.shown)
            return DraftPlace(draft: draft, address: then, base: document.base)
        }
    }
}

/// One rename, as it was asked for.
struct RenameRequest {
    let id: NodeNumber
    let node: Node
    let replaced: NodeNumber?
    /// What is replaced, where it is no document.
    let remains: OpenFile?
    let from: (folder: NodeNumber, place: OpenFile)
    let to: (folder: NodeNumber, place: OpenFile)
    let name: Name
    /// A plain file that the drive found has the name, or had it a moment ago.
    let isPlainName: Bool
    /// What a plain file becomes under the name, if its content fits.
    let kind: KindID?
    let caller: Caller
}
