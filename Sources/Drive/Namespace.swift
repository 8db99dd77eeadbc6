import LinuxFiles

/// Whose a node is: the one place where that is decided.
enum Namespace {
    /// Documents, plain files and folders; and the container as it is on disk, under `/.valise/originals`.
    case container(NodeNumber)
    /// `/.valise` itself.
    case control
    case status
    /// A folder under `/.valise/versions`, or a version.
    case versions(NodeNumber)
    /// A folder under `/.valise/deleted`, or what was deleted.
    case deleted(NodeNumber)
    /// `.sh_thumbnails` of a folder and what is in it.
    case thumbnails(ThumbnailNode)
    /// What has nodes of its own in the control folder: `/.valise/kvs`, `search` and `searches`.
    case own(OwnNode)
}

extension DriveParts {
    /// Throws `.stale` for a number that the kernel was told to forget.
    func namespace(of node: NodeID) throws(Errno) -> Namespace {
        if let thumbnails = ThumbnailNode(node) { return .thumbnails(thumbnails) }
        if let own = own.owner(of: node) { return .own(own) }
        guard let (id, role) = tree.standing(for: node) else { throw .stale }
        return switch role {
        case .folder, .plain, .document, .originalFolder, .original: .container(id)
        case .control: .control
        case .status: .status
        case .versionFolder, .version: .versions(id)
        case .controlNamespace: throw .stale
        case .deletedFolder, .deleted: .deleted(id)
        }
    }

    /// The table's number for a node that is to have entries or names of a sort that only the tree has.
    func inTree(_ node: NodeID) throws(Errno) -> NodeNumber {
        guard own.owner(of: node) == nil else { throw .notPermitted }
        return try tree.known(node)
    }
}
