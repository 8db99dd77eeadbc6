import Foundation
import Synchronization
import Testing

/// Threads of their own for tests that would keep others waiting on Swift's pool, which has as many threads as the machine has processors.
///
/// A test that waits for a drive, another process or a lock keeps out one that computes; and one that computes for minutes keeps out each step
/// of a test that was told something, and of the code that it tests. So both have other threads, and the pool is free for what takes a moment.
final class TestThreads: TaskExecutor {
    /// They wait beside each other.
    static let waiting = TestThreads(count: 5, niceness: 0)
    /// They give way to drives and programs that others wait for: that takes nothing from them, because those mostly rest.
    static let computing = TestThreads(count: 2, niceness: 5)

    private let jobs = Mutex<[UnownedJob]>([])
    private let arrived = DispatchSemaphore(value: 0)

    private init(count: Int, niceness: Int32) {
        for _ in 0..<count {
            Thread.detachNewThread {
                // Of this thread, and of the programs that it starts.
                if niceness > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
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

/// Runs each test of a suite on threads for what such tests do.
public struct ThreadsTrait: SuiteTrait, TestTrait, TestScoping {
    public let isRecursive = true
    let threads: TestThreads
    var isLong = false

    public func prepare(for test: Test) async throws {
        if isLong { try await TestRun.leaveOut.prepare(for: test) }
    }

    public func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
        try await withTaskExecutorPreference(threads) { try await function() }
    }
}

extension Trait where Self == ThreadsTrait {
    /// For a suite whose tests mostly wait, and mount nothing.
    public static var waiting: ThreadsTrait { ThreadsTrait(threads: .waiting) }

    /// For a suite whose tests compute for seconds and more. A quick run leaves it out.
    public static var computing: ThreadsTrait { ThreadsTrait(threads: .computing, isLong: true) }
}
