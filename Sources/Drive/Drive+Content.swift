import Containers
import Coordination
import Documents
import Glibc
import LinuxFiles

// Opening, reading and letting go.
extension Drive {
    func openAsNamed(_ node: NodeID, flags: Int32, caller: Caller, isLast: Bool = false) throws(Errno) -> Opened {
        let writes = flags & O_ACCMODE != O_RDONLY
        let truncates = flags & O_TRUNC != 0
        if let thumbnail = ThumbnailNode(node) { return try openThumbnail(thumbnail, writes: writes || truncates, caller) }
        let id = try known(node)
        // By a name that leads elsewhere by now: the kernel is to look again.
        guard isLast || !tree.withLock({ $0.untold.contains(id) }) else { throw .stale }
        while true {
            let role = tree.withLock { $0[id].role }
            if writes || truncates, role.isFixed || options.readOnly { throw role == .status ? .accessDenied : .readOnly }
            let opened: Opened?
            switch role {
            case .folder, .originalFolder, .control, .versionFolder: throw .isDirectory
            case .version: return try openVersion(id, caller)
            case .status: return openStatus(id, caller)
            case .original: return try openPlain(id, flags: flags, caller, writes: false)
            case .plain where !writes && !truncates: return try openPlain(id, flags: flags, caller, writes: false)
            // In its lane, where a plain file becomes a document and the other way round.
            case .plain:
                opened = try coordinator.read(lane(id)) { () throws(Errno) in
                    try isStill(.plain, id) ? openPlain(id, flags: flags, caller, writes: true) : nil
                }
            case .document:
                opened = try coordinator.write(lane(id)) { () throws(Errno) in
                    try isStill(.document, id) ? openDocument(id, flags: flags, caller) : nil
                }
            }
            if let opened { return opened }
        }
    }

    func isStill(_ role: Role, _ id: UInt32) -> Bool { tree.withLock { $0[id].role == role } }

    public func read(_ handle: HandleID, at offset: Int64, count: Int) throws(Errno) -> Content {
        guard let open = handles.withLock({ $0[handle] }) else { throw .badDescriptor }
        guard offset >= 0, count >= 0 else { throw .invalid }
        switch open.content {
        case .snapshot(let file, let start, let length, _):
            let available = max(0, min(Int64(count), length - min(offset, length)))
            return .file(file, offset: start + offset, count: Int(available))
        case .plain(let file):
            return .file(file, offset: offset, count: count)
        case .draft(let draft):
            return .file(draft.file, offset: draft.room + offset, count: count)
        case .bytes(let bytes, _):
            let first = Int(min(offset, Int64(bytes.count)))
            return .bytes(bytes[first..<min(bytes.count, first + count)])
        case .headed(let head, let file, let start, let length, _):
            let behind = max(0, offset - Int64(head.count))
            let taken = head.dropFirst(Int(min(offset, Int64(head.count)))).prefix(count)
            let available = Int(max(0, min(Int64(count - taken.count), length - behind)))
            if taken.isEmpty { return .file(file, offset: start + behind, count: available) }
            return .bytes(taken + (try file.descriptor.read(at: start + behind, count: available)))
        }
    }

    public func release(_ handle: HandleID) {
        guard let open = handles.withLock({ $0.remove(handle) }) else { return }
        if open.writes { finishWriting(open) }
        // The kernel has what was written, unless somebody else has written too.
        let written = open.writes && open.document == nil ? try? open.content.currentStatus() : nil
        let change = tree.withLock { tree in tree.finishWriting(open.node, written) }
        if let change { tell([change]) }
        tree.withLock { tree in
            tree.removeHandle(open.node)
            tree.dropDocumentIfIdle(open.node)
        }
    }

    public func seek(_ handle: HandleID, to offset: Int64, whence: Int32) throws(Errno) -> Int64 {
        guard let open = handles.withLock({ $0[handle] }) else { throw .badDescriptor }
        if case .plain(let file) = open.content { return try file.descriptor.seek(to: offset, whence: whence) }
        // Documents have no holes: data to the end, and one hole behind it.
        guard let length = try open.content.currentStatus()?.size, offset >= 0, offset < length else { throw .noSuchDevice }
        return whence == Self.seekHole ? length : offset
    }

    private static let seekHole: Int32 = 4

    // MARK: What is opened

    private func openDocument(_ id: UInt32, flags: Int32, _ caller: Caller) throws(Errno) -> Opened {
        let writes = flags & O_ACCMODE != O_RDONLY, truncates = flags & O_TRUNC != 0
        let (document, status) = try attach(id, by: caller, Self.rights(of: flags))
        if writes { document.state.withLock { $0.writer = caller.process } }
        if truncates {
            _ = try draft(of: document, id, keepingContent: false, by: caller)
            return try register(id, nil, .document(document), writes: true)
        }
        if !writes { noteReading(of: document, id, by: caller) }
        return try register(id, status, .document(document), writes: writes)
    }

    /// What the handles of a document share: that of the others, or else its item as it is now, if the caller may have it. In its lane.
    func attach(_ id: UInt32, by caller: Caller, _ wanted: FileRights) throws(Errno) -> (OpenDocument, FileStatus?) {
        let (node, orphan, existing) = tree.withLock { ($0[id], $0[id].flags.contains(.orphan), $0.documents[id]) }
        if let existing, existing.draft != nil || orphan {
            try checkUse(of: existing, id, wanted, by: caller)
            return (existing, nil)
        }
        guard !orphan else { throw .stale }
        let folder = try place(of: node.parent)
        let opened: ItemReader.Opened
        do throws(DocumentFault) { opened = try container.reader.openContent(node.stored, as: node.kindID, in: folder.descriptor) } catch {
            throw refuse(error, node.parent)
        }
        try checkUse(of: opened, id, wanted, by: caller)
        let content = try content(of: opened)
        if let existing {
            if node.handles > 0, existing.content.isReplaced(by: content) {
                // Who writes to it holds on to it, as to a draft.
                if existing.isWritten { return (existing, nil) }
                part(id)
                throw .stale
            }
            existing.state.withLock { state in
                state.content = content
                state.stamp = BaseStamp(opened.content)
            }
            return (existing, opened.item.status)
        }
        let document = OpenDocument(content: content, base: .stored(node.stored), stamp: BaseStamp(opened.content))
        tree.withLock { $0.documents[id] = document }
        return (document, opened.item.status)
    }

    func content(of opened: ItemReader.Opened) throws(Errno) -> OpenContent {
        switch opened.reading.content {
        case .bytes(let bytes): return .bytes(bytes, opened.item.status)
        case .range(let part, let offset, let length):
            guard opened.parts.indices.contains(part), let file = opened.parts[part] else { throw .inputOutput }
            return .snapshot(file, offset: offset, length: length, opened.item.status)
        }
    }

    private func openPlain(_ id: UInt32, flags: Int32, _ caller: Caller, writes: Bool) throws(Errno) -> Opened {
        let file: OpenFile
        do throws(Errno) { file = try moves.following { () throws(Errno) in try openFile(of: id, flags: flags, caller) } } catch {
            throw error == .noSuchEntry ? .stale : error
        }
        return try register(id, try file.descriptor.status(), .content(.plain(file)), writes: writes || flags & O_TRUNC != 0)
    }

    private func openFile(of id: UInt32, flags: Int32, _ caller: Caller) throws(Errno) -> OpenFile {
        let (node, orphan, remains) = tree.withLock { ($0[id], $0[id].flags.contains(.orphan), $0.remains(of: id)) }
        // The kernel turned appending into offsets, and O_DIRECT's rules are between it and the program.
        let kept = OpenFlags(rawValue: flags & (O_ACCMODE | O_TRUNC | O_SYNC | O_DSYNC)).union(.nonBlocking).readable
        if orphan {
            // By way of /proc, from a descriptor that somebody still has.
            guard let remains = remains ?? handles.withLock({ $0.content(of: id) })?.file else { throw Errno.stale }
            return try truncating(flags, caller) { () throws(Errno) in OpenFile(try remains.descriptor.reopened(kept)) }
        }
        if rights.areChecked { return try openChecked(id, flags: flags, kept, caller) }
        let place = try place(of: node.parent)
        return try truncating(flags, caller) { () throws(Errno) in OpenFile(try place.descriptor.open(node.stored, kept)) }
    }

    /// What is cut when it is opened loses its set-id bits, unless it is root that cuts it. Of all other ways to write
    /// the kernel sees to that itself.
    private func truncating<Value>(_ flags: Int32, _ caller: Caller, _ body: () throws(Errno) -> Value) throws(Errno) -> Value {
        guard flags & O_TRUNC != 0 else { return try body() }
        return try ThreadOwner.acting(as: caller.user, group: caller.group, clearsSetIDs: true, body)
    }

    /// Opens a plain file that the kernel was told of, for one who may have it so.
    private func openChecked(_ id: UInt32, flags: Int32, _ kept: OpenFlags, _ caller: Caller) throws(Errno) -> OpenFile {
        let (item, status) = try checkedBacking(of: id)
        guard let status, status.type == .regular else { throw .stale }
        let wanted = Self.rights(of: flags)
        defer { if flags & O_TRUNC != 0 { noteLostSetIDs(of: id, item, status) } }
        if wanted.contains(.read) {
            return try rights.acting(for: caller, on: status, needing: wanted, clearsSetIDs: true) { () throws(Errno) in
                OpenFile(try item.descriptor.reopened(kept))
            }
        }
        // The drive reads it too, to run it or to change a part of a page, and the kernel keeps that to itself.
        try rights.require(wanted, of: caller, on: item, status)
        return try truncating(flags, caller) { () throws(Errno) in OpenFile(try item.descriptor.reopened(kept)) }
    }

    /// Being cut took its set-id bits away: that is the drive's own doing.
    private func noteLostSetIDs(of id: UInt32, _ item: OpenFile, _ before: FileStatus) {
        guard let now = try? item.descriptor.status(), now.mode != before.mode else { return }
        tree.withLock { $0[id].told = ToldAccess(now) }
        tell([.attributes(id)])
    }

    /// What one needs to open a file so.
    private static func rights(of flags: Int32) -> FileRights {
        let cutting: FileRights = flags & O_TRUNC != 0 ? .write : []
        return switch flags & O_ACCMODE {
        case O_WRONLY: .write
        case O_RDWR: [.read, .write]
        // To run a file is no right to read it.
        default: cutting.union(flags & executes != 0 ? .enter : .read)
        }
    }

    /// The kernel's flag for a file that is opened to be run.
    private static let executes: Int32 = 0x20

    private func openStatus(_ id: UInt32, _ caller: Caller) -> Opened {
        tree.withLock { $0.addHandle(id) }
        // Made before the table is held: the page tells of the table.
        let page = OpenContent.bytes(statusPage(withNames: rights.mayKnowNames(caller)), nil)
        let handle = handles.withLock { $0.add(OpenHandle(node: id, target: .content(page), writes: false)) }
        var opened = Opened(handle: handle)
        opened.keepsCache = false
        opened.bypassesCache = true
        opened.closesSilently = true
        return opened
    }

    /// Registers an open file, and sees whether what the kernel cached of it is still right. Without a status
    /// it is: a draft changes through the kernel only. What others have open must be the same file.
    func register(_ id: UInt32, _ status: FileStatus?, _ target: OpenHandle.Target, writes: Bool) throws(Errno) -> Opened {
        let stamp = status.map(ContentStamp.init)
        let before: ContentStamp? = tree.withLock { tree in
            switch target {
            case .content:
                if let status, !tree.keepOpen(id, status.identity) { return nil }
                if writes { tree.writtenFiles[id, default: WrittenFile()].writers += 1 }
            case .document(let document): tree.documents[id] = document
            }
            let before = tree[id].stamp
            if let stamp { tree[id].stamp = stamp }
            tree.addHandle(id)
            return before
        }
        guard let before else {
            part(id)
            throw .stale
        }
        if writes, case .document(let document) = target { document.state.withLock { $0.writers += 1 } }
        var opened = Opened(handle: handles.withLock { $0.add(OpenHandle(node: id, target: target, writes: writes)) })
        opened.keepsCache = stamp == nil || before == stamp || before == .unknown
        opened.closesSilently = !writes
        // The size that the kernel knows is that of before.
        if !opened.keepsCache { tell([.attributes(id)]) }
        return opened
    }

    /// A document that cannot be read any more: the kernel is to look again, and will find what it is now.
    func refuse(_ fault: DocumentFault, _ folder: UInt32) -> Errno {
        if case .unreadable(let number?) = fault, ![ENOENT, ENOTDIR, ELOOP].contains(number) { return Errno(rawValue: number) }
        forgetReading(of: folder)
        return .stale
    }
}

extension OpenFlags {
    /// Who may write may read here: the kernel reads a page before it changes a part of it, and copying needs both.
    var readable: OpenFlags {
        rawValue & O_ACCMODE == O_WRONLY ? OpenFlags(rawValue: rawValue & ~O_ACCMODE | O_RDWR) : self
    }
}
