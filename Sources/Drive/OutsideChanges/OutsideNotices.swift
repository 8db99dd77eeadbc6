import Containers
import LinuxFiles

/// What the kernel notices of changes from outside: which folders and packages it is to watch, and which item each notice is about.
/// What comes of that is not decided here.
final class OutsideNotices: Sendable {
    private let tree: Tree
    private let container: Container
    private let presence: ContainerPresence
    private let noticed: NoticedChanges
    private let feed: ChangeFeed

    init(tree: Tree, container: Container, presence: ContainerPresence, noticed: NoticedChanges, feed: ChangeFeed) {
        (self.tree, self.container, self.presence, self.noticed, self.feed) = (tree, container, presence, noticed, feed)
    }

    /// Watches a folder before it is read. Whether it is.
    func watch(_ folder: NodeNumber, _ place: OpenFile) -> Bool {
        guard noticed.notices != nil, tree.withLock({ $0.isWatchable(folder) }),
            let watch = noticed.watch(place.descriptor)
        else { return false }
        tree.withLock { $0.setWatch(watch, of: folder) }
        return true
    }

    /// Watches a package or folder before it is looked at. Its node, if it has one, is told afterwards.
    func watch(_ name: Name, in folder: NodeNumber, _ place: OpenFile) -> WatchID? {
        guard let watch = noticed.watch(name, in: place.descriptor) else { return nil }
        noticed.expect(watch, as: name, in: folder)
        return watch
    }

    /// What was watched before it had a node has one now, or never will.
    func settleWatches(of found: [FoundEntry], _ entries: [EntryNumber?], in tree: inout NodeTable) {
        for (item, entry) in zip(found, entries) {
            if let watch = item.watch, let entry { tree.setWatch(watch, of: NodeNumber(carrying: entry)) }
        }
    }

    func dropUnneededWatches() {
        guard noticed.notices != nil else { return }
        noticed.unwatch(feed.without(tree.takeUnneededWatches()))
    }

    /// Takes all that the kernel has to tell by now. When it returns, everything that had happened before it was called is known.
    /// `isFollower`: whoever looks at all of it afterwards. For anybody else that one is woken: what it waited for is taken already.
    func gather(isFollower: Bool = false) {
        guard let notices = noticed.notices else { return }
        noticed.turn.withLock { _ in
            let taken = notices.take()
            noticed.noticed.add(taken.count, ordering: .relaxed)
            for notice in taken { note(notice) }
            if !taken.isEmpty, !isFollower { notices.wake() }
        }
    }

    private func note(_ notice: ChangeNotice) {
        if notice.news.contains(.lost) {
            defer { feed.loseTrack() }
            return noticed.loseTrack(of: tree.distrustReadings())
        }
        let watched = tree.withLock { tree in tree.node(watch: notice.watch).map { ($0, tree[$0]) } }
        guard let (id, node) = watched else {
            feed.noticed(notice)
            if let (folder, name) = noticed.newcomer(notice.watch) { noticed.note(name, in: folder, notice.news, after: NoticedChanges.parts) }
            return notice.news.contains(.ended) ? noticed.haveNodes([notice.watch]) : ()
        }
        if notice.news.contains(.ended), id == NodeNumber.root { presence.look() }
        if notice.news.contains(.ended) {
            feed.noticed(notice)
            return tree.withLock { $0.forgetWatch(of: id) }
        }
        if id != NodeNumber.root, node.role == .document || notice.name == nil || container.reader.candidate(for: node.stored, isFolder: true) != nil {
            // A package is one item. So is a folder whose own attributes changed.
            noticed.note(node.stored, in: node.parent, notice.news, after: node.role == .document ? NoticedChanges.parts : 0)
        }
        if id == NodeNumber.root, notice.name == nil { presence.look() }
        guard node.role == .folder, let name = notice.name else { return }
        if id == NodeNumber.root, Hidden.isState(name) { return }
        noteMove(notice, of: name, in: id)
        guard tree.isKnown(id) else {
            feed.noticed(notice)
            // Nobody has looked into it; only that it changed may matter to somebody.
            return id == NodeNumber.root ? () : noticed.note(node.stored, in: node.parent, .attributes, after: 0)
        }
        noticed.note(name, in: id, notice.news, after: delay(of: notice.news, name))
    }

    /// The tree may not know yet where a folder is that was moved a moment ago: its path is what the kernel told of it.
    private func noteMove(_ notice: ChangeNotice, of name: Name, in folder: NodeNumber) {
        guard notice.move != 0, let (path, isNow) = tree.storedPath(of: folder, orOf: noticed.movedFolders) else { return }
        let node = notice.news.contains(.ofFolder) && !notice.news.contains(.arrived) ? tree.withLock { $0.node(stored: name, of: folder) } : nil
        let moved = noticed.noteMove(notice, at: OutsideMoves.Place(folder: folder, path: path + [name]), isNow: isNow, node: node)
        if !moved.isEmpty { tree.beginMoves(of: moved.keys) }
    }

    /// The tree has looked where the folders are that others have moved.
    func endMoves() {
        let known = noticed.forgetTakenMoves()
        guard !known.isEmpty else { return }
        tree.endMoves(of: known)
        dropUnneededWatches()
    }

    /// A file that may be a document is written to the end first, if its end will be told.
    private func delay(of news: ChangeNotice.News, _ name: Name) -> Int64 {
        guard news == .created || news == .content, container.reader.candidate(for: name, isFolder: false) != nil else { return 0 }
        return NoticedChanges.writing
    }

    /// Whether an item looks like a document that somebody is still writing.
    func isHalf(_ item: EntryFacts, _ name: Name, in folder: NodeNumber, _ place: OpenFile, _ news: NoticedChanges.News) -> Bool {
        if let document = item.document {
            // Content that is parsed begins with nothing.
            guard document.kind.kind.contentStart == nil, !news.what.contains(.closed) else { return false }
            return (try? place.descriptor.status(of: name).size) == 0
        }
        // Nobody becomes one who may read it by waiting.
        guard item.fault == nil || item.isDenied else { return true }
        let was = tree.kind(ofStored: name, in: folder)
        return was.map { $0.kind.mayBe(storedName: name.bytes, isFolder: item.status.type == .folder) } ?? false
    }

    /// Whether something was noticed of a document that does not read as one, so that somebody may be at it still.
    func mayBeHalf(_ name: Name, in folder: NodeNumber) -> Bool {
        gather()
        return noticed.news(of: name, in: folder).map(NoticedChanges.isPatient) ?? false
    }
}
