import Dispatch
import Glibc
import LinuxFiles

// Names that come, go and change.
extension SmallFileFolder {
    func create(_ name: Name, in folder: ControlNode, flags: Int32, _ caller: Caller) throws(Errno) -> (Entry, Opened) {
        try checkFolder(folder, caller)
        return try turn.withLock { (_) throws(Errno) in
            if try status(of: name) == nil { try begin(name) } else if flags & O_EXCL != 0 { throw .exists }
            let entry = try entry(of: name)
            do throws(Errno) {
                guard let node = ControlNode(entry.node) else { throw .stale }
                return (entry, try openToWrite(name, node.number, isCut: flags & O_TRUNC != 0))
            } catch {
                if let node = ControlNode(entry.node) { forget(node, count: 1) }
                throw error
            }
        }
    }

    func makeFile(_ name: Name, in folder: ControlNode, _ caller: Caller) throws(Errno) -> Entry {
        try checkFolder(folder, caller)
        return try turn.withLock { (_) throws(Errno) in
            guard try status(of: name) == nil else { throw .exists }
            let id = try begin(name)
            try save(id)
            dropIfDone(id)
            return try entry(of: name)
        }
    }

    /// A new file. It is saved when it is closed, also where nobody writes to it.
    @discardableResult
    private func begin(_ name: Name) throws(Errno) -> SmallFileTable.DraftID {
        if !EncodedName.isPassing(name) { try store.checkNew(name) }
        return try newDraft(name, [], isOwed: true)
    }

    func unlink(_ name: Name, in folder: ControlNode, _ caller: Caller) throws(Errno) {
        try checkFolder(folder, caller)
        try turn.withLock { (_) throws(Errno) in
            guard try status(of: name) != nil else { throw .noSuchEntry }
            if try isKept(name) { try refusing(name) { () throws(Failure) in try store.remove(name) } }
            table.withLock { table in
                table.detachDraft(called: name)
                table.nodes.detach(name)
            }
        }
    }

    func rename(_ name: Name, in folder: ControlNode, to new: Name, in newFolder: ControlNode, flags: UInt32, _ caller: Caller) throws(Errno) {
        try checkFolder(folder, caller)
        try checkFolder(newFolder, caller)
        guard flags & ~RenameFlags.exclusive.rawValue == 0 else { throw .invalid }
        try turn.withLock { (_) throws(Errno) in
            guard try status(of: name) != nil else { throw .noSuchEntry }
            if flags != 0, try status(of: new) != nil { throw .exists }
            guard name != new else { return }
            if EncodedName.isPassing(new) { try moveAside(name, to: new) } else { try moveIn(name, to: new) }
            table.withLock { $0.nodes.move(name, to: new) }
        }
    }

    /// A file gets the name of one that is in memory alone. Programs do that before they write it anew: what is in the store stays for
    /// as long as that takes, and whoever has it from there sees it change once.
    private func moveAside(_ name: Name, to new: Name) throws(Errno) {
        let isKept = try isKept(name)
        if let id = table.withLock({ $0.draft(called: name) }) {
            table.withLock { $0.rename(id, to: new) }
        } else {
            guard let bytes = try store.bytes(of: name) else { throw .noSuchEntry }
            let type = try store.type(of: name)
            table.withLock { $0.detachDraft(called: new) }
            _ = try newDraft(new, bytes, type: type)
        }
        guard isKept else { return }
        table.withLock { $0.putAway(name) }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.patience) { [weak self] in self?.settle(name) }
    }

    private static let patience = DispatchTimeInterval.seconds(2)

    /// A file whose name was taken away, and that nobody has written anew, is gone.
    private func settle(_ name: Name) {
        turn.withLock { _ in
            guard table.withLock({ $0.takeBack(name) }) else { return }
            try? refusing(name) { () throws(Failure) in try store.remove(name) }
        }
    }

    /// What is in memory is saved under its new name as it is now.
    private func moveIn(_ name: Name, to new: Name) throws(Errno) {
        try store.checkNew(new)
        let isKept = try isKept(name)
        guard let id = table.withLock({ $0.draft(called: name) }), let draft = draft(id) else {
            return try refusing(new) { () throws(Failure) in
                try store.move(name, to: new)
                table.withLock { table in
                    _ = table.takeBack(new)
                    table.detachDraft(called: new)
                }
            }
        }
        guard !draft.isCutShort else { throw .invalid }
        let bytes = try draft.file.descriptor.readAll(limit: Int(store.mostBytes))
        try refusing(new) { () throws(Failure) in try store.save(bytes, as: new, type: draft.type) }
        if isKept { try refusing(name) { () throws(Failure) in try store.remove(name) } }
        table.withLock { table in
            _ = table.takeBack(new)
            table.rename(id, to: new)
            table[id]?.isWritten = false
            table[id]?.isOwed = false
        }
        dropIfDone(id)
    }

    /// Whether a file lies in the store under this name, and is shown there.
    private func isKept(_ name: Name) throws(Errno) -> Bool {
        guard !EncodedName.isPassing(name), !table.withLock({ $0.away.contains(name) }) else { return false }
        return try store.status(of: name) != nil
    }

    private func checkFolder(_ folder: ControlNode, _ caller: Caller) throws(Errno) {
        try store.check(.write, caller)
        guard folder.number == 0 else { throw .notDirectory }
    }

    /// The drive ends: what was taken away is gone.
    func close() { for name in table.withLock({ $0.away }) { settle(name) } }
}
