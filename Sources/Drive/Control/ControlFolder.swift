import LinuxFiles

/// The control folder, `/.valise`: in the root and never listed there; in it are things that exist nowhere else.
final class ControlFolder: Sendable {
    private let tree: Tree
    private let shown: ShownAttributes
    private let attributes: NodeAttributes
    private let versions: VersionFolders
    private let deleted: DeletedFolders
    private let own: ControlNamespaces
    private let keyValueEcho: KeyValueEcho
    private let items: [NodeNumber]

    init(
        tree: Tree, options: DriveOptions, shown: ShownAttributes, attributes: NodeAttributes, versions: VersionFolders,
        deleted: DeletedFolders, own: ControlNamespaces, keyValueEcho: KeyValueEcho
    ) {
        items = [NodeNumber.keyValues, NodeNumber.originals, NodeNumber.search, NodeNumber.searches, NodeNumber.status] + (options.keepsVersions ? [NodeNumber.versions] : [])
            + (options.keepsDeleted && !options.readOnly ? [NodeNumber.deletedItems] : [])
        self.deleted = deleted
        (self.tree, self.shown, self.attributes, self.versions) = (tree, shown, attributes, versions)
        (self.own, self.keyValueEcho) = (own, keyValueEcho)
    }

    /// What a folder has by this name that is of the control folder, or that folder itself; nil where there is nothing like that.
    func child(_ name: Name, of folder: NodeNumber) -> Entry? {
        let candidates = folder == NodeNumber.root ? [NodeNumber.control] : folder == NodeNumber.control ? items : []
        guard let id = candidates.first(where: { id in tree[id].shown == name }) else { return nil }
        if id == NodeNumber.keyValues { keyValueEcho.begin() }
        return (try? attributes(of: id)).flatMap { tree.entry(of: id, $0) }
    }

    func entries() -> [ListedEntry] {
        items.compactMap { id in
            guard let attributes = try? attributes(of: id) else { return nil }
            return tree.listed(id, attributes)
        }
    }

    private func attributes(of id: NodeNumber) throws(Errno) -> Attributes {
        switch id {
        case NodeNumber.control, NodeNumber.status: shown.fixedAttributes(of: id)
        case NodeNumber.versions: try versions.attributes(of: id)
        case _ where tree[id].role == .controlNamespace:
            if let own = own.owner(of: NodeID(id)) { try own.part.attributes(of: own.node, nil, .own) } else { throw .stale }
        case NodeNumber.deletedItems: try deleted.attributes(of: id)
        default: try attributes.attributes(of: id)
        }
    }
}
