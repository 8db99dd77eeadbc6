import Coordination
import Dispatch
import Glibc

/// Follows what other programs change in the container: the item is looked at again, the tree follows, and the
/// kernel is told of exactly the names and contents that are not as it remembers them.
///
/// 1. A notice says which folder, or package, and which name in it (`OutsideNotices`). Anybody may take the notices: the thread that waits for them,
///    and a request that finds a folder changed.
/// 2. What was noticed is gathered for a moment. A package is one item whatever changes in it. A document that somebody writes to
///    is looked at when it is closed.
/// 3. Each item is looked at once, in its folder's lane. If it is as it was seen last, it was the drive's own doing, and all is said.
/// 4. A document that does not read as one any more may be half-written: it stays what it was until it is whole again or
///    patience ends. A new one is not shown before.
final class OutsideChanges: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let noticed: NoticedChanges
    private let kernel: KernelMemory
    private let places: Places
    private let watching: OutsideNotices
    private let folders: FolderContents
    private let feed: ChangeFeed

    init(
        tree: Tree, coordinator: DocumentCoordinator, noticed: NoticedChanges, kernel: KernelMemory, places: Places,
        watching: OutsideNotices, folders: FolderContents, feed: ChangeFeed
    ) {
        self.feed = feed
        (self.tree, self.coordinator, self.noticed, self.kernel, self.places) = (tree, coordinator, noticed, kernel, places)
        (self.watching, self.folders) = (watching, folders)
    }

    /// Notices are gathered for so long: few wake-ups while the drive itself writes, and few rounds in a flood.
    private static let gathering: UInt32 = 30_000

    /// `followed` is called when the tree knows what had changed.
    func start(_ followed: @escaping @Sendable () -> Void = {}) {
        guard let notices = noticed.notices else { return }
        DispatchQueue(label: "valise.noticed", qos: .utility).async(group: noticed.ended) { [self] in
            var next: Int64?
            while noticed.goesOn {
                notices.wait(milliseconds: next)
                guard noticed.goesOn else { return }
                usleep(Self.gathering)
                watching.gather(isFollower: true)
                rescan(noticed.takeRescan())
                folders.followMoves()
                for folder in noticed.due().folders { lookAgain(in: folder) }
                watching.endMoves()
                followed()
                // While one folder was looked at, something of another may have been noticed: nobody wakes this thread for that.
                let due = noticed.due()
                next = due.folders.isEmpty ? due.next : 0
            }
        }
    }

    /// Waits until no change is being followed any more.
    func stop() { noticed.stop() }

    private func lookAgain(in folder: NodeNumber) {
        guard tree.holdKnown(folder) else { return passOver(folder) }
        defer { tree.withLock { $0.removeHandle(folder) } }
        guard let place = try? places.place(of: folder) else { return passOver(folder) }
        coordinator.write(LaneID(folder)) {
            folders.catchUp(folder, place, isFollower: true)
        }
    }

    /// The tree has forgotten the folder.
    private func passOver(_ folder: NodeNumber) {
        let due = noticed.takeDue(in: folder)
        defer { noticed.hasLooked() }
        if !due.isEmpty { feed.add(Array(due.keys), in: tree.cataloguedPath(of: folder)) }
    }

    /// Notices were lost: all that was read of these folders is read again.
    private func rescan(_ unknown: Set<NodeNumber>) {
        guard !unknown.isEmpty else { return }
        noticed.rescans.add(1, ordering: .relaxed)
        for folder in unknown.sorted() where noticed.goesOn && tree.withLock({ $0.hold(folder) }) {
            defer { tree.withLock { $0.removeHandle(folder) } }
            _ = try? folders.readListing(of: folder)
            kernel.tell([.content(folder)])
        }
    }
}
