import Containers
import LinuxFiles

/// Whoever serves, while somebody waits for his word. One whose process is stopped or frozen keeps everybody waiting: that is said after a while, and after a
/// longer one nobody waits any more. One that goes on is waited for: somebody else may have what is asked for, for hours.
struct SilentServer {
    /// How long nothing is thought of a silence, and how long one that is stopped is waited for.
    static let quiet: Int64 = 2000, longest: Int64 = 10_000

    private let container: Container
    private let process: Int32
    private var isTold = false

    private struct Halt: Sendable {
        let began: Int64
        var seen: Int64
    }

    /// Processes that did not go on when they were looked at: who asks one of them next does not begin anew. Looked at no more, it may have gone on.
    private static let halts = RecentTable<[UInt64], Halt>(most: 64)
    private static let lasting: Int64 = 15_000

    init(_ process: Int32, of container: Container) { (self.process, self.container) = (process, container) }

    /// By the one who has the container's lock: for who is not connected.
    init?(of container: Container) {
        guard let process = ContainerLock.process(in: container) else { return nil }
        self.init(process, of: container)
    }

    /// After a silence: nil to wait on, or why not.
    mutating func look() -> Failure? {
        guard process > 0, let facts = ProcessFacts(process), !facts.hasEnded else { return nil }
        let key = [UInt64(process), facts.start], remedy: String
        if facts.isStopped { remedy = "is stopped; let it go on: kill -CONT \(process)" } else if facts.isFrozen { remedy = "is frozen; let whoever froze it thaw it" } else {
            Self.halts[key] = nil
            return nil
        }
        let now = Monotonic.milliseconds, began = Self.halts.change(key) { halt in
            let began = halt.flatMap { now - $0.seen < Self.lasting ? $0.began : nil } ?? now - Self.quiet
            halt = Halt(began: began, seen: now)
            return began
        }
        let sentence = "\(ContainerLock.drive(in: container).map { "the drive on “\($0)”" } ?? "whoever coordinates in “\(container.path)”") does not answer: process \(process) \(remedy)"
        if now - began >= Self.longest { return Failure(.timedOut, sentence) }
        if !isTold { SystemLog.write(sentence, .warning) }
        isTold = true
        return nil
    }
}
