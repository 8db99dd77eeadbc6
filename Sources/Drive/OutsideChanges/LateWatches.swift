import Coordination
import Dispatch
import LinuxFiles

/// Folders that are watched a little after they were looked at. The kernel marks each entry that it remembers of a folder before it watches it,
/// which takes longer than all else that it takes to open one document in a large one.
///
/// Until then the kernel is told to remember nothing of what is in there for long. What happened before is looked at afterwards.
final class LateWatches: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let noticed: NoticedChanges
    private let places: Places
    private let feed: ChangeFeed
    private let queue = DispatchQueue(label: "valise.watching", qos: .utility)
    private let waiting = Locked<Set<NodeNumber>>([])

    /// Who looked for one document opens it next. The kernel lets nobody else have this processor while it marks entries.
    private static let delay = 100

    /// So many bytes a folder has of itself where there are thousands of entries in it.
    private static let large: Int64 = 128 * 1024

    init(tree: Tree, coordinator: DocumentCoordinator, noticed: NoticedChanges, places: Places, feed: ChangeFeed) {
        (self.tree, self.coordinator, self.noticed, self.places, self.feed) = (tree, coordinator, noticed, places, feed)
    }

    func isLarge(_ status: FileStatus) -> Bool { status.size >= Self.large }

    /// It is watched soon, if the tree still knows it.
    func add(_ folder: NodeNumber) {
        guard noticed.notices != nil, !noticed.isFull.load(ordering: .relaxed), waiting.withLock({ $0.insert(folder).inserted }) else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.delay)) { [self] in
            // Before it is asked whether the drive goes on: who ends it waits for this then.
            noticed.ended.enter()
            defer { noticed.ended.leave() }
            waiting.withLock { _ = $0.remove(folder) }
            guard noticed.goesOn, tree.withLock({ $0[folder].watch == 0 && $0.isWatchable(folder) && $0.hold(folder) }) else { return }
            defer { tree.withLock { $0.removeHandle(folder) } }
            guard let place = try? places.place(of: folder), let watch = noticed.watch(place.descriptor) else { return }
            // Whoever finds a name in the folder meanwhile does so in its lane, before this or after.
            coordinator.write(LaneID(folder)) { settle(watch, of: folder) }
        }
    }

    /// In the folder's lane.
    private func settle(_ watch: WatchID, of folder: NodeNumber) {
        coordinator.checkWriting(LaneID(folder))
        // Whatever is known of it may have changed since its names were found.
        let known = tree.withLock { tree -> (own: (Name, NodeNumber)?, inside: [Name])? in
            guard tree.isWatchable(folder) else { return nil }
            tree.setWatch(watch, of: folder)
            var names: [Name] = []
            tree.folders[folder]?.byStored.forEach { names.append(tree[$0].stored) }
            return (folder == NodeNumber.root ? nil : (tree[folder].stored, tree[folder].parent), names)
        }
        guard let known else { return noticed.unwatch(feed.without([watch])) }
        for name in known.inside { noticed.note(name, in: folder, .attributes, after: 0) }
        if let (name, parent) = known.own { noticed.note(name, in: parent, .attributes, after: 0) }
        noticed.notices?.wake()
    }
}
