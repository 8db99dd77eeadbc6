import Foundation
import Synchronization
import Testing

/// Threads of their own for tests that mostly wait: for a drive, another process, a lock.
///
/// Swift's pool has as many threads as the machine has processors, and a test that blocks one keeps out a test that computes.
/// On these threads tests wait beside each other, and the pool stays with those that compute.
final class WaitingThreads: TaskExecutor {
    static let shared = WaitingThreads(count: 4)

    private let jobs = Mutex<[UnownedJob]>([])
    private let arrived = DispatchSemaphore(value: 0)

    private init(count: Int) {
        for _ in 0..<count {
            Thread.detachNewThread {
                while true { self.runNext() }
            }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        arrived.signal()
    }

    private func runNext() {
        arrived.wait()
        let job = jobs.withLock { $0.removeFirst() }
        job.runSynchronously(on: asUnownedTaskExecutor())
    }
}

/// Runs each test of a suite on `WaitingThreads`.
public struct WaitingTrait: SuiteTrait, TestTrait, TestScoping {
    public let isRecursive = true

    public func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
        try await withTaskExecutorPreference(WaitingThreads.shared) { try await function() }
    }
}

extension Trait where Self == WaitingTrait {
    /// For a suite whose tests mostly wait, and mount nothing.
    public static var waiting: WaitingTrait { WaitingTrait() }
}
