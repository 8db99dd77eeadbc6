import Glibc
import LinuxFiles

/// Attributes of the container's items as this drive shows them, and for how long the kernel may remember them.
final class ShownAttributes: Sendable {
    private let tree: Tree
    private let options: DriveOptions
    private let rights: CallerRights
    private let noticed: NoticedChanges
    private let mount: MountFacts

    init(tree: Tree, options: DriveOptions, rights: CallerRights, noticed: NoticedChanges, mount: MountFacts) {
        (self.tree, self.options, self.rights, self.noticed, self.mount) = (tree, options, rights, noticed, mount)
    }

    /// An answer that the kernel decides by from now on.
    func noteCached(_ attributes: Attributes) -> Attributes {
        if rights.areChecked { tree.withLock { $0.noteCached(attributes) } }
        return attributes
    }

    /// A container's facts as this drive shows them.
    func present(_ status: FileStatus, as id: NodeNumber) -> Attributes { tree.withLock { present(status, as: id, in: $0) } }

    func present(_ status: FileStatus, as id: NodeNumber, in tree: borrowing NodeTable) -> Attributes {
        let shown = rights.shown(status)
        // A document whose name is gone is one of those who have it open.
        let isNameless = tree[id].isNameless, isGone = isNameless && tree[id].role == .document
        let held: UInt32 = isNameless && tree[id].flags.contains(.kept) && status.links > 0 ? 1 : 0
        var attributes = Attributes(
            node: NodeID(id), mode: shown.mode, links: isGone ? 0 : status.links - held,
            owner: shown.owner, group: shown.group, device: status.device, size: status.size, blocks: status.blocks,
            accessed: status.accessed, modified: status.modified, changed: status.changed, keeps: keeping(status, of: id, in: tree))
        if rights.areChecked { attributes.access = CachedAccess(status) }
        return attributes
    }

    /// The owner and group that the drive shows for those that a file has.
    func owner(_ owner: UInt32, _ group: UInt32) -> (UInt32, UInt32) { (options.owner ?? owner, options.group ?? group) }

    /// The control folder and what is in it belong to whoever mounted the drive: folders, but for the status page. Some who
    /// ask have the tree locked.
    func fixedAttributes(of id: NodeNumber) -> Attributes {
        let folder = id != NodeNumber.status
        return Attributes(
            node: NodeID(id), mode: folder ? 0o040555 : 0o100444, links: folder ? 2 : 1,
            owner: options.owner ?? getuid(), group: options.group ?? getgid(), device: 0, size: 0, blocks: 0,
            accessed: mount.since, modified: mount.since, changed: mount.since, keeps: id == NodeNumber.control ? .long : .not)
    }

    /// How long the kernel may remember what it is told of a node.
    func keeping(_ status: FileStatus, of id: NodeNumber, in tree: borrowing NodeTable) -> Keeping {
        switch noticed.means {
        case .off: .long
        case .poll: .briefly
        // A file that has other names may be changed by one that is not watched.
        case .watch: tree.isNoticed(id) && (status.links < 2 || status.type == .folder) ? .long : .briefly
        }
    }
}
