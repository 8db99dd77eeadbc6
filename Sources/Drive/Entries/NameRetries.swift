import LinuxFiles

/// Programs for which the kernel is looking a name up a second time. A request about a node whose name leads elsewhere by now is answered ESTALE.
/// The kernel then looks the name up again, once, and repeats the request for what it found. If that were refused too, the program would hear of
/// it, though all that it said was a name: so the second look is known here by its thread, and what it finds is answered for.
final class NameRetries: Sendable {
    struct Place: Hashable, Sendable {
        let folder: NodeID
        let name: Name
    }

    /// What a thread found when it looked again; no entry where nothing has the name.
    private struct Look {
        let place: Place
        let found: Entry?
    }

    private struct Refusal {
        /// What was refused; none where that was a new file.
        let node: NodeID?
        /// What the thread found when it looked last, since it was refused.
        var look: Look?
    }

    /// What somebody means who is refused a node.
    enum Meant {
        /// It is not known yet: the kernel looks again first.
        case unknown
        /// The name by which it has just found the node, for the second time.
        case name(Place)
        /// The node, whatever its name leads to: refused before, and asked for again without a look. So it is with a descriptor that
        /// is opened anew by way of /proc.
        case node
    }

    /// By thread. Some never come again.
    private let refusals = RecentTable<UInt32, Refusal>(most: 256)

    func looked(_ thread: UInt32, at place: Place, _ found: Entry?) {
        refusals.change(thread) { $0?.look = Look(place: place, found: found) }
    }

    /// What this thread found a node to be when it looked again.
    func attributes(of node: NodeID, foundBy thread: UInt32) -> Attributes? {
        guard let found = refusals[thread]?.look?.found, found.node == node else { return nil }
        return found.attributes
    }

    /// This thread is refused a node.
    func refused(_ thread: UInt32, _ node: NodeID) -> Meant {
        refused(thread, node) { refusal in
            guard let look = refusal.look else { return refusal.node == node ? .node : .unknown }
            return look.found?.node == node ? .name(look.place) : .unknown
        }
    }

    /// This thread is refused a new file because there is one: whether it has just found none.
    func refused(_ thread: UInt32, newAt place: Place) -> Bool {
        let meant = refused(thread, nil) { refusal in
            guard let look = refusal.look, look.found == nil, look.place == place else { return .unknown }
            return .name(place)
        }
        if case .name = meant { return true } else { return false }
    }

    private func refused(_ thread: UInt32, _ node: NodeID?, _ meant: (Refusal) -> Meant) -> Meant {
        // The drive itself is nobody's thread.
        guard thread != 0 else { return .unknown }
        return refusals.change(thread) { refusal in
            let meant = refusal.map(meant) ?? .unknown
            if case .unknown = meant { refusal = Refusal(node: node) }
            return meant
        }
    }

    /// The thread got what it asked for.
    func forget(_ thread: UInt32) { refusals[thread] = nil }
}

extension Tree {
    /// A node whose name is gone with all that it had stands for another one, as long as that is open. False for any other.
    func succeed(_ node: NodeID, by successor: NodeID) -> Bool {
        withLock { tree in
            guard let old = tree.node(node), let new = tree.node(successor), old != new, tree[old].isNameless else { return false }
            tree.successors[old] = (new, tree[new].generation)
            return true
        }
    }
}

extension NodeTable {
    /// What stands for a node now: itself, or what was opened for it.
    func standing(for id: NodeNumber) -> NodeNumber {
        guard !successors.isEmpty, let (new, generation) = successors[id] else { return id }
        return contains(new) && self[new].generation == generation && self[new].handles > 0 ? new : id
    }
}

/// Nodes that lost their name to what another program put there, while they are open. Who opens one means the name: the kernel had
/// asked before it was told that the name leads elsewhere. That request may wait for its answer for a while after, and so it is
/// for a moment. Who has no name in mind, but a descriptor that is opened anew by way of /proc, asks again, and gets it.
struct SeparatedNodes {
    /// When the kernel was told; none where it was not yet.
    private var known: [NodeNumber: Int64?] = [:]
    /// For so many seconds after the kernel heard, a request may be about the name.
    private static let moment: Int64 = 10

    mutating func insert(_ id: NodeNumber) { known[id] = .some(nil) }

    mutating func remove(_ id: NodeNumber) { if !known.isEmpty { known[id] = nil } }

    /// The kernel knows of this one. Those that it has known of for long are forgotten.
    mutating func noteKernelKnows(_ id: NodeNumber, at now: Int64) {
        if known[id] != nil { known[id] = .some(now) }
        known = known.filter { Self.isRecent($0.value, now) }
    }

    func isMeantByName(_ id: NodeNumber, at now: @autoclosure () -> Int64) -> Bool {
        !known.isEmpty && known[id].map { Self.isRecent($0, now()) } ?? false
    }

    private static func isRecent(_ known: Int64?, _ now: Int64) -> Bool { known.map { abs(now - $0) <= moment } ?? true }
}
