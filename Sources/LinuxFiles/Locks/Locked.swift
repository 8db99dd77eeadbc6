import Synchronization

/// What several threads share, and the lock that it is behind. Debug builds end where locks are taken in another order than that
/// of their ranks, and where somebody reads or writes a file with a table in their hands: see `HeldLocks`.
public struct Locked<State: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<State>
    @usableFromInline let rank: LockRank

    @inlinable
    public init(_ state: consuming sending State, _ rank: LockRank = .leaf) {
        mutex = Mutex(state)
        self.rank = rank
    }

    @inlinable
    public borrowing func withLock<Value: ~Copyable, Problem: Error>(
        _ body: (inout sending State) throws(Problem) -> sending Value
    ) throws(Problem) -> sending Value {
        #if DEBUG
        HeldLocks.take(rank)
        defer { HeldLocks.letGo(rank) }
        #endif
        return try mutex.withLock(body)
    }

    /// nil, and nothing is done, where somebody else has it.
    @inlinable
    public borrowing func withLockIfAvailable<Value: ~Copyable, Problem: Error>(
        _ body: (inout sending State) throws(Problem) -> sending Value
    ) throws(Problem) -> sending Value? {
        #if DEBUG
        HeldLocks.take(rank)
        defer { HeldLocks.letGo(rank) }
        #endif
        return try mutex.withLockIfAvailable(body)
    }
}
