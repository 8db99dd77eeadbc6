import Containers
import Documents
import LinuxFiles

/// `/.valise/deleted`: what was deleted and is kept, by when that was and the path that it had. Files with the bytes that they showed
/// then. The kernel remembers nothing of this: it is looked at anew each time.
final class DeletedFolders: Sendable {
    private let tree: Tree
    private let workshop: Workshop?
    private let container: Container
    private let rights: CallerRights
    private let shown: ShownAttributes
    private let documents: OpenDocuments
    private let mirror: MirroredRights
    private let index = Latest<(edition: UInt64, index: DeletedIndex)?>(nil)
    /// Folders out of which somebody has taken the last, by where they were found: not listed any more, and there until they are removed, because
    /// `mv` and `rm -r` look at a folder again, and remove it, when all that was in it is gone.
    private let emptied = RecentTable<EmptiedFolder, DeletedNode>(most: 1000)

    init(
        tree: Tree, workshop: Workshop?, container: Container, rights: CallerRights, shown: ShownAttributes, documents: OpenDocuments,
        mirror: MirroredRights
    ) {
        (self.tree, self.workshop, self.container, self.rights, self.shown) = (tree, workshop, container, rights, shown)
        (self.documents, self.mirror) = (documents, mirror)
    }

    func lookUp(_ name: Name, in folder: NodeNumber) throws(Errno) -> Entry {
        guard let found = try found(name, in: folder) else { throw .noSuchEntry }
        let id = node(of: found, called: name, in: folder)
        guard let entry = tree.entry(of: id, try attributes(of: id)) else { throw .noSuchEntry }
        return entry
    }

    func list(in folder: NodeNumber) throws(Errno) -> [ListedEntry] {
        try entries(of: folder).sorted { $0.key < $1.key }.compactMap { name, found in
            let id = node(of: found, called: name, in: folder)
            // A deleted item may have been removed for good since the list was read.
            guard let attributes = try? attributes(of: id) else { return nil }
            return tree.listed(id, attributes)
        }
    }

    func attributes(of id: NodeNumber) throws(Errno) -> Attributes {
        switch tree.deleted(id) {
        case .all: return try mirror.attributes(ofFolder: [], as: id)
        case .folder(let removal, let path):
            guard path.isEmpty || current()[.folder(removal, path)] != nil || isEmptied(.folder(removal, path)) else { throw .stale }
            return try mirror.attributes(ofFolder: path, then: workshop?.deletedFolder(at: path), as: id)
        case .item(let number): return attributes(of: id, try status(of: opened(number)))
        case nil: throw .stale
        }
    }

    /// Those may read it who might when it was deleted. Nobody writes into it.
    private func attributes(of id: NodeNumber, _ status: FileStatus) -> Attributes {
        var status = status
        status.mode &= ~0o222
        var attributes = shown.present(status, as: id)
        attributes.keeps = .not
        return attributes
    }

    func open(_ id: NodeNumber, _ caller: Caller) throws(Errno) -> Opened {
        guard case .item(let number)? = tree.deleted(id) else { throw .stale }
        let opened = try opened(number), status = status(of: opened)
        guard rights.mayRead(attributes(of: id, status), caller) else { throw .accessDenied }
        switch opened {
        case .document(let document): return try documents.register(id, status, .content(try OpenContent(document)), writes: false)
        case .file(let file, _): return try documents.register(id, status, .content(.plain(file)), writes: false)
        }
    }

    /// The item of this name in a folder, for who may take it away: whoever serves the drive, and its owner.
    func item(_ name: Name, in folder: NodeNumber, for caller: Caller) throws(Errno) -> DeletedItem {
        switch try entries(of: folder)[name] {
        case .item(let number)?:
            guard let item = workshop?.deletedItem(number) else { throw .noSuchEntry }
            if rights.areChecked, !rights.isOwner(caller, of: status(of: try opened(number))) { throw .accessDenied }
            return item
        // As a whole, folders come back by “valise undelete”; mv copies then.
        case .folder?: throw .crossDevice
        case .all?, nil: throw .noSuchEntry
        }
    }

    private func opened(_ number: UInt64) throws(Errno) -> OpenedDeletion {
        guard let item = workshop?.deletedItem(number) else { throw .stale }
        do throws(DocumentFault) { return try container.open(item) } catch {
            let errno = error.errno ?? .inputOutput
            throw errno == .noSuchEntry ? .stale : errno
        }
    }

    private func status(of opened: OpenedDeletion) -> FileStatus {
        switch opened {
        case .document(let document): document.item.status
        case .file(_, let status): status
        }
    }

    private func entries(of folder: NodeNumber) throws(Errno) -> [Name: DeletedNode] {
        guard let node = tree.deleted(folder) else { throw .stale }
        if case .item = node { throw .notDirectory }
        if let entries = current()[node] { return entries }
        guard isEmptied(node) else { throw .noSuchEntry }
        return [:]
    }

    // MARK: Folders that are empty by now

    private func found(_ name: Name, in folder: NodeNumber) throws(Errno) -> DeletedNode? {
        if let found = try entries(of: folder)[name] { return found }
        return tree.deleted(folder).flatMap { emptied[EmptiedFolder(folder: $0, name: name)] }
    }

    private func isEmptied(_ node: DeletedNode) -> Bool { EmptiedFolder(of: node).map { emptied[$0] != nil } ?? false }

    /// Somebody took this one out, or removed it for good.
    func tookOut(_ item: DeletedItem) {
        let index = current()
        for count in 0...item.path.count {
            let folder = DeletedNode.folder(item.removal, Array(item.path.prefix(count)))
            if index[folder] == nil, let place = EmptiedFolder(of: folder) { emptied[place] = folder }
        }
    }

    /// Whether it is an empty folder, which is gone now.
    func removesEmptied(_ name: Name, in folder: NodeNumber) throws(Errno) -> Bool {
        guard try entries(of: folder)[name] == nil, let node = tree.deleted(folder) else { return false }
        return emptied.take(EmptiedFolder(folder: node, name: name)) != nil
    }

    /// Made anew only when something was deleted or came back since.
    private func current() -> DeletedIndex {
        guard let workshop else { return DeletedIndex([]) }
        let edition = workshop.deletedEdition
        if let known = index.value, known.edition == edition { return known.index }
        let made = DeletedIndex(workshop.deletedItems)
        index.set((edition, made))
        return made
    }

    /// The node that has this name already, if it is the same thing; or a new one.
    private func node(of item: DeletedNode, called name: Name, in folder: NodeNumber) -> NodeNumber {
        let role: Role = if case .item = item { .deleted } else { .deletedFolder }
        return tree.withLock { $0.node(of: item, \.deleted, role, called: name, in: folder) }
    }
}

/// Where a folder of deleted items was found.
private struct EmptiedFolder: Hashable {
    let folder: DeletedNode
    let name: Name

    init(folder: DeletedNode, name: Name) { (self.folder, self.name) = (folder, name) }

    init?(of node: DeletedNode) {
        guard case .folder(let removal, let path) = node else { return nil }
        if let name = path.last {
            self.init(folder: .folder(removal, path.dropLast()), name: name)
        } else {
            guard let name = DeletedIndex.name(of: removal) else { return nil }
            self.init(folder: .all, name: name)
        }
    }
}
