import Containers
import Coordination
import Documents
import LinuxFiles
import PropertyLists

// Documents that get another name.
extension Renaming {
    func moveDocument(_ move: RenameRequest) throws(Errno) {
        coordinator.checkWriting(LaneID(move.id))
        // What was written to it is saved first, if it can be. A program that has claimed it is not waited for: the draft goes along.
        if let document = tree.document(move.id) { _ = try? saving.saveInLane(document, move.id, durably: false) }
        let node = tree[move.id]
        let keepsKind = takes(move.name, tree.kind(of: node)) && !isForPlain(node, move)
        if !keepsKind {
            try checkContent(of: node, move)
            if !node.isUnborn { _ = try storedName(of: move) }
        }
        saveReplaced(move)
        try moves.during { () throws(Errno) in
            try keepingUnsaved(move) { () throws(Errno) in
                if node.isUnborn { return try moveUnborn(move, node, keepsKind: keepsKind) }
                if keepsKind { try renameDocument(move, node) } else { try turnPlain(move, node) }
            }
        }
        if keepsKind { saving.saveIfItFitsNow(move.id) }
    }

    /// Whether a name is still one of this kind: also where the container does not create that kind.
    private func takes(_ name: Name, _ kind: KindID) -> Bool { kind.kind.takes(shownName: name.bytes) }

    /// Whether a document is a plain file from now on, whatever it is called: in a package, and where a program has just written it to put it in the
    /// place of a plain file.
    private func isForPlain(_ node: Node, _ move: RenameRequest) -> Bool { move.isPlainName && node.flags.contains(.isNew) || tree.isPackage(move.to.folder) }

    /// What takes a document's name has its content, or does not take it: as a plain file, so a document of another kind.
    private func checkContent(of node: Node, _ move: RenameRequest) throws(Errno) {
        guard let replaced = replacedDocument(move) else { return }
        let content: any ByteSource
        if let draft = tree.document(move.id)?.draft {
            content = try draft.content()
        } else {
            do throws(DocumentFault) {
                content = try container.reader.open(node.stored, as: tree.kind(of: node), in: move.from.place.descriptor).shownContent
            } catch { throw tree.refuse(error, move.from.folder) }
        }
        guard kinds.fits(content, replaced.kind, move.name) else { throw .wrongContent }
    }

    /// A new document that is still being written is known by its name only.
    private func moveUnborn(_ move: RenameRequest, _ node: Node, keepsKind: Bool) throws(Errno) {
        guard let document = tree.document(move.id), let draft = document.draft else { throw .stale }
        var base: Base?
        if let replaced = move.replaced {
            let other = tree[replaced]
            if keepsKind, other.role == .document, tree.kind(of: other) == tree.kind(of: node), !other.isUnborn {
                // It takes the other one's place when it is saved.
                base = .stored(other.stored)
            }
        } else if keepsKind, let away = removed.take(move.name, tree.kind(of: node), in: move.to.folder) {
            base = .away(away)
        }
        let place = DraftPlace(draft: draft, address: newAddress(move), base: base)
        let gone: AwayItem?
        do throws(Errno) {
            gone = try removed.makingRoom { () throws(Errno) in
                try workshop.required().commit(.renameDraft(place, replacing: replacedDocument(move), removing: replacedPlain(move)), unfit: .invalid)
            }.replaced
        } catch {
            if case .away(let item) = base { removed.rememberAgain(item, as: move.name, in: move.to.folder) }
            throw error
        }
        putAsideUnborn(gone, move)
        if case .away(let item) = document.base { removed.remember(item, as: node.shown, in: move.from.folder) }
        let taken: Name? = if case .stored(let stored) = base { stored } else { nil }
        tree.renameUnborn(move.id, to: move.name, in: move.to.folder, takingOver: taken, keeping: move.remains)
        document.state.withLock { $0.base = base }
        // What did not fit was no news while it was no document.
        if case .stored = base, let reason = draft.fault { saving.refused(document, draft, move.id, reason) }
        if !keepsKind { try saving.becomePlain(document, draft, move.id, move.to.place) }
    }

    /// What had the name is remembered, also where it was no more than a draft itself.
    private func putAsideUnborn(_ away: AwayItem?, _ move: RenameRequest) {
        guard let replaced = move.replaced else { return }
        let (other, document) = tree.nodeAndDocument(replaced)
        if let away { removed.remember(away, as: move.name, in: move.to.folder) }
        if other.isUnborn, case .away(let item) = document?.base { removed.remember(item, as: move.name, in: move.to.folder) }
        removed.abandon(document)
    }

    private func renameDocument(_ move: RenameRequest, _ node: Node) throws(Errno) {
        let workshop = try workshop.required()
        // What had the name a moment ago does not come back under it: its versions are not in this one's way.
        if move.replaced == nil { removed.forget(move.name, in: move.to.folder) }
        let replacing = replacedDocument(move), copies = tree.copies(of: node.stored, in: move.from.folder)
        let outcome = try workshop.commit(
            .rename(
                node.stored, tree.kind(of: node), from: oldAddress(move), to: newAddress(move), replacing: replacing, removing: replacedPlain(move),
                draft: tree.document(move.id)?.draft, copies: copies),
            unfit: .inputOutput)
        let stored = try outcome.storedName()
        putAside(outcome.replaced, move)
        relocate(move, stored: stored)
        tree.document(move.id)?.state.withLock { $0.base = .stored(stored) }
        saved.renamed(node.stored, in: move.from.folder, to: move.id, storedAs: stored, in: move.to.place)
        // What copies are is found by reading the whole folder.
        if !copies.isEmpty { for folder in [move.from.folder, move.to.folder] { tree.forgetReading(of: folder) } }
    }

    private func turnPlain(_ move: RenameRequest, _ node: Node) throws(Errno) {
        let workshop = try workshop.required()
        let document = tree.document(move.id)
        if let draft = document?.draft {
            // The draft is what is shown, so it is what gets the name; the last good content goes away with the old one.
            return try releaseDraft(move, node, document, draft)
        }
        let opened: ItemReader.Opened
        do throws(DocumentFault) { opened = try container.reader.open(node.stored, as: tree.kind(of: node), in: move.from.place.descriptor) } catch {
            throw tree.refuse(error, move.from.folder)
        }
        let stored = try storedName(of: move)
        let outcome = try workshop.commit(
            .turnPlain(
                opened, node.stored, from: oldAddress(move), to: newAddress(move), as: stored, replacing: replacedDocument(move),
                removing: replacedPlain(move, but: stored)),
            unfit: .invalid)
        if let away = outcome.away { removed.remember(away, as: node.shown, in: move.from.folder) }
        try nowPlain(move, document, as: stored, outcome.replaced)
    }

    private func releaseDraft(_ move: RenameRequest, _ node: Node, _ document: OpenDocument?, _ draft: Draft) throws(Errno) {
        let stored = try storedName(of: move)
        let outdated = OutdatedDocument(
            stored: node.stored, at: oldAddress(move), replacing: replacedDocument(move), removing: replacedPlain(move, but: stored))
        let outcome = try workshop.required().commit(.release(draft, asPlain: stored, at: newAddress(move), over: outdated), unfit: .invalid)
        if let away = outcome.away { removed.remember(away, as: node.shown, in: move.from.folder) }
        document?.state.withLock { $0.draft = nil }
        saved.note(nil, of: move.id)
        try nowPlain(move, document, as: stored, outcome.replaced)
    }

    private func nowPlain(_ move: RenameRequest, _ document: OpenDocument?, as stored: Name, _ replaced: AwayItem?) throws(Errno) {
        putAside(replaced, move)
        relocate(move, stored: stored)
        try kinds.becameFile(move.id, document, in: move.to.place)
        passing.note(tree[move.id].inode, madeBy: move.caller)
        // The new name may be another kind's.
        guard let kind = move.kind, handles.writers(of: move.id) == 0 else { return }
        let source = (move.to.folder, move.to.place, stored)
        _ = try kinds.adopt(move.id, as: kind, named: move.name, in: move.to.folder, move.to.place, from: source, over: nil)
    }
}
