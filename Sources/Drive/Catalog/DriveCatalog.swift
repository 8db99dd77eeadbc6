import Catalog
import Containers
import Dispatch
import Glibc
import LinuxFiles

/// The catalog of the drive's container: threads of its own keep it, one at a time (`CatalogTurns`), when nobody else has anything to do.
///
/// It is opened when the drive answers already, and nothing on the drive waits for it. What it does not know yet it reads when the drive has
/// been idle for a while, or at once when somebody searches. Changes come by the feed (`ChangeFeed`).
final class DriveCatalog: Sendable {
    let tree: Tree
    let container: Container
    let workshop: Workshop?
    let noticed: NoticedChanges
    let watching: OutsideNotices
    let feed: ChangeFeed
    let counts: RequestCounts

    enum Stage: String, Sendable {
        /// It was not begun.
        case off
        /// It waits until the drive is idle.
        case waiting
        /// It goes through the container.
        case reading
        /// It knows all that is there.
        case whole
    }

    struct State {
        var isStarted = false
        var isEnding = false
        var begun: [Search] = []
        var searches = 0
        var stage = Stage.off
        var items = 0
        var isInMemory = false
        /// Some folders lie too deep to be looked into.
        var isCut = false
        /// Where it lies, for who reads it.
        var readable: CatalogPlace?
        /// No folder waits to be looked at once more.
        var isSettled = false
        /// Nobody has tried to open it yet.
        var isNew = true
        /// Why it is made anew, or lies in memory.
        var reason: String?
    }

    let state = Locked(State())
    /// For who looks something up in it, beside the thread that writes; none while there is no file.
    let reader = Locked<CatalogReader?>(nil, .catalogPages)
    private let running = DispatchGroup()

    init(
        tree: Tree, container: Container, workshop: Workshop?, noticed: NoticedChanges, watching: OutsideNotices, feed: ChangeFeed, counts: RequestCounts
    ) {
        (self.tree, self.container, self.workshop, self.noticed, self.watching) = (tree, container, workshop, noticed, watching)
        (self.feed, self.counts) = (feed, counts)
    }

    /// The drive answers. One that keeps nothing does nothing before somebody searches.
    func driveAnswers() { if workshop != nil { start() } }

    private func start() {
        let isFirst = state.withLock { state in
            guard !state.isStarted, !state.isEnding else { return false }
            (state.isStarted, state.stage) = (true, .waiting)
            return true
        }
        guard isFirst else { return }
        running.enter()
        BackgroundThread.start { [self] in
            let work = CatalogWork(self)
            // Nobody who asks at once waits for a thread that all others go before.
            work.openWhatIsReady()
            CatalogTurns(work).run()
            feed.stopFollowing()
            running.leave()
        }
    }

    /// It is opened when the drive answers. Who asks at once waits for that, no longer than it takes to read a folder.
    func waitUntilOpened() {
        for _ in 0..<100 {
            guard state.withLock({ $0.isStarted && $0.isNew && !$0.isEnding }) else { return }
            usleep(1000)
        }
        state.withLock { $0.isNew = false }
    }

    /// All is known and was looked at long enough after its last change.
    var isSettled: Bool { state.withLock { $0.stage == .whole && $0.isSettled } && !feed.hasChanges }

    func begin(_ search: Search) {
        state.withLock { $0.begun.append(search) }
        start()
        feed.ring()
    }

    func end(_ search: Search) { feed.ring() }

    /// Waits until it is written down and closed.
    func stop() {
        state.withLock { $0.isEnding = true }
        feed.ring()
        running.wait()
    }
}
