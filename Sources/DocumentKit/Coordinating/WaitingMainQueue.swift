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
            let overtaken = state.withLock { state in
                state.accesses.append(self)
                return state.queued
            }
            defer { state.withLock { _ = $0.accesses.popLast() } }
            // That thread goes on when this queue does. What it wanted of that is done now, and nobody waits for what it has.
            if let letGo = overtaken {
                while let body = next() { MainActor.assumeIsolated(body) }
                letGo()
            }
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
        /// Where a thread stands in this queue, one at a time: how it gives up what it can do without once its body has run.
        var queued: (@Sendable () -> Void)?
    }

    private static let state = Locked(State())
    private static let waiting = DispatchQueue(label: "valise.main.waiting", attributes: .concurrent)

    private static let hasDocuments = Atomic(false)

    /// From now on there may be something to do.
    static func noteDocument() { hasDocuments.store(true, ordering: .relaxed) }

    /// nil where the caller is not the main queue, or nothing belongs to that.
    static func newAccess() -> Access? { hasDocuments.load(ordering: .relaxed) && MainQueue.isCurrent ? Access() : nil }

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

    /// The same, and waits for it. `lettingGo`: gives up what the caller has, whom nobody waits for after that. Where no thread is the main queue's own,
    /// such a caller runs the body itself: no other one is woken for that.
    static func runAndWait(lettingGo: (@Sendable () -> Void)? = nil, _ body: @escaping @MainActor () throws -> Void) throws {
        if MainQueue.isCurrent { return try MainActor.assumeIsolated(body) }
        let outcome = AwaitedAnswer<Result<Void, any Error>>(), give: @MainActor () -> Void = { outcome.give(Result { try body() }) }
        guard let lettingGo, queue(give, lettingGo) else {
            run(give)
            return try outcome.wait().get()
        }
        defer { state.withLock { $0.queued = nil } }
        MainQueue.wait { next()?() }
        try outcome.wait().get()
    }

    /// False while the main queue waits, for which it would be waited in vain; and where others want something of it, which goes on by itself then.
    private static func queue(_ body: @escaping @MainActor () -> Void, _ lettingGo: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.accesses.isEmpty, state.bodies.isEmpty, state.queued == nil else { return false }
            state.bodies.append(body)
            state.queued = lettingGo
            return true
        }
    }

    private static func next() -> (@MainActor () -> Void)? { state.withLock { $0.bodies.isEmpty ? nil : $0.bodies.removeFirst() } }

    /// What an app is told: at once, but not in the middle of its own call.
    @MainActor
    static func tell(_ body: @escaping @MainActor () -> Void) { if state.withLock({ $0.accesses.isEmpty }) { body() } else { MainQueue.run(body) } }
}
