/// Reads a predicate: `size > 10 MB AND (name LIKE[cd] "*.jpg" OR NOT kind == 'photo')`.
struct PredicateParser {
    private let tokens: [Token]
    private var position = 0
    private let now: Moment
    private var arguments: ArraySlice<PredicateArgument>
    private let argumentCount: Int
    private var depth = 0

    /// So deep parentheses and NOTs may be nested.
    static let deepest = 100
    private static let mostComparisons = 2000
    private static let mostValues = 10_000
    private var comparisons = 0

    init(_ bytes: [UInt8], _ now: Moment, _ arguments: [PredicateArgument]?) throws(PredicateFault) {
        var reader = try Tokens(bytes, takesArguments: arguments != nil)
        tokens = try reader.all()
        self.now = now
        self.arguments = arguments?[...] ?? []
        argumentCount = arguments?.count ?? 0
    }

    mutating func whole() throws(PredicateFault) -> Predicate {
        guard token.kind != .end else { throw PredicateFault(0, "there is no predicate") }
        let predicate = try choice()
        guard token.kind == .end else { throw unexpected("a predicate ends here, or goes on with AND or OR", ["AND", "OR"]) }
        guard arguments.isEmpty else { throw PredicateFault(token.place, "there are \(argumentCount) arguments, and \(argumentCount - arguments.count) are used") }
        return predicate
    }

    // MARK: Words

    private var token: Token { tokens[min(position, tokens.count - 1)] }

    private mutating func advance() { position += 1 }

    private mutating func take(_ signs: String...) -> Bool {
        if case .sign(let sign) = token.kind, signs.contains(sign) {
            advance()
            return true
        }
        return false
    }

    private func isWord(_ word: String) -> Bool { if case .word(let found) = token.kind { found.uppercased() == word } else { false } }

    private mutating func takeWord(_ word: String) -> Bool {
        guard isWord(word) else { return false }
        advance()
        return true
    }

    private func unexpected(_ sentence: String, _ words: [String] = []) -> PredicateFault {
        guard case .word(let word) = token.kind else { return PredicateFault(token.place, sentence) }
        return PredicateFault(token.place, "“\(String(word.unicodeScalars.prefix(40)))” is not understood: \(sentence)", hint: nearWord(to: word, among: words))
    }

    private mutating func nested<Result>(_ body: (inout Self) throws(PredicateFault) -> Result) throws(PredicateFault) -> Result {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw PredicateFault(token.place, "a predicate is nested \(Self.deepest) deep at most") }
        return try body(&self)
    }

    // MARK: AND, OR, NOT

    private mutating func choice() throws(PredicateFault) -> Predicate {
        var parts = [try conjunction()]
        while take("||") || takeWord("OR") { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func conjunction() throws(PredicateFault) -> Predicate {
        var parts = [try negation()]
        while take("&&") || takeWord("AND") { parts.append(try negation()) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func negation() throws(PredicateFault) -> Predicate {
        guard take("!") || takeWord("NOT") else { return try primary() }
        return .not(try nested { (parser) throws(PredicateFault) in try parser.negation() })
    }

    private mutating func primary() throws(PredicateFault) -> Predicate {
        if takeWord("TRUEPREDICATE") { return .always(true) }
        if takeWord("FALSEPREDICATE") { return .always(false) }
        let place = token.place
        guard take("(") else { return .comparison(try comparison()) }
        let inner = try nested { (parser) throws(PredicateFault) in try parser.choice() }
        guard take(")") else { throw token.kind == .end ? PredicateFault(place, "this parenthesis is not closed") : unexpected("here comes AND, OR or “)”", ["AND", "OR"]) }
        return inner
    }

    // MARK: Comparisons

    private mutating func comparison() throws(PredicateFault) -> Comparison {
        comparisons += 1
        guard comparisons <= Self.mostComparisons else { throw PredicateFault(token.place, "a predicate has \(Self.mostComparisons) comparisons at most") }
        let leftPlace = token.place
        let left = try operand(isLeft: true)
        let operatorPlace = token.place
        let (found, folding) = try comparisonOperator()
        let rightPlace = token.place
        let right = try [.between, .among].contains(found) ? listOrOperand(found) : operand(isLeft: false)
        let check = ComparisonCheck(operator: found, folding: folding, places: (leftPlace, operatorPlace, rightPlace))
        let (first, second) = try check.checked(left, right)
        do throws(RegularExpressionFault) { return try Comparison(first, found, second, folding) } catch {
            throw PredicateFault(rightPlace, error.sentence)
        }
    }

    private static let signs: [String: Comparison.Operator] = [
        "==": .equal, "=": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual, "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
    ]
    private static let words = Comparison.Operator.allCases.map(\.rawValue).filter { $0.first?.isLetter == true }

    private mutating func comparisonOperator() throws(PredicateFault) -> (Comparison.Operator, Folding) {
        let found: Comparison.Operator
        switch token.kind {
        case .sign(let sign):
            guard let known = Self.signs[sign] else { throw PredicateFault(token.place, "here comes an operator: ==, <, LIKE, CONTAINS and the like") }
            found = known
        case .word(let word):
            guard let known = Comparison.Operator(rawValue: word.uppercased()), known.rawValue.first?.isLetter == true else { throw unexpected("here comes an operator", Self.words) }
            found = known
        default: throw PredicateFault(token.place, "here comes an operator: ==, <, LIKE, CONTAINS and the like")
        }
        advance()
        return (found, try folding())
    }

    private mutating func folding() throws(PredicateFault) -> Folding {
        let place = token.place
        guard take("[") else { return [] }
        guard case .word(let letters) = token.kind, let folding = Self.foldings[letters.lowercased()] else { throw PredicateFault(place, "in brackets behind an operator stands c, d or cd") }
        advance()
        guard take("]") else { throw PredicateFault(place, "this bracket is not closed") }
        return folding
    }

    private static let foldings: [String: Folding] = ["c": .letterCase, "d": .marks, "cd": .both, "dc": .both]

    private mutating func listOrOperand(_ found: Comparison.Operator) throws(PredicateFault) -> Comparison.Operand {
        let place = token.place
        if token.kind == .placeholder(UInt8(ascii: "@")), case .list(let values) = arguments.first {
            advance()
            arguments.removeFirst()
            return .list(values)
        }
        let isBraced = take("{")
        guard isBraced || take("(") else {
            guard found == .among else { throw PredicateFault(place, "behind BETWEEN stand two values in braces: {1, 5}") }
            return try operand(isLeft: false)
        }
        let close = isBraced ? "}" : ")"
        var values: [Value] = []
        while !take(close) {
            if !values.isEmpty, !take(",") { throw token.kind == .end ? PredicateFault(place, "this list is not closed") : unexpected("here comes “,” or “\(close)”") }
            let place = token.place
            guard case .value(let value) = try operand(isLeft: false) else { throw PredicateFault(place, "in a list stand values and no attributes") }
            values.append(value)
            guard values.count <= Self.mostValues else { throw PredicateFault(place, "a list has \(Self.mostValues) values at most") }
        }
        if found == .between, values.count != 2 { throw PredicateFault(place, "behind BETWEEN stand two values in braces: {1, 5}") }
        return .list(values)
    }

    // MARK: What is compared

    private mutating func operand(isLeft: Bool) throws(PredicateFault) -> Comparison.Operand {
        let start = token
        switch start.kind {
        case .text(let text):
            advance()
            return .value(.text(text))
        case .number(let number):
            advance()
            return .value(.number(sized(number, start)))
        case .date(let moment):
            advance()
            return .value(.date(moment))
        case .placeholder(let letter):
            advance()
            return try argument(letter, start)
        case .word(let word):
            if let value = try constant(word) { return .value(value) }
            guard let found = try attribute(word, at: start.place) else { throw unknown(word, isLeft: isLeft) }
            advance()
            return found
        case .sign("-"), .sign("+"):
            advance()
            guard case .number(let number) = token.kind else { break }
            let number_ = token
            advance()
            return .value(.number((start.kind == .sign("-") ? -1 : 1) * sized(number, number_)))
        case .part, .sign, .end: break
        }
        throw PredicateFault(start.place, isLeft ? "here comes an attribute: name, size, changed, kind, url, text and the like" : "here comes a value: 'a text', 10 MB, 2026-03-01 or TRUE")
    }

    /// By its name, with what its text has behind it; nil where the name is no attribute's.
    private func attribute(_ word: String, at place: Int) throws(PredicateFault) -> Comparison.Operand? {
        let words = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard var attribute = Attribute(named: words[0]) else { return nil }
        guard words.count > 1 else { return .attribute(attribute) }
        guard words.count <= 1 + Self.mostParts else { throw PredicateFault(place, "behind an attribute stand \(Self.mostParts) points at most") }
        var parts: [TextPart] = [], names = words.dropFirst()
        if attribute == .item {
            // A file's URL has what its path has.
            attribute = .path
            if names.first == "path" { names = names.dropFirst() }
        }
        for name in names {
            guard let part = TextPart(rawValue: name) else {
                let known = TextPart.allCases.map(\.rawValue), shown = String(name.unicodeScalars.prefix(40))
                throw PredicateFault(place, "an attribute has no “\(shown)”: behind a point stands \(known.joined(separator: ", "))", hint: nearWord(to: name, among: known))
            }
            let sort = parts.last?.sort ?? attribute.sort
            guard sort == .text else { throw PredicateFault(place, "“\(name)” is asked of texts, and this is \(ComparisonCheck.words(sort))") }
            parts.append(part)
        }
        return parts.isEmpty ? .attribute(attribute) : .part(attribute, parts)
    }

    private static let mostParts = 8

    /// “10 MB”, with a space between.
    private mutating func sized(_ number: Double, _ written: Token) -> Double {
        guard case .word(let unit) = token.kind, token.place > written.end, let factor = Sizes.bytes(unit) else { return number }
        advance()
        return number * factor
    }

    private func unknown(_ word: String, isLeft: Bool) -> PredicateFault {
        let place = token.place, shown = String(word.unicodeScalars.prefix(40))
        if !isLeft, Self.days.contains(word.lowercased()) {
            return PredicateFault(place, "“\(shown)” is no date here: dates are written 2026-03-01, 2026-03-01T09:30:00Z or now - 7d", hint: "now - 1d")
        }
        if !isLeft { return PredicateFault(place, "“\(shown)” is no attribute; a text stands in quotes: '\(shown)'") }
        let short = Attribute.allCases.map(\.rawValue)
        let hint = Self.otherWords[word.lowercased()]?.rawValue ?? nearWord(to: word, among: short) ?? nearWord(to: word, among: Attribute.allNames)
        return PredicateFault(place, "“\(shown)” is no attribute", hint: hint)
    }

    private static let days: Set<String> = ["today", "yesterday"]

    /// What other programs call an attribute.
    private static let otherWords: [String: Attribute] = [
        "modified": .changed, "modification": .changed, "mtime": .changed, "date": .changed, "time": .changed, "birth": .created, "btime": .created, "added": .created,
        "filename": .name, "file": .name, "basename": .name, "extension": .name, "bytes": .size, "length": .size, "content": .text, "contents": .text, "body": .text,
        "link": .url, "address": .url, "folder": .path, "directory": .path, "dir": .path, "uti": .type, "mime": .type,
    ]

    private mutating func constant(_ word: String) throws(PredicateFault) -> Value? {
        switch word.uppercased() {
        case "NIL", "NULL": advance(); return .missing
        case "TRUE", "YES": advance(); return .flag(true)
        case "FALSE", "NO": advance(); return .flag(false)
        case "NOW": advance(); return .date(try moved(now))
        default: return nil
        }
    }

    /// What stands behind “now”: “- 7d”, “+ 2 hours”.
    private mutating func moved(_ moment: Moment) throws(PredicateFault) -> Moment {
        var moment = moment
        while case .sign(let sign) = token.kind, sign == "-" || sign == "+" {
            advance()
            guard case .number(let number) = token.kind else { throw PredicateFault(token.place, "behind “now \(sign)” stands a span: 7d, 12h, 30min") }
            advance()
            guard case .word(let unit) = token.kind, let length = Spans.nanoseconds[unit.lowercased()] else {
                throw PredicateFault(token.place, "here comes a unit of time: s, min, h, d or w")
            }
            advance()
            let span = min(number * length, 9e18)
            moment = moment.advanced(by: Int64(sign == "-" ? -span : span))
        }
        return moment
    }

    private mutating func argument(_ letter: UInt8, _ start: Token) throws(PredicateFault) -> Comparison.Operand {
        guard let given = arguments.popFirst() else { throw PredicateFault(start.place, "there is no argument for this: \(argumentCount) are given") }
        switch (letter, given) {
        case (UInt8(ascii: "K"), .value(.text(let name))):
            var name = String(decoding: name, as: UTF8.self)
            if case .part(let parts) = token.kind, token.place == start.end {
                name += "." + parts
                advance()
            }
            guard let found = try attribute(name, at: start.place) else {
                throw PredicateFault(start.place, "“\(String(name.unicodeScalars.prefix(40)))” is no attribute", hint: nearWord(to: name, among: Attribute.allNames))
            }
            return found
        case (UInt8(ascii: "@"), .value(let value)): return .value(value)
        case (UInt8(ascii: "d"), .value(.number(let number))) where number == number.rounded(): return .value(.number(number))
        case (UInt8(ascii: "f"), .value(.number(let number))): return .value(.number(number))
        default:
            let wanted = switch letter {
            case UInt8(ascii: "K"): "the name of an attribute"
            case UInt8(ascii: "d"): "a whole number"
            case UInt8(ascii: "f"): "a number"
            default: "a value; lists stand behind IN and BETWEEN"
            }
            throw PredicateFault(start.place, "the argument for this is not what it stands for: \(wanted)")
        }
    }
}
