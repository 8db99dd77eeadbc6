import Dispatch

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
