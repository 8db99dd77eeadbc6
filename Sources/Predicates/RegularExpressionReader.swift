/// Reads a regular expression.
struct RegularExpressionReader {
    private var rest: ArraySlice<Unicode.Scalar>
    private let folding: Folding
    private var depth = 0

    private static let deepest = 50
    private static let mostTimes = 1000

    init(_ pattern: [UInt8], _ folding: Folding) {
        rest = Array(String(decoding: pattern, as: UTF8.self).unicodeScalars)[...]
        self.folding = folding
    }

    mutating func whole() throws(RegularExpressionFault) -> RegularExpressionTree {
        let tree = try choice()
        guard rest.isEmpty else { throw RegularExpressionFault(sentence: "this regular expression has a “)” too many") }
        return tree
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func choice() throws(RegularExpressionFault) -> RegularExpressionTree {
        var parts = [try sequence()]
        while take("|") { parts.append(try sequence()) }
        return parts.count == 1 ? parts[0] : .choice(parts)
    }

    private mutating func sequence() throws(RegularExpressionFault) -> RegularExpressionTree {
        var parts: [RegularExpressionTree] = []
        while let next = rest.first, next != "|", next != ")" { parts.append(try repeated(part())) }
        return .sequence(parts)
    }

    private mutating func repeated(_ part: RegularExpressionTree) throws(RegularExpressionFault) -> RegularExpressionTree {
        var part = part, rounds = 0
        while let next = rest.first {
            switch next {
            case "*": part = .repeated(part, 0, nil)
            case "+": part = .repeated(part, 1, nil)
            case "?": part = .repeated(part, 0, 1)
            case "{":
                guard let (least, most) = try times() else { return part }
                part = .repeated(part, least, most)
            default: return part
            }
            if next != "{" { rest.removeFirst() }
            // Whether it takes much or little first makes no difference to whether it fits.
            if !take("?") { _ = take("+") }
            rounds += 1
            guard rounds < Self.deepest else { throw RegularExpressionFault(sentence: "this regular expression repeats a repetition too often") }
        }
        return part
    }

    /// “{2}”, “{2,}”, “{2,5}”; nil for a brace that is none of these.
    private mutating func times() throws(RegularExpressionFault) -> (Int, Int?)? {
        guard let close = rest.firstIndex(of: "}") else { return nil }
        let words = rest[(rest.startIndex + 1)..<close].split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(String.UnicodeScalarView($0)) }
        guard let first = words.first, let least = Int(first) else { return nil }
        let most = words.count == 1 ? least : words[1].isEmpty ? nil : Int(words[1])
        guard words.count == 1 || words[1].isEmpty || most != nil else { return nil }
        guard (0...Self.mostTimes).contains(least), (least...Self.mostTimes).contains(most ?? least) else {
            throw RegularExpressionFault(sentence: "a regular expression repeats something \(Self.mostTimes) times at most, and not fewer times than at least")
        }
        rest = rest[(close + 1)...]
        return (least, most)
    }

    private mutating func part() throws(RegularExpressionFault) -> RegularExpressionTree {
        guard let scalar = rest.popFirst() else { return .empty }
        switch scalar {
        case ".": return .step(.set(RegularExpression.CharacterSet(ranges: [0x0A...0x0A, 0x0D...0x0D], isInverted: true)))
        case "^": return .step(.start)
        case "$": return .step(.end)
        case "(": return try group()
        case "[": return .step(.set(try set()))
        case "\\": return try escaped()
        case "*", "+", "?": throw RegularExpressionFault(sentence: "“\(scalar)” in this regular expression has nothing before it to repeat")
        default: return literal(scalar)
        }
    }

    /// As folded texts have it, which may be several characters.
    private func literal(_ scalar: Unicode.Scalar) -> RegularExpressionTree {
        let folded = String(decoding: folding.fold(Array(String(scalar).utf8)), as: UTF8.self).unicodeScalars
        return .sequence(folded.map { .step(.scalar($0)) })
    }

    private mutating func group() throws(RegularExpressionFault) -> RegularExpressionTree {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.deepest else { throw RegularExpressionFault(sentence: "this regular expression is nested too deeply") }
        if take("?"), !take(":") { throw RegularExpressionFault(sentence: "“(?” is only understood as “(?:”: looking ahead and back are not") }
        let tree = try choice()
        guard take(")") else { throw RegularExpressionFault(sentence: "a “(” of this regular expression has no “)”") }
        return tree
    }

    static let wordSet = RegularExpression.CharacterSet(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x1FFF, 0x2C00...0x2FEF, 0x3040...0xD7FF, 0xF900...0xFDFF, 0x10000...0x10FFFF])
    private static let digitSet = RegularExpression.CharacterSet(ranges: [0x30...0x39])
    private static let spaceSet = RegularExpression.CharacterSet(ranges: [0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0, 0x2000...0x200A, 0x2028...0x2029, 0x3000...0x3000])

    /// The sets that have a letter.
    private static func set(of letter: Unicode.Scalar) -> RegularExpression.CharacterSet? {
        let set: RegularExpression.CharacterSet
        switch letter {
        case "d", "D": set = digitSet
        case "w", "W": set = wordSet
        case "s", "S": set = spaceSet
        default: return nil
        }
        return RegularExpression.CharacterSet(ranges: set.ranges, isInverted: letter.value < 0x61)
    }

    private static func sign(of letter: Unicode.Scalar) -> Unicode.Scalar? {
        switch letter {
        case "n": "\n"
        case "t": "\t"
        case "r": "\r"
        default: nil
        }
    }

    private mutating func escaped() throws(RegularExpressionFault) -> RegularExpressionTree {
        guard let letter = rest.popFirst() else { throw RegularExpressionFault(sentence: "this regular expression ends with a “\\”") }
        if let set = Self.set(of: letter) { return .step(.set(set)) }
        if let sign = Self.sign(of: letter) { return .step(.scalar(sign)) }
        switch letter {
        case "b": return .step(.boundary)
        case "B": return .step(.noBoundary)
        case "0"..."9", "a"..."z", "A"..."Z": throw RegularExpressionFault(sentence: "“\\\(letter)” in a regular expression is not understood")
        default: return literal(letter)
        }
    }

    private mutating func set() throws(RegularExpressionFault) -> RegularExpression.CharacterSet {
        var set = RegularExpression.CharacterSet()
        set.isInverted = take("^")
        var isFirst = true
        while let scalar = rest.popFirst() {
            if scalar == "]", !isFirst {
                set.settle()
                return set
            }
            isFirst = false
            var first = scalar
            if scalar == "\\" {
                guard let letter = rest.popFirst() else { break }
                if let named = Self.set(of: letter) {
                    set.ranges += named.isInverted ? Self.others(than: named.ranges) : named.ranges
                    continue
                }
                first = Self.sign(of: letter) ?? letter
            }
            var last = first
            if rest.first == "-", let behind = rest.dropFirst().first, behind != "]" {
                rest = rest.dropFirst(2)
                last = behind
                if behind == "\\" {
                    guard let letter = rest.popFirst() else { break }
                    last = Self.sign(of: letter) ?? letter
                }
            }
            guard first <= last else { throw RegularExpressionFault(sentence: "“\(first)-\(last)” in this regular expression is no range") }
            set.ranges.append(first.value...last.value)
            add(first...last, to: &set)
        }
        throw RegularExpressionFault(sentence: "a “[” of this regular expression has no “]”")
    }

    /// Texts are folded before they are looked at, so what stands in a set must be, too.
    private func add(_ range: ClosedRange<Unicode.Scalar>, to set: inout RegularExpression.CharacterSet) {
        guard !folding.isEmpty, range.upperBound.value - range.lowerBound.value < 512 else { return }
        for value in range.lowerBound.value...range.upperBound.value {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let folded = String(decoding: folding.fold(Array(String(scalar).utf8)), as: UTF8.self).unicodeScalars
            if folded.count == 1, let single = folded.first { set.ranges.append(single.value...single.value) }
        }
    }

    private static func others(than ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var others: [ClosedRange<UInt32>] = [], next: UInt32 = 0
        for range in ranges {
            if next < range.lowerBound { others.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= 0x10FFFF { others.append(next...0x10FFFF) }
        return others
    }
}
