import Foundation
import Synchronization

/// Runs `body` on so many threads of their own, and waits for all.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
        group.enter()
        Thread {
            body(number)
            group.leave()
        }.start()
    }
    group.wait()
}

/// A word that one thread gives and others wait for.
final class Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func give() { semaphore.signal() }

    /// Whether it came. The deadline is only there so that a defect ends as a failure and not as a hang.
    func wait() -> Bool {
        let came = semaphore.wait(timeout: .now() + 120) == .success
        if came { semaphore.signal() }
        return came
    }
}

/// What happened, in order.
final class Record<Event: Sendable>: Sendable {
    private let list = Mutex<[Event]>([])
    var events: [Event] { list.withLock { $0 } }
    func add(_ event: Event) { list.withLock { $0.append(event) } }
}
