import Containers
import Coordination
import LinuxFiles

// One name in a folder that nobody has read, without reading it.
extension FolderContents {
    /// Sees to it that the tree knows a name in a folder, if there is such an entry; where the catalog cannot tell which, all of the folder.
    func readName(_ name: Name, of folder: NodeNumber) throws(Errno) {
        if try !findName(name, of: folder) { try readNames(of: folder) }
    }

    private func findName(_ name: Name, of folder: NodeNumber) throws(Errno) -> Bool {
        guard isUnread(folder) else { return false }
        let place = try places.place(of: folder), status = try place.descriptor.status()
        guard let stored = known.storedName(of: name, in: folder, status) else { return false }
        if isThere(name, stored, in: folder) { return true }
        return try coordinator.write(LaneID(folder)) { () throws(Errno) in
            if noticed.hasNews(of: folder) { catchUp(folder, place) }
            guard isUnread(folder) else { return false }
            return try add(name, stored, to: folder, place, isLarge: late.isLarge(status))
        }
    }

    /// True also for a folder of which only some names are known.
    private func isUnread(_ folder: NodeNumber) -> Bool {
        tree.withLock { tree in
            guard let known = tree.folders[folder], known.read == nil, tree[folder].role == .folder else { return false }
            return known.isPartial || known.byShown.count == 0
        }
    }

    private func isThere(_ name: Name, _ stored: Name, in folder: NodeNumber) -> Bool {
        tree.withLock { tree in tree.entry(shown: name, of: folder).map { tree[$0].stored == stored && !tree[$0].isUnborn } ?? false }
    }

    /// An entry that the catalog knows is read, and has to be called so by itself. In the folder's lane.
    private func add(_ name: Name, _ stored: Name, to folder: NodeNumber, _ place: OpenFile, isLarge: Bool) throws(Errno) -> Bool {
        coordinator.checkWriting(LaneID(folder))
        guard Container.copiedItem(by: stored) == nil else { return false }
        // From here on changes are noticed; what changed before is seen in the folder's times. In a large folder they are noticed later, and the name is
        // looked at once more by then.
        let isLate = isLarge && tree.withLock { $0[folder].watch == 0 }, isWatched = !isLate && watching.watch(folder, place)
        if isLate { late.add(folder) } else {
            watching.gather()
            guard !noticed.hasNews(of: folder), known.storedName(of: name, in: folder, try place.descriptor.status()) == stored else { return false }
        }
        let entry: FileStatus, item: Item, watch: WatchID?
        do throws(Errno) {
            entry = try place.descriptor.status(of: stored)
            watch = isWatched && entry.type == .folder ? try self.watch(stored, in: folder, place) : nil
            item = try items.readItem(stored, as: items.role(ofItemsIn: folder), was: entry, in: place)
        } catch {
            guard error == .noSuchEntry else { throw error }
            return false
        }
        let facts = EntryFacts(item, called: try keptName(of: item, in: folder))
        guard facts.document?.naturalName ?? stored == name else { return false }
        if let document = item.document { container.note(document.reading, of: document.kind) }
        let found = [FoundEntry(name: stored, number: entry.identity.number, facts: facts, watch: watch)]
        tree.withLock { tree in
            var changes: [KernelChange] = []
            let entries = tree.merge(found, gone: [], into: folder, changes: &changes)
            tree.folders[folder]?.isPartial = true
            if let entry = entries.first ?? nil { _ = tree.see(tree.node(of: entry), item.status) }
            watching.settleWatches(of: found, entries, in: &tree)
            if isWatched { watchLate(found, entries, in: tree) }
        }
        noticed.haveNodes(found.compactMap(\.watch))
        watching.dropUnneededWatches()
        return isThere(name, stored, in: folder)
    }

    /// Something was noticed in a folder of which some names are known. If it is about another one, or one that may be called otherwise
    /// now, what the others are called matters: then all are read. In the folder's lane.
    func readUnread(_ folder: NodeNumber, _ place: OpenFile, _ found: [FoundEntry]) {
        coordinator.checkWriting(LaneID(folder))
        let isEnough = tree.withLock { tree in
            guard tree.folders[folder]?.isPartial == true else { return true }
            return found.allSatisfy { item in
                guard let entry = tree.entry(stored: item.name, of: folder) else { return false }
                return item.facts?.document.map { $0.naturalName == tree[entry].shown } ?? true
            }
        }
        if !isEnough { _ = try? read(folder, place, everything: false) }
    }
}
