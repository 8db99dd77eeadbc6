import LinuxFiles

/// The further groups of those who ask, which a request does not say. The kernel tells them of the thread that asked; they are
/// remembered for a moment, because a program that walks a tree asks thousands of times.
final class CallerGroups: Sendable {
    private struct Known {
        let facts: ThreadFacts?
        let until: Int64
    }

    private let page: @Sendable (UInt32) -> [UInt8]?
    private let known = RecentTable<UInt32, Known>(most: 256)
    private static let milliseconds: Int64 = 500

    /// `page`: what everybody is told of a thread.
    init(_ page: @escaping @Sendable (UInt32) -> [UInt8]?) { self.page = page }

    /// nil where nobody can tell: the caller is of another world of processes, or a thread of the kernel's that acts for somebody.
    func of(_ caller: Caller) -> [UInt32]? {
        guard caller.thread != 0 else { return nil }
        let now = Monotonic.milliseconds
        let kept = known[caller.thread]
        if let kept, now < kept.until, kept.facts?.user == caller.user { return kept.facts?.groups }
        let facts = page(caller.thread).flatMap { ThreadFacts(page: $0) }
        known[caller.thread] = Known(facts: facts, until: now + Self.milliseconds)
        // One that has ended has no more groups than the one that it came with; nobody waits for its answer.
        guard let facts else { return [] }
        return facts.user == caller.user ? facts.groups : nil
    }
}
