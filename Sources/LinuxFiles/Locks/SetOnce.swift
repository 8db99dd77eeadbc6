import Synchronization

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
