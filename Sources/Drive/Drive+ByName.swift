import Glibc
import LinuxFiles

// What a program asks for by a name, and the kernel by the node that the name led to. Where names are given to other files all
// the time, that node is nobody's by the time it is asked for; the kernel looks again once, and no more.
extension Drive {
    /// Whoever is overtaken so often hears of it.
    private static let patience = 100, mostMovesOut = 3

    /// Does something with what a name leads to. The second time that is gone, what has the name now is as right: the drive
    /// itself looks until it finds it. Not where the kernel decides who may do what, by what it was told of a node. `isAll`: nothing
    /// else follows that the kernel asks for the same program, as to open it after a look at its permissions.
    func byName<Value>(
        _ node: NodeID, _ caller: Caller, isAll: Bool = true, _ body: (NodeID) throws(Errno) -> Value
    ) throws(Errno) -> Value {
        do throws(Errno) {
            let value = try body(node)
            if isAll { parts.nameRetries.forget(caller.thread) }
            return value
        } catch {
            guard error == .stale, case .name(let place) = parts.nameRetries.refused(caller.thread, node), !parts.rights.areChecked else { throw error }
            return try atName(place, caller, body)
        }
    }

    private func atName<Value>(
        _ place: NameRetries.Place, _ caller: Caller, _ body: (NodeID) throws(Errno) -> Value
    ) throws(Errno) -> Value {
        for _ in 0..<Self.patience {
            do throws(Errno) { return try atNameNow(place, caller, body) } catch { if error != .stale { throw error } }
        }
        throw .stale
    }

    /// Once: `.stale` where it leads elsewhere by the time, `.noSuchEntry` where it does nowhere.
    private func atNameNow<Value>(
        _ place: NameRetries.Place, _ caller: Caller, _ body: (NodeID) throws(Errno) -> Value
    ) throws(Errno) -> Value {
        let now = try find(place.name, in: place.folder, caller: caller).node
        defer { forget(now, count: 1) }
        return try body(now)
    }

    /// Both names are looked for again where they led elsewhere by the time.
    public func rename(
        _ name: Name, in folder: NodeID, to newName: Name, in newFolder: NodeID, flags: UInt32, caller: Caller
    ) throws(Errno) {
        if isEcho(caller) { return try parts.echo.moved() }
        try requireWriting()
        switch (parts.own.owner(of: folder), parts.own.owner(of: newFolder)) {
        case (let from?, let to?) where from.node.area == to.node.area:
            return try from.part.rename(name, in: from.node, to: newName, in: to.node, flags: flags, caller)
        case (nil, nil): break
        // Between two of these namespaces nothing is renamed: programs copy when they hear that.
        default: throw .crossDevice
        }
        if case .deleted(let id) = try parts.namespace(of: folder) { return try moveOut(name, in: id, to: newName, in: newFolder, caller) }
        try parts.growing.checkMoving(name, of: folder, into: newFolder)
        func renameNow() throws(Errno) {
            try parts.growing.changing(folder, newFolder, by: caller) { () throws(Errno) in
                try parts.renaming.rename(
                    name, in: try parts.tree.known(folder), to: newName, in: try parts.tree.known(newFolder), flags: flags, caller: caller)
            }
        }
        for attempt in 0..<(parts.rights.areChecked ? 0 : Self.patience) {
            do throws(Errno) { return try renameNow() } catch {
                // What is moved out of the container for a moment is out of the drive's reach, and may be back.
                guard error == .stale || error == .accessDenied && attempt < Self.mostMovesOut else { throw error }
            }
        }
        try renameNow()
    }

    /// What was deleted comes back under any name: first as what it was, and then it is renamed.
    private func moveOut(_ name: Name, in folder: NodeNumber, to newName: Name, in newFolder: NodeID, _ caller: Caller) throws(Errno) {
        let target = try parts.tree.known(newFolder)
        let shown = try parts.undeleting.moveOut(name, in: folder, to: target, as: newName, caller: caller)
        if shown != newName { try parts.renaming.rename(shown, in: target, to: newName, in: target, flags: Renaming.noReplace, caller: caller) }
    }

    // MARK: Opening

    public func open(_ node: NodeID, flags: Int32, caller: Caller) throws(Errno) -> Opened {
        if isEcho(caller) { return parts.echo.opened() }
        if Self.changes(flags) { try requireWriting() }
        if let own = parts.own.owner(of: node) { return try own.part.open(own.node, flags: flags, caller) }
        guard Self.changes(flags) else { return try openAgainWhereItIs(node, flags: flags, caller: caller) }
        return try parts.growing.changing(node, by: caller) { () throws(Errno) in try openAgainWhereItIs(node, flags: flags, caller: caller) }
    }

    private func openAgainWhereItIs(_ node: NodeID, flags: Int32, caller: Caller) throws(Errno) -> Opened {
        do throws(Errno) {
            let opened = try openNow(node, flags, caller)
            parts.nameRetries.forget(caller.thread)
            return opened
        } catch {
            guard error == .stale else { throw error }
            let meant = parts.nameRetries.refused(caller.thread, node)
            if case .unknown = meant { throw error }
            // What the name led to when the kernel looked is as right as what it leads to now.
            do throws(Errno) { return try openNow(node, flags, caller, isLast: true) } catch {
                // What has the name now is not what the kernel let the caller have, where that makes a difference.
                guard error == .stale, case .name(let place) = meant, !parts.rights.areChecked, !Self.appends(flags) else { throw error }
                return try openAtName(place, node, flags, caller)
            }
        }
    }

    private func openAtName(_ place: NameRetries.Place, _ node: NodeID, _ flags: Int32, _ caller: Caller) throws(Errno) -> Opened {
        var isThere = true
        for _ in 0..<Self.patience {
            do throws(Errno) { return try atNameNow(place, caller) { (now) throws(Errno) in try open(now, insteadOf: node, flags, caller) } } catch {
                isThere = error == .stale
                if isThere { continue }
                guard error == .noSuchEntry else { throw error }
            }
            // It is gone. Others may have it open. Or nobody is to read what it was, and the kernel would have made it had it known.
            do throws(Errno) { return try openNow(node, flags, caller, isLast: true) } catch { guard error == .stale else { throw error } }
            guard flags & O_TRUNC != 0 || flags & O_ACCMODE == O_WRONLY else { throw .noSuchEntry }
            if let opened = try parts.plainOpening.openNothing(node, flags) { return opened }
        }
        throw isThere ? .stale : .noSuchEntry
    }

    private func openNow(_ node: NodeID, _ flags: Int32, _ caller: Caller, isLast: Bool = false) throws(Errno) -> Opened {
        let changes = Self.changes(flags)
        switch try parts.namespace(of: node) {
        case .container(let id): return try parts.opening.open(id, flags: flags, caller: caller, isLast: isLast)
        case .thumbnails(let node): return try parts.thumbnailFolders.open(node, writes: changes, caller)
        case .status: if changes { throw .accessDenied } else { return parts.status.open(NodeNumber.status, caller) }
        case .control: throw changes ? .readOnly : .isDirectory
        case .versions(let id): if changes { throw .readOnly } else { return try parts.versions.open(id, caller) }
        case .own(let own): return try own.part.open(own.node, flags: flags, caller)
        case .deleted(let id): if changes { throw .readOnly } else { return try parts.deleted.open(id, caller) }
        }
    }

    private static func changes(_ flags: Int32) -> Bool { flags & O_ACCMODE != O_RDONLY || flags & O_TRUNC != 0 }

    /// Where the end is, the kernel knows of what it looked up only.
    private static func appends(_ flags: Int32) -> Bool { flags & O_APPEND != 0 && flags & O_TRUNC == 0 && flags & O_ACCMODE != O_RDONLY }

    /// Opens what has the name now, for a kernel that has found something else: from here on that is what its node stands for.
    private func open(_ now: NodeID, insteadOf node: NodeID, _ flags: Int32, _ caller: Caller) throws(Errno) -> Opened {
        var opened = try openNow(now, flags, caller, isLast: true)
        guard now != node else { return opened }
        guard parts.tree.succeed(node, by: now) else {
            release(opened.handle)
            throw .stale
        }
        // What the kernel has cached is another file's.
        opened.keepsCache = false
        parts.kernel.listening?.forgetContent(of: node, from: -1, count: 0)
        return opened
    }

    // MARK: New files

    public func create(_ name: Name, in folder: NodeID, mode: UInt32, flags: Int32, caller: Caller) throws(Errno) -> (Entry, Opened) {
        try requireWriting()
        if let own = parts.own.owner(of: folder) { return try own.part.create(name, in: own.node, flags: flags, caller) }
        func createNow() throws(Errno) -> (Entry, Opened) {
            try parts.growing.changing(folder, by: caller) { () throws(Errno) in
                let folder = try parts.tree.known(folder), composed = parts.tree.composed(name, in: folder)
                var (entry, opened) = try parts.making.create(composed, in: folder, mode: mode, flags: flags, caller: caller)
                if composed != name { entry.isItsName = false }
                return (entry, opened)
            }
        }
        do throws(Errno) { return try createNow() } catch {
            // It came since the kernel looked for it, and is opened when the kernel looks again.
            guard error == .exists, flags & O_EXCL == 0 else { throw error }
            if parts.tree.isItem(name, in: try parts.tree.known(folder)) { throw .exists }
        }
        let place = NameRetries.Place(folder: folder, name: name)
        guard parts.nameRetries.refused(caller.thread, newAt: place), !parts.rights.areChecked else { throw .stale }
        for _ in 0..<Self.patience {
            do throws(Errno) {
                return try atNameNow(place, caller) { (now) throws(Errno) in
                    let opened = try openNow(now, flags, caller, isLast: true)
                    // As it is then: it may have been cut.
                    if let entry = try parts.attributes.entry(of: try parts.tree.known(now)) { return (entry, opened) }
                    release(opened.handle)
                    throw .stale
                }
            } catch {
                if error == .stale { continue }
                if error != .noSuchEntry { throw error }
            }
            do throws(Errno) { return try createNow() } catch { if error != .exists { throw error } }
        }
        throw .stale
    }
}
