import Containers
import LinuxFiles

// What was seen of nodes and what the kernel knows of them, and which of them there are.
extension TreeTable {
    /// A node that has its name.
    func namedNode(_ id: NodeNumber) -> Node? { withLock { $0.contains(id) && !$0[id].isNameless ? $0[id] : nil } }

    // MARK: States

    /// A node was seen in a state: what the kernel has to be told, and whether its content is another one.
    func see(_ id: NodeNumber, _ status: FileStatus) -> (change: KernelChange?, isNews: Bool) {
        withLock { tree in
            let before = tree[id].stamp, change = tree.see(id, status)
            return (change, change != nil && !ContentStamp(status).hasContent(of: before))
        }
    }

    /// The drive changed attributes of a node itself. What else the kernel has to be told, where that is not all that changed.
    func seeOwnChange(of id: NodeNumber, _ status: FileStatus) -> KernelChange? {
        withLock { tree in
            let isPackage = tree[id].role == .document && tree.kind(of: tree[id]).isPackage
            guard !isPackage, tree.documents[id]?.draft == nil else { return nil }
            return tree.see(id, status, keepsContent: true)
        }
    }

    func setCachedAccess(_ access: CachedAccess, of id: NodeNumber) { withLock { $0[id].cachedAccess = access } }

    /// A plain file went, and has a name where deleted items are kept.
    func noteKept(_ id: NodeNumber) { withLock { if $0.contains(id) { $0[id].flags.insert(.kept) } } }

    /// Whoever opens it means the name that it had.
    func isSeparated(_ id: NodeNumber) -> Bool { withLock { $0.separated.isMeantByName(id, at: Timestamp.now.seconds) } }

    // MARK: Writing

    func wrote(_ id: NodeNumber) { withLock { $0.wrote(id) } }

    /// Writes to a plain file: what is seen of it meanwhile is the drive's own doing, too.
    func writing<Value>(to id: NodeNumber, _ body: () throws(Errno) -> Value) throws(Errno) -> Value {
        withLock { $0.writtenFiles[id]?.writing += 1 }
        defer {
            withLock { tree in
                tree.writtenFiles[id]?.writing -= 1
                tree.wrote(id)
            }
        }
        return try body()
    }

    /// One of a plain file's writers is gone and left this behind: whether those who present it have not heard of it, and what the kernel has to be told.
    func finishWriting(_ id: NodeNumber, _ status: FileStatus?) -> (isNews: Bool, change: KernelChange?) {
        withLock { tree in (status != nil && tree.takeNews(of: id), tree.finishWriting(id, status)) }
    }

    // MARK: Lives

    /// A handle is closed. What the handles of a document shared goes with the last of them, unless a draft waits in it.
    func close(_ id: NodeNumber) {
        withLock { tree in
            tree.removeHandle(id)
            tree.dropDocumentIfIdle(id)
        }
    }

    func forget(_ node: NodeID, count: UInt64) {
        withLock { tree in
            if let id = tree.node(node) { tree.forget(id, count: count) }
        }
    }

    /// Keeps a node's number for it as if the kernel had been told of it, until it is forgotten. False where it is another one than is wanted.
    func remember(_ id: NodeNumber, where isWanted: (Node) -> Bool) -> Bool {
        withLock { tree in
            guard tree.contains(id), isWanted(tree[id]) else { return false }
            tree.remember(id)
            return true
        }
    }

    /// The kernel is told of a node once more: its generation, or nil where it is gone.
    func remember(_ id: NodeNumber) -> UInt64? {
        withLock { tree in
            guard tree.contains(id) else { return nil }
            tree.remember(id)
            return UInt64(tree[id].generation)
        }
    }

    /// A plain file that was made without a name.
    func addNameless(_ status: FileStatus, in folder: NodeNumber) -> NodeNumber {
        withLock { tree in
            tree.noteNew(status, .plain)
            let id = tree.addNameless(
                Node(
                    parent: folder, generation: 0, stored: Tree.noName, shown: Tree.noName, inode: status.identity.number, stamp: .unknown,
                    role: .plain, flags: .isNew))
            tree.remember(id)
            return id
        }
    }

    // MARK: Names

    func prefer(_ name: Name, in folder: NodeNumber) { withLock { $0.prefer(name, in: folder) } }

    func storedName(ofShown name: Name, in folder: NodeNumber) -> Name? {
        withLock { tree in tree.child(shown: name, of: folder).map { tree.node($0, called: name, in: folder).stored } }
    }

    func shownNames(ofStored names: [Name]) -> [Name] { withLock { $0.shownNames(ofStored: names) } }

    /// The shown path, for sentences.
    func shownPath(of id: NodeNumber) -> String { withLock { $0.shownPath(of: id) } }

    func exchange(_ one: (name: Name, folder: NodeNumber), _ other: (name: Name, folder: NodeNumber), storedAs stored: (Name, Name)?) {
        withLock { tree in
            guard let first = tree.entry(shown: one.name, of: one.folder), let second = tree.entry(shown: other.name, of: other.folder) else { return }
            tree.exchange(first, second, storedAs: stored)
        }
    }

    // MARK: Folders

    func openPlace(of folder: NodeNumber) -> OpenFile? { withLock { $0.folders[folder]?.place } }

    /// Where the two folders at the top lie, which are given.
    func setTops(_ documents: OpenFile, originals: OpenFile) {
        withLock { tree in
            tree.folders[Tree.root]?.place = documents
            tree.folders[Tree.originals]?.place = originals
        }
    }

    /// The nodes that a folder's known names lead to.
    func nodes(in folder: NodeNumber) -> [(id: NodeNumber, node: Node)] {
        withLock { tree in tree.children(of: folder).map { (tree.node(of: $0), tree[tree.node(of: $0)]) } }
    }

    func foldersAndDocuments(in folder: NodeNumber) -> [Node] {
        withLock { tree in tree.children(of: folder).map { tree[$0] }.filter { [.folder, .document].contains($0.role) && !$0.isUnborn } }
    }

    // MARK: The control folder

    func versioned(_ id: NodeNumber) -> VersionedItem? { withLock { $0.versioned[id] } }
    func deleted(_ id: NodeNumber) -> DeletedNode? { withLock { $0.deleted[id] } }

    /// What the documents in a folder of versions were called there, by their items' names.
    func namesOfVersionedDocuments(in folder: NodeNumber) -> [Name: Name] {
        withLock { tree in
            var names: [Name: Name] = [:]
            for entry in tree.children(of: folder) {
                if case .document(_, let stored, _)? = tree.versioned[NodeNumber(carrying: entry)], tree[entry].shown != stored { names[stored] = tree[entry].shown }
            }
            return names
        }
    }

    func node(of item: VersionedItem, called name: Name, in folder: NodeNumber) -> NodeNumber {
        let role: Role = if case .version = item { .version } else { .versionFolder }
        return withLock { $0.node(of: item, \.versioned, role, called: name, in: folder) }
    }

    func node(of item: DeletedNode, called name: Name, in folder: NodeNumber) -> NodeNumber {
        let role: Role = if case .item = item { .deleted } else { .deletedFolder }
        return withLock { $0.node(of: item, \.deleted, role, called: name, in: folder) }
    }

    /// An entry of those, as a listing has it.
    func listed(_ id: NodeNumber, _ attributes: Attributes) -> ListedEntry {
        withLock { ListedEntry(entry: EntryNumber(of: id), name: $0[id].shown, generation: $0[id].generation, attributes: attributes, stamp: .unknown) }
    }

    // MARK: How the drive is

    func summary() -> (
        nodes: Int, watched: Int, documents: [(kind: KindID, count: Int)], faults: [(file: String, reason: String)],
        drafts: [(file: String, reason: String?, isSaved: Bool, hasFolder: Bool, draft: Draft)]
    ) {
        withLock { tree in
            (
                tree.count, tree.watched.count, tree.documentCounts(), tree.faults.map { (file: tree.shownPath(of: NodeNumber(carrying: $0.key)), reason: $0.value) },
                tree.documents.compactMap { id, document in
                    guard let draft = document.draft, !tree[id].isNameless else { return nil }
                    let hasFolder = tree.lostFolder(of: id) == nil
                    return (file: tree.shownPath(of: id), reason: tree.fault(of: id), isSaved: hasFolder && !tree[id].isUnborn, hasFolder: hasFolder, draft: draft)
                }
            )
        }
    }
}

extension Tree {
    /// The node that has this name already, if it is the same thing; or a new one.
    fileprivate mutating func node<Item: Equatable>(
        of item: Item, _ items: WritableKeyPath<Tree, [NodeNumber: Item]>, _ role: Role, called name: Name, in folder: NodeNumber
    ) -> NodeNumber {
        if let id = child(shown: name, of: folder) {
            if self[keyPath: items][id] == item { return id }
            detach(EntryNumber(of: id))
        }
        let id = add(Node(parent: folder, generation: 0, stored: name, shown: name, inode: 0, stamp: .unknown, role: role))
        self[keyPath: items][id] = item
        return id
    }
}
