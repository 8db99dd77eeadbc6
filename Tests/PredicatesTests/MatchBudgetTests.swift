import Predicates
import Testing

/// What one search may take, whatever is looked for.
@Suite struct MatchBudgetTests {
    /// A set of very many ranges, repeated: each character of a text is one look into it for each place in the expression.
    private static let ranges = (0..<20_000).map { String(UnicodeScalar(0x4E00 + $0 % 20_000 / 2 * 2) ?? "x") }.joined()

    private func holds(_ pattern: String, _ text: String, _ budget: MatchBudget) throws -> Bool {
        let predicate = try Predicate("text MATCHES \"\(pattern)\"", now: Moment(seconds: 0))
        return predicate.holds(within: budget) { _ in .text(Array(text.utf8)) }
    }

    @Test func aSearchEndsWhenItIsSpent() throws {
        let budget = MatchBudget(1_000_000), text = String(repeating: "a", count: 10_000)
        var held = 0
        while try holds("(a?){500}[\(Self.ranges)]*a*", text, budget) { held += 1 }
        #expect(held < 1000 && budget.isSpent && budget.wasSpent)
        // Nor is anything else compared then.
        #expect(try !holds("a*", "a", budget))
        budget.add(1000)
        #expect(try holds("a*", "a", budget) && !budget.isSpent && budget.wasSpent)
        budget.end()
        budget.add(1000)
        #expect(try !holds("a*", "a", budget))
    }

    /// Sets are what they were, however their ranges are written.
    @Test func setsOfManyRanges() throws {
        let budget = MatchBudget(.max / 4)
        for (pattern, text, fits) in [
            ("[\(Self.ranges)]+", "\u{4E00}\u{4E02}", true), ("[\(Self.ranges)]+", "\u{4E01}", false), ("[^\(Self.ranges)]", "\u{4E01}", true), ("[z-za-cb-fA]+", "zabcdefA", true),
            ("[z-za-cb-fA]+", "g", false), ("[a-cd-f]+", "abcdef", true), ("[\\\\W5]+", "5 !", true), ("[\\\\W5]+", "6", false),
        ] { #expect(try holds(pattern, text, budget) == fits, "\(pattern.prefix(20)) \(text)") }
    }
}
