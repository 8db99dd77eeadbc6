import Catalog
import Containers
import Documents
import Glibc
import LinuxFiles

/// The tree behind its lock: what other parts ask of it in one step, and what they change. What comes out is a value; whoever needs another step says
/// `withLock`, and neither waits nor asks anybody in there. What is only a part of such steps is a method of `NodeTable`.
final class Tree: Sendable {
    private let table: Locked<NodeTable>
    let kinds: KindRegistry

    init(_ kinds: KindRegistry) {
        self.kinds = kinds
        table = Locked(NodeTable(kinds), .tree)
    }

    /// What a document is.
    func kind(of node: Node) -> KindID { kinds[node.kind] }

    func withLock<Value, Problem: Error>(_ body: (inout sending NodeTable) throws(Problem) -> sending Value) throws(Problem) -> sending Value {
        try table.withLock(body)
    }

    // MARK: Nodes

    subscript(id: NodeNumber) -> Node { withLock { $0[id] } }

    /// A node that has its name.
    func namedNode(_ id: NodeNumber) -> Node? { withLock { $0.contains(id) && !$0[id].isNameless ? $0[id] : nil } }

    /// A node as it is under one of its names.
    func node(_ id: NodeNumber, called name: Name, in folder: NodeNumber) -> Node {
        withLock { tree in
            var node = tree[id]
            guard let entry = tree.entry(shown: name, of: folder), entry != EntryNumber(of: id) else { return node }
            (node.parent, node.stored, node.shown) = (folder, tree[entry].stored, name)
            return node
        }
    }

    /// What is open of a document, or waits to be saved.
    func document(_ id: NodeNumber) -> OpenDocument? { withLock { $0.documents[id] } }

    /// A node and its document, both as they are at one moment.
    func nodeAndDocument(_ id: NodeNumber) -> (Node, OpenDocument?) { withLock { ($0[id], $0.documents[id]) } }

    /// A node, and what is left of it where its name is gone.
    func nodeAndRemains(_ id: NodeNumber) -> (Node, OpenFile?) { withLock { ($0[id], $0.remaining[id]) } }

    /// The table's number for a node that the kernel names. A number that it was told to forget is stale.
    func known(_ node: NodeID) throws(Errno) -> NodeNumber {
        // Where thumbnails may be asked for, they were looked at before.
        guard ThumbnailNode(node) == nil else { throw .readOnly }
        guard node.rawValue >> 32 == 0 || ControlNode(node) == nil else { throw .notPermitted }
        guard let id = withLock({ tree in tree.node(node).map { tree.standing(for: $0) } }) else { throw .stale }
        return id
    }

    /// What stands for a node that the kernel names, and what that is; nil if it was forgotten.
    func standing(for node: NodeID) -> (NodeNumber, Role)? {
        withLock { tree in tree.node(node).map { tree.standing(for: $0) }.map { ($0, tree[$0].role) } }
    }

    func isStill(_ role: Role, _ id: NodeNumber) -> Bool { withLock { $0[id].role == role } }

    /// Whether a node has its name from this drive, so that a plain file may become a document by what is written into it.
    func setNew(_ isNew: Bool, _ id: NodeNumber) {
        withLock { tree in
            guard tree.contains(id) else { return }
            if isNew { tree[id].flags.insert(.isNew) } else { tree[id].flags.remove(.isNew) }
        }
    }

    /// A plain file that was made without a name.
    func addNameless(_ status: FileStatus, in folder: NodeNumber) -> NodeNumber {
        withLock { tree in
            tree.noteNew(status, .plain)
            var node = Node(
                parent: folder, generation: 0, stored: Node.noName, shown: Node.noName, inode: status.identity.number, stamp: .unknown, role: .plain,
                flags: .isNew)
            node.become(.nameless)
            let id = tree.put(node)
            tree.remember(id)
            return id
        }
    }

    // MARK: What the kernel knows

    /// An answer that the kernel is given of a node, and knows it once more by; nil if the node is gone, or its name is.
    func entry(of id: NodeNumber, _ attributes: Attributes, named: Bool = true) -> Entry? {
        withLock { tree in
            guard tree.contains(id), !(named && tree[id].isNameless) else { return nil }
            tree.remember(id)
            tree.noteCached(attributes)
            return Entry(node: attributes.node, generation: UInt64(tree[id].generation), attributes: attributes)
        }
    }

    func setCachedAccess(_ access: CachedAccess, of id: NodeNumber) { withLock { $0[id].cachedAccess = access } }

    /// Another file is a document's item, which the kernel has or has not.
    func setInode(_ inode: UInt64, _ stamp: ContentStamp? = nil, of id: NodeNumber) {
        withLock { tree in
            if let stamp { tree[id].stamp = stamp }
            tree[id].inode = inode
        }
    }

    func forget(_ node: NodeID, count: UInt64) {
        withLock { tree in
            if let id = tree.node(node) { tree.forget(id, count: count) }
        }
    }

    // MARK: What is open

    /// A handle more. What the kernel has cached of the node is of the state that is answered; nil where others have another file open.
    func addHandle(_ id: NodeNumber, to target: OpenHandle.Target, _ status: FileStatus?, writes: Bool) -> ContentStamp? {
        withLock { tree in
            switch target {
            case .content:
                if let status, !tree.keepOpen(id, status.identity) { return nil }
                if writes { tree.writtenFiles[id, default: WrittenFile()].writers += 1 }
            case .document(let document): tree.documents[id] = document
            }
            let before = tree[id].stamp
            if let status { tree[id].stamp = ContentStamp(status) }
            tree.addHandle(id)
            return before
        }
    }

    /// A handle is closed. What the handles of a document shared goes with the last of them, unless a draft waits in it.
    func close(_ id: NodeNumber) {
        withLock { tree in
            tree.removeHandle(id)
            tree.dropDocumentIfIdle(id)
        }
    }

    /// A node keeps what is open and loses its name, which has a new one at once. What the kernel is to be told; nil where the name was gone.
    func separate(_ id: NodeNumber, keeping file: OpenFile?) -> KernelChange? {
        withLock { tree in
            let node = tree[id]
            guard !node.isNameless else { return nil }
            tree.remove(node.shown, of: node.parent, keeping: node.role == .document ? nil : file)
            if tree.entry(shown: node.shown, of: node.parent) == nil {
                _ = tree.add(Node(
                    parent: node.parent, generation: 0, stored: node.stored, shown: node.shown, inode: 0, stamp: node.stamp, role: node.role,
                    kind: node.kind, flags: node.flags.intersection([.unlisted, .isNew])))
            }
            tree.folders[node.parent]?.read = nil
            tree.separated.insert(id)
            return .entry(node.shown, in: node.parent)
        }
    }

    /// A program that opens it means the name that it had.
    func isSeparated(_ id: NodeNumber) -> Bool { withLock { $0.separated.isMeantByName(id, at: Timestamp.now.seconds) } }

    /// Which of a folder's entries are something else than is open under their names.
    func replaced(among found: [FoundEntry], in folder: NodeNumber) -> [(index: Int, id: NodeNumber)] {
        withLock { tree in
            found.indices.compactMap { index in
                guard let facts = found[index].facts, let entry = tree.entry(stored: found[index].name, of: folder),
                    !tree[entry].flags.contains(.alias), tree.isReplaced(tree.node(of: entry), by: facts.status)
                else { return nil }
                return (index, tree.node(of: entry))
            }
        }
    }

    // MARK: What others have moved

    /// An open document that somebody may write to and has not yet; nil where it is none.
    func awaited(_ id: NodeNumber) -> (Node, OpenDocument)? { withLock { tree in tree.isAwaited(id) ? tree.documents[id].map { (tree[id], $0) } : nil } }

    /// An open document that lost its item.
    func isLost(_ id: NodeNumber) -> Bool { withLock { $0.lost[id] != nil } }

    /// The folders and drafts that others have moved since this was asked last.
    func takeMovedParts() -> [NodeNumber] {
        withLock { tree in
            defer { tree.movedParts = [] }
            return tree.movedParts
        }
    }

    /// The documents that give way to a draft since this was asked last.
    func takeGaveWay() -> [(node: NodeNumber, item: AwayItem)] {
        withLock { tree in
            defer { tree.gaveWay = [] }
            return tree.gaveWay
        }
    }

    // MARK: Names

    /// The kind of the document that an item is, as far as that is known.
    func kind(ofStored name: Name, in folder: NodeNumber) -> KindID? {
        withLock { tree in tree.entry(stored: name, of: folder).flatMap { tree[$0].role == .document ? tree.kinds[tree[$0].kind] : nil } }
    }

    /// What lies at a path of the container, and its folder; nil for what is not known.
    func folderAndNode(ofStored names: [Name]) -> (folder: NodeNumber?, node: NodeNumber?) {
        withLock { tree in
            let folder = names.dropLast().reduce(Optional(NodeNumber.root)) { folder, name in folder.flatMap { tree.node(stored: name, of: $0) } }
            return (folder, folder.flatMap { folder in names.last.flatMap { tree.node(stored: $0, of: folder) } })
        }
    }

    /// What a new name in a folder is: see `NodeTable+Forms.swift`.
    func composed(_ name: Name, in folder: NodeNumber) -> Name {
        name.isPlain ? name : withLock { $0.contains(folder) ? $0.composed(name, in: folder) : name }
    }

    /// Whether a name is that of an item which is shown under another one: nothing else can have it in the container.
    func isItem(_ name: Name, in folder: NodeNumber) -> Bool {
        withLock { tree in tree.entry(stored: name, of: folder).map { tree[$0].shown != name } ?? false }
    }

    /// Whether an item has a name in the container that is shown under another one, and is not the one that is to be called so.
    func isTaken(_ name: Name, in folder: NodeNumber, butBy own: (shown: Name, folder: NodeNumber)) -> Bool {
        withLock { tree in
            let own = tree.entry(shown: own.shown, of: own.folder), other = tree.entry(stored: name, of: folder)
            return other.map { $0 != own && tree[$0].shown != name } ?? false
        }
    }

    /// The copies of a document that are hidden beside it.
    func copies(of stored: Name, in folder: NodeNumber) -> [Name] {
        withLock { tree in
            guard tree.folders[folder]?.hasCopies == true else { return [] }
            return tree.children(of: folder).map { tree[$0] }.filter { $0.isHiddenCopy && Container.copiedItem(by: $0.stored) == stored }.map(\.stored)
        }
    }

    /// The names from the root to a node, as they lie in the container, where some folders are known to be elsewhere: `isNow` where one of them is on the way.
    func storedPath(of id: NodeNumber, orOf moved: [NodeNumber: [Name]]) -> (names: [Name], isNow: Bool)? {
        withLock { tree in
            guard let (top, names) = tree.storedPath(of: id, below: { moved[$0] != nil }) else { return nil }
            if let path = moved[top] { return (path + names, true) }
            return top == NodeNumber.root ? (names, false) : nil
        }
    }

    /// The names from the root to a folder, as they are shown; nil for what has no name and what is under it.
    func shownNames(of id: NodeNumber) -> [Name]? {
        withLock { tree in
            var names: [Name] = [], current = id
            while current != NodeNumber.root {
                guard tree.contains(current), !tree[current].isNameless else { return nil }
                names.append(tree[current].shown)
                current = tree[current].parent
            }
            return names.reversed()
        }
    }

    /// The path of a folder of the documents; nil for what has no name or is not known, and for one that lies so deep that the catalog does not look into it.
    func cataloguedPath(of folder: NodeNumber) -> [Name]? {
        withLock { tree in
            guard tree.contains(folder), let path = tree.storedPath(of: folder, most: Catalog.deepest), path.top == NodeNumber.root else { return nil }
            return path.names
        }
    }

    /// Where a name of this folder is, for saving.
    func address(_ name: Name, in folder: NodeNumber, _ place: OpenFile) -> Address {
        Address(folder: place, path: withLock { $0.storedPath(of: folder)?.names ?? [] }, shown: name)
    }

    func documentPlace(of node: Node, _ folder: OpenFile) throws(Errno) -> DocumentPlace {
        guard let path = withLock({ $0.storedPath(of: node.parent)?.names }) else { throw .stale }
        let kind: KindID = switch node.role {
        case .plain: .plain
        case .folder: .folder
        default: self.kind(of: node)
        }
        return DocumentPlace(folder: folder, path: path, stored: node.stored, kind: kind)
    }

    // MARK: Renaming

    /// What a rename makes of the tree: what had the name has none, and the name that there was leads there no more.
    func rename(
        _ old: (shown: Name, folder: NodeNumber), to name: Name, in folder: NodeNumber, storedAs stored: Name, keeping remains: OpenFile?
    ) {
        withLock { tree in
            tree.remove(name, of: folder, keeping: remains)
            guard let entry = tree.entry(shown: old.shown, of: old.folder) else { return }
            tree.move(entry, to: folder, stored: stored, shown: name)
            tree.setListed(entry)
        }
    }

    /// The same for a document that is a draft only. It takes over the item of the document that had the name, if there was one.
    func renameUnborn(_ id: NodeNumber, to name: Name, in folder: NodeNumber, takingOver stored: Name?, keeping remains: OpenFile?) {
        withLock { tree in
            tree.remove(name, of: folder, keeping: remains)
            tree.move(EntryNumber(of: id), to: folder, stored: name, shown: name)
            if let stored { tree.becomeStored(id, as: stored) }
        }
    }

    func exchange(_ one: (name: Name, folder: NodeNumber), _ other: (name: Name, folder: NodeNumber), storedAs stored: (Name, Name)?) {
        withLock { tree in
            guard let first = tree.entry(shown: one.name, of: one.folder), let second = tree.entry(shown: other.name, of: other.folder) else { return }
            tree.exchange(first, second, storedAs: stored)
        }
    }

    // MARK: Folders

    func isFolder(_ id: NodeNumber) -> Bool { withLock { $0.folders[id] != nil } }
    func isKnown(_ folder: NodeNumber) -> Bool { withLock { $0.folders[folder]?.isKnown == true } }
    func isFollowed(_ folder: NodeNumber) -> Bool { withLock { $0.folders[folder]?.isFollowable == true } }

    /// Whether a folder is a package of an app, or lies in one: nothing in it is a document. See `KindRegistry.isPackage(at:)`.
    func isPackage(_ folder: NodeNumber) -> Bool {
        withLock { tree in
            var current = folder
            while current != NodeNumber.root, current != .none, !tree[current].isNameless {
                if kinds.isPackage(tree[current].stored) { return true }
                current = tree[current].parent
            }
            return false
        }
    }

    /// Whether a program has something open for writing that lies below a folder.
    func hasWriters(below folder: NodeNumber) -> Bool { withLock { $0.hasWriters(below: folder) } }

    /// Whether a folder is one item by its name, which is not in a package.
    func isFolderItem(_ node: Node) -> Bool { node.role == .folder && kinds.isOwnPackage(node.stored) && !isPackage(node.parent) }

    func hasUnborn(in folder: NodeNumber) -> Bool { withLock { !$0.unborn(in: folder).isEmpty } }

    /// What lies in a folder under its names in the container, and which of it are folders.
    func items(in folder: NodeNumber) -> [(stored: Name, folder: NodeNumber?)] {
        withLock { tree in
            tree.children(of: folder).compactMap { entry in
                let node = tree[entry]
                return node.isUnborn ? nil : (node.stored, node.role == .folder ? tree.node(of: entry) : nil)
            }
        }
    }

    /// The nodes that a folder's known names lead to.
    func nodes(in folder: NodeNumber) -> [(id: NodeNumber, node: Node)] {
        withLock { tree in tree.children(of: folder).map { (tree.node(of: $0), tree[tree.node(of: $0)]) } }
    }

    /// What was read of a folder is not to be relied on any more.
    func forgetReading(of folder: NodeNumber) { withLock { $0.folders[folder]?.read = nil } }

    /// A document that cannot be read any more: the kernel is to look again, and will find what it is now.
    func refuse(_ fault: DocumentFault, _ folder: NodeNumber) -> Errno {
        if case .unreadable(let number?) = fault, ![ENOENT, ENOTDIR, ELOOP].contains(number) { return Errno(rawValue: number) }
        forgetReading(of: folder)
        return .stale
    }

    /// Where the two folders at the top lie, which are given.
    func setTops(_ documents: OpenFile, originals: OpenFile) {
        withLock { tree in
            tree.folders[NodeNumber.root]?.place = documents
            tree.folders[NodeNumber.originals]?.place = originals
        }
    }

    // MARK: The control folder

    func versioned(_ id: NodeNumber) -> VersionedItem? { withLock { $0.versioned[id] } }
    func deleted(_ id: NodeNumber) -> DeletedNode? { withLock { $0.deleted[id] } }

    /// An entry of those, as a listing has it.
    func listed(_ id: NodeNumber, _ attributes: Attributes) -> ListedEntry {
        withLock { ListedEntry(entry: EntryNumber(of: id), name: $0[id].shown, generation: $0[id].generation, attributes: attributes, stamp: .unknown) }
    }
}
