/// A condition on items, in the words of NSPredicate.
public indirect enum Predicate: Hashable, Sendable {
    case always(Bool)
    case all([Predicate])
    case any([Predicate])
    case not(Predicate)
    case comparison(Comparison)

    /// Reads a predicate. `now` is what “now” is in it. An argument belongs to each `%K`, `%@`, `%d` and `%f`, in their order.
    public init(_ text: String, now: Moment, arguments: [PredicateArgument]? = nil) throws(PredicateFault) {
        var parser = try PredicateParser(Array(text.utf8), now, arguments)
        self = try parser.whole()
    }

    /// What a person types: a predicate, or words to look for.
    public init(typed text: String, now: Moment) throws(PredicateFault) {
        do throws(PredicateFault) { try self.init(text, now: now) } catch {
            guard let words = SearchWords(text) else { throw error }
            self = words.predicate
        }
    }

    /// Whether what a person types is no predicate, but words to look for.
    public static func isWords(typed text: String, now: Moment) -> Bool { (try? Predicate(text, now: now)) == nil && SearchWords(text) != nil }

    /// All that it compares.
    public var comparisons: [Comparison] {
        switch self {
        case .always: []
        case .all(let parts), .any(let parts): parts.flatMap(\.comparisons)
        case .not(let part): part.comparisons
        case .comparison(let comparison): [comparison]
        }
    }

    /// The extensions, in small letters, of the names that it asks for: of `LIKE '*.album'`, `ENDSWITH '.album'` and `== 'Trip.album'`.
    public var askedExtensions: Set<String> {
        switch self {
        // What is not to be called so is not asked for.
        case .always, .not: []
        case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.askedExtensions) }
        case .comparison(let comparison): comparison.askedExtensions
        }
    }

    /// Which attributes it looks at.
    public var attributes: Set<Attribute> {
        switch self {
        case .always: []
        case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.attributes) }
        case .not(let part): part.attributes
        case .comparison(let comparison): comparison.attributes
        }
    }

    /// Whether it holds for an item with these attributes. The one place that decides: what a database says before is only which
    /// items need not be asked.
    /// Where the budget is spent with that, the answer says nothing.
    public func holds(within budget: MatchBudget? = nil, _ value: (Attribute) -> Value) -> Bool {
        switch self {
        case .always(let answer): answer
        case .all(let parts): parts.allSatisfy { $0.holds(within: budget, value) }
        case .any(let parts): parts.contains { $0.holds(within: budget, value) }
        case .not(let part): !part.holds(within: budget, value)
        case .comparison(let comparison): comparison.holds(budget, value)
        }
    }
}

/// What stands for a `%K` (a text), `%@`, `%d` or `%f`.
public enum PredicateArgument: Sendable {
    case value(Value)
    case list([Value])
}

/// What is compared with what, and how.
public struct Comparison: Hashable, Sendable {
    public enum Operator: String, CaseIterable, Sendable {
        case equal = "==", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
        case between = "BETWEEN", among = "IN", like = "LIKE", contains = "CONTAINS", begins = "BEGINSWITH", ends = "ENDSWITH", matches = "MATCHES"

        /// Only texts are compared so.
        public var isOfTexts: Bool { [.like, .contains, .begins, .ends, .matches].contains(self) }
        public var isOrdering: Bool { [.less, .lessOrEqual, .greater, .greaterOrEqual, .between].contains(self) }
    }

    public enum Operand: Hashable, Sendable {
        case attribute(Attribute)
        /// What an attribute's text has, one thing of the other: `name.lastPathComponent.pathExtension`.
        case part(Attribute, [TextPart])
        case value(Value)
        case list([Value])

        var attribute: Attribute? {
            switch self {
            case .attribute(let attribute), .part(let attribute, _): attribute
            case .value, .list: nil
            }
        }

        /// nil for values, of which each has its own.
        var attributeSort: Attribute.Sort? {
            switch self {
            case .attribute(let attribute): attribute.sort
            case .part(_, let parts): parts.last?.sort
            case .value, .list: nil
            }
        }

        /// Those that it names.
        public var values: [Value] {
            switch self {
            case .attribute, .part: []
            case .value(let value): [value]
            case .list(let values): values
            }
        }
    }

    public let left: Operand
    public let `operator`: Operator
    public let right: Operand
    public let folding: Folding
    /// Made once, of a right side that is no attribute.
    private let wildcards: Wildcards?
    private let expression: RegularExpression?

    init(_ left: Operand, _ operator: Operator, _ right: Operand, _ folding: Folding) throws(RegularExpressionFault) {
        let isOfName = left.isShownName || right.isShownName, right = isOfName ? right.composed : right
        (self.left, self.right) = (isOfName ? left.composed : left, right)
        (self.`operator`, self.folding) = (`operator`, folding)
        var wildcards: Wildcards?, expression: RegularExpression?
        if case .value(.text(let pattern)) = right {
            if `operator` == .like { wildcards = Wildcards(folding.fold(pattern)) }
            if `operator` == .matches { expression = try RegularExpression(pattern, folding) }
        }
        (self.wildcards, self.expression) = (wildcards, expression)
    }

    /// One that has no pattern that could be wrong.
    init(_ attribute: Attribute, contains text: [UInt8], _ folding: Folding) {
        let value = Value.text(text)
        (left, right) = (.attribute(attribute), .value(Operand.attribute(attribute).isShownName ? value.composed : value))
        (self.`operator`, self.folding) = (.contains, folding)
        (wildcards, expression) = (nil, nil)
    }

    init(_ attribute: Attribute, like pattern: [UInt8], _ folding: Folding) {
        (left, right) = (.attribute(attribute), .value(.text(pattern)))
        (self.`operator`, self.folding) = (.like, folding)
        (wildcards, expression) = (Wildcards(folding.fold(pattern)), nil)
    }

    public var attributes: Set<Attribute> {
        Set([left.attribute, right.attribute].compactMap { $0 })
    }

    fileprivate var askedExtensions: Set<String> {
        guard let attribute = left.attribute, [.name, .stored, .path, .item].contains(attribute), [.like, .ends, .equal, .among].contains(`operator`) else { return [] }
        var isPart = false
        if case .part(_, let parts) = left { isPart = parts.last == .pathExtension }
        return right.values.reduce(into: []) { found, value in
            guard case .text(let text) = value, let begin = isPart ? 0 : text.lastIndex(of: UInt8(ascii: ".")).map({ $0 + 1 }), begin < text.count else { return }
            let word = text[begin...]
            // A pattern behind the point is no extension.
            if !word.contains(where: { "*?\\/".utf8.contains($0) }) { found.insert(String(decoding: word, as: UTF8.self).lowercased()) }
        }
    }

    /// The runs of bytes, folded as the predicate folds, that a text must have to fit its pattern of LIKE; and whether the first is
    /// its beginning.
    public var literals: (runs: [[UInt8]], isAnchored: Bool)? { wildcards?.literals }

    func holds(_ budget: MatchBudget?, _ value: (Attribute) -> Value) -> Bool {
        let first: Value
        switch left {
        case .attribute(let attribute): first = value(attribute)
        case .part(let attribute, let parts): first = parts.reduce(value(attribute)) { $1.of($0) }
        case .value(let constant): first = constant
        case .list: return false
        }
        switch right {
        case .attribute(let attribute): return holds(first, value(attribute), budget)
        case .part(let attribute, let parts): return holds(first, parts.reduce(value(attribute)) { $1.of($0) }, budget)
        case .value(let constant): return holds(first, constant, budget)
        case .list(let values): return holds(first, among: values)
        }
    }

    private func holds(_ first: Value, among values: [Value]) -> Bool {
        switch `operator` {
        case .among: return values.contains { isEqual(first, $0) }
        case .between:
            guard values.count == 2, let low = order(values[0], first), let high = order(first, values[1]) else { return false }
            return low <= 0 && high <= 0
        default: return false
        }
    }

    private func holds(_ first: Value, _ second: Value, _ budget: MatchBudget?) -> Bool {
        switch `operator` {
        case .equal: return isEqual(first, second)
        case .notEqual: return !isEqual(first, second)
        case .less: return order(first, second).map { $0 < 0 } ?? false
        case .lessOrEqual: return order(first, second).map { $0 <= 0 } ?? false
        case .greater: return order(first, second).map { $0 > 0 } ?? false
        case .greaterOrEqual: return order(first, second).map { $0 >= 0 } ?? false
        case .between: return false
        case .among, .like, .contains, .begins, .ends, .matches: break
        }
        guard case .text(let text) = first, case .text(let pattern) = second, budget?.take(text.count + pattern.count) ?? true else { return false }
        switch `operator` {
        case .like: return (wildcards ?? Wildcards(folding.fold(pattern))).matches(folding.fold(text))
        case .matches: return expression?.matches(text, within: budget) ?? false
        case .contains: return folding.fold(text).hasPart(folding.fold(pattern))
        case .among: return folding.fold(pattern).hasPart(folding.fold(text))
        case .begins: return folding.fold(text).starts(with: folding.fold(pattern))
        case .ends: return folding.fold(text).reversed().starts(with: folding.fold(pattern).reversed())
        default: return false
        }
    }

    private func isEqual(_ first: Value, _ second: Value) -> Bool {
        if !folding.isEmpty, case .text(let left) = first, case .text(let right) = second { return folding.fold(left) == folding.fold(right) }
        return first == second
    }

    /// Less than zero where the first is the smaller one; nil for what has no order.
    private func order(_ first: Value, _ second: Value) -> Int? {
        switch (first, second) {
        case (.text(let left), .text(let right)): Self.compare(folding.fold(left), folding.fold(right))
        case (.number(let left), .number(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.date(let left), .date(let right)): left < right ? -1 : left > right ? 1 : 0
        default: nil
        }
    }

    /// By their bytes, which is the order of their characters' numbers.
    private static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left.lexicographicallyPrecedes(right) ? -1 : left == right ? 0 : 1
    }
}

extension [UInt8] {
    /// Whether these bytes stand in there somewhere.
    func hasPart(_ part: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        guard part.count <= count else { return false }
        var place = 0
        let last = count - part.count
        while place <= last, let found = self[place...last].firstIndex(of: first) {
            if self[found..<(found + part.count)].elementsEqual(part) { return true }
            place = found + 1
        }
        return false
    }
}
