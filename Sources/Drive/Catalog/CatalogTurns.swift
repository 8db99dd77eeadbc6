import Dispatch
import LinuxFiles

/// The catalog's work goes on in one of two threads: while nobody waits for it, in one that all other programs go before; while somebody searches, in
/// one that is like any other. A thread that has stepped back may not come forward again.
///
/// SAFETY: only the thread whose turn it is touches the work. The other one waits for its semaphore meanwhile.
final class CatalogTurns: @unchecked Sendable {
    private let work: CatalogWork
    private var isOver = false
    private let idle = DispatchSemaphore(value: 0), asked = DispatchSemaphore(value: 0)

    init(_ work: sending CatalogWork) { self.work = work }

    /// Does the work to its end. The thread that calls it becomes the one of those who search.
    func run() {
        BackgroundThread.start { [self] in
            BackgroundThread.stepBack()
            take(isAsked: false, idle, asked)
        }
        idle.signal()
        take(isAsked: true, asked, idle)
    }

    private func take(isAsked: Bool, _ own: DispatchSemaphore, _ other: DispatchSemaphore) {
        while true {
            own.wait()
            if !isOver { isOver = work.run(isAsked: isAsked) }
            let ends = isOver
            other.signal()
            if ends { return }
        }
    }
}
