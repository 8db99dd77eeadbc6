import LinuxFiles

/// What the kernel is told of its own memory being out of date.
final class KernelMemory: Sendable {
    private let tree: Tree
    private let noticed: NoticedChanges
    private let echoes: EchoThread?
    private let listener = Latest<(any KernelListener)?>(nil)

    init(tree: Tree, noticed: NoticedChanges, echoes: EchoThread?) {
        (self.tree, self.noticed, self.echoes) = (tree, noticed, echoes)
    }

    /// The kernel's ear, once there is one, and until the session ends.
    func setListener(_ new: (any KernelListener)?) { listener.set(new) }

    var listening: (any KernelListener)? { listener.value }

    /// Tells the kernel, after the tables were let go of. Whoever tells it sees to it that no request waits for that.
    /// `fromOutside`: another program changed something, and those who watch the drive are to hear of it.
    func tell(_ changes: [KernelChange], fromOutside: Bool = false) {
        guard !changes.isEmpty, let listening else { return }
        var count = 0
        for change in changes where isForKernel(change) {
            count += 1
            switch change {
            case .entry(let name, let folder): listening.forgetEntry(name, in: NodeID(folder))
            case .removed(let shown, nil): listening.forgetEntry(shown.name, in: NodeID(shown.folder))
            case .removed(let shown, let node?):
                listening.removedEntry(shown.name, in: NodeID(shown.folder), was: NodeID(node))
            case .added: break
            case .attributes(let node): listening.forgetContent(of: NodeID(node), from: -1, count: 0)
            case .content(let node): listening.forgetContent(of: NodeID(node), from: 0, count: 0)
            }
        }
        noticed.kernelNotices.add(count, ordering: .relaxed)
        if fromOutside, let echoes { echoes.add(tree.withLock { tree in changes.compactMap { tree.echo(of: $0) } }) }
    }

    /// Something changed of which the kernel remembers nothing: those who watch the drive are to hear of it.
    func echo(_ changes: [Echo]) { if listening != nil { echoes?.add(changes) } }

    /// It remembers nothing of a new name, and of a node that it has forgotten.
    private func isForKernel(_ change: KernelChange) -> Bool {
        switch change {
        case .added: false
        case .attributes(let node), .content(let node): tree[node].lookups > 0
        default: true
        }
    }
}

extension NodeTable {
    func echo(of change: KernelChange) -> Echo? {
        switch change {
        case .entry: return nil
        case .added(let shown):
            return shown.isListed ? Echo(folder: NodeID(shown.folder), name: shown.name, number: shown.number, what: .came(shown.type)) : nil
        case .removed(let shown, _):
            return shown.isListed ? Echo(folder: NodeID(shown.folder), name: shown.name, number: shown.number, what: .went(isFolder: shown.type == .folder)) : nil
        // That something is in a folder is told of that, and not of the folder.
        case .content(let id): return self[id].role.isFolder ? nil : echo(of: id, .content(of: NodeID(id)))
        case .attributes(let id): return echo(of: id, .attributes(of: NodeID(id)))
        }
    }

    private func echo(of id: NodeNumber, _ what: Echo.What) -> Echo? {
        guard contains(id), id != NodeNumber.root, !self[id].role.isFixed, !self[id].isNameless, !self[id].flags.contains(.unlisted) else { return nil }
        return Echo(folder: NodeID(self[id].parent), name: self[id].shown, number: self[id].inode, what: what)
    }

    func shown(_ entry: EntryNumber, type: FileType? = nil) -> ShownEntry {
        let node = self[entry]
        return ShownEntry(
            name: node.shown, stored: node.stored, folder: node.parent, number: node.inode, type: type ?? (node.role.isFolder ? .folder : .regular),
            isListed: !node.flags.contains(.unlisted) && !node.role.isFixed, isDocument: node.role == .document)
    }
}

/// What changed, as far as the kernel may remember something else.
enum KernelChange: Sendable {
    /// A name in a folder may lead to something else now.
    case entry(Name, in: NodeNumber)
    /// A name that is gone, and the node that it led to, if the kernel knows it.
    case removed(ShownEntry, was: NodeNumber?)
    case added(ShownEntry)
    case attributes(NodeNumber)
    case content(NodeNumber)
}

/// An entry as it is shown, or was.
struct ShownEntry: Sendable {
    let name: Name
    let stored: Name
    let folder: NodeNumber
    let number: UInt64
    let type: FileType
    let isListed: Bool
    let isDocument: Bool
}
