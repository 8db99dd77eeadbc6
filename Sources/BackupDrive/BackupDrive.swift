import Backups
import Drive
import Glibc
import LinuxFiles

/// A backup as the kernel is shown it. It is only read, and it never changes, so the kernel may keep whatever it was
/// told.
public final class BackupDrive: ReadTree {
    let backup: Backup
    let keys: BackupKeys?
    let options: BackupDriveOptions
    let counts = RequestCounts()
    let status: BackupStatusPage
    private let tree = SetOnce<BackupTree>()
    private let handles = BackupHandles()
    /// What is longer or shorter than was said before it was opened.
    private let corrected = RecentTable<BackupTree.NodeNumber, Int64>(most: 10_000)
    private let listener = Latest<(any KernelListener)?>(nil)

    package init(_ backup: Backup, _ keys: BackupKeys?, _ options: BackupDriveOptions) {
        (self.backup, self.keys, self.options) = (backup, keys, options)
        status = BackupStatusPage(options, counts)
    }

    /// Reads the list of files, before the first request: by a process that has given up its rights.
    package func readTree() throws(Failure) { tree.set(try backup.readTree(keys)) }

    /// The process gave up its rights; `files`: those beside the backup are out of reach.
    public func setSandbox(files: Bool) { status.setSandbox(files: files) }

    // MARK: From the mount to its end

    public func setListener(_ listener: (any KernelListener)?) { self.listener.set(listener) }
    public func count(_ kind: RequestKind, at node: NodeID) { counts.add(kind, at: node) }

    // MARK: Names and attributes

    public func lookUp(_ what: LookedUp, in folder: NodeID, caller: Caller) throws(Errno) -> Entry {
        switch what {
        case .itself: return try entry(folder)
        case .parent:
            guard case .inTree(let number) = try node(folder) else {
                return try entry(folder == .status ? .control : .root)
            }
            return try entry(Self.id(try known().parent(of: number)))
        case .name(let name):
            switch try node(folder) {
            case .control:
                guard name.bytes.elementsEqual("status".utf8) else { throw .noSuchEntry }
                return try entry(.status)
            case .status: throw .notDirectory
            case .inTree(let number):
                let tree = try known()
                guard tree.kind(of: number) == .folder else { throw .notDirectory }
                if let child = tree.child(name.bytes, of: number) { return try entry(Self.id(child)) }
                guard number == .top, name == Drive.controlFolder else { throw .noSuchEntry }
                return try entry(.control)
            }
        }
    }

    public func forget(_ node: NodeID, count: UInt64) {}

    public func readLink(_ node: NodeID, caller: Caller) throws(Errno) -> [UInt8] {
        guard case .inTree(let number) = try self.node(node), try known().kind(of: number) == .link else {
            throw .invalid
        }
        guard let target = try known().target(of: number) else { throw .noData }
        return Array(target)
    }

    public func attributes(of node: NodeID, handle: HandleID?, caller: Caller) throws(Errno) -> Attributes {
        switch try self.node(node) {
        case .control: return attributes(node, .folder, size: 0, modified: status.since.seconds, links: 2)
        case .status:
            var attributes = attributes(node, .file, size: 0, modified: status.since.seconds)
            attributes.keeps = .not
            return attributes
        case .inTree(let number):
            let tree = try known(), kind = tree.kind(of: number), modified = tree.modified(number)
            switch kind {
            case .folder:
                return attributes(
                    node, kind, size: 0, modified: modified, links: UInt32(clamping: 2 + tree.folders(in: number)))
            case .link:
                return attributes(node, kind, size: Int64(tree.target(of: number)?.count ?? 0), modified: modified)
            case .file: return attributes(node, kind, size: try length(of: number, tree), modified: modified)
            }
        }
    }

    public func birth(of node: NodeID) -> Timestamp? {
        guard case .inTree(let number)? = try? self.node(node), let tree = tree.value else { return nil }
        return Timestamp(seconds: tree.born(number))
    }

    public func fileSystemStatus(of node: NodeID) throws(Errno) -> FileSystemStatus {
        try backup.folder.descriptor.fileSystemStatus()
    }

    public func extendedAttribute(_ name: [UInt8], of node: NodeID, caller: Caller) throws(Errno) -> [UInt8] {
        // Said once for all of them: `ls -l` would ask for each file.
        guard !name.starts(with: "security.".utf8), !name.starts(with: "system.".utf8) else { throw .notSupported }
        guard case .inTree(let number) = try self.node(node), try known().kind(of: number) == .file else {
            throw .noData
        }
        let file = try known().file(number)
        if name.elementsEqual("user.valise.id".utf8), let id = file.id { return id.text }
        if name.elementsEqual("user.valise.error".utf8), let fault = backup.fault(of: file, keys) {
            return Array(fault.sentence.utf8)
        }
        throw .noData
    }

    /// They are found by their names, and not listed, or copies would carry them along.
    public func extendedAttributeNames(of node: NodeID, caller: Caller) throws(Errno) -> [[UInt8]] { [] }

    // MARK: Content

    public func open(_ node: NodeID, flags: Int32, caller: Caller) throws(Errno) -> Opened {
        guard flags & O_ACCMODE == O_RDONLY else { throw .readOnly }
        switch try self.node(node) {
        case .control: throw .isDirectory
        case .status:
            var opened = Opened(handle: handles.add(.page(status.text())))
            (opened.keepsCache, opened.bypassesCache, opened.closesSilently) = (false, true, true)
            return opened
        case .inTree(let number):
            let tree = try known()
            guard tree.kind(of: number) == .file else {
                throw tree.kind(of: number) == .folder ? .isDirectory : .tooManySymbolicLinks
            }
            let said = try length(of: number, tree), content = try backup.open(tree.file(number), keys)
            var opened = Opened(handle: handles.add(.content(content)))
            opened.closesSilently = true
            if content.length != said {
                corrected[number] = content.length
                // The kernel knows another length, and would cut what it reads there.
                (opened.keepsCache, opened.bypassesCache) = (false, true)
                listener.value?.forgetContent(of: node, from: -1, count: 0)
            }
            return opened
        }
    }

    public func read(_ handle: HandleID, at offset: Int64, count: Int) throws(Errno) -> Content {
        switch try handles[handle] {
        case .page(let bytes): return .bytes(bytes.dropFirst(Int(clamping: offset)).prefix(count))
        case .content(let content):
            switch try content.piece(at: offset, count: count) {
            case .file(let file, let offset, let count): return .file(file, offset: offset, count: count)
            case .bytes(let bytes): return .bytes(bytes)
            }
        }
    }

    public func seek(_ handle: HandleID, to offset: Int64, whence: Int32) throws(Errno) -> Int64 {
        guard case .content(let content) = try handles[handle], offset >= 0, offset < content.length else {
            throw .noSuchDevice
        }
        // All of it is data, and a hole is behind it.
        return whence == seekHole ? content.length : offset
    }

    public func release(_ handle: HandleID) { handles.remove(handle) }

    // MARK: Folders

    public func openFolder(_ node: NodeID, flags: Int32, caller: Caller) throws(Errno) -> OpenedFolder {
        switch try self.node(node) {
        case .status: throw .notDirectory
        case .control: break
        case .inTree(let number): guard try known().kind(of: number) == .folder else { throw .notDirectory }
        }
        // A folder stays as it is, so the number of its node is all that is kept.
        return OpenedFolder(handle: FolderHandleID(rawValue: node.rawValue), caches: true, keepsCache: true)
    }

    public func readFolder(
        _ handle: FolderHandleID, from position: UInt64, counting: Bool, _ take: (borrowing FolderEntry) -> Bool
    ) throws(Errno) {
        let folder = NodeID(rawValue: handle.rawValue)
        var next = position
        if next == 0 {
            next = 1
            guard take(FolderEntry(name: nil, dots: .one, next: 1, entry: try entry(folder), isNameOnly: false)) else {
                return
            }
        }
        if next == 1 {
            next = 2
            guard
                take(
                    FolderEntry(
                        name: nil, dots: .two, next: 2, entry: try lookUp(.parent, in: folder, caller: .own),
                        isNameOnly: false))
            else { return }
        }
        guard case .inTree(let number) = try node(folder) else {
            if next == 2, let name = Name("status") {
                _ = take(FolderEntry(name: name, dots: .none, next: 3, entry: try entry(.status), isNameOnly: false))
            }
            return
        }
        let tree = try known(), children = tree.children(of: number)
        for child in children.dropFirst(Int(clamping: next - 2)) {
            next += 1
            guard let name = Name(tree.name(of: child)) else { continue }
            // Without attributes nobody asks what is there: a name and its kind are enough.
            let entry = counting ? try entry(Self.id(child)) : plainEntry(child, tree)
            guard take(FolderEntry(name: name, dots: .none, next: next, entry: entry, isNameOnly: false)) else {
                return
            }
        }
    }

    public func releaseFolder(_ handle: FolderHandleID) {}
}

private let seekHole: Int32 = 4

// MARK: Nodes

extension BackupDrive {
    private enum Node {
        case inTree(BackupTree.NodeNumber)
        case control, status
    }

    /// Numbers up to here are the drive's own.
    private static let own: UInt64 = 1000

    private static func id(_ number: BackupTree.NodeNumber) -> NodeID {
        number == .top ? .root : NodeID(rawValue: own + UInt64(number.index))
    }

    private func known() throws(Errno) -> BackupTree {
        guard let tree = tree.value else { throw .tryAgain }
        return tree
    }

    private func node(_ id: NodeID) throws(Errno) -> Node {
        switch id {
        case .root: return .inTree(.top)
        case .control: return .control
        case .status: return .status
        default:
            guard id.rawValue > Self.own, let index = Int(exactly: id.rawValue - Self.own) else { throw .stale }
            let number = BackupTree.NodeNumber(index)
            guard try known().has(number) else { throw .stale }
            return .inTree(number)
        }
    }

    private func entry(_ id: NodeID) throws(Errno) -> Entry {
        Entry(node: id, generation: 1, attributes: try attributes(of: id, handle: nil, caller: .own))
    }

    private func plainEntry(_ number: BackupTree.NodeNumber, _ tree: BackupTree) -> Entry {
        Entry(
            node: Self.id(number), generation: 1,
            attributes: attributes(Self.id(number), tree.kind(of: number), size: 0, modified: tree.modified(number)))
    }

    /// Of what is not in the backup, what the manifest says.
    private func length(of number: BackupTree.NodeNumber, _ tree: BackupTree) throws(Errno) -> Int64 {
        if let corrected = corrected[number] { return corrected }
        let file = tree.file(number)
        return try backup.length(of: file, keys) ?? file.size
    }

    private func attributes(_ node: NodeID, _ kind: ManifestEntry.Kind, size: Int64, modified: Int64, links: UInt32 = 1)
        -> Attributes
    {
        let mode: UInt32 =
            switch kind {
            case .folder: S_IFDIR | 0o555 & ~options.umask
            case .file: S_IFREG | 0o444 & ~options.umask
            case .link: S_IFLNK | 0o777
            }
        let time = Timestamp(seconds: modified)
        return Attributes(
            node: node, mode: mode, links: links, owner: options.owner, group: options.group, device: 0, size: size,
            blocks: FileStatus.blocks(of: size),
            accessed: time, modified: time, changed: time)
    }
}
