/// A value that is replaced as a whole: whoever asks has what was set last. For what others are to know as it is now: a place, what was read last,
/// whoever is connected until the end.
package struct Latest<Value: Sendable>: ~Copyable, Sendable {
    @usableFromInline let latest: Locked<Value>

    @inlinable
    package init(_ value: Value) { latest = Locked(value) }

    @inlinable
    package var value: Value { latest.withLock { $0 } }

    /// What it was before. That ends, where nobody else has it, after the lock was let go of.
    @inlinable
    @discardableResult
    package func set(_ value: Value) -> Value {
        latest.withLock { latest in
            defer { latest = value }
            return latest
        }
    }
}
