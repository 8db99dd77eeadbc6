/// Claims of presenters that are asked to save, made to save: they come before the claims that they are asked for, which have their
/// places in the table already. Pure.
struct InnerClaims {
    private var claims: [Claim] = []
    /// Claims whose turn it was while one of these was granted.
    private var keptBack: [Claim] = []

    var isEmpty: Bool { claims.isEmpty && keptBack.isEmpty }

    /// False where it is a claim like others: nobody waits for its presenter because of these items.
    mutating func enter(_ claim: Claim, among waiting: [Claim]) -> Bool {
        guard Self.isWithin(claim, waiting) else { return false }
        claims.append(claim)
        return true
    }

    private static func isWithin(_ claim: Claim, _ waiting: [Claim]) -> Bool {
        waiting.contains { asked in !asked.isGranted && claim.items.allSatisfy { item in asked.items.contains { item.path.isInside($0.path) || $0.excludes(item) } } }
    }

    func contains(_ claim: Claim) -> Bool { claims.contains { $0 === claim } }

    /// Those that can be granted beside the ones that are.
    func next(beside granted: [Claim]) -> [Claim] {
        var granted = granted, next: [Claim] = []
        for claim in claims where !claim.isGranted && !granted.contains(where: { $0.excludes(claim) }) {
            granted.append(claim)
            next.append(claim)
        }
        return next
    }

    /// Those that nobody waits for any more: they wait like others.
    mutating func takeLate(_ waiting: (UInt64) -> [Claim]) -> [Claim] {
        let late = claims.filter { claim in !claim.isGranted && !Self.isWithin(claim, claim.presenter.map(waiting) ?? []) }
        claims.removeAll { claim in late.contains { $0 === claim } }
        return late
    }

    /// Whether a claim has to wait for one of these that is granted.
    mutating func keepsBack(_ claim: Claim) -> Bool {
        guard claims.contains(where: { $0 !== claim && $0.isGranted && $0.excludes(claim) }) else { return false }
        if !keptBack.contains(where: { $0 === claim }) { keptBack.append(claim) }
        return true
    }

    /// Those that need not wait any more.
    mutating func takeFreed() -> [Claim] {
        defer { keptBack = [] }
        return keptBack
    }

    /// It has ended. True where others may go on because of that.
    mutating func leave(_ claim: Claim) -> Bool {
        keptBack.removeAll { $0 === claim }
        let count = claims.count
        claims.removeAll { $0 === claim }
        return claims.count < count
    }
}

extension Claim {
    func excludes(_ other: Claim) -> Bool { items.contains { item in other.items.contains { item.excludes($0) } } }
}
