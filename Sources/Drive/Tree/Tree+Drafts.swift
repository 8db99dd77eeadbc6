import Containers
import Documents
import LinuxFiles

// Documents, their drafts, and what becomes of them: see `NodeState`.
extension Tree {
    /// A document that is a draft only. Its name must be free.
    mutating func addUnborn(_ name: Name, in folder: NodeNumber, inode: UInt64, _ kind: KindID, _ document: OpenDocument) -> NodeNumber {
        let id = add(Node(unborn: name, in: folder, inode: inode, kind))
        setListed(EntryNumber(of: id))
        documents[id] = document
        return id
    }

    /// A draft that was begun is the document's, if its name is there still. Whoever looks at the folder finds the item gone before that, or
    /// the draft, which outlives the item. False where the name is gone, or another one by now.
    mutating func begin(_ draft: Draft, of document: OpenDocument, _ id: NodeNumber, over stored: Name) -> Bool {
        guard !self[id].isNameless, self[id].stored == stored else { return false }
        // It is about to be written to, and is somebody's from here on.
        draft.touch()
        document.state.withLock { state in
            state.draft = draft
            state.former = nil
            state.base = .stored(stored)
        }
        // Whoever closes it may have let go of it meanwhile, having seen no draft.
        documents[id] = document
        return true
    }

    /// There is one handle more that reads a document: the others' where that is the same, or this one where there is none. Nil, and
    /// nothing is done, where others have something else open, or the kernel has seen something else than was just `seen`.
    mutating func join(_ id: NodeNumber, _ document: OpenDocument, seen stamp: ContentStamp? = nil) -> OpenDocument? {
        let open = documents[id] ?? document
        guard open === document || open.isSame(as: document) else { return nil }
        if let stamp {
            guard self[id].stamp == stamp || self[id].stamp == .unknown else { return nil }
            self[id].stamp = stamp
        }
        documents[id] = open
        addHandle(id)
        return open
    }

    /// What was a plain file, or a document of another kind, is this document.
    mutating func becomeDocument(_ id: NodeNumber, _ kind: KindID, _ document: OpenDocument) {
        become(.document, id)
        self[id].kind = kind.place
        setListed(EntryNumber(of: id))
        documents[id] = document
    }

    /// What was a document is a plain file.
    mutating func becomeFile(_ id: NodeNumber, _ status: FileStatus) {
        become(.file, id)
        self[id].inode = status.identity.number
        self[id].stamp = ContentStamp(status)
        reopen(id, status.identity)
        setListed(EntryNumber(of: id))
        documents[id] = nil
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
        while current != Tree.root {
            guard current != .none, contains(current) else { return nil }
            names.append(self[current].stored)
            isLost = isLost || self[current].isNameless
            current = self[current].parent
        }
        return isLost ? names.reversed() : nil
    }

    /// What was written of a document outlives the folder that it was in: as a new document at the top. False where nothing of that sort is there.
    mutating func leaveLostFolder(_ id: NodeNumber) -> Bool {
        guard lostFolder(of: id) != nil, documents[id] != nil, self[id].isUnborn || loseItem(id) else { return false }
        let name = freeName(self[id].shown, in: Tree.root)
        move(EntryNumber(of: id), to: Tree.root, stored: name, shown: name)
        return true
    }

    /// A new document that has its name still.
    func isUnborn(_ id: NodeNumber) -> Bool {
        contains(id) && self[id].isUnborn
    }

    /// The new documents of a folder: those that never had an item, and those that lost it.
    func unborn(in folder: NodeNumber) -> [NodeNumber] { documents.keys.filter { self[$0].parent == folder && isUnborn($0) } }

    func drafts(in folder: NodeNumber) -> [NodeNumber: Draft] {
        var drafts: [NodeNumber: Draft] = [:]
        for (id, document) in documents where self[id].parent == folder && !self[id].isNameless {
            drafts[id] = document.draft
        }
        return drafts
    }

    func hasUnborn(in folder: NodeNumber) -> Bool {
        documents.keys.contains { self[$0].parent == folder && isUnborn($0) }
    }

    /// What the handles of a document shared goes with the last of them, unless a draft waits in it.
    mutating func dropDocumentIfIdle(_ id: NodeNumber) {
        guard contains(id), self[id].handles == 0, let document = documents[id] else { return }
        if document.draft == nil || self[id].isNameless { documents[id] = nil }
    }
}
