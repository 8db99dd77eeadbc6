import Synchronization

/// What matching may take, of one search: steps of regular expressions, and bytes of texts. Whoever searches gets some more from time to time, and
/// one whose search is not wanted any more gets none. When it is spent, nothing else matches.
public final class MatchBudget: Sendable {
    private let left: Atomic<Int>
    private let most: Int
    private let spent = Atomic(false)

    public init(_ most: Int) {
        self.most = most
        left = Atomic(most)
    }

    /// Whether that much was left.
    func take(_ steps: Int) -> Bool {
        guard left.wrappingSubtract(steps, ordering: .relaxed).newValue >= 0 else {
            spent.store(true, ordering: .relaxed)
            return false
        }
        return true
    }

    /// No more than there was in the beginning.
    public func add(_ steps: Int) {
        let now = left.load(ordering: .relaxed)
        if now > Int.min / 2, now < most { left.store(min(max(now, 0) + steps, most), ordering: .relaxed) }
    }

    /// It is not wanted any more.
    public func end() { left.store(Int.min / 2, ordering: .relaxed) }

    /// There is none left now.
    public var isSpent: Bool { left.load(ordering: .relaxed) < 0 }

    /// Something was not looked at because there was none left.
    public var wasSpent: Bool { spent.load(ordering: .relaxed) }
}
