import Containers
import LinuxFiles

/// What shows something else of the container (versions, thumbnails) belongs to whom that belongs, and may be read by those who
/// may read that. The kernel checks it and remembers none of it; the drive looks again when it opens one, because by then a
/// name may lead to something else.
final class MirroredRights: Sendable {
    private let tree: Tree
    private let shown: ShownAttributes
    private let folders: FolderContents
    private let attributes: NodeAttributes

    init(tree: Tree, shown: ShownAttributes, folders: FolderContents, attributes: NodeAttributes) {
        (self.tree, self.shown, self.folders, self.attributes) = (tree, shown, folders, attributes)
    }

    /// A folder under `versions` for one of the container. What is gone leaves nobody who could say who may look.
    func attributes(ofFolder path: [Name], as id: NodeNumber) throws(Errno) -> Attributes {
        let folder = try whatIsThere { () throws(Errno) in try seen(folders.folderNode(at: path)) }
        return readableFolder(id, like: folder, mode: folder.map { $0.mode & 0o555 } ?? 0o500)
    }

    /// The same of a folder in which something was deleted, and which had these permissions then. Who may change names in it may
    /// take out what was deleted there.
    func attributes(ofFolder path: [Name], then: DeletedFolder?, as id: NodeNumber) throws(Errno) -> Attributes {
        let now = try whatIsThere { () throws(Errno) in try seen(folders.folderNode(at: path)) }
        var was = readableFolder(id, like: nil, mode: then.map { $0.mode & 0o777 } ?? 0o700)
        if let then { (was.owner, was.group) = shown.owner(then.owner, then.group) }
        guard let now else { return was }
        let mirrored = readableFolder(id, like: now, mode: now.mode & 0o777)
        return then == nil ? mirrored : mirrored.narrowed(by: was)
    }

    /// The folder with the versions of a document, or of one that is gone.
    func attributes(ofDocument stored: Name, in path: [Name], as id: NodeNumber) throws(Errno) -> Attributes {
        guard let document = try documentNow(stored, in: path) else { return try attributes(ofFolder: path, as: id) }
        let readers = document.mode & 0o444
        return readableFolder(id, like: document, mode: readers | readers >> 2)
    }

    /// What the document with this path is shown as now, if it is there.
    func documentNow(_ stored: Name, in path: [Name]) throws(Errno) -> Attributes? {
        try whatIsThere { () throws(Errno) in
            let folder = try folders.folderNode(at: path)
            try folders.readNames(of: folder)
            guard let document = tree.withLock({ $0.node(stored: stored, of: folder) }) else { throw .noSuchEntry }
            return try seen(document)
        }
    }

    /// What a node is like, without that the kernel is told of it.
    private func seen(_ id: NodeNumber) throws(Errno) -> Attributes {
        try attributes.attributes(of: id)
    }

    /// Folders that exist on the drive alone, of whoever may look into that one; where there is none, of who mounted.
    func readableFolder(_ id: NodeNumber, like other: Attributes?, mode: UInt32) -> Attributes {
        var attributes = shown.fixedAttributes(of: id)
        if let other { (attributes.owner, attributes.group) = (other.owner, other.group) }
        attributes.mode = FileType.folder.mode | mode
        attributes.keeps = .not
        return attributes
    }

    private func whatIsThere(_ look: () throws(Errno) -> Attributes) throws(Errno) -> Attributes? {
        do throws(Errno) { return try look() } catch {
            guard [.noSuchEntry, .notDirectory, .stale].contains(error) else { throw error }
            return nil
        }
    }
}

extension Attributes {
    /// Nobody may do with it what they may not do with the other one.
    func narrowed(by other: Attributes) -> Attributes {
        var narrowed = self
        let group = other.mode >> 3 & 7, others = other.mode & 7
        // Who is in this one's group may be in the other's, or not.
        let either = group & others
        let limit = (owner == other.owner ? other.mode >> 6 & 7 : either) << 6
            | (self.group == other.group ? group : either) << 3 | (self.group == other.group ? others : either)
        narrowed.mode = mode & (limit | ~0o777)
        return narrowed
    }
}
