import Containers
import Glibc
import LinuxFiles

// What `stat` shows.
extension Drive {
    public func attributes(of node: NodeID, handle: HandleID?) throws(Errno) -> Attributes {
        try told(attributes(of: node, handle: handle, isOwnDoing: false))
    }

    /// An answer that the kernel decides by from now on.
    func told(_ attributes: Attributes) -> Attributes {
        if rights.areChecked { tree.withLock { $0.tell(attributes) } }
        return attributes
    }

    func attributes(of node: NodeID, handle: HandleID?, isOwnDoing: Bool) throws(Errno) -> Attributes {
        if let thumbnails = ThumbnailNode(node) { return try attributes(of: thumbnails) }
        let id = try known(node)
        if let handle, let status = try handles.withLock({ $0[handle] })?.content.currentStatus() {
            return present(status, as: id)
        }
        if let status = try statusWithoutName(of: id) { return present(status, as: id) }
        if let draft = tree.withLock({ $0.documents[id]?.draft }) { return present(try draft.status(), as: id) }
        switch tree.withLock({ $0[id].role }) {
        case .control, .status: return fixedAttributes(of: id)
        case .versionFolder: return try versionFolderAttributes(of: id)
        case .version: return try versionAttributes(of: id)
        default:
            if let status = try whenWhole({ () throws(Errno) in try currentStatus(of: id) }) {
                try checkPlace(of: id, status)
                let change = tree.withLock { $0.see(id, status) }
                // A folder's listing is asked about when it is opened.
                if let change, !isOwnDoing, status.type != .folder { tell([change], fromOutside: true) }
                return present(status, as: id)
            }
            guard let status = try statusWithoutName(of: id) else { throw .stale }
            return present(status, as: id)
        }
    }

    /// A folder's node stands for the folder that is open for it, and is not told as another one that has its name by now.
    private func checkPlace(of id: UInt32, _ status: FileStatus) throws(Errno) {
        guard rights.areChecked, status.type == .folder else { return }
        let (place, parent) = tree.withLock { ($0.folders[id]?.place, $0[id].parent) }
        guard let place, id != Tree.root, id != Tree.originals, try place.descriptor.status().identity != status.identity else { return }
        forgetReading(of: parent)
        throw .stale
    }

    /// A file whose name is gone is what its handles have open.
    private func statusWithoutName(of id: UInt32) throws(Errno) -> FileStatus? {
        guard tree.withLock({ $0[id].flags.contains(.orphan) }) else { return nil }
        if let remains = tree.withLock({ $0.remains(of: id) }) { return try remains.descriptor.status() }
        return try handles.withLock { $0.content(of: id) }?.currentStatus()
    }

    public func fileSystemStatus() throws(Errno) -> FileSystemStatus {
        try container.documents.descriptor.fileSystemStatus()
    }

    /// The table's number for a node that the kernel names. A number that it was told to forget is stale.
    func known(_ node: NodeID) throws(Errno) -> UInt32 {
        // Where thumbnails may be asked for, they were looked at before.
        guard ThumbnailNode(node) == nil else { throw .readOnly }
        guard let id = tree.withLock({ tree in tree.node(node).map { tree.successor(of: $0) ?? $0 } }) else { throw .stale }
        return id
    }

    /// Reads a node's item anew. `.busy` is a document that somebody may be writing: see `whenWhole`.
    func currentItem(of id: UInt32) throws(Errno) -> Item {
        if id == Tree.root { return Item(name: Tree.nameless, status: try presence.topStatus { () throws(Errno) in try top.status() }) }
        if id == Tree.originals { return Item(name: Tree.nameless, status: try container.base.descriptor.status()) }
        return try moves.following { () throws(Errno) in try namedItem(of: id) }
    }

    private func namedItem(of id: UInt32) throws(Errno) -> Item {
        let (node, orphan) = tree.withLock { ($0[id], $0[id].flags.contains(.orphan)) }
        guard !orphan else { throw .stale }
        let folder = try place(of: node.parent)
        do throws(Errno) {
            let item = try node.role == .document
                ? container.reader.read(node.stored, as: node.kindID, in: folder.descriptor)
                : readItem(node.stored, as: options.keepsVersions && node.isHiddenCopy ? .original : node.role, in: folder)
            guard node.role == .document, item.document == nil else { return item }
            if mayBeHalf(node.stored, in: node.parent) { throw Errno.busy }
            forgetReading(of: node.parent)
            throw .stale
        } catch {
            // It is gone from the container, or there is something else: the kernel is to look again.
            throw [.noSuchEntry, .notDirectory].contains(error) ? .stale : error
        }
    }

    func readItem(_ name: Name, as role: Role, type: FileType = .unknown, in folder: OpenFile) throws(Errno) -> Item {
        role == .original || role == .originalFolder
            ? try container.reader.readOriginal(name, in: folder.descriptor)
            : try container.reader.read(name, type: type, in: folder.descriptor)
    }

    /// A container's facts as this drive shows them.
    func present(_ status: FileStatus, as id: UInt32) -> Attributes { tree.withLock { present(status, as: id, in: $0) } }

    func present(_ status: FileStatus, as id: UInt32, in tree: borrowing Tree) -> Attributes {
        let shown = rights.shown(status)
        // A document whose name is gone is one of those who have it open.
        let isGone = tree[id].role == .document && tree[id].flags.contains(.orphan)
        return Attributes(
            node: NodeID(rawValue: UInt64(id)), mode: shown.mode, links: isGone ? 0 : status.links,
            owner: shown.owner, group: shown.group, device: status.device, size: status.size, blocks: status.blocks,
            accessed: status.accessed, modified: status.modified, changed: status.changed, keeps: keeping(status, of: id, in: tree),
            access: rights.areChecked ? ToldAccess(status) : .nothing)
    }

    /// The control folder and what is in it belong to whoever mounted the drive: folders, but for the status page. Some who
    /// ask have the tree locked.
    func fixedAttributes(of id: UInt32) -> Attributes {
        let folder = id != Tree.status
        return Attributes(
            node: NodeID(rawValue: UInt64(id)), mode: folder ? 0o040555 : 0o100444, links: folder ? 2 : 1,
            owner: options.owner ?? getuid(), group: options.group ?? getgid(), device: 0, size: 0, blocks: 0,
            accessed: since, modified: since, changed: since, keeps: id == Tree.control ? .long : .not)
    }
}
