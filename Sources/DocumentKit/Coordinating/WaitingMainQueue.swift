import Coordination
import Dispatch
import Foundation
import LinuxFiles
import Synchronization

/// The main queue while it waits in a coordinated access. The documents of this process belong to that queue, and whoever is waited for may wait for
/// what they have to do there: so the access is waited for by another thread, and this one does that meanwhile. Nothing else of the app's comes in
/// there than what a document asks of its subclass; completion handlers and notifications come later.
enum WaitingMainQueue {
    /// An access that the main queue asked for.
    final class Access: Sendable {
        struct Item { let home: String, item: ClaimedItem, purpose: String }

        fileprivate let items = Locked<[Item]>([])
        fileprivate let turn = DispatchSemaphore(value: 0)
        fileprivate let isOver = Atomic(false)

        /// Has something that waits done by another thread; returns when that has ended.
        func wait(_ body: @escaping @Sendable () -> Void) {
            isOver.store(false, ordering: .relaxed)
            state.withLock { $0.accesses.append(self) }
            defer { state.withLock { _ = $0.accesses.popLast() } }
            waiting.async { [self] in
                body()
                isOver.store(true, ordering: .releasing)
                turn.signal()
            }
            while !isOver.load(ordering: .acquiring) { if let body = next() { MainActor.assumeIsolated(body) } else { turn.wait() } }
        }
    }

    private struct State {
        /// In the order in which they came.
        var bodies: [@MainActor () -> Void] = []
        /// That are waited for; the innermost last.
        var accesses: [Access] = []
    }

    private static let state = Locked(State())
    private static let waiting = DispatchQueue(label: "valise.main.waiting", attributes: .concurrent)

    /// Nil where the caller is not the main queue.
    static func newAccess() -> Access? { MainQueue.isCurrent ? Access() : nil }

    /// What is done by a document in there cannot wait for the one who waits for that.
    static func begin(_ access: Access?, _ items: [Access.Item]) throws {
        guard let access else { return }
        let outer = state.withLock { $0.accesses }.flatMap { $0.items.withLock { $0 } }
        for item in items {
            guard let other = outer.first(where: { $0.home == item.home && $0.purpose != item.purpose && $0.item.excludes(item.item) }) else { continue }
            throw Failure(Errno(rawValue: EDEADLK), "“\(item.item.path)” would be waited for by the main queue, which waits for “\(other.item.path)” already")
        }
        access.items.withLock { $0 = items }
    }

    // MARK: What documents have to do

    /// In the main queue, whether that waits or not; returns at once.
    static func run(_ body: @escaping @MainActor () -> Void) {
        let accesses = state.withLock { state in
            state.bodies.append(body)
            return state.accesses
        }
        for access in accesses { access.turn.signal() }
        MainQueue.run { next()?() }
    }

    /// The same, and waits for it.
    static func runAndWait(_ body: @escaping @MainActor () throws -> Void) throws {
        if MainQueue.isCurrent { return try MainActor.assumeIsolated(body) }
        let outcome = AwaitedAnswer<Result<Void, any Error>>()
        run { outcome.give(Result { try body() }) }
        try outcome.wait().get()
    }

    private static func next() -> (@MainActor () -> Void)? { state.withLock { $0.bodies.isEmpty ? nil : $0.bodies.removeFirst() } }

    /// What an app is told: at once, but not in the middle of its own call.
    @MainActor
    static func tell(_ body: @escaping @MainActor () -> Void) { if state.withLock({ $0.accesses.isEmpty }) { body() } else { MainQueue.run(body) } }
}
