import Containers
import LinuxFiles

/// Opens what a program asks for, if that is what the kernel was told of and the program may have it so.
final class AccessChecks: Sendable {
    private let tree: Tree
    private let nameless: NamelessFiles
    private let rights: CallerRights
    private let moves: MovesUnderWay
    private let cachedAccess: CachedAccessChecks
    private let places: Places
    private let items: NodeItems

    init(
        tree: Tree, nameless: NamelessFiles, rights: CallerRights, moves: MovesUnderWay, cachedAccess: CachedAccessChecks, places: Places,
        items: NodeItems
    ) {
        (self.tree, self.nameless, self.rights, self.moves, self.cachedAccess) = (tree, nameless, rights, moves, cachedAccess)
        (self.places, self.items) = (places, items)
    }

    /// Whether it matters which access lists the store has.
    var asksForLists: Bool { rights.areChecked }

    /// The item whose own attributes a node has: of a package, the folder.
    func backing(of id: NodeNumber) throws(Errno) -> OpenFile {
        if id == NodeNumber.root || id == NodeNumber.originals { return try places.place(of: id) }
        let (node, document) = tree.nodeAndDocument(id)
        if [.control, .status, .versionFolder, .version, .deletedFolder, .deleted, .controlNamespace].contains(node.role) { throw .notSupported }
        if !node.hasItem, let draft = document?.draft {
            return draft.file
        }
        return try moves.following { () throws(Errno) in
            let (node, remains) = try nameless.nodeAndRemains(id)
            if let remains { return remains }
            return OpenFile(try places.place(of: node.parent).descriptor.open(node.stored, .path))
        }
    }

    /// A folder in which the caller looks something up, or which they list.
    func folder(_ id: NodeNumber, for caller: Caller, _ wanted: FileRights) throws(Errno) -> OpenFile {
        let place = try places.place(of: id)
        guard rights.areChecked else { return place }
        let status = try place.descriptor.status()
        try cachedAccess.check(id, status)
        try rights.require(wanted, of: caller, on: place, status)
        return place
    }

    /// A folder in which the caller changes names.
    func checkChangeable(_ id: NodeNumber, _ place: OpenFile, by caller: Caller) throws(Errno) {
        guard rights.areChecked else { return }
        let status = try place.descriptor.status()
        try cachedAccess.check(id, status)
        try rights.require([.write, .enter], of: caller, on: place, status)
    }

    /// A name that is about to be taken away, in a folder that the caller may change: it stands for what was meant, and they may.
    /// Nothing is asked of a drive that has one user.
    func checkRemoval(of id: NodeNumber, _ item: OpenFile?, _ place: OpenFile, by caller: Caller) throws(Errno) {
        guard rights.areChecked, let item else { return }
        let status = try item.descriptor.status(), folder = try place.descriptor.status()
        if tree[id].role != .document { try cachedAccess.check(id, status) }
        try rights.requireRemoval(of: caller, status, in: folder)
    }

    /// A rename: both names stand for what was meant, and the caller may take them away. A folder that gets another one
    /// above it is changed itself: it says there which that is.
    func checkMoving(_ move: RenameRequest, exchanging: Bool) throws(Errno) {
        guard rights.areChecked else { return }
        let moved = move.node.isUnborn ? nil : move.from.place.item(move.node.stored)
        try checkRemoval(of: move.id, moved, move.from.place, by: move.caller)
        if let replaced = move.replaced {
            let node = tree.node(replaced, called: move.name, in: move.to.folder)
            let there = node.isUnborn ? nil : move.to.place.item(node.stored)
            try checkRemoval(of: replaced, there, move.to.place, by: move.caller)
            if exchanging, node.role.isFolder, let there { try checkMovingFolder(there, move) }
        }
        if move.node.role.isFolder, let moved { try checkMovingFolder(moved, move) }
    }

    private func checkMovingFolder(_ folder: OpenFile, _ move: RenameRequest) throws(Errno) {
        guard move.from.folder != move.to.folder else { return }
        try rights.require(.write, of: move.caller, on: folder, folder.descriptor.status())
    }

    /// What a document's handles have, before somebody reads it or writes to it.
    func checkUse(of document: OpenDocument, _ id: NodeNumber, _ wanted: FileRights, by caller: Caller) throws(Errno) {
        guard rights.areChecked, let status = try document.content.currentStatus() else { return }
        try cachedAccess.checkDocument(id, status)
        guard let file = document.content.file else {
            // Its bytes are in memory by now, and were read from a file that had these permissions.
            return try rights.requireShown(wanted, of: caller, status)
        }
        try rights.require(wanted, of: caller, on: file, status)
    }

    /// The same of what was just read of the container. A package lets those in who may enter its folder.
    func checkUse(of opened: ItemReader.Opened, _ id: NodeNumber, _ wanted: FileRights, by caller: Caller) throws(Errno) {
        if rights.areChecked, let package = opened.flat?.folder {
            try cachedAccess.checkDocument(id, opened.item.status)
            // Its status permits no more than each of its parts does.
            try rights.requireShown(wanted, of: caller, opened.item.status)
            return try rights.require(wanted.union(.enter), of: caller, on: package, package.descriptor.status())
        }
        guard rights.areChecked, let part = opened.parts.lazy.compactMap(\.self).first else { return }
        try cachedAccess.checkDocument(id, opened.item.status)
        try rights.require(wanted, of: caller, on: part, opened.content)
        guard let package = opened.package else { return }
        try rights.require(.enter, of: caller, on: package, package.descriptor.status())
    }

    /// The file or folder that a node stands for, as the kernel was told of it; for its attributes, at least the same one.
    func checkedBacking(of id: NodeNumber, attributesOnly: Bool = false) throws(Errno) -> (file: OpenFile, status: FileStatus?) {
        let file = try backing(of: id)
        guard rights.areChecked else { return (file, nil) }
        let status = try file.descriptor.status()
        let (node, document) = tree.nodeAndDocument(id)
        if node.isNameless {
            // It is what somebody has open, and nothing has its name.
        } else if node.role == .document {
            if let draft = document?.draft { try cachedAccess.checkDocument(id, draft.status()) } else { try cachedAccess.checkDocument(id, items.currentItem(of: id).status) }
        } else if attributesOnly {
            try cachedAccess.checkFile(id, status)
        } else {
            try cachedAccess.check(id, status)
        }
        return (file, status)
    }
}
