import Containers
import Coordination
import Foundation
import MountTesting
import Synchronization
import Testing

/// A container for claims, and programs that make them.
final class ClaimContainer: Sendable {
    private let folder: MountTesting.TemporaryFolder
    var path: String { folder.path }

    init() throws {
        folder = try MountTesting.TemporaryFolder()
        // Of each document of the random claims, eight bytes.
        try Data(count: 8 * 24).write(to: URL(fileURLWithPath: path + "/counters"))
    }

    /// `ClaimTrial` in a process of its own.
    func start(_ words: String...) throws -> Program {
        try Program([Places.built + "/ClaimTrial", path] + words)
    }
}

/// The container's lock, once whoever has it lets go of it for who asks.
func takeLock(of container: Container, _ request: LockRequest) throws -> ContainerLock {
    var lock: ContainerLock?
    #expect(eventually {
        request.ask()
        lock = try? ContainerLock.take(in: container, purpose: "next")
        return lock != nil
    })
    return try #require(lock)
}

/// What a thread of its own finds out.
final class OnThread<Value: Sendable>: Sendable {
    private let outcome = Mutex<Value?>(nil)

    init(_ body: @escaping @Sendable () -> Value) {
        Thread { [self] in
            let value = body()
            outcome.withLock { $0 = value }
        }.start()
    }

    var hasEnded: Bool { outcome.withLock { $0 != nil } }

    /// Waits for it.
    var value: Value? {
        #expect(eventually { hasEnded }, "the thread does not end")
        return outcome.withLock { $0 }
    }
}
