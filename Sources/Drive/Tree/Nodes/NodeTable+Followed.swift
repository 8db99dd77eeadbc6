import Containers
import LinuxFiles

// What others rename, move or make anew in the container while somebody has it open for writing on the drive: what they write comes to where it
// is then, as with a rename on the drive.
extension NodeTable {
    /// Somebody may write to a document, and has not yet.
    func isAwaited(_ id: NodeNumber) -> Bool { contains(id) && self[id].role == .document && !self[id].isUnborn && documents[id]?.awaitsWriting == true }

    /// What was written of a document is not saved yet. Its item may be gone, and come under another name.
    private func isDrafted(_ id: NodeNumber) -> Bool { self[id].role == .document && !self[id].isNameless && documents[id]?.followsItem == true }

    /// The item of a document is gone that somebody may still write to. It may come under another name, or be made anew.
    mutating func noteLost(_ id: NodeNumber) {
        let folder = self[id].parent
        if isAwaited(id) { lost[id] = self[folder].generation }
    }

    /// Nodes go where their items were found. Before names are removed that lead nowhere any more.
    mutating func followMoved(_ found: [FoundEntry], in folder: NodeNumber, _ changes: inout [KernelChange]) {
        guard !documents.isEmpty else { return }
        let awaited = documents.keys.filter { isAwaited($0) || isDrafted($0) }, names = awaited.isEmpty ? [] : Set(found.lazy.map(\.name))
        let written = writtenFolders()
        for item in found {
            guard let facts = item.facts else { continue }
            if facts.document != nil {
                guard !awaited.isEmpty else { continue }
                followDocument(item, facts, among: awaited, in: folder, names, &changes)
            } else if facts.status.type == .folder {
                followFolder(item, among: written[item.number] ?? [], in: folder, &changes)
            }
        }
    }

    private mutating func followDocument(
        _ found: FoundEntry, _ facts: EntryFacts, among awaited: [NodeNumber], in folder: NodeNumber, _ names: Set<Name>, _ changes: inout [KernelChange]
    ) {
        let there = node(stored: found.name, of: folder)
        let moved = awaited.first { id in
            // One of several names of a file says nothing of the others.
            id != there && isItem(id, facts) && (self[id].isNameless ? lost[id] != nil : facts.status.type == .folder || facts.status.links < 2)
                && (self[id].isNameless || self[id].parent != folder || !names.contains(self[id].stored))
        }
        // It is made anew: what is written into the old one is the other side of a conflict.
        let remade = there != nil ? nil : awaited.first { id in
            self[id].isNameless && self[id].parent == folder && lost[id] == self[folder].generation && self[id].stored == found.name
                && self[id].kind == facts.document?.kind.place
        }
        if let moved, remade == nil || remade.map({ isItem($0, facts) }) == true {
            guard there.map({ documents[$0]?.isWritten != true }) ?? true else { return }
            return place(moved, found, facts, in: folder, &changes)
        }
        // So it is, too, where another document is moved to its name. A package is gone before that comes, and perhaps it was seen to be.
        if let remade { place(remade, found, facts, in: folder, &changes) }
    }

    /// Whether an entry is the item of an open document.
    private func isItem(_ id: NodeNumber, _ facts: EntryFacts) -> Bool {
        self[id].kind == facts.document?.kind.place && documents[id]?.isMoved(to: facts.status) == true
    }

    private mutating func place(_ id: NodeNumber, _ found: FoundEntry, _ facts: EntryFacts, in folder: NodeNumber, _ changes: inout [KernelChange]) {
        if let other = entry(stored: found.name, of: folder), other != EntryNumber(of: id) { remove(self[other].shown, of: folder, &changes) }
        let natural = facts.document?.naturalName ?? found.name, wasNameless = self[id].isNameless
        if self[id].isUnborn { becomeStored(id, as: found.name) }
        if !wasNameless, self[id].parent == folder {
            // What it is shown as follows when it is looked at.
            move(EntryNumber(of: id), to: folder, stored: found.name, shown: self[id].shown)
        } else {
            if !wasNameless { changes.append(.removed(shown(EntryNumber(of: id)), was: nil)) }
            let name = freeName(natural, in: folder)
            if wasNameless { regainName(id, in: folder, stored: found.name, shown: name) } else {
                move(EntryNumber(of: id), to: folder, stored: found.name, shown: name)
            }
            changes.append(.added(shown(EntryNumber(of: id))))
        }
        lost[id] = nil
        documents[id]?.state.withLock { $0.base = .stored(found.name) }
        if documents[id]?.draft != nil { movedParts.append(id) }
        // It has a name and a change time that the kernel does not know.
        changes.append(.attributes(id))
    }

    /// A document without a name has one again.
    mutating func regainName(_ id: NodeNumber, as state: NodeState = .document, in folder: NodeNumber, stored: Name, shown: Name) {
        become(state, id)
        separated.remove(id)
        self[id].parent = folder
        self[id].names = NodeNames(stored: stored, shown: shown)
        enter(EntryNumber(of: id))
    }

    /// What others have moved to where it cannot follow is a new document, with what was written of it. The name must be free.
    mutating func becomeNew(_ id: NodeNumber, _ document: OpenDocument, _ draft: Draft, called name: Name, in folder: NodeNumber) {
        regainName(id, as: .unborn, in: folder, stored: name, shown: name)
        lost[id] = nil
        document.state.withLock { ($0.draft, $0.base) = (draft, nil) }
        documents[id] = document
    }

    /// A folder that somebody writes something in. One that is only looked at is a new one.
    private mutating func followFolder(_ found: FoundEntry, among written: Set<NodeNumber>, in folder: NodeNumber, _ changes: inout [KernelChange]) {
        let there = node(stored: found.name, of: folder)
        guard let id = written.first(where: { isHeld($0, as: found) }), id != there, id != folder, !isBelow(folder, id) else { return }
        if let there { remove(self[there].shown, of: folder, &changes) }
        if !self[id].isNameless { changes.append(.removed(shown(EntryNumber(of: id)), was: nil)) }
        let natural = composed(found.name, in: folder)
        let shown = self[id].parent == folder && !self[id].isNameless && self[id].shown == natural ? natural : freeName(natural, in: folder)
        move(EntryNumber(of: id), to: folder, stored: found.name, shown: shown)
        movedParts.append(id)
        changes.append(.added(self.shown(EntryNumber(of: id))))
    }

    /// The folders in which somebody writes something, and those above, by their inodes. Gathered once for all that was found.
    private func writtenFolders() -> [UInt64: Set<NodeNumber>] {
        var written: [UInt64: Set<NodeNumber>] = [:]
        for (id, document) in documents where document.isWritten {
            var current = self[id].parent
            while current != NodeNumber.root, current != .none, contains(current) {
                if self[current].role == .folder { written[self[current].inode, default: []].insert(current) }
                current = self[current].parent
            }
        }
        return written
    }

    /// Whether a folder is the one that was found: by its watch, which is none but its own, or by what holds it open, so that no other can have its number.
    func isHeld(_ folder: NodeNumber, as found: FoundEntry) -> Bool {
        folders[folder]?.place != nil || found.watch.map { $0.rawValue == self[folder].watch } == true
    }
}
