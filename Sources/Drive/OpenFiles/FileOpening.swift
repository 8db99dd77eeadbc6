import Containers
import Coordination
import Glibc
import LinuxFiles

/// Opens documents and plain files, reads what is open, and lets go of it.
final class FileOpening: Sendable {
    private let tree: TreeTable
    private let handles: OpenHandles
    private let coordinator: DocumentCoordinator
    private let options: DriveOptions
    private let rights: CallerRights
    private let moves: Moves
    private let kernel: KernelMemory
    private let places: Places
    private let access: AccessChecks
    private let claims: ExternalClaims
    private let documents: OpenDocuments
    private let readers: DocumentReaders
    private let writing: DraftWriting
    private let saving: DraftSaving
    private let seenRoom = SeenRoom()
    private let accesses: AccessNotes

    init(
        tree: TreeTable, handles: OpenHandles, coordinator: DocumentCoordinator, options: DriveOptions, rights: CallerRights, moves: Moves, kernel: KernelMemory,
        places: Places, access: AccessChecks, claims: ExternalClaims, documents: OpenDocuments, readers: DocumentReaders,
        writing: DraftWriting, saving: DraftSaving, accesses: AccessNotes
    ) {
        (self.claims, self.accesses) = (claims, accesses)
        (self.tree, self.handles, self.coordinator, self.options) = (tree, handles, coordinator, options)
        (self.rights, self.moves, self.kernel, self.places) = (rights, moves, kernel, places)
        (self.access, self.documents, self.readers, self.writing) = (access, documents, readers, writing)
        self.saving = saving
    }

    /// `isLast`: the kernel does not look again, so that a name which leads elsewhere by now is as right.
    func open(_ id: NodeNumber, flags: Int32, caller: Caller, isLast: Bool = false) throws(Errno) -> Opened {
        let writes = flags & O_ACCMODE != O_RDONLY
        let truncates = flags & O_TRUNC != 0
        try refuseSeparated(id, isLast)
        // Presenters save before the item is read.
        claims.askPresenters(of: id, for: .reading, by: caller.thread).end()
        while true {
            let role = tree[id].role
            if writes || truncates, role.isFixed || options.readOnly { throw .readOnly }
            let opened: Opened?
            switch role {
            case .folder, .originalFolder, .control, .versionFolder, .deletedFolder, .controlNamespace: throw .isDirectory
            case .version, .deleted, .status: throw .stale
            case .original: return try openPlain(id, flags: flags, caller, writes: false)
            case .plain where !writes && !truncates:
                let opened = try openPlain(id, flags: flags, caller, writes: false)
                // No lane is held, so the node may have lost its name meanwhile.
                do throws(Errno) { try refuseSeparated(id, isLast) } catch {
                    release(opened.handle)
                    throw error
                }
                return opened
            // In its lane, where a plain file becomes a document and the other way round.
            case .plain:
                opened = try coordinator.read(LaneID(id)) { () throws(Errno) in
                    try refuseSeparated(id, isLast)
                    return try tree.isStill(.plain, id) ? openPlain(id, flags: flags, caller, writes: true) : nil
                }
            case .document where !writes && !truncates:
                // Beside others who read, where nothing has to change for it.
                let joined: Opened? = try coordinator.read(LaneID(id)) { () throws(Errno) in
                    try refuseSeparated(id, isLast)
                    return try tree.isStill(.document, id) ? joinReaders(of: id, flags: flags, caller) : nil
                }
                if let joined { return joined }
                opened = try openAlone(id, flags: flags, caller, isLast)
            case .document: opened = try openAlone(id, flags: flags, caller, isLast)
            }
            if let opened { return opened }
        }
    }

    /// Opens a document with its lane to itself; nil where it is no document any more.
    private func openAlone(_ id: NodeNumber, flags: Int32, _ caller: Caller, _ isLast: Bool) throws(Errno) -> Opened? {
        try coordinator.write(LaneID(id)) { () throws(Errno) in
            try refuseSeparated(id, isLast)
            return try tree.isStill(.document, id) ? openDocument(id, flags: flags, caller) : nil
        }
    }

    private func joinReaders(of id: NodeNumber, flags: Int32, _ caller: Caller) throws(Errno) -> Opened? {
        guard let (document, opened) = try documents.join(id, by: caller, Self.rights(of: flags), isAccess: accesses.areMade(by: flags)) else { return nil }
        readers.noteReading(of: document, id, by: caller)
        return opened
    }

    /// By a name that leads elsewhere by now: the kernel is to look again.
    private func refuseSeparated(_ id: NodeNumber, _ isLast: Bool) throws(Errno) {
        guard isLast || !tree.isSeparated(id) else { throw .stale }
    }

    func release(_ handle: HandleID) {
        guard let open = handles.remove(handle) else { return }
        if let seen = open.seen { open.document?.state.withLock { $0.seen[seen] = nil } }
        if open.writes { saving.finishWriting(open) }
        // The kernel has what was written, unless somebody else has written too.
        let written = open.writes && open.document == nil ? try? open.content.currentStatus() : nil
        let (isNews, change) = tree.finishWriting(open.node, written)
        if let change { kernel.tell([change]) }
        // What is noticed of it is the drive's own doing, and told by nobody else.
        if isNews { claims.tellPresenters(.changed, of: open.node) }
        tree.close(open.node)
    }

    private func openDocument(_ id: NodeNumber, flags: Int32, _ caller: Caller) throws(Errno) -> Opened {
        let writes = flags & O_ACCMODE != O_RDONLY, truncates = flags & O_TRUNC != 0
        let (document, status) = try documents.attach(id, by: caller, Self.rights(of: flags), isAccess: accesses.areMade(by: flags))
        if writes { document.state.withLock { $0.writer = caller.thread } }
        if truncates {
            _ = try writing.draft(of: document, id, keepingContent: false, by: caller)
            return try documents.register(id, nil, .document(document), writes: true)
        }
        if flags & O_ACCMODE != O_WRONLY { readers.noteReading(of: document, id, by: caller) }
        return try documents.register(id, status, .document(document), writes: writes, seen: seen(of: document, flags))
    }

    /// What a program has seen that opens a document to read it and to write into it. Who writes only to its end goes on from what is there.
    private func seen(of document: OpenDocument, _ flags: Int32) -> (SeenKey, SeenContent)? {
        guard flags & O_ACCMODE == O_RDWR, flags & O_APPEND == 0, options.keepsVersions else { return nil }
        let state = document.state.withLock { $0 }, same = state.seen.values.first { $0.stamp == state.stamp }
        return (seenRoom.nextKey(), state.draft == nil ? same ?? SeenContent(state.content, state.stamp, seenRoom) : SeenContent(nil, nil, seenRoom))
    }

    private func openPlain(_ id: NodeNumber, flags: Int32, _ caller: Caller, writes: Bool) throws(Errno) -> Opened {
        let file: OpenFile
        do throws(Errno) { file = try moves.following { () throws(Errno) in try openFile(of: id, flags: flags, caller) } } catch {
            throw error == .noSuchEntry ? .stale : error
        }
        let truncates = flags & O_TRUNC != 0, status = try file.descriptor.status()
        if accesses.areMade(by: flags) { accesses.note(id, file.descriptor, status) }
        let opened = try documents.register(id, status, .content(.plain(file)), writes: writes || truncates)
        if truncates { tree.wrote(id) }
        return opened
    }

    private func openFile(of id: NodeNumber, flags: Int32, _ caller: Caller) throws(Errno) -> OpenFile {
        let (node, remains) = tree.nodeAndRemains(id)
        // The kernel turned appending into offsets, and O_DIRECT's rules are between it and the program.
        var kept = OpenFlags(rawValue: flags & (O_ACCMODE | O_TRUNC | O_SYNC | O_DSYNC)).union(.nonBlocking).readable
        // Where the drive may: a program may ask for it of what it owns, and the kernel has seen to that.
        if options.keepsAccessTimes || OpenFlags(rawValue: flags).contains(.untraced) { kept.insert(.untraced) }
        if node.isNameless {
            // By way of /proc, from a descriptor that somebody still has.
            guard let remains = remains ?? handles.content(of: id)?.file else { throw Errno.stale }
            return try truncating(flags, caller) { () throws(Errno) in try reopened(remains, kept) }
        }
        if rights.areChecked { return try openChecked(id, flags: flags, kept, caller) }
        let place = try places.place(of: node.parent)
        return try truncating(flags, caller) { () throws(Errno) in
            OpenFile(kept.contains(.untraced) ? try place.descriptor.openUntraced(node.stored, kept) : try place.descriptor.open(node.stored, kept))
        }
    }

    private func reopened(_ file: OpenFile, _ flags: OpenFlags) throws(Errno) -> OpenFile {
        OpenFile(flags.contains(.untraced) ? try file.descriptor.reopenedUntraced(flags) : try file.descriptor.reopened(flags))
    }

    /// Somebody took away what is to be written anew: it is as if that had been opened, and then removed. nil where something is left of it.
    func openNothing(_ node: NodeID, _ flags: Int32) throws(Errno) -> Opened? {
        guard let id = tree.node(node), tree[id].isNameless, tree[id].handles == 0 else { return nil }
        let kept = OpenFlags(rawValue: flags & (O_ACCMODE | O_SYNC | O_DSYNC))
        let file = OpenFile(try places.place(of: tree[id].parent).descriptor.reopened([kept.readable, .nameless], mode: 0o600))
        return try documents.register(id, try file.descriptor.status(), .content(.plain(file)), writes: flags & O_ACCMODE != O_RDONLY)
    }

    /// What is cut when it is opened loses its set-id bits, unless it is root that cuts it. Of all other ways to write
    /// the kernel sees to that itself. `group`: the file's, which may be a further one of theirs.
    private func truncating<Value>(_ flags: Int32, _ caller: Caller, group: UInt32? = nil, _ body: () throws(Errno) -> Value) throws(Errno) -> Value {
        guard flags & O_TRUNC != 0 else { return try body() }
        let own = group.flatMap { rights.isMember(caller, of: $0) ? $0 : nil } ?? caller.group
        return try ThreadRights.owning(as: caller.user, group: own, clearsSetIDs: true, body)
    }

    /// Opens a plain file that the kernel was told of, for one who may have it so.
    private func openChecked(_ id: NodeNumber, flags: Int32, _ kept: OpenFlags, _ caller: Caller) throws(Errno) -> OpenFile {
        let (item, status) = try access.checkedBacking(of: id)
        guard let status, status.type == .regular else { throw .stale }
        let wanted = Self.rights(of: flags)
        defer { if flags & O_TRUNC != 0 { noteLostSetIDs(of: id, item, status) } }
        if wanted.contains(.read) {
            return try rights.acting(for: caller, on: status, needing: wanted, clearsSetIDs: true, opens: flags & O_TRUNC == 0) { () throws(Errno) in
                try reopened(item, kept)
            }
        }
        // The drive reads it too, to run it or to change a part of a page, and the kernel keeps that to itself.
        try rights.require(wanted, of: caller, on: item, status)
        return try truncating(flags, caller, group: status.group) { () throws(Errno) in try reopened(item, kept) }
    }

    /// Being cut took its set-id bits away: that is the drive's own doing.
    private func noteLostSetIDs(of id: NodeNumber, _ item: OpenFile, _ before: FileStatus) {
        guard let now = try? item.descriptor.status(), now.mode != before.mode else { return }
        tree.setCachedAccess(CachedAccess(now), of: id)
        kernel.tell([.attributes(id)])
    }

    /// The rights that a file is opened with these flags for.
    private static func rights(of flags: Int32) -> FileRights {
        let cutting: FileRights = flags & O_TRUNC != 0 ? .write : []
        return switch flags & O_ACCMODE {
        case O_WRONLY: .write
        case O_RDWR, O_ACCMODE: [.read, .write]
        // To run a file is no right to read it.
        default: cutting.union(flags & executes != 0 ? .enter : .read)
        }
    }

    /// The kernel's flag for a file that is opened to be run.
    private static let executes: Int32 = 0x20
}

extension OpenFlags {
    /// Who may write may read here: the kernel reads a page before it changes a part of it, and copying needs both. Nor may this process cut what it
    /// opens for reading, or open a file for neither reading nor writing: who asks for that may do both.
    var readable: OpenFlags {
        rawValue & O_ACCMODE != O_RDONLY || rawValue & O_TRUNC != 0 ? OpenFlags(rawValue: rawValue & ~O_ACCMODE | O_RDWR) : self
    }
}
