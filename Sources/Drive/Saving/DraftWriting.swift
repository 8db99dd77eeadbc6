import Containers
import Coordination
import Documents
import LinuxFiles

/// Whether something is written behind all that is there (O_APPEND), wherever the kernel takes that to be: it knows the size that a file had when
/// it looked last, and does not ask again before it writes.
public enum WriteEnd: Sendable {
    case asAsked, appended
    /// Past the kernel's pages: pieces of one write may come in any order.
    case appendedInPieces

    func place(of asked: Int64, size: Int64) -> Int64 {
        switch self {
        case .asAsked: asked
        case .appended: size
        case .appendedInPieces: max(asked, size)
        }
    }
}

/// Writing into what is open: a plain file, or the draft of a document, which begins with the first write.
final class DraftWriting: Sendable {
    private let tree: Tree
    private let handles: OpenHandles
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let container: Container
    private let testPoints: TestPoints<TestPoint>
    private let places: Places
    private let nameless: NamelessFiles
    private let removed: AwayDocuments
    private let readers: DocumentReaders
    private let setIDs: SetIDBits
    private let kernel: KernelMemory
    private let moved: MovedItems
    private let accesses: AccessNotes
    private let versions: PlainFileVersions

    init(
        tree: Tree, handles: OpenHandles, coordinator: DocumentCoordinator, workshop: Workshop?, container: Container,
        testPoints: TestPoints<TestPoint>, places: Places, nameless: NamelessFiles, removed: AwayDocuments,
        readers: DocumentReaders, setIDs: SetIDBits, kernel: KernelMemory,
        moved: MovedItems, accesses: AccessNotes, versions: PlainFileVersions
    ) {
        (self.tree, self.handles, self.coordinator, self.workshop, self.container) = (tree, handles, coordinator, workshop, container)
        (self.testPoints, self.places, self.nameless, self.removed, self.readers) = (testPoints, places, nameless, removed, readers)
        (self.setIDs, self.kernel, self.moved, self.accesses, self.versions) = (setIDs, kernel, moved, accesses, versions)
    }

    /// Finds the place for `count` bytes and lets `transfer` move them there: (descriptor, offset) → how many were moved. `isMapped`: a program wrote them
    /// into a map of the file.
    func write(
        _ handle: HandleID, at asked: Int64, count: Int, _ end: WriteEnd, isMapped: Bool = false, losingSetIDs writer: Caller? = nil,
        _ transfer: (Int32, Int64) throws(Errno) -> Int
    ) throws(Errno) -> Int {
        if end == .asAsked { keepPlain(handle, isMapped: isMapped) { asked < $0 } }
        var isElsewhere = false
        defer { if isElsewhere, let node = handles[handle]?.node { kernel.tell([.content(node)]) } }
        return try changingContent(of: handle, losingSetIDs: writer) { (file, contentStart, draft) throws(Errno) in
            let offset = try end.place(of: asked, size: end == .asAsked ? asked : max(0, file.descriptor.status().size - contentStart))
            isElsewhere = offset != asked
            return try following(draft, offset, count) { () throws(Errno) in try transfer(file.descriptor.rawValue, offset + contentStart) }
        }
    }

    /// What a plain file is, is kept before something in it is changed: `changes` says whether that is so, by its size.
    private func keepPlain(_ handle: HandleID, isMapped: Bool = false, _ changes: (Int64) -> Bool) {
        guard versions.isOn, let open = handles[handle], open.isUnkept || isMapped || open.isFlushed,
            case .plain(let file) = open.content
        else { return }
        if open.isFlushed { handles.setFlushed(false, handle) }
        guard open.isUnkept || isMapped else { return }
        guard open.isUnkept else { return versions.noteMapped(open.node) }
        guard let size = try? file.descriptor.status().size, changes(size) else { return }
        versions.keepBeforeChange(of: open.node, through: handle, isMapped: isMapped)
    }

    /// What the store has no room for is missing in a draft until it is written after all: an incomplete draft does not
    /// replace a document.
    private func following(_ draft: Draft?, _ offset: Int64, _ count: Int, _ body: () throws(Errno) -> Int) throws(Errno) -> Int {
        guard let draft else { return try body() }
        var isNews = false
        defer { if isNews { workshop?.noteWholeness(of: draft) } }
        do throws(Errno) {
            let done = try body()
            isNews = draft.wrote(offset..<offset + Int64(max(done, 0)))
            return done
        } catch {
            isNews = error.isFull && count > 0 && draft.miss(offset..<offset + Int64(count))
            throw error
        }
    }

    func allocate(_ handle: HandleID, mode: Int32, offset: Int64, length: Int64, caller: Caller? = nil) throws(Errno) {
        if handle == EchoThread.handle { return }
        // Room that is reserved changes nothing that is there.
        if mode & ~Self.keepsSize != 0 { keepPlain(handle) { offset < $0 } }
        var missing: Int64?
        try changingContent(of: handle, losingSetIDs: setIDs.mayLoseSetIDs(caller), wanting: { missing }) { (file, contentStart, _) throws(Errno) in
            // The store has reserved a part of what was asked for, and keeps that.
            do throws(Errno) { try file.descriptor.allocate(mode: mode, at: offset + contentStart, count: length) } catch {
                // What the file has may lie elsewhere in it: at least so much is missing.
                missing = (try? file.descriptor.status().blocks).map { max(0, length - $0 * 512) }
                if let node = handles[handle]?.node { kernel.tell([.attributes(node)]) }
                throw error
            }
        }
    }

    private static let keepsSize: Int32 = 1

    static let mostInMemory = 1 << 20

    func copyRange(
        from: HandleID, at fromOffset: Int64, to: HandleID, at toOffset: Int64, count: Int, caller: Caller? = nil
    ) throws(Errno) -> Int {
        // What lies in one file does not pass through here, and all the rest does: programs ask for a gigabyte at once, and go on after less.
        let isFlat = if case .flat = handles[from]?.content { true } else { false }
        let source = try handles.read(from, at: fromOffset, count: isFlat ? min(count, Self.mostInMemory) : count)
        keepPlain(to) { toOffset < $0 }
        return try accesses.copying(from: handles[from]?.node, source) { () throws(Errno) in
            try changingContent(of: to, losingSetIDs: setIDs.mayLoseSetIDs(caller)) { (file, contentStart, draft) throws(Errno) in
                try following(draft, toOffset, count) { () throws(Errno) in
                    switch source {
                    case .file(let other, let start, let available):
                        guard available > 0 else { return 0 }
                        return try other.descriptor.copyRange(at: start, to: file.descriptor, at: toOffset + contentStart, count: available)
                    case .bytes(let bytes):
                        try file.descriptor.write(Array(bytes), at: toOffset + contentStart)
                        return bytes.count
                    }
                }
            }
        }
    }

    /// Runs `body` with the file that the content is written to, where in it the content begins, and the draft that it is.
    private func changingContent<Value>(
        of handle: HandleID, losingSetIDs writer: Caller?, wanting wanted: () -> Int64? = { nil }, _ body: (OpenFile, Int64, Draft?) throws(Errno) -> Value
    ) throws(Errno) -> Value {
        try removed.makingRoom(for: wanted) { () throws(Errno) in try changingContentOnce(of: handle, losingSetIDs: writer, body) }
    }

    private func changingContentOnce<Value>(
        of handle: HandleID, losingSetIDs writer: Caller?, _ body: (OpenFile, Int64, Draft?) throws(Errno) -> Value
    ) throws(Errno) -> Value {
        while true {
            guard let open = handles[handle], open.writes else { throw .badDescriptor }
            // As a reader of the lane: while it is written to, no save runs, and no plain file becomes a document;
            // other writers do. What the handle has open is looked at in there, because it changes in there.
            let done: Value? = try coordinator.read(LaneID(open.node)) { () throws(Errno) in
                guard let open = handles[handle] else { throw .badDescriptor }
                switch open.content {
                case .draft(let draft):
                    draft.touch()
                    return try body(draft.file, draft.contentStart, draft)
                case .plain(let file):
                    return try tree.writing(to: open.node) { () throws(Errno) in
                        try setIDs.losingSetIDs(file, of: open.node, writer) { () throws(Errno) in try body(file, 0, nil) }
                    }
                case .snapshot, .bytes, .flat, .headed: return nil
                }
            }
            if let done { return done }
            guard let document = open.document else { throw .badDescriptor }
            try moved.follow(open.node)
            try coordinator.write(LaneID(open.node)) { () throws(Errno) in _ = try draft(of: document, open.node, keepingContent: true, seen: open.seen) }
        }
    }

    /// The draft of an open document, which begins now if there is none. In its lane.
    /// `caller` is who writes it anew, and may know it from before; `opened` what it was then for who cuts what is open; `seen` what
    /// who writes into it has read of it.
    func draft(
        of document: OpenDocument, _ id: NodeNumber, keepingContent: Bool, by caller: Caller? = nil, opened: BaseStamp? = nil, seen: SeenKey? = nil
    ) throws(Errno) -> Draft {
        coordinator.checkWriting(LaneID(id))
        return try removed.makingRoom { () throws(Errno) in try draftOnce(of: document, id, keepingContent: keepingContent, by: caller, opened, seen) }
    }

    private func draftOnce(
        of document: OpenDocument, _ id: NodeNumber, keepingContent: Bool, by caller: Caller?, _ known: BaseStamp?, _ seen: SeenKey?
    ) throws(Errno) -> Draft {
        if let draft = document.draft {
            if !keepingContent {
                try checkRoom(insteadOf: draft)
                try cut(draft, to: 0)
            }
            return draft
        }
        let workshop = try workshop.required()
        let node = tree[id]
        guard !node.isNameless else { return try nameless.draft(of: document, id, keepingContent: keepingContent) }
        let folder = try places.place(of: node.parent)
        let opened: ItemReader.Opened?
        do throws(DocumentFault) { opened = try container.reader.open(node.stored, as: tree.kind(of: node), in: folder.descriptor) } catch {
            let refused = tree.refuse(error, node.parent)
            // It is being taken away or replaced. Whoever has it open goes on all the same.
            guard refused == .stale, keepingContent else { throw refused }
            opened = nil
        }
        // Who goes on with what was opened and replaced since, writes into that. What somebody has written into in its place is nowhere else as it was.
        let address = tree.address(node.shown, in: node.parent, folder), isReplaced: Bool, draft: Draft
        let stamp = if keepingContent { document.state.withLock { $0.stamp } } else {
            caller.flatMap { readers.reading(of: node.stored, called: node.shown, in: node.parent, by: $0) } ?? known
        }
        var before: SeenContent?
        if let opened {
            let isAnother = document.content.isAnother(than: try OpenContent(opened))
            // What an app has rewritten in place is one side of a conflict; who has read it goes on from what they have read.
            if keepingContent, !isAnother, let seen = seen.flatMap({ key in document.state.withLock { $0.seen[key] } }), seen.isRewritten(opened) { before = seen }
            isReplaced = isAnother || before?.bytes != nil
            let since = keepingContent && !isAnother ? before?.stamp : stamp
            draft = try workshop.draft(of: opened, at: address, stored: node.stored, keepingContent: keepingContent && !isReplaced, from: since)
        } else {
            guard let status = try document.content.currentStatus() else { throw .stale }
            isReplaced = true
            draft = try workshop.newDraft(
                tree.kind(of: node), at: address, mode: status.permissions, base: .stored(node.stored), from: stamp, owner: (status.owner, status.group))
        }
        testPoints.pass(.draftBegun)
        do throws(Errno) {
            if keepingContent && isReplaced {
                if let bytes = before?.bytes { try draft.file.descriptor.write(bytes, at: draft.contentStart) } else { try document.content.copy(to: draft) }
            }
            guard tree.begin(draft, of: document, id, over: node.stored) else { throw .stale }
            return draft
        } catch {
            workshop.discard(draft)
            guard error == .stale, keepingContent else { throw error }
            // Others have moved it meanwhile, and it has its new name.
            if !tree[id].isNameless { return try draftOnce(of: document, id, keepingContent: true, by: caller, known, seen) }
        }
        return try nameless.draft(of: document, id, keepingContent: true)
    }

    /// What could not be saved is nowhere else: it is not emptied for something that finds no room.
    private func checkRoom(insteadOf draft: Draft) throws(Errno) {
        guard draft.fault != nil || draft.isIncomplete, try draft.length() > 0 else { return }
        let store = try draft.file.descriptor.fileSystemStatus()
        // Not every store says how large it is.
        guard store.blocks == 0 || store.availableBlocks >= Self.leastRoom / max(store.fragmentSize, 1) else { throw .noSpace }
    }

    private static let leastRoom: UInt64 = 1 << 16

    func cut(_ draft: Draft, to length: Int64) throws(Errno) {
        if try draft.truncate(to: length) { workshop?.noteWholeness(of: draft) }
    }
}
