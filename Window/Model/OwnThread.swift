import Foundation

/// What waits, for a program or for a drive: on a thread of its own. The main thread draws meanwhile, and the threads that all tasks share are few.
enum OwnThread {
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { waiting in
            Thread.detachNewThread { waiting.resume(with: Result { try body() }) }
        }
    }

    static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { waiting in
            Thread.detachNewThread { waiting.resume(returning: body()) }
        }
    }
}
