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

    /// Tells the kernel, after the tables were let go of. Attributes at once, because the kernel takes no lock for them.
    ///
    /// The others later and by somebody else: for a name the kernel locks the folder, which it may hold already while it waits
    /// for the answer to the very request that found the change; for content it waits for reads under way.
    func tell(_ changes: [Change]) {
        guard !changes.isEmpty, let notices else { return }
        var later: [Change] = []
        for change in changes {
            if case .attributes(let node) = change {
                notices.forgetContent(of: NodeID(rawValue: UInt64(node)), from: -1, count: 0)
            } else {
                later.append(change)
            }
        }
        guard !later.isEmpty else { return }
        let waiting = later
        telling.async { for change in waiting { Self.tell(change, notices) } }
    }

    private static func tell(_ change: Change, _ notices: any KernelNotices) {
        switch change {
        case .entry(let name, let folder): notices.forgetEntry(name, in: NodeID(rawValue: UInt64(folder)))
        case .removed(let name, let folder, let node):
            notices.removedEntry(name, in: NodeID(rawValue: UInt64(folder)), was: NodeID(rawValue: UInt64(node)))
        case .content(let node): notices.forgetContent(of: NodeID(rawValue: UInt64(node)), from: 0, count: 0)
        case .attributes(let node): notices.forgetContent(of: NodeID(rawValue: UInt64(node)), from: -1, count: 0)
        }
    }
}
