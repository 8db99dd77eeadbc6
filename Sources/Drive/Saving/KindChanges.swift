import Containers
import Coordination
import Documents
import LinuxFiles
import PropertyLists

/// Plain files that become documents, and documents that become plain files: what a file is follows from its name and its content.
final class KindChanges: Sendable {
    private let tree: Tree
    private let handles: OpenHandles
    private let workshop: Workshop?
    private let kernel: KernelMemory
    private let readers: DocumentReaders
    private let saved: SavedDocuments
    private let coordinator: DocumentCoordinator
    private let container: Container
    private let removed: AwayDocuments

    init(
        tree: Tree, handles: OpenHandles, workshop: Workshop?, kernel: KernelMemory, readers: DocumentReaders,
        saved: SavedDocuments, coordinator: DocumentCoordinator, container: Container, removed: AwayDocuments
    ) {
        (self.tree, self.handles, self.workshop, self.kernel, self.readers) = (tree, handles, workshop, kernel, readers)
        (self.saved, self.coordinator, self.container, self.removed) = (saved, coordinator, container, removed)
    }

    /// Makes a document of a plain file, in the lanes of its folders and its own. False where the content does not fit: it stays a plain file.
    func adopt(
        _ id: NodeNumber, as kind: KindID, named name: Name, in folder: NodeNumber, _ place: OpenFile,
        from source: (folder: NodeNumber, place: OpenFile, stored: Name), over base: Base?,
        replacing: NodeNumber? = nil, _ remains: OpenFile? = nil, by caller: Caller? = nil
    ) throws(Errno) -> Bool {
        coordinator.checkWriting(LaneID(id))
        coordinator.checkWriting(LaneID(folder))
        coordinator.checkWriting(LaneID(source.folder))
        let workshop = try workshop.required()
        guard let plain = try adoptable(source.stored, in: source.place, as: kind, named: name) else { return false }
        let address = tree.address(name, in: folder, place)
        var base = base, isAdopted = false
        let recalled = try recall(plain.descriptor, kind, for: address, insteadOf: &base)
        defer { if !isAdopted, let recalled { removed.keep(recalled) } }
        let known = recalled != nil ? nil : base.flatMap { base in caller.flatMap { readers.reading(of: base.stored, called: name, in: folder, by: $0) } }
        let draft = try workshop.draft(kind, ofContent: plain.descriptor, from: known)
        let outcome: Outcome
        do throws(SaveFault) {
            let path = tree.withLock({ $0.storedPath(of: source.folder) })?.names ?? []
            let node = replacing.map { id in tree.node(id, called: name, in: folder) }, other = replacing.flatMap { id in tree.document(id)?.draft }
            // A plain file that has the name goes too: its item is called so, and the document's is not.
            let plain = node.flatMap { $0.role == .document ? nil : (address.path, $0.stored) }
            outcome = try workshop.commit(
                .save(draft, at: address, over: base, removing: [(path, source.stored)] + (plain.map { [$0] } ?? []), ending: other))
        } catch {
            workshop.discard(draft)
            if case .failed(let errno) = error { throw errno }
            return false
        }
        isAdopted = true
        let stored = try outcome.storedName()
        if case .away(let item) = base, item.stored != stored { _ = try? workshop.commit(.drop(item)) }
        tree.adopt(id, (source.stored, source.folder), as: stored, shown: name, in: folder, keeping: remains)
        try becameDocument(id, kind, .plain(plain), in: place, draft, current: outcome.current, isNew: base == nil, by: caller)
        return true
    }

    /// Whether a plain file would become a document.
    func isAdoptable(_ stored: Name, in place: OpenFile, as kind: KindID, named name: Name) throws(Errno) -> Bool {
        try adoptable(stored, in: place, as: kind, named: name) != nil
    }

    private func adoptable(_ stored: Name, in place: OpenFile, as kind: KindID, named name: Name) throws(Errno) -> OpenFile? {
        // That it is looked at is no access of the user's.
        let file = OpenFile(try place.descriptor.openUntraced(stored, [.read, .nonBlocking])), status = try file.descriptor.status()
        guard status.type == .regular, status.links == 1, fits(FileSource(file, byteCount: status.size), kind, name) else { return nil }
        return file
    }

    /// How much is copied while the lanes of the folders are held: of what is larger no draft is made.
    private static let mostCopied: Int64 = 64 << 20

    /// A plain file gets the name that a document had a moment ago, and does not fit: the document is back under it, and what is in the file is its draft. In
    /// the lanes of its folders and its own. False where it stays a plain file. Without a draft the document is back all the same, and it is refused.
    func becomeDraft(
        _ id: NodeNumber, of item: AwayItem, named name: Name, in folder: NodeNumber, _ place: OpenFile,
        from source: (folder: NodeNumber, place: OpenFile, stored: Name), by caller: Caller
    ) throws(Errno) -> Bool {
        coordinator.checkWriting(LaneID(id))
        let workshop = try workshop.required()
        let file = OpenFile(try source.place.descriptor.openUntraced(source.stored, [.read, .nonBlocking])), status = try file.descriptor.status()
        guard workshop.isThere(item), status.type == .regular, status.links == 1, let reason = misfit(FileSource(file, byteCount: status.size), item.kind, name)
        else { return false }
        let known = readers.reading(of: item.stored, called: name, in: folder, by: caller)
        let draft: Draft
        do throws(Errno) {
            guard status.size <= Self.mostCopied else { throw .wrongContent }
            draft = try workshop.draft(item.kind, ofContent: file.descriptor, from: known)
        } catch {
            // The file keeps its name then, and the document has its own again.
            guard error.isFull || error == .wrongContent,
                (try? workshop.commit(.putBack(item, at: tree.address(name, in: folder, place), with: nil), unfit: .invalid)) != nil
            else { throw error }
            tree.forgetReading(of: folder)
            kernel.tell([.content(folder)])
            throw error
        }
        draft.note(reason)
        let stored: Name
        do throws(Errno) {
            let path = tree.withLock({ $0.storedPath(of: source.folder) })?.names ?? [], address = tree.address(name, in: folder, place)
            stored = try workshop.commit(.putBack(item, at: address, with: draft, removing: (path, source.stored)), unfit: .invalid).storedName()
        } catch {
            // What could not be taken back either is finished at the next opening, and that needs the draft.
            if workshop.isThere(item) { workshop.discard(draft) }
            throw error
        }
        tree.adopt(id, (source.stored, source.folder), as: stored, shown: name, in: folder, keeping: nil)
        let document = OpenDocument(content: .draft(draft), draft: draft, base: .stored(stored))
        retarget(id, item.kind, to: document, by: caller)
        saved.cameBack(document, id, as: stored, in: place, because: reason)
        return true
    }

    /// What was a plain file, or a document of another kind, is a document, and all who have it open go on with that.
    func becameDocument(
        _ id: NodeNumber, _ kind: KindID, _ content: OpenContent, in place: OpenFile, _ draft: Draft? = nil, current: Outcome.Side? = nil,
        isNew: Bool = false, by caller: Caller? = nil
    ) throws(Errno) {
        coordinator.checkWriting(LaneID(id))
        let stored = tree[id].stored
        let document = OpenDocument(content: content, base: .stored(stored))
        retarget(id, kind, to: document, by: caller)
        try saved.saved(document, id, as: stored, in: place, nil, draft, current: current, isNew: isNew)
        tree.withLock { $0.dropDocumentIfIdle(id) }
    }

    /// The node is this document, and all who have the node open go on with it.
    private func retarget(_ id: NodeNumber, _ kind: KindID, to document: OpenDocument, by caller: Caller?) {
        tree.becomeDocument(id, kind, document)
        let writers = handles.retarget(id, to: .document(document))
        document.state.withLock { state in
            state.writers = writers
            state.writer = caller?.thread
        }
    }

    // MARK: Plain files that were documents

    /// The kind of the document that a plain file was, if it is to have a name of that kind: where the last document of a kind has become a plain file, new
    /// ones of that kind are not made.
    func formerKind(of stored: Name, in place: OpenFile, as name: Name) throws(Errno) -> KindID? {
        guard container.kinds.all.contains(where: { $0.kind.takes(shownName: name.bytes) }), try place.descriptor.status(of: stored).type == .regular,
            let kind = try workshop?.formerDocument(of: place.descriptor.openUntraced(stored, [.read, .nonBlocking]))?.kind
        else { return nil }
        return kind.kind.takes(shownName: name.bytes) ? kind : nil
    }

    /// The document that a plain file was waits for the name, and the file's content is saved over it instead of over what had the name a moment ago.
    /// Nil where it was none of this kind, where that is gone, where it is what had the name, and where another document has it now.
    private func recall(_ file: borrowing Descriptor, _ kind: KindID, for address: Address, insteadOf base: inout Base?) throws(Errno) -> AwayItem? {
        if case .stored? = base { return nil }
        guard let workshop, let former = try workshop.formerDocument(of: file), former.kind == kind else { return nil }
        if former.isAwayStill { removed.giveUp(former, in: nil) }
        guard let item = workshop.deletedItem(former.number), !item.isAwayStill else { return nil }
        if case .away(let other)? = base { removed.keep(other) }
        base = nil
        do throws(Errno) {
            let recalled = try removed.makingRoom { () throws(Errno) in try workshop.commit(.recall(item, for: address), unfit: .noSuchEntry).away }
            base = recalled.map(Base.away)
            return recalled
        } catch {
            // It is damaged, or another thread has removed it or brought it back meanwhile: this is a new document.
            guard error == .noSuchEntry else { throw error }
            return nil
        }
    }

    /// Whether content is what a name says, found out without copying it.
    func fits(_ content: any ByteSource, _ kind: KindID, _ name: Name) -> Bool {
        if case nil = fault(of: content, kind, name) { true } else { false }
    }

    /// The same of a document's content, which is its draft's where it has one.
    func fits(
        _ node: Node, _ draft: Draft?, in home: (folder: NodeNumber, place: OpenFile), _ kind: KindID, _ name: Name
    ) throws(Errno) -> Bool {
        let content: any ByteSource
        if let draft {
            content = try draft.content()
        } else {
            do throws(DocumentFault) {
                content = try container.reader.open(node.stored, as: tree.kind(of: node), in: home.place.descriptor)
                    .shownContent
            } catch { throw tree.refuse(error, home.folder) }
        }
        return fits(content, kind, name)
    }

    /// Why it is not; nil where it is, or cannot be read.
    private func misfit(_ content: any ByteSource, _ kind: KindID, _ name: Name) -> String? {
        switch fault(of: content, kind, name) {
        case .unfit(let reason)?, .foreign(let reason)?, .damaged(let reason)?: reason
        case .unreadable?, nil: nil
        }
    }

    private func fault(of content: any ByteSource, _ kind: KindID, _ name: Name) -> DocumentFault? {
        do throws(DocumentFault) {
            _ = try kind.kind.write(content: content, shownName: name.bytes, over: nil, spelling: nil)
            return nil
        } catch { return error }
    }

    /// What was a document is a plain file, and all who have it open go on with that.
    func becameFile(_ id: NodeNumber, _ document: OpenDocument?, in place: OpenFile) throws(Errno) {
        coordinator.checkWriting(LaneID(id))
        let stored = tree[id].stored
        let file = OpenFile(try place.descriptor.open(stored, [.readWrite, .nonBlocking]))
        let status = try file.descriptor.status()
        document?.state.withLock { state in
            state.draft = nil
            state.content = .plain(file)
        }
        tree.becomeFile(id, status)
        _ = handles.retarget(id, to: .content(.plain(file)))
        kernel.tell([.attributes(id)])
    }
}
