import Dispatch
import Synchronization

// What several threads share, and needs no lock of its own: what is replaced as a whole, set once, taken once, waited for, and what happened lately.

/// A value that is replaced as a whole: whoever asks has what was set last. For what others are to know as it is now: a place, what was read last,
/// whoever is connected until the end.
public struct Latest<Value: Sendable>: ~Copyable, Sendable {
    @usableFromInline let latest: Locked<Value>

    @inlinable
    public init(_ value: Value) { latest = Locked(value) }

    @inlinable
    public var value: Value { latest.withLock { $0 } }

    /// What it was before. That ends, where nobody else has it, after the lock was let go of.
    @inlinable
    @discardableResult
    public func set(_ value: Value) -> Value {
        latest.withLock { latest in
            defer { latest = value }
            return latest
        }
    }
}

/// What is set once, after who has it was made, and read from then on without a lock: who is to hear of something, where a drive is mounted.
public struct SetOnce<Value: Sendable>: ~Copyable, Sendable {
    @usableFromInline
    final class Box: Sendable {
        @usableFromInline let value: Value

        @inlinable
        init(_ value: Value) { self.value = value }
    }

    @usableFromInline let box = AtomicLazyReference<Box>()

    @inlinable
    public init() {}

    /// nil until it is set.
    @inlinable
    public var value: Value? { box.load()?.value }

    /// What is set first stays.
    @inlinable
    public func set(_ value: Value) { _ = box.storeIfNil(Box(value)) }
}

/// Something that is put down by one and taken by another, whoever comes first, once: what is handed to a thread, a question's one answer.
public struct TakenOnce<Value>: ~Copyable, Sendable {
    @usableFromInline let content: Locked<Value?>

    @inlinable
    public init(_ value: consuming sending Value?) { content = Locked(value) }

    /// nil for all but the first.
    @inlinable
    public func take() -> Value? {
        content.withLock { content in
            defer { content = nil }
            return content
        }
    }
}

extension TakenOnce where Value: Sendable {
    @inlinable
    func put(_ value: Value) { content.withLock { $0 = value } }
}

/// An answer that one thread waits for and another one gives.
public final class AwaitedAnswer<Value: Sendable>: Sendable {
    @usableFromInline let answer = TakenOnce<Value>(nil)
    @usableFromInline let bell = DispatchSemaphore(value: 0)

    @inlinable
    public init() {}

    @inlinable
    deinit {}

    @inlinable
    public func give(_ value: Value) {
        answer.put(value)
        bell.signal()
    }

    /// Waits for it. For one thread, once.
    @inlinable
    public func wait() -> Value {
        while true {
            bell.wait()
            if let value = answer.take() { return value }
        }
    }

    /// The same, so long at the most: nil where it has not come. Then it can be waited for once more.
    public func wait(milliseconds: Int) -> Value? {
        guard bell.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return nil }
        return answer.take()
    }
}

/// What happened lately, by what it happened to. Nothing depends on it: beyond so many, all is forgotten, and is found out again or done without.
public struct RecentTable<Key: Hashable & Sendable, Value: Sendable>: ~Copyable, Sendable {
    @usableFromInline let table = Locked<[Key: Value]>([:])
    @usableFromInline let most: Int

    @inlinable
    public init(most: Int) { self.most = most }

    /// nil is set to forget it.
    @inlinable
    public subscript(key: Key) -> Value? {
        get { table.withLock { $0.isEmpty ? nil : $0[key] } }
        nonmutating set { change(key) { $0 = newValue } }
    }

    @inlinable
    public func take(_ key: Key) -> Value? { table.withLock { $0.isEmpty ? nil : $0.removeValue(forKey: key) } }

    /// Nobody else changes it meanwhile.
    @inlinable
    public func change<Result>(_ key: Key, _ body: (inout Value?) -> Result) -> Result {
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
