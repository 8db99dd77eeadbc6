import LinuxFiles

/// A claim while it is waited for, and while it is held, in the hands of whoever may give it up: from any thread.
package final class ClaimWait: Sendable {
    private struct State {
        var connection: (any ClaimConnection)?
        /// How what was granted is given back; the innermost last.
        var held: [@Sendable () -> Void] = []
        var isCancelled = false
        /// The connection was shut down while the answer was under way.
        var isBroken = false
    }

    private let state = Locked(State())

    /// Has something that waits done by another thread, and returns when that has ended.
    package typealias Elsewhere = @Sendable (_ wait: @escaping @Sendable () -> Void) -> Void
    /// Of a thread that has something else to do while it waits.
    private let elsewhere: Elsewhere?

    package init(_ elsewhere: Elsewhere? = nil) { self.elsewhere = elsewhere }

    /// What `body` waits for, on whichever thread.
    func answer<Answer: Sendable>(_ body: @escaping @Sendable () -> Answer) -> Answer {
        guard let elsewhere else { return body() }
        let answer = AwaitedAnswer<Answer>()
        elsewhere { answer.give(body()) }
        return answer.wait()
    }

    /// It is not waited for any more, nor is any other that waits with this.
    package func cancel() {
        let connection = state.withLock { state in
            state.isCancelled = true
            state.isBroken = state.connection != nil
            return state.connection
        }
        connection?.shutDown()
    }

    /// Asks once more, at the end of the queue: or, for a presenter that was asked to save meanwhile, before those who wait for that.
    package func askAgain() {
        let connection = state.withLock { state in
            state.isBroken = state.connection != nil
            return state.connection
        }
        connection?.shutDown()
    }

    // MARK: What was granted

    /// Runs `body`, and gives back what was granted for it: at its end, or when it is let go of before.
    package func holding<Value>(_ giveBack: @escaping @Sendable () -> Void, _ body: () throws -> Value) rethrows -> Value {
        let depth = state.withLock { state in
            state.held.append(giveBack)
            return state.held.count
        }
        defer { letGo(downTo: depth - 1) }
        return try body()
    }

    /// What was granted is not needed any more, although the blocks run still.
    package func letGo() { letGo(downTo: 0) }

    private func letGo(downTo depth: Int) {
        let given = state.withLock { state in
            defer { state.held.removeLast(max(0, state.held.count - depth)) }
            return state.held.dropFirst(depth)
        }
        for giveBack in given.reversed() { giveBack() }
    }

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// False where it was cancelled.
    func begin(_ connection: any ClaimConnection) -> Bool {
        state.withLock { state in
            (state.connection, state.isBroken) = (connection, false)
            return !state.isCancelled
        }
    }

    /// False where what was granted is not to be relied on: the connection was shut down.
    func end() -> Bool {
        state.withLock { state in
            state.connection = nil
            return !state.isBroken
        }
    }
}
