/// A regular expression of MATCHES: characters, “.”, sets, groups, “|”, “*”, “+”, “?”, “{2,5}”, “^”, “$”, “\b”, “\d”, “\w”, “\s”.
///
/// All ways through it are walked at once, character by character, so that no expression takes longer than its length times the
/// text's. What cannot be done so (references to a group, looking ahead) is refused.
struct RegularExpression: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case scalar(Unicode.Scalar)
        case set(CharacterSet)
        case branch(Int, Int)
        case jump(Int)
        case start, end, boundary, noBoundary
        case done
    }

    /// Ranges of characters, or all others.
    struct CharacterSet: Hashable, Sendable {
        var ranges: [ClosedRange<UInt32>] = []
        var isInverted = false

        /// The ranges are in order, and none touches another: what is looked for in very many of them is found in a few steps.
        func contains(_ scalar: Unicode.Scalar) -> Bool {
            var low = 0, high = ranges.count
            while low < high {
                let middle = (low + high) / 2
                if ranges[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
            }
            return (low < ranges.count && ranges[low].contains(scalar.value)) != isInverted
        }

        /// Puts the ranges in order.
        mutating func settle() {
            var settled: [ClosedRange<UInt32>] = []
            for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
                guard let last = settled.last, range.lowerBound <= last.upperBound &+ 1 else {
                    settled.append(range)
                    continue
                }
                settled[settled.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            }
            ranges = settled
        }
    }

    private let steps: [Step]
    private let folding: Folding

    /// So many steps an expression may have, and so many may be made with one text.
    static let mostSteps = 4000
    private static let patience = 40_000_000

    init(_ pattern: [UInt8], _ folding: Folding) throws(RegularExpressionFault) {
        self.folding = folding
        var reader = RegularExpressionReader(pattern, folding)
        let tree = try reader.whole()
        var writer = RegularExpressionWriter()
        try writer.add(tree)
        steps = writer.steps + [.done]
    }

    /// Whether the expression fits the whole text. One that would take too long is taken for one that it does not fit.
    func matches(_ bytes: [UInt8], within budget: MatchBudget? = nil) -> Bool {
        let scalars = Array(String(decoding: folding.fold(bytes), as: UTF8.self).unicodeScalars)
        var ways = Ways(count: steps.count), next = Ways(count: steps.count)
        var spent = 0
        follow(0, at: 0, in: scalars, &ways)
        for (place, scalar) in scalars.enumerated() {
            if ways.places.isEmpty { return false }
            spent += ways.places.count + 1
            guard spent < Self.patience, budget?.take(ways.places.count + 1) ?? true else { return false }
            next.clear()
            for step in ways.places where takes(steps[step], scalar) { follow(step + 1, at: place + 1, in: scalars, &next) }
            swap(&ways, &next)
        }
        return ways.places.contains { steps[$0] == .done }
    }

    private func takes(_ step: Step, _ scalar: Unicode.Scalar) -> Bool {
        switch step {
        case .scalar(let wanted): wanted == scalar
        case .set(let set): set.contains(scalar) || folding.contains(.letterCase) && !set.isInverted && largeForm(scalar).map(set.contains) == true
        default: false
        }
    }

    private func largeForm(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        let large = scalar.properties.uppercaseMapping.unicodeScalars
        return large.count == 1 ? large.first : nil
    }

    /// The steps at which a character is taken, from this one on.
    private func follow(_ step: Int, at place: Int, in text: [Unicode.Scalar], _ ways: inout Ways) {
        ways.pending.append(step)
        while let step = ways.pending.popLast() {
            guard ways.enter(step) else { continue }
            switch steps[step] {
            case .jump(let target): ways.pending.append(target)
            case .branch(let first, let second): ways.pending += [second, first]
            case .start: if place == 0 { ways.pending.append(step + 1) }
            case .end: if place == text.count { ways.pending.append(step + 1) }
            case .boundary: if Self.isBoundary(place, text) { ways.pending.append(step + 1) }
            case .noBoundary: if !Self.isBoundary(place, text) { ways.pending.append(step + 1) }
            case .scalar, .set, .done: ways.places.append(step)
            }
        }
    }

    private static func isBoundary(_ place: Int, _ text: [Unicode.Scalar]) -> Bool {
        let before = place > 0 && isWord(text[place - 1]), after = place < text.count && isWord(text[place])
        return before != after
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool { RegularExpressionReader.wordSet.contains(scalar) }

    /// Where the ways through the expression have come to.
    private struct Ways {
        var places: [Int] = []
        var pending: [Int] = []
        private var entered: [UInt32]
        private var round: UInt32 = 1

        init(count: Int) { entered = Array(repeating: 0, count: count) }

        mutating func clear() {
            places.removeAll(keepingCapacity: true)
            round &+= 1
        }

        mutating func enter(_ step: Int) -> Bool {
            guard entered[step] != round else { return false }
            entered[step] = round
            return true
        }
    }
}

/// What is wrong with an expression.
struct RegularExpressionFault: Error {
    let sentence: String
}

/// An expression that was read, and not written down as steps yet.
indirect enum RegularExpressionTree {
    case empty
    case step(RegularExpression.Step)
    case sequence([RegularExpressionTree])
    case choice([RegularExpressionTree])
    case repeated(RegularExpressionTree, Int, Int?)
}

/// Writes an expression down as steps.
struct RegularExpressionWriter {
    var steps: [RegularExpression.Step] = []
    /// Nothing, a thousand times a thousand, is still work.
    private var rounds = 0

    mutating func add(_ tree: RegularExpressionTree) throws(RegularExpressionFault) {
        rounds += 1
        guard steps.count < RegularExpression.mostSteps, rounds < RegularExpression.mostSteps * 10 else { throw RegularExpressionFault(sentence: "this regular expression is too large") }
        switch tree {
        case .empty: break
        case .step(let step): steps.append(step)
        case .sequence(let parts): for part in parts { try add(part) }
        case .choice(let parts): try addChoice(parts[...])
        case .repeated(let part, let least, let most): try addRepeated(part, least, most)
        }
    }

    private mutating func addChoice(_ parts: ArraySlice<RegularExpressionTree>) throws(RegularExpressionFault) {
        var ends: [Int] = []
        for (index, part) in parts.enumerated() {
            guard index < parts.count - 1 else {
                try add(part)
                break
            }
            let branch = steps.count
            steps.append(.branch(branch + 1, 0))
            try add(part)
            ends.append(steps.count)
            steps.append(.jump(0))
            steps[branch] = .branch(branch + 1, steps.count)
        }
        for end in ends { steps[end] = .jump(steps.count) }
    }

    private mutating func addRepeated(_ part: RegularExpressionTree, _ least: Int, _ most: Int?) throws(RegularExpressionFault) {
        for _ in 0..<least { try add(part) }
        guard let most else {
            let branch = steps.count
            steps.append(.branch(branch + 1, 0))
            try add(part)
            steps.append(.jump(branch))
            steps[branch] = .branch(branch + 1, steps.count)
            return
        }
        var forks: [Int] = []
        for _ in least..<max(least, most) {
            forks.append(steps.count)
            steps.append(.branch(steps.count + 1, 0))
            try add(part)
        }
        for branch in forks { steps[branch] = .branch(branch + 1, steps.count) }
    }
}
