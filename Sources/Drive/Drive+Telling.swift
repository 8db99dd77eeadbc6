import LinuxFiles

// What the kernel is told of its own memory being out of date.
extension Drive {
    enum Change: Sendable {
        /// A name may mean something else.
        case entry(Name, in: UInt32)
        /// A name that is gone, and the node that it led to, if the kernel knows it.
        case removed(Shown, was: UInt32?)
        case added(Shown)
        case attributes(UInt32)
        case content(UInt32)
    }

    /// An entry as it is shown, or was.
    struct Shown: Sendable {
        let name: Name
        let folder: UInt32
        let number: UInt64
        let type: FileType
        let isListed: Bool
    }

    /// Tells the kernel, after the tables were let go of. Whoever tells it sees to it that no request waits for that.
    /// `fromOutside`: another program changed something, and those who watch the drive are to hear of it.
    func tell(_ changes: [Change], fromOutside: Bool = false) {
        guard !changes.isEmpty, let notices else { return }
        var told = 0
        for change in changes where isForKernel(change) {
            told += 1
            switch change {
            case .entry(let name, let folder): notices.forgetEntry(name, in: NodeID(rawValue: UInt64(folder)))
            case .removed(let shown, nil): notices.forgetEntry(shown.name, in: NodeID(rawValue: UInt64(shown.folder)))
            case .removed(let shown, let node?):
                notices.removedEntry(shown.name, in: NodeID(rawValue: UInt64(shown.folder)), was: NodeID(rawValue: UInt64(node)))
            case .added: break
            case .attributes(let node): notices.forgetContent(of: NodeID(rawValue: UInt64(node)), from: -1, count: 0)
            case .content(let node): notices.forgetContent(of: NodeID(rawValue: UInt64(node)), from: 0, count: 0)
            }
        }
        lookout.told.add(told, ordering: .relaxed)
        if fromOutside, let herald { herald.announce(tree.withLock { tree in changes.compactMap { tree.announcement(of: $0) } }) }
    }

    /// It remembers nothing of a new name, and of a node that it has forgotten.
    private func isForKernel(_ change: Change) -> Bool {
        switch change {
        case .added: false
        case .attributes(let node), .content(let node): tree.withLock { $0[node].lookups > 0 }
        default: true
        }
    }
}

extension Tree {
    fileprivate func announcement(of change: Drive.Change) -> Announcement? {
        switch change {
        case .entry: return nil
        case .added(let shown):
            return shown.isListed ? Announcement(folder: shown.folder, name: shown.name, number: shown.number, what: .came(shown.type)) : nil
        case .removed(let shown, _):
            return shown.isListed ? Announcement(folder: shown.folder, name: shown.name, number: shown.number, what: .went(isFolder: shown.type == .folder)) : nil
        // That something is in a folder is told of that, and not of the folder.
        case .content(let id): return self[id].role.isFolder ? nil : announcement(of: id, .content(of: id))
        case .attributes(let id): return announcement(of: id, .attributes(of: id))
        }
    }

    private func announcement(of id: UInt32, _ what: Announcement.What) -> Announcement? {
        guard contains(id), id != Tree.root, !self[id].role.isFixed, self[id].flags.isDisjoint(with: [.orphan, .unlisted]) else { return nil }
        return Announcement(folder: self[id].parent, name: self[id].shown, number: self[id].number, what: what)
    }

    func shown(_ id: UInt32, type: FileType? = nil) -> Drive.Shown {
        let node = self[id]
        return Drive.Shown(
            name: node.shown, folder: node.parent, number: node.number, type: type ?? (node.role.isFolder ? .folder : .regular),
            isListed: !node.flags.contains(.unlisted) && !node.role.isFixed)
    }
}
