import Containers
import Coordination
import Documents
import LinuxFiles

/// What follows when a document was saved, or was not: its handles, the tree, the kernel, and what is said of it.
final class SavedDocuments: Sendable {
    private let tree: Tree
    private let workshop: Workshop?
    private let container: Container
    private let options: DriveOptions
    private let kernel: KernelMemory
    private let readers: DocumentReaders
    private let thumbnails: ThumbnailMaking
    private let thinning: VersionThinning
    private let coordinator: DocumentCoordinator
    private let claims: ExternalClaims
    private let noticed: NoticedChanges
    private let returned: ReturnedDocuments
    private let replaced: ReplacedFiles

    init(
        tree: Tree, workshop: Workshop?, container: Container, options: DriveOptions, kernel: KernelMemory,
        readers: DocumentReaders, thumbnails: ThumbnailMaking, thinning: VersionThinning, coordinator: DocumentCoordinator,
        claims: ExternalClaims, noticed: NoticedChanges, returned: ReturnedDocuments, replaced: ReplacedFiles
    ) {
        (self.claims, self.noticed, self.returned, self.replaced) = (claims, noticed, returned, replaced)
        (self.tree, self.workshop, self.container, self.options, self.kernel) = (tree, workshop, container, options, kernel)
        (self.readers, self.thumbnails, self.thinning, self.coordinator) = (readers, thumbnails, thinning, coordinator)
    }

    /// A document has another name now, and another one may get that which it had.
    func renamed(_ stored: Name, in folder: NodeNumber, to id: NodeNumber, storedAs new: Name, in place: OpenFile) {
        readers.noteRenaming(of: stored, in: folder)
        refreshContent(of: id, stored: new, in: place)
    }

    /// A document shows other bytes: an app has saved it, or it is a link file that got a name of another form. Of a flat
    /// file, who has it open goes on with the package that was opened, and the name has a new node: two states have no page
    /// of the kernel's in common.
    func refreshContent(of id: NodeNumber, stored: Name, in place: OpenFile) {
        coordinator.checkWriting(LaneID(id))
        let (node, document) = tree.nodeAndDocument(id)
        guard let opened = try? container.reader.open(stored, as: tree.kind(of: node), in: place.descriptor), let content = try? OpenContent(opened) else { return }
        let number = (try? place.descriptor.status(of: stored).identity.number) ?? 0
        readers.noteSaving(of: stored, called: node.shown, in: node.parent, BaseStamp(opened.content), by: nil)
        if case .flat(let now) = content, case .flat(let before)? = document?.content, !now.isSame(as: before) {
            return replaced.separate(id)
        }
        tree.setInode(number, of: id)
        document?.state.withLock { $0.show(opened, content) }
        tellContent(of: id)
    }

    /// It has other content than the kernel wrote. The kernel hears of that a moment later, and of the attributes at once: who is answered now finds the size.
    private func tellContent(of id: NodeNumber) { kernel.tell([.attributes(id), .content(id)]) }

    /// What was the draft's is the document's: its handles go on with what was saved.
    /// `current`: what the document is now, where that clashed with what somebody else had made of it. `isNew`: it goes on with no other.
    func saved(
        _ document: OpenDocument, _ id: NodeNumber, as stored: Name, in folder: OpenFile, _ base: Base?, _ draft: Draft?, current: Outcome.Side? = nil,
        isNew: Bool
    ) throws(Errno) {
        coordinator.checkWriting(LaneID(id))
        if case .away(let item) = base, item.stored != stored { _ = try? workshop?.commit(.drop(item)) }
        let (node, changes) = tree.saved(id, as: stored)
        kernel.tell(changes)
        let opened: ItemReader.Opened
        do throws(DocumentFault) { opened = try container.reader.open(stored, as: tree.kind(of: node), in: folder.descriptor) } catch {
            // It was saved, and is gone or another one already: whoever has it open goes on with what was written.
            tree.forgetReading(of: node.parent)
            if let draft { try goOn(with: draft, document) }
            return
        }
        container.note(opened.reading, of: tree.kind(of: node))
        let content = try OpenContent(opened)
        // Who has it open on this drive knows what was written on it.
        let seen = document.state.withLock { $0.seen.values.first }?.renewed(content, BaseStamp(opened.content))
        let writer = document.state.withLock { state in
            state.show(opened, content)
            if let seen { state.seen = state.seen.mapValues { _ in seen } }
            state.former = state.writers > 0 && draft?.kind.kind.contentStart == nil ? draft : nil
            state.draft = nil
            state.base = .stored(stored)
            return state.writer
        }
        readers.noteSaving(of: stored, called: node.shown, in: node.parent, BaseStamp(opened.content), by: writer)
        // It may be one that was deleted.
        if isNew, opened.package == nil { returned.rejoin(stored, in: node.parent, folder) }
        // Of a file it is known already.
        let entry = opened.package == nil ? opened.content : try? folder.descriptor.status(of: stored)
        if opened.package == nil { noticed.noteOwn(stored, in: node.parent, opened.content) }
        // What was written is a version, and the document is what somebody else made of it meanwhile; or a package is packed
        // otherwise than what was written. Any other bytes the kernel wrote itself, so what it has cached of them is right.
        let isOther = current == .theirs || opened.flat != nil, stamp = ContentStamp(opened.item.status)
        tree.setInode(entry?.identity.number ?? 0, isOther ? stamp.withOldPages : stamp, of: id)
        if isOther { tellContent(of: id) } else { kernel.tell([.attributes(id)]) }
        claims.tellPresenters(.changed, of: id)
        if options.keepsVersions { claims.tellPresenters(current == nil ? .gainedVersion : .gainedConflict, of: id) }
        thumbnails.order(of: id)
        thinning.order()
    }

    /// A document that was put away is back, and what was written under its name meanwhile is its draft, which is not saved because of this fault.
    func cameBack(_ document: OpenDocument, _ id: NodeNumber, as stored: Name, in folder: OpenFile, because fault: String?) {
        coordinator.checkWriting(LaneID(id))
        let (_, changes) = tree.saved(id, as: stored)
        document.state.withLock { $0.base = .stored(stored) }
        if let item = try? folder.descriptor.status(of: stored) { tree.setInode(item.identity.number, of: id) }
        kernel.tell(changes + [.attributes(id)])
        note(fault, of: id)
    }

    private func goOn(with draft: Draft, _ document: OpenDocument) throws(Errno) {
        let content = OpenContent.snapshot(draft.file, offset: draft.contentStart, length: try draft.length(), try draft.status())
        document.state.withLock { state in
            state.draft = nil
            state.content = content
        }
    }

    /// Keeps why a document is not saved, and tells it.
    func note(_ fault: String?, of id: NodeNumber) {
        // What waits is tried again all the time.
        guard keep(fault, of: id), let fault else { return }
        tell(fault, of: id)
    }

    /// Keeps the reason with the document, and answers whether it is another one than before.
    func keep(_ fault: String?, of id: NodeNumber) -> Bool {
        tree.withLock { tree in
            defer { tree.note(fault, of: EntryNumber(of: id)) }
            return tree.faults[EntryNumber(of: id)] != fault
        }
    }

    func tell(_ fault: String, of id: NodeNumber) {
        let file = tree.withLock { $0.shownPath(of: id) }
        SystemLog.write("“\(file)” is not saved: \(fault)", .warning, [SystemLog.Field("VALISE_DOCUMENT", file)])
    }
}
