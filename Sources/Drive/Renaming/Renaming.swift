import Containers
import LinuxFiles

/// Names that change. A plain file that is given a document's name becomes a document if its content fits, and a
/// document that is given a foreign name becomes a plain file.
final class Renaming: Sendable {
    private let tree: Tree
    private let equivalentNames: EquivalentNames
    private let changes: FolderChanges
    private let claims: ExternalClaims
    private let access: AccessChecks
    private let newKinds: NewKinds
    private let replacing: ReplacedByRenaming
    private let packages: PackageFolders
    private let exchanging: NameExchanging
    private let folderMoving: FolderMoving
    private let fileMoving: PlainFileMoving
    private let documentMoving: DocumentMoving
    private let beside: BesideFiles

    init(
        tree: Tree, equivalentNames: EquivalentNames, changes: FolderChanges, claims: ExternalClaims,
        access: AccessChecks, newKinds: NewKinds, replacing: ReplacedByRenaming, packages: PackageFolders,
        exchanging: NameExchanging, folderMoving: FolderMoving, fileMoving: PlainFileMoving,
        documentMoving: DocumentMoving, beside: BesideFiles
    ) {
        self.beside = beside
        (self.tree, self.equivalentNames, self.changes, self.claims) = (tree, equivalentNames, changes, claims)
        (self.access, self.newKinds, self.replacing, self.packages) = (access, newKinds, replacing, packages)
        (self.exchanging, self.folderMoving) = (exchanging, folderMoving)
        (self.fileMoving, self.documentMoving) = (fileMoving, documentMoving)
    }

    static let noReplace: UInt32 = 1
    private static let exchange: UInt32 = 2

    func rename(
        _ name: Name, in old: NodeNumber, to newName: Name, in new: NodeNumber, flags: UInt32, caller: Caller
    ) throws(Errno) {
        guard flags & ~(Self.noReplace | Self.exchange) == 0 else { throw .invalid }
        if new == NodeNumber.root, Hidden.isState(newName) { throw .notPermitted }
        let exchanges = flags & Self.exchange != 0
        let moving = claims.askPresenters(of: child(called: name, of: old), for: .moving, by: caller.thread)
        defer { moving?.end() }
        let giving = claims.askPresenters(of: child(called: newName, of: new), for: .replacing, by: caller.thread)
        defer { giving?.end() }
        let moved = folder(name, in: old), there = exchanges ? folder(newName, in: new) : nil
        let werePackages = (moved.map(tree.isPackage) ?? false, there.map(tree.isPackage) ?? false)
        if let moved { try packages.prepare(moved, for: newName, in: new) }
        if let there { try packages.prepare(there, for: name, in: old) }
        defer {
            if let moved { packages.lookAgain(at: moved, wasPackage: werePackages.0) }
            if let there { packages.lookAgain(at: there, wasPackage: werePackages.1) }
        }
        try changes.changing(old, new, for: caller) { (from, to) throws(Errno) in
            let asked = (name, newName), name = equivalentNames.spelling(of: asked.0, in: old)
            let spelled = equivalentNames.spelling(of: asked.1, in: new)
            // Its own name with other letters is a new one.
            let newName = newNameOf(asked.1, spelled, in: new, isItself: old == new && spelled == name)
            // Of what is replaced under another name the kernel remembers that it was there, too.
            defer {
                equivalentNames.leavesName(name, in: old, askedAs: asked.0)
                equivalentNames.leavesName(newName, in: new, askedAs: asked.1)
                equivalentNames.leavesName(asked.1, in: new, askedAs: newName)
            }
            let move = try request(name, (old, from), newName, (new, to), isAlone: flags & Self.noReplace != 0, caller)
            try checkMoving(move, exchanging: exchanges)
            if exchanges { return try exchanging.exchange(move) }
            guard move.replaced != move.id else { return }
            try checkReplacing(move)
            try replacing.keepingPlain(move) { (move) throws(Errno) in try carryOut(move) }
            beside.follow(move)
            newKinds.leaves(move.node, name, in: old)
            setNew(move)
            claims.tellOthers(move.node.stored, in: old, becameShown: newName, in: new)
        }
    }

    /// A new name is in NFC, unless something has it as it is spelled.
    private func newNameOf(_ asked: Name, _ spelled: Name, in folder: NodeNumber, isItself: Bool) -> Name {
        if isItself { return tree.composed(asked, in: folder) }
        return tree.withLock { $0.child(shown: spelled, of: folder) } == nil ? tree.composed(spelled, in: folder) : spelled
    }

    /// What has a name, in whatever letters.
    private func child(called name: Name, of folder: NodeNumber) -> NodeNumber? {
        equivalentNames.node(name, in: folder)
    }

    /// A folder of this name, which may become a package or cease to be one.
    private func folder(_ name: Name, in parent: NodeNumber) -> NodeNumber? {
        child(called: name, of: parent).flatMap { id in tree[id].role == .folder ? id : nil }
    }

    /// Both nodes by their names. `isAlone`: nothing may have the new one.
    private func request(
        _ name: Name, _ from: (folder: NodeNumber, place: OpenFile), _ newName: Name,
        _ to: (folder: NodeNumber, place: OpenFile), isAlone: Bool, _ caller: Caller
    ) throws(Errno) -> RenameRequest {
        guard let id = tree.withLock({ $0.child(shown: name, of: from.folder) }) else { throw name.absence }
        let replaced = tree.withLock { $0.child(shown: newName, of: to.folder) }
        if isAlone, replaced != nil { throw .exists }
        let replacedFlags = replaced.map { id in tree[id].flags }
        let isPlainName = replaced.map { id in tree[id].isFoundPlain } ?? newKinds.wasPlain(newName, in: to.folder)
        return RenameRequest(
            tree: tree, id: id, node: tree.node(id, called: name, in: from.folder), replaced: replaced,
            replacedFlags: replacedFlags, remains: remains(of: replaced, called: newName, in: to), from: from, to: to,
            name: newName, isPlainName: isPlainName,
            kind: isPlainName ? nil : newKinds.kind(of: newName, in: to.folder), caller: caller)
    }

    private func remains(
        of replaced: NodeNumber?, called name: Name, in home: (folder: NodeNumber, place: OpenFile)
    ) -> OpenFile? {
        guard let node = replaced.map({ id in tree.node(id, called: name, in: home.folder) }), node.role != .document
        else { return nil }
        return home.place.item(node.stored)
    }

    private func checkMoving(_ move: RenameRequest, exchanging: Bool) throws(Errno) {
        // The package of a document is called as that is.
        guard move.node.role != .packageFolder, !exchanging || move.replacedNode?.role != .packageFolder else { throw .notPermitted }
        if move.node.role.isFolder { try changes.checkNoDocumentsFolder(move.name, in: move.to.folder) }
        if exchanging, let replaced = move.replaced, tree[replaced].role.isFolder {
            try changes.checkNoDocumentsFolder(move.node.shown, in: move.from.folder)
        }
        try access.checkMoving(move, exchanging: exchanging)
    }

    private func checkReplacing(_ move: RenameRequest) throws(Errno) {
        guard let replaced = move.replaced else { return }
        let isFolder = tree[replaced].role.isFolder
        if isFolder, !move.node.role.isFolder { throw .isDirectory }
        if !isFolder, move.node.role.isFolder { throw .notDirectory }
    }

    private func carryOut(_ move: RenameRequest) throws(Errno) {
        switch move.node.role {
        case .folder: try folderMoving.move(move)
        case .plain: try fileMoving.move(move)
        case .document: try documentMoving.move(move)
        default: throw .readOnly
        }
    }

    /// Whether what has the name now may become another thing by what is written into it. A document that goes on being
    /// one is as new as it was, and what was found is not new because its name makes it a document.
    private func setNew(_ move: RenameRequest) {
        let now = tree[move.id].role
        guard move.node.role == .plain || now == .plain else { return }
        let isNew = move.kind != nil && move.replacedFlags?.contains(.isNew) != false
            && !(now == .document && move.node.isFoundPlain)
        tree.setNew(isNew, move.id)
    }
}

/// One rename, as it was asked for, and what the tree says of it.
struct RenameRequest {
    let tree: Tree
    let id: NodeNumber
    let node: Node
    let replaced: NodeNumber?
    /// What its flags were before.
    let replacedFlags: NodeFlags?
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
    /// What becomes of a plain file that gives way.
    var plain = ReplacedPlainFile.gone

    var oldAddress: Address { tree.address(node.shown, in: from.folder, from.place) }
    var newAddress: Address { tree.address(name, in: to.folder, to.place) }

    /// What a plain file or a folder is called in the container: as it is shown, or as what it replaces, where that is stored in another form. Where an item is called so that is
    /// shown otherwise, that name is not to be had. A package that grows goes on growing under another package's name.
    func storedName() throws(Errno) -> Name {
        if let other = replacedNode, other.role != .document, other.stored != name, other.stored.composed == name { return other.stored }
        if tree.isTaken(name, in: to.folder, butBy: (node.shown, from.folder)) { throw .exists }
        guard node.role == .folder, GrowingName.package(in: node.stored) != nil, tree.isPackageName(name, in: to.folder) else { return name }
        guard let growing = GrowingName.of(name) else { throw .nameTooLong }
        return growing
    }

    var replacedNode: Node? { replaced.map { id in tree.node(id, called: name, in: to.folder) } }

    /// The document that gives way, for the workshop. One that is a draft only is thrown away when all is done.
    var replacedDocument: ReplacedDocument? {
        guard let node = replacedNode, node.role == .document, !node.isUnborn else { return nil }
        let draft = replaced.flatMap { id in tree.document(id)?.draft }
        return ReplacedDocument(stored: node.stored, kind: tree.kind(of: node), draft: draft)
    }

    /// The item of the plain file that gives way, unless it is replaced by its name.
    func replacedPlain(but stored: Name? = nil) -> Name? {
        guard let node = replacedNode, node.role != .document, node.stored != stored else { return nil }
        return node.stored
    }

    /// What the tree makes of a rename that was carried out.
    func relocate(stored: Name) {
        tree.rename((node.shown, from.folder), to: name, in: to.folder, storedAs: stored, keeping: remains)
    }
}
