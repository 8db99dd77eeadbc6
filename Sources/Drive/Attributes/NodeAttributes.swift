import LinuxFiles

/// What `stat` shows of documents, plain files and folders.
final class NodeAttributes: Sendable {
    private let tree: Tree
    private let nameless: NamelessFiles
    private let rights: CallerRights
    private let kernel: KernelMemory
    private let shown: ShownAttributes
    private let items: NodeItems
    private let replaced: ReplacedFiles
    private let claims: ExternalClaims

    init(
        tree: Tree, nameless: NamelessFiles, rights: CallerRights, kernel: KernelMemory, shown: ShownAttributes,
        items: NodeItems, replaced: ReplacedFiles, claims: ExternalClaims
    ) {
        self.claims = claims
        (self.tree, self.nameless, self.rights, self.kernel, self.shown) = (tree, nameless, rights, kernel, shown)
        (self.items, self.replaced) = (items, replaced)
    }

    /// `isOwnDoing`: what changed is an answer to a request, and nobody has to be told.
    func attributes(of id: NodeNumber, isOwnDoing: Bool = false) throws(Errno) -> Attributes {
        if tree[id].isNameless, let status = try nameless.status(of: id) { return shown.present(status, as: id) }
        if let draft = tree.document(id)?.draft { return shown.present(try draft.status(), as: id) }
        if let status = try items.whenWhole({ () throws(Errno) in try replaced.currentStatus(of: id) }) {
            try checkPlace(of: id, status)
            let (before, change) = tree.withLock { ($0[id].stamp, $0.see(id, status, isTold: !isOwnDoing)) }
            // A folder's listing is asked about when it is opened.
            if let change, !isOwnDoing, status.type != .folder {
                kernel.tell([change], fromOutside: true)
                // Whoever looks at it later finds nothing new.
                if !ContentStamp(status).hasContent(of: before) { claims.tellPresenters(.changed, of: id) }
            }
            return shown.present(status, as: id)
        }
        guard let status = try nameless.status(of: id) else { throw .stale }
        return shown.present(status, as: id)
    }

    /// Whether a node has all that somebody wants to give it. When it was read last is no matter.
    func has(_ change: AttributeChange, _ id: NodeNumber) throws(Errno) -> Bool {
        guard change.size == nil, !change.isEmpty, let status = try replaced.currentStatus(of: id) else { return false }
        if case .now? = change.accessed { return false }
        let isModified = switch change.modified {
        case nil: true
        case .now: false
        case .at(let time): time == status.modified
        }
        return isModified && change.permissions.map { $0 & 0o7777 == status.permissions } ?? true && change.owner ?? status.owner == status.owner
            && change.group ?? status.group == status.group
    }

    /// A folder's node stands for the folder that is open for it, and is not told as another one that has its name by now.
    private func checkPlace(of id: NodeNumber, _ status: FileStatus) throws(Errno) {
        guard rights.areChecked, status.type == .folder else { return }
        guard let place = tree.withLock({ $0.folders[id]?.place }), id != NodeNumber.root, id != NodeNumber.originals, try place.descriptor.status().identity != status.identity else { return }
        tree.forgetReading(of: tree[id].parent)
        throw .stale
    }

    /// A node with its attributes as they are now, and the kernel told of it once more; nil if it is gone, or its name is.
    func entry(of id: NodeNumber, named: Bool = true) throws(Errno) -> Entry? {
        let attributes: Attributes
        do throws(Errno) { attributes = try self.attributes(of: id) } catch {
            if error == .stale || error == .noSuchEntry { return nil }
            throw error
        }
        return tree.entry(of: id, attributes, named: named)
    }
}
