import Dispatch
import Glibc
import LinuxFiles

/// Names that are being moved, in the container and then in the tree.
///
/// Who looks for an item reads in the tree what its folder and its name are, and then asks the container. A move that comes in
/// between makes that a name that leads nowhere, though the item is there. So who finds nothing looks again if something was
/// moved since, and waits for what is being moved. Nobody else waits for moves or pays for them.
final class MovesUnderWay: Sendable {
    private struct State {
        /// How many moves have ended so far.
        var ended: UInt64 = 0
        /// The threads that move something.
        var movers: [pthread_t] = []
        var waiting: [DispatchSemaphore] = []
    }

    private let state = Locked(State())
    /// Whoever is overtaken by moves so often looks for something that is gone, while others move much else.
    private static let patience = 100

    /// Moves something, in the container and in the tree. With all the lanes that it needs: who holds one may wait for the end of it.
    func during<Value, Problem: Error>(_ body: () throws(Problem) -> Value) throws(Problem) -> Value {
        let thread = pthread_self()
        state.withLock { $0.movers.append(thread) }
        defer {
            let waiting = state.withLock { state in
                state.ended += 1
                if let index = state.movers.firstIndex(of: thread) { state.movers.remove(at: index) }
                defer { state.waiting = [] }
                return state.waiting
            }
            for semaphore in waiting { semaphore.signal() }
        }
        return try body()
    }

    /// Looks for something by what the tree says of its place: `body` reads that anew each time.
    func following<Value>(_ body: () throws(Errno) -> Value) throws(Errno) -> Value {
        for _ in 0..<Self.patience {
            let ended = state.withLock { $0.ended }
            do throws(Errno) { return try body() } catch {
                // In the middle of a move an item is not what the tree says, and looks half-written.
                guard [.stale, .noSuchEntry, .busy].contains(error), wasMoved(since: ended) else { throw error }
            }
        }
        return try body()
    }

    /// Whether something was moved since so many moves had ended; waits for what is being moved by others.
    private func wasMoved(since ended: UInt64) -> Bool {
        let thread = pthread_self()
        let semaphore: DispatchSemaphore? = state.withLock { state in
            guard state.ended == ended, state.movers.contains(where: { $0 != thread }), !state.movers.contains(thread) else { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            state.waiting.append(semaphore)
            return semaphore
        }
        semaphore?.wait()
        return state.withLock { $0.ended != ended }
    }
}
