/// Whether what is compared can be compared, and made alike where it can: a text that is a date beside a date, '10 MB' beside a size.
struct ComparisonCheck {
    let `operator`: Comparison.Operator
    let folding: Folding
    let places: (left: Int, operator: Int, right: Int)

    func checked(_ left: Comparison.Operand, _ right: Comparison.Operand) throws(PredicateFault) -> (Comparison.Operand, Comparison.Operand) {
        let sort = try sort(left, right)
        if !folding.isEmpty, let sort, sort != .text { throw PredicateFault(places.operator, "[c] and [d] are for texts, and this is \(Self.words(sort))") }
        if `operator`.isOfTexts, let sort, sort != .text { throw PredicateFault(places.operator, "\(`operator`.rawValue) compares texts, and this is \(Self.words(sort))") }
        if `operator`.isOrdering, sort == .flag { throw PredicateFault(places.operator, "what is TRUE or FALSE has no order: == and != compare it") }
        if `operator` == .matches, right.attribute != nil { throw PredicateFault(places.right, "behind MATCHES stands a regular expression, and no attribute") }
        if case .list = left { throw PredicateFault(places.left, "a list stands on the right side, behind IN or BETWEEN") }
        guard let sort else { return (left, right) }
        return (try made(left, sort, places.left), try made(right, sort, places.right))
    }

    /// What is compared: as the attribute says, or else the first value that says it. nil for nothing but `nil`.
    private func sort(_ left: Comparison.Operand, _ right: Comparison.Operand) throws(PredicateFault) -> Attribute.Sort? {
        guard let first = left.attributeSort, let second = right.attributeSort else {
            return left.attributeSort ?? right.attributeSort ?? Self.sort(left) ?? Self.sort(right)
        }
        guard first == second else {
            throw PredicateFault(places.right, "\(Self.name(right)) is \(Self.words(second)), and \(Self.name(left)) is \(Self.words(first))")
        }
        return first
    }

    private static func name(_ operand: Comparison.Operand) -> String {
        let parts = if case .part(_, let parts) = operand { parts } else { [TextPart]() }
        return ((operand.attribute.map { [$0.rawValue] } ?? []) + parts.map(\.rawValue)).joined(separator: ".")
    }

    private static func sort(_ operand: Comparison.Operand) -> Attribute.Sort? {
        switch operand {
        case .attribute, .part: operand.attributeSort
        case .value(let value): sort(value)
        case .list(let values): values.lazy.compactMap(sort).first
        }
    }

    private static func sort(_ value: Value) -> Attribute.Sort? {
        switch value {
        case .missing: nil
        case .text: .text
        case .number: .number
        case .date: .date
        case .flag: .flag
        }
    }

    static func words(_ sort: Attribute.Sort) -> String {
        switch sort {
        case .text: "a text"
        case .number: "a number"
        case .date: "a date"
        case .flag: "TRUE or FALSE"
        }
    }

    private func made(_ operand: Comparison.Operand, _ sort: Attribute.Sort, _ place: Int) throws(PredicateFault) -> Comparison.Operand {
        switch operand {
        case .attribute, .part: return operand
        case .value(let value): return .value(try made(value, sort, place))
        case .list(let values):
            var result: [Value] = []
            result.reserveCapacity(values.count)
            for value in values { result.append(try made(value, sort, place)) }
            return .list(result)
        }
    }

    private func made(_ value: Value, _ sort: Attribute.Sort, _ place: Int) throws(PredicateFault) -> Value {
        switch (sort, value) {
        case (_, .missing):
            guard [.equal, .notEqual, .among].contains(`operator`) else { throw PredicateFault(place, "nil is compared by == and !=") }
            return value
        case (.text, .text), (.number, .number), (.date, .date), (.flag, .flag): return value
        case (.number, .text(let text)):
            guard let number = Sizes.bytes(of: text) else { throw PredicateFault(place, "this is no number or size: sizes are written 10 MB") }
            return .number(number)
        case (.date, .text(let text)):
            guard let moment = Moment(text) else { throw PredicateFault(place, "this is no date: dates are written 2026-03-01, 2026-03-01T09:30:00Z or now - 7d") }
            return .date(moment)
        case (.flag, .number(let number)) where number == 0 || number == 1: return .flag(number == 1)
        case (.text, _): throw PredicateFault(place, "a text stands in quotes")
        case (.number, _): throw PredicateFault(place, "here comes a number or a size: 10 MB")
        case (.date, _): throw PredicateFault(place, "here comes a date: 2026-03-01, 2026-03-01T09:30:00Z or now - 7d")
        case (.flag, _): throw PredicateFault(place, "here comes TRUE or FALSE")
        }
    }
}
