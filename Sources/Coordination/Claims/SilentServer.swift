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
        let key = [UInt64(process), facts.start]
        guard let remedy = facts.remedy(of: process) else {
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

extension ProcessFacts {
    /// What is the matter with a process that does not go on, and what ends that.
    fileprivate func remedy(of process: Int32) -> String? {
        if isStopped { return "is stopped; let it go on: kill -CONT \(process)" }
        return isFrozen ? "is frozen; let whoever froze it thaw it" : nil
    }
}

/// Programs that have what a claim waits for. They may have it for hours, and are waited for; but one that is stopped or frozen never gives it back, and
/// only its user knows that.
struct ClaimHolders {
    private let item: ItemPath
    private var isTold = false

    init(of items: [ClaimedItem]) { item = items[0].path }

    /// Says so of the first that does not go on, once.
    mutating func look(at processes: [Int32]) {
        guard !isTold, let sentence = processes.lazy.compactMap(sentence).first else { return }
        SystemLog.write(sentence, .warning)
        isTold = true
    }

    /// Of a process that does not go on. It has named itself, and may have taken any bytes for that.
    func sentence(of process: Int32) -> String? {
        guard process > 0, let facts = ProcessFacts(process), !facts.hasEnded, let remedy = facts.remedy(of: process) else { return nil }
        return "“\(item)” is waited for, and process \(process) (\(Name.printable(facts.name.utf8))), which has it, \(remedy)"
    }
}
