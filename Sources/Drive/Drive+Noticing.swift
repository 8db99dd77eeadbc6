import Containers
import Coordination
import Dispatch
import Glibc
import LinuxFiles

// What other programs change in the container, and what comes of it: the item is looked at again, the tree follows, and the
// kernel is told of exactly the names and contents that are not as it remembers them.
//
// 1. A notice says which folder, or package, and which name in it. Anybody may take the notices: the thread that waits for them,
//    and a request that finds a folder changed.
// 2. What was noticed is gathered for a moment. A package is one item whatever changes in it. A document that somebody writes to
//    is looked at when it is closed.
// 3. Each item is looked at once, in its folder's lane. If it is as it was seen last, it was the drive's own doing, and all is said.
// 4. A document that does not read as one any more may be half-written: it stays what it was until it is whole again or
//    patience ends. A new one is not shown before.
extension Drive {
    /// Notices are gathered for so long: few wake-ups while the drive itself writes, and few rounds in a flood.
    private static let gathering: UInt32 = 30_000

    func startLookingOut() {
        guard let notices = lookout.notices else { return }
        DispatchQueue(label: "valise.lookout", qos: .utility).async(group: lookout.ended) { [self] in
            var next: Int64?
            while lookout.goesOn {
                notices.wait(milliseconds: next)
                guard lookout.goesOn else { return }
                usleep(Self.gathering)
                gather()
                rescan(lookout.takeRescan())
                for folder in lookout.due().folders { lookAgain(in: folder) }
                next = lookout.due().next
            }
        }
    }

    // MARK: Watching

    /// Watches a folder before it is read. Whether it is.
    func watch(_ folder: UInt32, _ place: OpenFile) -> Bool {
        guard lookout.notices != nil, tree.withLock({ $0[folder].role == .folder && !$0[folder].flags.contains(.orphan) }),
            let watch = lookout.watch(place.descriptor)
        else { return false }
        tree.withLock { $0.setWatch(watch, of: folder) }
        return true
    }

    /// Watches a package or folder before it is looked at. Its node, if it has one, is told afterwards.
    func watch(_ name: Name, in folder: UInt32, _ place: OpenFile) -> WatchID? {
        guard let watch = lookout.watch(name, in: place.descriptor) else { return nil }
        lookout.expect(watch, as: name, in: folder)
        return watch
    }

    /// What was watched before it had a node has one now, or never will.
    func settleWatches(of found: [Found], _ entries: [UInt32?], in tree: inout Tree) {
        for (item, entry) in zip(found, entries) {
            if let watch = item.watch, let entry { tree.setWatch(watch, of: entry) }
        }
    }

    func dropUnneededWatches() {
        guard lookout.notices != nil else { return }
        lookout.unwatch(tree.withLock { $0.takeUnneededWatches() })
    }

    /// How long the kernel may remember what it is told of a node.
    func keeping(_ status: FileStatus, of id: UInt32, in tree: borrowing Tree) -> Keeping {
        switch lookout.means {
        case .off: .long
        case .poll: .briefly
        // A file that has other names may be changed by one that is not watched.
        case .watch: tree.isNoticed(id) && (status.links < 2 || status.type == .folder) ? .long : .briefly
        }
    }

    // MARK: Gathering

    /// Takes all that the kernel has to tell by now. When it returns, everything that had happened before it was called is known.
    func gather() {
        guard let notices = lookout.notices else { return }
        lookout.turn.withLock { _ in
            let taken = notices.take()
            lookout.noticed.add(taken.count, ordering: .relaxed)
            for notice in taken { note(notice) }
        }
    }

    private func note(_ notice: ChangeNotice) {
        if notice.news.contains(.lost) {
            return lookout.loseTrack(of: tree.withLock { $0.distrustReadings() })
        }
        let (id, node) = tree.withLock { tree in
            let id = tree.node(watch: notice.watch)
            return (id, id.map { tree[$0] })
        }
        guard let id, let node else {
            if let (folder, name) = lookout.newcomer(notice.watch) { lookout.note(name, in: folder, notice.news, after: Lookout.parts) }
            return notice.news.contains(.ended) ? lookout.met([notice.watch]) : ()
        }
        if notice.news.contains(.ended), id == Tree.root { presence.look() }
        if notice.news.contains(.ended) { return tree.withLock { $0.forgetWatch(of: id) } }
        if id != Tree.root, node.role == .document || notice.name == nil || container.reader.candidate(for: node.stored, isFolder: true) != nil {
            // A package is one item. So is a folder whose own attributes changed.
            lookout.note(node.stored, in: node.parent, notice.news, after: node.role == .document ? Lookout.parts : 0)
        }
        if id == Tree.root, notice.name == nil { presence.look() }
        guard node.role == .folder, let name = notice.name else { return }
        if id == Tree.root, Hidden.isState(name) { return }
        guard tree.withLock({ $0.folders[id]?.isKnown == true }) else {
            // Nobody has looked into it; only that it changed may matter to somebody.
            return id == Tree.root ? () : lookout.note(node.stored, in: node.parent, .attributes, after: 0)
        }
        lookout.note(name, in: id, notice.news, after: delay(of: notice.news, name))
    }

    /// A file that may be a document is written to the end first, if its end will be told.
    private func delay(of news: ChangeNotice.News, _ name: Name) -> Int64 {
        guard news == .created || news == .content, container.reader.candidate(for: name, isFolder: false) != nil else { return 0 }
        return Lookout.writing
    }

    // MARK: Looking again

    /// Brings a folder up to date by what was noticed of it. In its lane. False where it has to be read again.
    func follow(_ folder: UInt32, _ place: OpenFile) throws(Errno) -> Bool {
        guard isFollowed(folder) else { return false }
        // Taken before the notices: what comes after is noticed later.
        let stamp = FolderStamp(try place.descriptor.status())
        gather()
        lookAgainInLane(in: folder, place)
        return keepUpToDate(folder, stamp)
    }

    func isFollowed(_ folder: UInt32) -> Bool { tree.withLock { $0.folders[folder]?.isFollowable == true } }

    /// What was noticed till a state of a folder has been looked at. False where that is not all that changed.
    private func keepUpToDate(_ folder: UInt32, _ stamp: FolderStamp) -> Bool {
        tree.withLock { tree in
            guard tree.folders[folder]?.isFollowable == true else { return false }
            tree.folders[folder]?.read = stamp
            return true
        }
    }

    private func lookAgain(in folder: UInt32) {
        let isKnown = tree.withLock { $0.hold(folder) { $0.folders[folder]?.isKnown == true && !$0[folder].flags.contains(.orphan) } }
        guard isKnown else { return _ = lookout.takeDue(in: folder) }
        defer { tree.withLock { $0.removeHandle(folder) } }
        guard let place = try? place(of: folder) else { return _ = lookout.takeDue(in: folder) }
        coordinator.write(lane(folder)) {
            let stamp = (try? place.descriptor.status()).map { FolderStamp($0) }
            gather()
            lookAgainInLane(in: folder, place)
            if let stamp { _ = keepUpToDate(folder, stamp) }
        }
    }

    private func lookAgainInLane(in folder: UInt32, _ place: OpenFile) {
        let due = lookout.takeDue(in: folder)
        guard !due.isEmpty else { return }
        var found: [Found] = [], gone: [Name] = []
        var hasCopies = options.keepsVersions && tree.withLock { $0.folders[folder]?.hasCopies == true }
        for (name, news) in due {
            if options.keepsVersions, Container.original(ofCopy: name) != nil {
                hasCopies = true
                continue
            }
            do throws(Errno) {
                if let entry = try look(at: name, in: folder, place, news) { found.append(entry) }
            } catch { if error == .noSuchEntry { gone.append(name) } else { forgetReading(of: folder) } }
        }
        lookout.looked.add(due.count, ordering: .relaxed)
        // What copies are is found by reading the whole folder.
        defer { if hasCopies { forgetReading(of: folder) } }
        guard let here = try? partReplaced(found, in: folder) else { return forgetReading(of: folder) }
        let changes = tree.withLock { tree in
            let edition = tree.folders[folder]?.edition
            var changes: [Change] = []
            let entries = tree.merge(here, gone: gone, into: folder, changes: &changes)
            for (item, entry) in zip(here, entries) {
                guard let entry, let status = item.facts?.status else { continue }
                let what = due[item.name]?.what ?? []
                if let change = tree.see(entry, status, keepsContent: what.isDisjoint(with: [.content, .closed])) { changes.append(change) }
            }
            settleWatches(of: here, entries, in: &tree)
            if tree.folders[folder]?.edition != edition { changes.append(.content(folder)) }
            return changes
        }
        lookout.met(here.compactMap(\.watch))
        dropUnneededWatches()
        dropWhatGaveWay()
        tell(changes, fromOutside: true)
    }

    /// Reads one entry again; nil if it is half-written and patience has not ended.
    private func look(at name: Name, in folder: UInt32, _ place: OpenFile, _ news: Lookout.News) throws(Errno) -> Found? {
        let entry = try place.descriptor.status(of: name)
        let watch = entry.type == .folder ? watch(name, in: folder, place) : nil
        let item = try readItem(name, as: .plain, type: entry.type, in: place)
        if Lookout.isPatient(news), isHalf(Facts(item), name, in: folder, place, news) {
            lookout.wait(for: name, in: folder, news)
            return nil
        }
        if let document = item.document { container.note(document.reading, of: document.kind) }
        return Found(name: name, number: entry.identity.number, facts: Facts(item, called: try keptName(of: item, in: folder)), watch: watch)
    }

    /// Whether an item looks like a document that somebody is still writing.
    func isHalf(_ item: Facts, _ name: Name, in folder: UInt32, _ place: OpenFile, _ news: Lookout.News) -> Bool {
        if let document = item.document {
            // Content that is parsed begins with nothing.
            guard document.kind.kind.room == nil, !news.what.contains(.closed) else { return false }
            return (try? place.descriptor.status(of: name).size) == 0
        }
        return item.fault != nil || tree.withLock { tree in tree.entry(stored: name, of: folder).map { tree[$0].role == .document } ?? false }
    }

    /// Whether something was noticed of a document that does not read as one, so that somebody may be at it still.
    func mayBeHalf(_ name: Name, in folder: UInt32) -> Bool {
        gather()
        return lookout.news(of: name, in: folder).map(Lookout.isPatient) ?? false
    }

    /// Asks again for a while, as long as the answer is `.busy`: the document is being written. In no lane.
    func whenWhole<Value>(_ ask: () throws(Errno) -> Value) throws(Errno) -> Value {
        HeldLanes.checkNone()
        let end = Monotonic.milliseconds + Lookout.requestPatience
        while true {
            do throws(Errno) { return try ask() } catch { guard error == .busy, Monotonic.milliseconds < end else { throw error } }
            usleep(20_000)
        }
    }

    // MARK: Rescans

    /// Notices were lost: all that was read of these folders is read again.
    private func rescan(_ folders: Set<UInt32>) {
        guard !folders.isEmpty else { return }
        lookout.rescans.add(1, ordering: .relaxed)
        for folder in folders.sorted() where lookout.goesOn && tree.withLock({ $0.hold(folder) { _ in true } }) {
            defer { tree.withLock { $0.removeHandle(folder) } }
            _ = try? readListing(of: folder)
            tell([.content(folder)])
        }
    }
}
