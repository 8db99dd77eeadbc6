import Containers
import Coordination
import Documents
import Glibc
import LinuxFiles

// Opening and reading.
extension Drive {
    public func open(_ node: NodeID, flags: Int32, caller: Caller) throws(Errno) -> Opened {
        let id = try known(node)
        let wantsWriting = flags & O_ACCMODE != O_RDONLY || flags & O_TRUNC != 0
        let role = tree.withLock { $0[id].role }
        if wantsWriting, role.isFixed || options.readOnly { throw role == .status ? .accessDenied : .readOnly }
        switch role {
        case .folder, .originalFolder, .control: throw .isDirectory
        case .status: return openStatus(id)
        case .document: return try openDocument(id)
        case .plain, .original: return try openPlain(id)
        }
    }

    public func read(_ handle: HandleID, at offset: Int64, count: Int) throws(Errno) -> Content {
        guard let open = handles.withLock({ $0[handle] }) else { throw .badDescriptor }
        guard offset >= 0, count >= 0 else { throw .invalid }
        switch open.content {
        case .snapshot(let file, let start, let length, _):
            let available = max(0, min(Int64(count), length - min(offset, length)))
            return .file(file, offset: start + offset, count: Int(available))
        case .plain(let file):
            return .file(file, offset: offset, count: count)
        case .bytes(let bytes, _):
            let first = Int(min(offset, Int64(bytes.count)))
            return .bytes(bytes[first..<min(bytes.count, first + count)])
        }
    }

    public func release(_ handle: HandleID) {
        guard let open = handles.withLock({ $0.remove(handle) }) else { return }
        tree.withLock { $0.removeHandle(open.node) }
    }

    public func seek(_ handle: HandleID, to offset: Int64, whence: Int32) throws(Errno) -> Int64 {
        guard let open = handles.withLock({ $0[handle] }) else { throw .badDescriptor }
        if case .plain(let file) = open.content { return try file.descriptor.seek(to: offset, whence: whence) }
        // Documents have no holes: data to the end, and one hole behind it.
        guard let length = try open.currentStatus()?.size, offset >= 0, offset < length else { throw .noSuchDevice }
        return whence == CLinuxSeek.hole ? length : offset
    }

    private enum CLinuxSeek { static let hole: Int32 = 4 }

    // MARK: What is opened

    private func openDocument(_ id: UInt32) throws(Errno) -> Opened {
        try coordinator.read(ItemID(rawValue: UInt64(id))) { () throws(Errno) in
            let (node, orphan) = tree.withLock { ($0[id], $0[id].flags.contains(.orphan)) }
            guard !orphan else { throw .stale }
            let folder = try place(of: node.parent)
            let opened: ItemReader.Opened
            do throws(DocumentFault) { opened = try container.reader.open(node.stored, as: node.kindID, in: folder.descriptor) } catch {
                throw refuse(error, id, node.parent)
            }
            let status = opened.item.status
            return try add(id, status, content(of: opened), closesSilently: true)
        }
    }

    private func content(of opened: ItemReader.Opened) throws(Errno) -> OpenContent {
        switch opened.reading.content {
        case .bytes(let bytes): return .bytes(bytes, opened.item.status)
        case .range(let part, let offset, let length):
            guard opened.parts.indices.contains(part), let file = opened.parts[part] else { throw .inputOutput }
            return .snapshot(file, offset: offset, length: length, opened.item.status)
        }
    }

    private func openPlain(_ id: UInt32) throws(Errno) -> Opened {
        let (node, orphan) = tree.withLock { ($0[id], $0[id].flags.contains(.orphan)) }
        guard !orphan else { throw .stale }
        let file: OpenFile
        do throws(Errno) { file = OpenFile(try place(of: node.parent).descriptor.open(node.stored, [.read, .nonBlocking])) } catch {
            throw error == .noSuchEntry ? .stale : error
        }
        return try add(id, try file.descriptor.status(), .plain(file), closesSilently: true)
    }

    private func openStatus(_ id: UInt32) -> Opened {
        tree.withLock { $0.addHandle(id) }
        // Made before the table is held: the page tells of the table.
        let page = OpenContent.bytes(statusPage(), nil)
        let handle = handles.withLock { $0.add(OpenHandle(node: id, content: page)) }
        var opened = Opened(handle: handle)
        opened.keepsCache = false
        opened.bypassesCache = true
        opened.closesSilently = true
        return opened
    }

    /// Registers an open file, and sees whether what the kernel cached of it is still right.
    private func add(_ id: UInt32, _ status: FileStatus, _ content: OpenContent, closesSilently: Bool) throws(Errno) -> Opened {
        let stamp = ContentStamp(status)
        let before = tree.withLock { tree in
            let before = tree[id].stamp
            tree[id].stamp = stamp
            tree.addHandle(id)
            return before
        }
        var opened = Opened(handle: handles.withLock { $0.add(OpenHandle(node: id, content: content)) })
        opened.keepsCache = before == stamp || before == .unknown
        opened.closesSilently = closesSilently
        // The size that the kernel knows is that of before.
        if !opened.keepsCache { tell([.attributes(id)]) }
        return opened
    }

    /// A document that cannot be read any more: the kernel is to look again, and will find what it is now.
    private func refuse(_ fault: DocumentFault, _ id: UInt32, _ folder: UInt32) -> Errno {
        if case .unreadable(let number?) = fault, ![ENOENT, ENOTDIR, ELOOP].contains(number) { return Errno(rawValue: number) }
        forgetReading(of: folder)
        return .stale
    }
}
