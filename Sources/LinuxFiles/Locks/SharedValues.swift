import Dispatch
import Synchronization

// What several threads share, and needs no lock of its own: what is replaced as a whole, set once, taken once, waited for, and what happened lately.

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

/// What is set once, after who has it was made, and read from then on without a lock: who is to hear of something, where a drive is mounted.
package struct SetOnce<Value: Sendable>: ~Copyable, Sendable {
    private final class Box: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private let box = AtomicLazyReference<Box>()

    package init() {}

    /// nil until it is set.
    package var value: Value? { box.load()?.value }

    /// What is set first stays.
    package func set(_ value: Value) { _ = box.storeIfNil(Box(value)) }
}

/// Something that is put down by one and taken by another, whoever comes first, once: what is handed to a thread, a question's one answer.
package struct TakenOnce<Value>: ~Copyable, Sendable {
    fileprivate let content: Locked<Value?>

    package init(_ value: consuming sending Value?) { content = Locked(value) }

    /// nil for all but the first.
    package func take() -> Value? {
        content.withLock { content in
            defer { content = nil }
            return content
        }
    }
}

extension TakenOnce where Value: Sendable {
    fileprivate func put(_ value: Value) { content.withLock { $0 = value } }
}

/// An answer that one thread waits for and another one gives.
package final class AwaitedAnswer<Value: Sendable>: Sendable {
    private let answer = TakenOnce<Value>(nil)
    private let bell = DispatchSemaphore(value: 0)

    package init() {}

    package func give(_ value: Value) {
        answer.put(value)
        bell.signal()
    }

    /// Waits for it. For one thread, once.
    package func wait() -> Value {
        while true {
            bell.wait()
            if let value = answer.take() { return value }
        }
    }
}

/// What happened lately, by what it happened to. Nothing depends on it: beyond so many, all is forgotten, and is found out again or done without.
package struct RecentTable<Key: Hashable & Sendable, Value: Sendable>: ~Copyable, Sendable {
    @usableFromInline let table = Locked<[Key: Value]>([:])
    @usableFromInline let most: Int

    @inlinable
    package init(most: Int) { self.most = most }

    /// nil is set to forget it.
    @inlinable
    package subscript(key: Key) -> Value? {
        get { table.withLock { $0.isEmpty ? nil : $0[key] } }
        nonmutating set { change(key) { $0 = newValue } }
    }

    @inlinable
    package func take(_ key: Key) -> Value? { table.withLock { $0.isEmpty ? nil : $0.removeValue(forKey: key) } }

    /// Nobody else changes it meanwhile.
    @inlinable
    package func change<Result>(_ key: Key, _ body: (inout Value?) -> Result) -> Result {
        table.withLock { table in
            var value = table.isEmpty ? nil : table[key]
            let result = body(&value)
            if let value {
                if table.count >= most, table[key] == nil { table = [:] }
                table[key] = value
            } else if !table.isEmpty {
                table[key] = nil
            }
            return result
        }
    }
}
