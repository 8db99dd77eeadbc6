import LinuxFiles
import Dispatch
import Synchronization
import Thumbnails

/// Photos that wait for their thumbnails, in the order in which they were saved. Each is worked on after the other,
/// behind everybody's back. Only their numbers wait: what is open is what is being worked on.
final class ThumbnailQueue: Sendable {
    let worker: ThumbnailWorker
    private let background = DispatchQueue(label: "valise.thumbnails", qos: .utility)
    private let errands = DispatchGroup()
    private let waiting = Locked<Set<NodeNumber>>([])
    private let isEnding = Atomic(false)
    private let isClosed = Atomic(false)

    init(worker: ThumbnailWorker) { self.worker = worker }

    /// Runs `body` for the photo when its turn comes, unless it waits for its turn already. Says whether it will.
    /// `body` is told whether there is still time, and says when it has ended.
    func order(_ id: NodeNumber, _ body: @escaping @Sendable (_ isInTime: Bool, _ ended: @escaping @Sendable () -> Void) -> Void) -> Bool {
        guard waiting.withLock({ $0.insert(id).inserted }) else { return false }
        errands.enter()
        background.async { [self] in
            _ = waiting.withLock { $0.remove(id) }
            body(!isClosed.load(ordering: .relaxed)) { [self] in errands.leave() }
        }
        return true
    }

    /// Runs the rest of a thumbnail's work, whose first part has returned.
    func goOn(_ body: @escaping @Sendable () -> Void) { background.async(execute: body) }

    /// Whether there is still time.
    var isOpen: Bool { !isEnding.load(ordering: .relaxed) }

    /// Runs `body` a while later, in a place where it may wait.
    func inTheEnd(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "valise.thumbnails.late", qos: .background).asyncAfter(deadline: .now() + .seconds(2)) { [self] in
            if isOpen { body() }
        }
    }

    /// Waits for what is ordered, but not for long. What is not done by then is not done.
    func close() {
        isEnding.store(true, ordering: .relaxed)
        _ = errands.wait(timeout: .now() + .milliseconds(800))
        isClosed.store(true, ordering: .relaxed)
        worker.close()
        _ = errands.wait(timeout: .now() + .milliseconds(200))
    }
}
