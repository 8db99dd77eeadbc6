import LinuxFiles

// What the kernel is told of its own memory being out of date.
extension Drive {
    enum Change: Sendable {
        /// A name may mean something else.
        case entry(Name, in: UInt32)
        case removed(Name, in: UInt32, was: UInt32)
        case attributes(UInt32)
        case content(UInt32)
    }

    /// Tells the kernel, after the tables were let go of. Whoever tells it sees to it that no request waits for that.
    func tell(_ changes: [Change]) {
        guard !changes.isEmpty, let notices else { return }
        lookout.told.add(changes.count, ordering: .relaxed)
        for change in changes {
            switch change {
            case .entry(let name, let folder): notices.forgetEntry(name, in: NodeID(rawValue: UInt64(folder)))
            case .removed(let name, let folder, let node):
                notices.removedEntry(name, in: NodeID(rawValue: UInt64(folder)), was: NodeID(rawValue: UInt64(node)))
            case .attributes(let node): notices.forgetContent(of: NodeID(rawValue: UInt64(node)), from: -1, count: 0)
            case .content(let node): notices.forgetContent(of: NodeID(rawValue: UInt64(node)), from: 0, count: 0)
            }
        }
    }
}
