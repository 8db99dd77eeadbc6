import Containers
import Documents
import LinuxFiles

// Documents, and what becomes of them: see `NodeState`.
extension TreeTable {
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

    /// Where those lie that have a draft, as they are shown.
    func shownPathsOfDrafts() -> [String] { withLock { tree in tree.documents.filter { $0.value.draft != nil }.map { tree.shownPath(of: $0.key) } } }

    func freeStoredName(_ wanted: Name, in folder: NodeNumber) -> Name { withLock { $0.freeStoredName(wanted, in: folder) } }

    // MARK: They begin

    /// A new document that is a draft only, which the kernel is told of.
    func addUnborn(_ name: Name, in folder: NodeNumber, inode: UInt64, _ kind: KindID, _ document: OpenDocument) -> NodeNumber {
        withLock { tree in
            let id = tree.addUnborn(name, in: folder, inode: inode, kind, document)
            tree.remember(id)
            return id
        }
    }

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
            tree.note(reason, of: id)
            return id
        }
    }

    func draftsInLostFolders() -> [(NodeNumber, OpenDocument)] {
        withLock { tree in tree.documents.filter { $0.value.draft != nil && tree.lostFolder(of: $0.key) != nil }.map { ($0.key, $0.value) } }
    }

    func lostFolder(of id: NodeNumber) -> [Name]? { withLock { $0.lostFolder(of: id) } }

    /// What is shown at the top from now on; nil where the folder is there, or nothing that was not saved.
    func leaveLostFolder(_ id: NodeNumber) -> ShownEntry? { withLock { $0.leaveLostFolder(id) ? $0.shown(EntryNumber(of: id), type: .regular) : nil } }

    func begin(_ draft: Draft, of document: OpenDocument, _ id: NodeNumber, over stored: Name) -> Bool {
        withLock { $0.begin(draft, of: document, id, over: stored) }
    }

    func join(_ id: NodeNumber, _ document: OpenDocument, seen stamp: ContentStamp? = nil) -> OpenDocument? {
        withLock { $0.join(id, document, seen: stamp) }
    }

    // MARK: They are saved, or become something else

    func becomeStored(_ id: NodeNumber, as stored: Name) { withLock { $0.becomeStored(id, as: stored) } }
    func becomeDocument(_ id: NodeNumber, _ kind: KindID, _ document: OpenDocument) { withLock { $0.becomeDocument(id, kind, document) } }
    func becomeFile(_ id: NodeNumber, _ status: FileStatus) { withLock { $0.becomeFile(id, status) } }

    /// A draft is the item of this name now, with nothing wrong about it.
    func saved(_ id: NodeNumber, as stored: Name) -> (Node, [KernelChange]) {
        withLock { tree in
            var changes: [KernelChange] = []
            tree.becomeStored(id, as: stored, &changes)
            tree.note(nil, of: id)
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

    // MARK: What is known of them

    func fault(of id: NodeNumber) -> String? { withLock { $0.fault(of: id) } }

    /// Keeps the reason with the node, and answers whether it is another one than before.
    func note(_ fault: String?, of id: NodeNumber) -> Bool {
        withLock { tree in
            defer { tree.note(fault, of: id) }
            return tree.fault(of: id) != fault
        }
    }

    /// Another file is the document's item, which the kernel has or has not.
    func setInode(_ inode: UInt64, _ stamp: ContentStamp? = nil, of id: NodeNumber) {
        withLock { tree in
            if let stamp { tree[id].stamp = stamp }
            tree[id].inode = inode
        }
    }

    /// What the kernel has is right still, though its item changed in a way that is not seen. What is open of it.
    func restamp(_ id: NodeNumber, from old: ContentStamp, to new: ContentStamp) -> OpenDocument? {
        withLock { tree in
            if tree[id].stamp == old { tree[id].stamp = new }
            return tree.documents[id]
        }
    }
}
