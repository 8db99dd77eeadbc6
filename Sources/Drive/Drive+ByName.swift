import Glibc
import LinuxFiles

// What a program asks for by a name, and the kernel by the node that the name led to. Where names are given to other files all
// the time, that node is nobody's by the time it is asked for; the kernel looks again once, and no more.
extension Drive {
    /// Whoever is overtaken so often hears of it.
    private static let patience = 100

    /// Does something with what a name leads to. The second time that is gone, what has the name now is as right: the drive
    /// itself looks until it finds it. Not where the kernel decides who may do what, by what it was told of a node. `isAll`: nothing
    /// else follows that the kernel asks for the same program, as to open it after a look at its permissions.
    public func byName<Value>(
        _ node: NodeID, _ caller: Caller, isAll: Bool = true, _ body: (NodeID) throws(Errno) -> Value
    ) throws(Errno) -> Value {
        do throws(Errno) {
            let value = try body(node)
            if isAll { secondLooks.forget(caller.process) }
            return value
        } catch {
            guard error == .stale, let place = secondLooks.refused(caller.process, node), !rights.areChecked else { throw error }
            return try atName(place, caller, body)
        }
    }

    private func atName<Value>(
        _ place: SecondLooks.Place, _ caller: Caller, _ body: (NodeID) throws(Errno) -> Value
    ) throws(Errno) -> Value {
        for _ in 0..<Self.patience {
            let now = try find(place.name, in: place.folder, caller: caller).node
            defer { forget(now, count: 1) }
            do throws(Errno) { return try body(now) } catch { if error != .stale { throw error } }
        }
        throw .stale
    }

    /// Both names are looked for again where they led elsewhere by the time.
    public func rename(
        _ name: Name, in folder: NodeID, to newName: Name, in newFolder: NodeID, flags: UInt32, caller: Caller
    ) throws(Errno) {
        for _ in 0..<(rights.areChecked ? 0 : Self.patience) {
            do throws(Errno) { return try renameNow(name, in: folder, to: newName, in: newFolder, flags: flags, caller: caller) } catch {
                if error != .stale { throw error }
            }
        }
        try renameNow(name, in: folder, to: newName, in: newFolder, flags: flags, caller: caller)
    }

    // MARK: Opening

    public func open(_ node: NodeID, flags: Int32, caller: Caller) throws(Errno) -> Opened {
        do throws(Errno) {
            let opened = try openAsNamed(node, flags: flags, caller: caller)
            secondLooks.forget(caller.process)
            return opened
        } catch {
            guard error == .stale, let place = secondLooks.refused(caller.process, node) else { throw error }
            // What the name led to when the kernel looked is as right as what it leads to now.
            do throws(Errno) { return try openAsNamed(node, flags: flags, caller: caller, isLast: true) } catch {
                // What has the name now is not what the kernel let the caller have, where that makes a difference.
                guard error == .stale, !rights.areChecked, !Self.appends(flags) else { throw error }
            }
            do throws(Errno) { return try atName(place, caller) { (now) throws(Errno) in try open(now, insteadOf: node, flags, caller) } } catch {
                guard error == .noSuchEntry, flags & O_TRUNC != 0, let opened = try openNothing(node, flags, caller) else { throw error }
                return opened
            }
        }
    }

    /// Where the end is, the kernel knows of what it looked up only.
    private static func appends(_ flags: Int32) -> Bool { flags & O_APPEND != 0 && flags & O_TRUNC == 0 && flags & O_ACCMODE != O_RDONLY }

    /// Opens what has the name now, for a kernel that has found something else: from here on that is what its node stands for.
    private func open(_ now: NodeID, insteadOf node: NodeID, _ flags: Int32, _ caller: Caller) throws(Errno) -> Opened {
        var opened = try openAsNamed(now, flags: flags, caller: caller, isLast: true)
        guard now != node else { return opened }
        guard tree.withLock({ $0.succeed(node, by: now) }) else {
            release(opened.handle)
            throw .stale
        }
        // What the kernel has cached is another file's.
        opened.keepsCache = false
        notices?.forgetContent(of: node, from: -1, count: 0)
        return opened
    }

    /// Somebody took away what is to be written anew: it is as if that had been opened, and then removed.
    private func openNothing(_ node: NodeID, _ flags: Int32, _ caller: Caller) throws(Errno) -> Opened? {
        guard let (id, parent) = tree.withLock({ tree in tree.node(node).map { ($0, tree[$0].parent) } }),
            tree.withLock({ $0[id].flags.contains(.orphan) && $0[id].handles == 0 })
        else { return nil }
        let kept = OpenFlags(rawValue: flags & (O_ACCMODE | O_SYNC | O_DSYNC))
        let file = OpenFile(try place(of: parent).descriptor.reopened([kept.readable, .nameless], mode: 0o600))
        return try register(id, try file.descriptor.status(), .content(.plain(file)), writes: flags & O_ACCMODE != O_RDONLY)
    }

    // MARK: New files

    public func create(
        _ name: Name, in folder: NodeID, mode: UInt32, flags: Int32, caller: Caller
    ) throws(Errno) -> (Entry, Opened) {
        do throws(Errno) { return try createNew(name, in: folder, mode: mode, flags: flags, caller: caller) } catch {
            // It came since the kernel looked for it, and is opened when the kernel looks again.
            guard error == .exists, flags & O_EXCL == 0 else { throw error }
            if isItem(name, in: try known(folder)) { throw .exists }
        }
        let place = SecondLooks.Place(folder: folder, name: name)
        guard secondLooks.refused(caller.process, newAt: place), !rights.areChecked else { throw .stale }
        for _ in 0..<Self.patience {
            do throws(Errno) {
                return try atName(place, caller) { (now) throws(Errno) in
                    let opened = try openAsNamed(now, flags: flags, caller: caller, isLast: true)
                    // As it is then: it may have been cut.
                    if let id = tree.withLock({ $0.node(now) }), let entry = try entry(of: id) { return (entry, opened) }
                    release(opened.handle)
                    throw .stale
                }
            } catch { if error != .noSuchEntry { throw error } }
            do throws(Errno) { return try createNew(name, in: folder, mode: mode, flags: flags, caller: caller) } catch {
                if error != .exists { throw error }
            }
        }
        throw .stale
    }
}

extension Tree {
    /// A node whose name is gone with all that it had stands for another one, as long as that is open. False for any other.
    mutating func succeed(_ node: NodeID, by successor: NodeID) -> Bool {
        guard let old = self.node(node), let new = self.node(successor), old != new, self[old].flags.contains(.orphan) else { return false }
        successors[old] = (new, self[new].generation)
        return true
    }

    /// What stands for a node now.
    func successor(of id: UInt32) -> UInt32? {
        guard !successors.isEmpty, let (new, generation) = successors[id] else { return nil }
        return contains(new) && self[new].generation == generation && self[new].handles > 0 ? new : nil
    }
}
