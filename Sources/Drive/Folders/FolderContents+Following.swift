import Containers
import Coordination
import LinuxFiles

// A folder that is watched is not read again: what was noticed of it is looked at.
extension FolderContents {
    /// Brings a folder up to date by what was noticed of it. In its lane. False where it has to be read again.
    func follow(_ folder: NodeNumber, _ place: OpenFile) throws(Errno) -> Bool {
        coordinator.checkWriting(LaneID(folder))
        guard tree.isFollowed(folder) else { return false }
        // Taken before the notices: what comes after is noticed later.
        let stamp = FolderStamp(try place.descriptor.status())
        watching.gather()
        lookAgainInLane(in: folder, place)
        return keepUpToDate(folder, stamp)
    }

    /// Looks at what was noticed in a folder. In its lane. `isFollower`: see `OutsideNotices.gather`.
    func catchUp(_ folder: NodeNumber, _ place: OpenFile, isFollower: Bool = false) {
        coordinator.checkWriting(LaneID(folder))
        let stamp = (try? place.descriptor.status()).map { FolderStamp($0) }
        watching.gather(isFollower: isFollower)
        lookAgainInLane(in: folder, place)
        if let stamp { _ = keepUpToDate(folder, stamp) }
    }

    /// What was noticed till a state of a folder has been looked at. False where that is not all that changed.
    private func keepUpToDate(_ folder: NodeNumber, _ stamp: FolderStamp) -> Bool {
        tree.withLock { tree in
            guard tree.folders[folder]?.isFollowable == true else { return false }
            tree.folders[folder]?.read = stamp
            return true
        }
    }

    private func lookAgainInLane(in folder: NodeNumber, _ place: OpenFile) {
        let due = noticed.takeDue(in: folder)
        defer { noticed.hasLooked() }
        guard !due.isEmpty else { return }
        defer { feed.add(Array(due.keys), in: tree.cataloguedPath(of: folder)) }
        var found: [FoundEntry] = [], gone: [Name] = []
        var hasCopies = options.keepsVersions && tree.withLock { $0.folders[folder]?.hasCopies == true }
        for (name, news) in due {
            if options.keepsVersions, Container.copiedItem(by: name) != nil {
                hasCopies = true
                continue
            }
            do throws(Errno) {
                if let entry = try look(at: name, in: folder, place, news) { found.append(entry) }
            } catch { if error == .noSuchEntry { gone.append(name) } else { tree.forgetReading(of: folder) } }
        }
        noticed.looked.add(due.count, ordering: .relaxed)
        readUnread(folder, place, found)
        // What copies are is found by reading the whole folder.
        defer { if hasCopies { tree.forgetReading(of: folder) } }
        guard let here = try? replaced.separateReplaced(found, in: folder) else { return tree.forgetReading(of: folder) }
        let (changes, renames) = tree.withLock { tree in
            let renames = tree.renames(of: gone, to: here, in: folder)
            let edition = tree.folders[folder]?.edition
            var changes: [KernelChange] = []
            let entries = tree.merge(here, gone: gone, into: folder, changes: &changes)
            for (item, entry) in zip(here, entries) {
                guard let entry, let status = item.facts?.status else { continue }
                let what = due[item.name]?.what ?? []
                if let change = tree.see(tree.node(of: entry), status, keepsContent: what.isDisjoint(with: [.content, .closed])) { changes.append(change) }
            }
            watching.settleWatches(of: here, entries, in: &tree)
            if tree.folders[folder]?.edition != edition { changes.append(.content(folder)) }
            return (changes, renames)
        }
        noticed.haveNodes(here.compactMap(\.watch))
        watching.dropUnneededWatches()
        removed.dropWhatGaveWay()
        removed.recordMovedDrafts()
        kernel.tell(changes, fromOutside: true)
        var moved = noticed.takeEnds(in: folder, due.keys)
        follow(renames, in: folder, &moved)
        claims.tellPresenters(of: changes, in: folder, besides: moved)
    }

    /// What has this stored name is there by the drive's own doing, and nobody asked for it: the folder's other names are known. In the folder's lane.
    func lookAgain(at stored: Name, in folder: NodeNumber, _ place: OpenFile) throws(Errno) {
        coordinator.checkWriting(LaneID(folder))
        let status = try place.descriptor.status(of: stored)
        let watch = status.type == .folder && tree.isFollowed(folder) ? watching.watch(stored, in: folder, place) : nil
        let item = try items.readItem(stored, as: items.role(ofItemsIn: folder), was: status, in: place)
        if let document = item.document { container.note(document.reading, of: document.kind) }
        let found = [FoundEntry(name: stored, number: status.identity.number, facts: EntryFacts(item, called: try keptName(of: item, in: folder)), watch: watch)]
        let changes = tree.withLock { tree in
            var changes: [KernelChange] = []
            let entries = tree.merge(found, gone: [], into: folder, changes: &changes)
            if let entry = entries.first ?? nil, let change = tree.see(tree.node(of: entry), item.status) { changes.append(change) }
            watching.settleWatches(of: found, entries, in: &tree)
            return changes
        }
        noticed.haveNodes(found.compactMap(\.watch))
        watching.dropUnneededWatches()
        kernel.tell(changes, fromOutside: true)
        claims.tellPresenters(of: changes, in: folder)
    }

    /// The versions of what others have renamed go along, and those who present it hear where it is. Who renames in a claim says that at its end.
    private func follow(_ renames: [(old: Name, new: Name)], in folder: NodeNumber, _ moved: inout OutsideMoves.Ends) {
        guard !renames.isEmpty, let path = tree.withLock({ $0.storedPath(of: folder) }), path.top == NodeNumber.root else { return }
        for (old, new) in renames where !claims.isBeingWritten(old, in: folder) {
            _ = try? workshop?.commit(.follow(path.names + [old], to: path.names + [new]))
            claims.tellMove(of: path.names + [old], to: path.names + [new])
            moved.left.insert(old)
            moved.come.insert(new)
        }
    }

    /// The versions of what others have moved into another folder go along, and those who present it hear where it is. What the drive itself
    /// moves has taken them along by then, and whoever moves in a claim says that at its end.
    func followMoves() {
        for move in noticed.takeMoves() {
            coordinator.write(LaneID(move.from.folder), LaneID(move.to.folder)) {
                guard let old = move.from.path.last, !claims.isBeingWritten(old, in: move.from.folder) else { return }
                _ = try? workshop?.commit(.follow(move.from.path, to: move.to.path))
                claims.tellMove(of: move.from.path, to: move.to.path, of: move.node)
            }
        }
    }

    /// Reads one entry again; nil if it is half-written and patience has not ended.
    private func look(at name: Name, in folder: NodeNumber, _ place: OpenFile, _ news: NoticedChanges.News) throws(Errno) -> FoundEntry? {
        let entry = try place.descriptor.status(of: name)
        if noticed.isOwn(name, in: folder, entry, news), tree.withLock({ $0.entry(stored: name, of: folder) != nil }) {
            return FoundEntry(name: name, number: entry.identity.number, facts: nil)
        }
        let watch = entry.type == .folder ? watching.watch(name, in: folder, place) : nil
        let item = try items.readItem(name, as: items.role(ofItemsIn: folder), was: entry, in: place)
        if NoticedChanges.isPatient(news), watching.isHalf(EntryFacts(item), name, in: folder, place, news) {
            noticed.wait(for: name, in: folder, news)
            return nil
        }
        if let document = item.document { container.note(document.reading, of: document.kind) }
        return FoundEntry(name: name, number: entry.identity.number, facts: EntryFacts(item, called: try keptName(of: item, in: folder)), watch: watch)
    }
}
