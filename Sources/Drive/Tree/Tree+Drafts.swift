import Containers
import Documents
import LinuxFiles

// Documents, and what becomes of them: see `NodeState`.
extension Tree {
    /// All that are open or have a draft.
    func openDocuments() -> [(NodeNumber, OpenDocument)] { withLock { $0.documents.map { ($0.key, $0.value) } } }

    /// Those that have a name, with their paths in the container.
    func openDocumentsByPath() -> [(NodeNumber, OpenDocument, [Name])] {
        withLock { tree in
            tree.documents.compactMap { id, document in
                guard !tree[id].isNameless, let names = tree.storedPath(of: tree[id].parent)?.names else { return nil }
                return (id, document, names + [tree[id].stored])
            }
        }
    }

    /// What has a draft: a document itself, or those below a folder.
    func drafts(of part: NodeNumber) -> [(NodeNumber, OpenDocument)] {
        withLock { tree in
            tree.documents.filter { $0.value.draft != nil && ($0.key == part || tree.isBelow($0.key, part)) && !tree[$0.key].isNameless }.map { ($0.key, $0.value) }
        }
    }

    /// A name in the container: an item may have it that is shown under another one.
    func freeStoredName(_ wanted: Name, in folder: NodeNumber) -> Name {
        withLock { tree in ShownName.unused(wanted) { tree.entry(stored: $0, of: folder) != nil } }
    }

    // MARK: They begin

    /// What an earlier drive could not save goes on being shown: on its document, or under a free name. Nil where its document is none any more.
    func recover(_ document: OpenDocument, _ kind: KindID, inode: UInt64, shown: Name, in folder: NodeNumber, because reason: String?) -> NodeNumber? {
        withLock { tree in
            let id: NodeNumber
            if case .stored(let stored) = document.base {
                guard let item = tree.node(stored: stored, of: folder), tree[item].role == .document else { return nil }
                id = item
                tree.documents[id] = document
            } else {
                id = tree.addUnborn(tree.freeName(shown, in: folder), in: folder, inode: inode, kind, document)
            }
            tree.note(reason, of: EntryNumber(of: id))
            return id
        }
    }

    func draftsInLostFolders() -> [(NodeNumber, OpenDocument)] {
        withLock { tree in tree.documents.filter { $0.value.draft != nil && tree.lostFolder(of: $0.key) != nil }.map { ($0.key, $0.value) } }
    }

    /// What was written of a document outlives the folder that it was in: as a new document at the top, which is shown there from now on. Nil where the
    /// folder is there, or nothing that was not saved.
    func leaveLostFolder(_ id: NodeNumber) -> ShownEntry? {
        withLock { tree in
            guard tree.lostFolder(of: id) != nil, tree.documents[id] != nil, tree[id].isUnborn || tree.loseItem(id) else { return nil }
            let name = tree.freeName(tree[id].shown, in: NodeNumber.root)
            tree.move(EntryNumber(of: id), to: NodeNumber.root, stored: name, shown: name)
            return tree.shown(EntryNumber(of: id), type: .regular)
        }
    }

    /// A draft that was begun is the document's, if its name is there still. Whoever looks at the folder finds the item gone before that, or
    /// the draft, which outlives the item. False where the name is gone, or another one by now.
    func begin(_ draft: Draft, of document: OpenDocument, _ id: NodeNumber, over stored: Name) -> Bool {
        withLock { tree in
            guard !tree[id].isNameless, tree[id].stored == stored else { return false }
            // It is about to be written to, and is somebody's from here on.
            draft.touch()
            document.state.withLock { state in
                state.draft = draft
                state.former = nil
                state.base = .stored(stored)
            }
            // Whoever closes it may have let go of it meanwhile, having seen no draft.
            tree.documents[id] = document
            return true
        }
    }

    /// There is one handle more that reads a document: the others' where that is the same, or this one where there is none. Nil, and
    /// nothing is done, where others have something else open, or the kernel has seen something else than was just `seen`.
    func join(_ id: NodeNumber, _ document: OpenDocument, seen stamp: ContentStamp? = nil) -> OpenDocument? {
        withLock { tree in
            let open = tree.documents[id] ?? document
            guard open === document || open.isSame(as: document) else { return nil }
            if let stamp {
                let known = tree[id].stamp
                guard known == stamp && !known.mayHaveOldPages || known == .unknown else { return nil }
                tree[id].stamp = stamp
            }
            tree.documents[id] = open
            tree.addHandle(id)
            return open
        }
    }

    // MARK: They are saved, or become something else

    /// What was a plain file, or a document of another kind, is this document.
    func becomeDocument(_ id: NodeNumber, _ kind: KindID, _ document: OpenDocument) {
        withLock { tree in
            tree.become(.document, id)
            tree[id].kind = kind.place
            tree.setListed(EntryNumber(of: id))
            tree.documents[id] = document
        }
    }

    /// What was a document is a plain file.
    func becomeFile(_ id: NodeNumber, _ status: FileStatus) {
        withLock { tree in
            tree.become(.file, id)
            tree[id].inode = status.identity.number
            tree[id].stamp = ContentStamp(status)
            tree.reopen(id, status.identity)
            tree.setListed(EntryNumber(of: id))
            tree.documents[id] = nil
        }
    }

    /// A draft is the item of this name now, with nothing wrong about it.
    func saved(_ id: NodeNumber, as stored: Name) -> (Node, [KernelChange]) {
        withLock { tree in
            var changes: [KernelChange] = []
            tree.becomeStored(id, as: stored, &changes)
            tree.note(nil, of: EntryNumber(of: id))
            return (tree[id], changes)
        }
    }

    /// A plain file was made the content of a document, and is no longer where it was, nor has it other names.
    func adopt(_ id: NodeNumber, _ source: (stored: Name, folder: NodeNumber), as stored: Name, shown: Name, in folder: NodeNumber, keeping remains: OpenFile?) {
        withLock { tree in
            tree.becomeSingle(id, stored: source.stored, in: source.folder)
            if tree.child(shown: shown, of: folder) != id { tree.remove(shown, of: folder, keeping: remains) }
            tree.move(EntryNumber(of: id), to: folder, stored: stored, shown: shown)
        }
    }
}

extension NodeTable {
    /// A document that is a draft only. Its name must be free.
    mutating func addUnborn(_ name: Name, in folder: NodeNumber, inode: UInt64, _ kind: KindID, _ document: OpenDocument) -> NodeNumber {
        let id = add(Node(unborn: name, in: folder, inode: inode, kind))
        setListed(EntryNumber(of: id))
        documents[id] = document
        return id
    }

    /// An entry has an item in the container now, or another one.
    mutating func becomeStored(_ id: NodeNumber, as stored: Name) {
        guard self[id].isUnborn || self[id].stored != stored else { return }
        guard !self[id].isNameless else { return self[id].stored = stored }
        leave(EntryNumber(of: id))
        if self[id].isUnborn { become(.drafted, id) }
        self[id].stored = stored
        enter(EntryNumber(of: id))
    }

    /// The item under a draft is gone. What was not saved outlives it: as a new document of that name. False if there is nothing of that sort.
    mutating func loseItem(_ id: NodeNumber) -> Bool {
        guard self[id].hasItem, documents[id]?.loseItem() == true else { return false }
        leave(EntryNumber(of: id))
        endWatch(of: id)
        become(.unborn, id)
        enter(EntryNumber(of: id))
        return true
    }

    /// The stored names of the folder that something is in, where that is gone with a folder that somebody deleted; nil where it is there.
    func lostFolder(of id: NodeNumber) -> [Name]? {
        guard contains(id), !self[id].isNameless else { return nil }
        var names: [Name] = [], current = self[id].parent, isLost = false
        while current != NodeNumber.root {
            guard current != .none, contains(current) else { return nil }
            names.append(self[current].stored)
            isLost = isLost || self[current].isNameless
            current = self[current].parent
        }
        return isLost ? names.reversed() : nil
    }

    /// The new documents of a folder: those that never had an item, and those that lost it.
    func unborn(in folder: NodeNumber) -> [NodeNumber] { documents.keys.filter { self[$0].parent == folder && self[$0].isUnborn } }

    func drafts(in folder: NodeNumber) -> [NodeNumber: Draft] {
        var drafts: [NodeNumber: Draft] = [:]
        for (id, document) in documents where self[id].parent == folder && !self[id].isNameless {
            drafts[id] = document.draft
        }
        return drafts
    }

    /// What the handles of a document shared goes with the last of them, unless a draft waits in it.
    mutating func dropDocumentIfIdle(_ id: NodeNumber) {
        guard contains(id), self[id].handles == 0, let document = documents[id] else { return }
        if document.draft == nil || self[id].isNameless { documents[id] = nil }
    }
}
