import LinuxFiles

/// Those who are looking a name up again. What was refused because a name leads elsewhere by now, the kernel looks up again for
/// a program, once, and asks for what it found; refused again, the program would hear of it, though all it said was a name.
final class SecondLooks: Sendable {
    struct Place: Hashable, Sendable {
        let folder: NodeID
        let name: Name
    }

    /// What a thread found when it looked again; no entry where nothing has the name.
    private struct Look {
        let place: Place
        let found: Entry?
    }

    /// By thread: who was refused, and the last look since.
    private let table = Locked<[UInt32: Look?]>([:])
    /// Threads that never came again.
    private static let most = 256

    func looked(_ thread: UInt32, at place: Place, _ found: Entry?) {
        table.withLock { table in
            if !table.isEmpty, table[thread] != nil { table[thread] = .some(Look(place: place, found: found)) }
        }
    }

    /// What this thread was told of a node when it looked again.
    func told(_ thread: UInt32, of node: NodeID) -> Attributes? {
        table.withLock { table in
            guard let found = (table[thread] ?? nil)?.found, found.node == node else { return nil }
            return found.attributes
        }
    }

    /// This thread is refused a node: the name by which it has just found it, where this is the second time.
    func refused(_ thread: UInt32, _ node: NodeID) -> Place? {
        refused(thread) { $0.found?.node == node }
    }

    /// This thread is refused a new file because there is one, where it has just found none.
    func refused(_ thread: UInt32, newAt place: Place) -> Bool {
        refused(thread) { $0.found == nil && $0.place == place } != nil
    }

    private func refused(_ thread: UInt32, _ isMeant: (Look) -> Bool) -> Place? {
        // The drive itself is nobody's thread.
        guard thread != 0 else { return nil }
        return table.withLock { table in
            if let look = table[thread] ?? nil, isMeant(look) { return look.place }
            if table.count >= Self.most { table = [:] }
            table[thread] = .some(nil)
            return nil
        }
    }

    /// It has what it asked for.
    func forget(_ thread: UInt32) { table.withLock { table in if !table.isEmpty { table[thread] = nil } } }
}

extension Tree {
    /// A node whose name is gone with all that it had stands for another one, as long as that is open. False for any other.
    mutating func succeed(_ node: NodeID, by successor: NodeID) -> Bool {
        guard let old = self.node(node), let new = self.node(successor), old != new, self[old].flags.contains(.orphan) else { return false }
        successors[old] = (new, self[new].generation)
        return true
    }

    /// What stands for a node now: itself, or what was opened for it.
    func standing(for id: NodeNumber) -> NodeNumber {
        guard !successors.isEmpty, let (new, generation) = successors[id] else { return id }
        return contains(new) && self[new].generation == generation && self[new].handles > 0 ? new : id
    }
}
