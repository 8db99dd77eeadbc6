import Dispatch
import Foundation
import LinuxFiles

/// Whether code runs where the main queue's blocks do, and running it there. After `dispatchMain()` that is no certain thread.
enum MainQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true || BackgroundThread.isFirst }

    /// What a body is told, for a task to wait for. Swift resumes a task by any thread, which asks for the main queue then: two threads are
    /// woken for one word. This way it goes on in the main queue at once.
    @MainActor
    static func word<Word: Sendable>(_ body: @MainActor (CheckedContinuation<Word, Never>) -> Void) async -> Word {
        await withTaskExecutorPreference(tasks) { await withCheckedContinuation { body($0) } }
    }

    private static let tasks = Tasks()

    /// The main queue for parts of tasks that do not say where they run.
    private final class Tasks: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            DispatchQueue.main.async { unsafe job.runSynchronously(isolatedTo: MainActor.sharedUnownedExecutor, taskExecutor: self.asUnownedTaskExecutor()) }
        }
    }

    /// Later, and nobody waits.
    static func run(_ body: @escaping @MainActor () -> Void) { DispatchQueue.main.async { MainActor.assumeIsolated(body) } }

    /// At once where the caller is the main queue, and later elsewhere.
    static func now(_ body: @escaping @MainActor () -> Void) { if isCurrent { MainActor.assumeIsolated(body) } else { run(body) } }

    /// In its turn, and waits for that; for who is not the main queue. By the caller's own thread where the main queue has none.
    static func wait(_ body: @MainActor () -> Void) { DispatchQueue.main.sync { MainActor.assumeIsolated(body) } }

    static func run(after delay: Double, _ body: @escaping @MainActor () -> Void) {
        DispatchQueue.main.asyncAfter(deadline: .now() + delay) { MainActor.assumeIsolated(body) }
    }
}
