import Containers
import LinuxFiles

// Names that change, and what they lead to.
extension TreeTable {
    /// What lies at a path of the container, and its folder; nil for what is not known.
    func folderAndNode(ofStored names: [Name]) -> (folder: NodeNumber?, node: NodeNumber?) {
        withLock { tree in
            let folder = names.dropLast().reduce(Optional(Tree.root)) { folder, name in folder.flatMap { tree.node(stored: name, of: $0) } }
            return (folder, folder.flatMap { folder in names.last.flatMap { tree.node(stored: $0, of: folder) } })
        }
    }

    /// The kind of the document that an item is, as far as that is known.
    func kind(ofStored name: Name, in folder: NodeNumber) -> KindID? {
        withLock { tree in tree.entry(stored: name, of: folder).flatMap { tree[$0].role == .document ? tree.kind(of: tree[$0]) : nil } }
    }

    /// Whether a folder is a package, or lies in one: see `KindRegistry.isPackage(at:)`.
    func isPackage(_ folder: NodeNumber) -> Bool { withLock { $0.isPackage(folder) } }

    // MARK: Renaming

    /// Whether an item has a name in the container that is shown under another one, and is not the one that is to be called so.
    func isTaken(_ name: Name, in folder: NodeNumber, butBy own: (shown: Name, folder: NodeNumber)) -> Bool {
        withLock { tree in
            let own = tree.entry(shown: own.shown, of: own.folder), other = tree.entry(stored: name, of: folder)
            return other.map { $0 != own && tree[$0].shown != name } ?? false
        }
    }

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

    /// Whether a node has its name from this drive, so that a plain file may become a document by what is written into it.
    func setNew(_ isNew: Bool, _ id: NodeNumber) {
        withLock { tree in
            guard tree.contains(id) else { return }
            if isNew { tree[id].flags.insert(.isNew) } else { tree[id].flags.remove(.isNew) }
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

    // MARK: What is open under a name

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

    func setDocument(_ document: OpenDocument, of id: NodeNumber) { withLock { $0.documents[id] = document } }

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

    func forgetSeparated(_ id: NodeNumber) { withLock { $0.separated.remove(id) } }
    func noteKernelKnowsSeparated(_ id: NodeNumber) { withLock { $0.separated.noteKernelKnows(id, at: Timestamp.now.seconds) } }

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
}
