import Containers
import Databases
import Predicates

/// A predicate as a condition of SQL, with all values bound. What SQL cannot say is left out: then more rows come than fit, and
/// the predicate itself is asked of each.
struct PredicateSQL {
    struct Condition {
        var sql: String
        var values: [SQLValue] = []
        /// Whether it says all that the predicate says.
        var isExact: Bool
    }

    /// The condition; without one the predicate is asked of each row.
    let condition: Condition?
    var isExact: Bool { condition?.isExact ?? false }

    /// SQLite has limits of its own, which are higher.
    private static let mostParts = 100
    private static let mostValues = 2000

    /// The database is not asked: what it takes to answer would tell of what is in items that somebody may not see.
    static let unasked = PredicateSQL()
    private init() { condition = nil }

    init(_ predicate: Predicate, _ kinds: KindRegistry) {
        let made = Self.condition(predicate, kinds)
        condition = made.flatMap { $0.values.count > Self.mostValues || $0.sql.utf8.count > 100_000 ? nil : $0 }
    }

    private static func condition(_ predicate: Predicate, _ kinds: KindRegistry) -> Condition? {
        switch predicate {
        case .always(let answer): Condition(sql: answer ? "1" : "0", isExact: true)
        case .all(let parts): all(parts, kinds)
        case .any(let parts): any(parts, kinds)
        case .not(let part): negated(part, kinds)
        case .comparison(let comparison): ComparisonSQL.condition(comparison, kinds)
        }
    }

    private static func all(_ parts: [Predicate], _ kinds: KindRegistry) -> Condition? {
        let made = parts.prefix(mostParts).compactMap { condition($0, kinds) }
        guard !made.isEmpty else { return nil }
        return joined(made, " AND ", isExact: made.count == parts.count)
    }

    private static func any(_ parts: [Predicate], _ kinds: KindRegistry) -> Condition? {
        guard parts.count <= mostParts else { return nil }
        let made = parts.compactMap { condition($0, kinds) }
        return made.count == parts.count ? joined(made, " OR ", isExact: true) : nil
    }

    private static func negated(_ part: Predicate, _ kinds: KindRegistry) -> Condition? {
        guard let made = condition(part, kinds), made.isExact else { return nil }
        // What has no such attribute is no answer in SQL, and a “no” here.
        return Condition(sql: "(\(made.sql)) IS NOT TRUE", values: made.values, isExact: true)
    }

    private static func joined(_ parts: [Condition], _ word: String, isExact: Bool) -> Condition {
        Condition(sql: "(" + parts.map(\.sql).joined(separator: word) + ")", values: parts.flatMap(\.values), isExact: isExact && parts.allSatisfy(\.isExact))
    }
}

/// A comparison as a condition of SQL.
enum ComparisonSQL {
    static func condition(_ comparison: Comparison, _ kinds: KindRegistry) -> PredicateSQL.Condition? {
        switch (comparison.left, comparison.right) {
        case (.attribute(let attribute), .value(let value)): condition(attribute, comparison.operator, value, comparison, kinds)
        case (.value(let value), .attribute(let attribute)): mirrored(comparison.operator).flatMap { condition(attribute, $0, value, comparison, kinds) }
        case (.attribute(let attribute), .list(let values)): condition(attribute, values, comparison, kinds)
        default: nil
        }
    }

    /// The same with its sides changed.
    private static func mirrored(_ operator: Comparison.Operator) -> Comparison.Operator? {
        switch `operator` {
        case .equal, .notEqual: `operator`
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        default: nil
        }
    }

    private static func column(_ attribute: Attribute) -> String? {
        switch attribute {
        case .name: "i.shown"
        case .stored: "i.stored"
        case .title: "i.title"
        case .url: "i.url"
        case .size: "i.size"
        case .changed: "i.changed"
        case .created: "i.created"
        case .hidden: "i.hidden"
        default: nil
        }
    }

    static func sortColumn(_ attribute: Attribute) -> String? { attribute == .kind ? "i.kind" : column(attribute) }

    private static func bound(_ value: Value) -> SQLValue {
        switch value {
        case .missing: .null
        case .text(let text): .text(text)
        case .number(let number): .real(number)
        case .date(let moment): .integer(moment.nanoseconds)
        case .flag(let flag): .integer(flag ? 1 : 0)
        }
    }

    /// What depends on the kind alone is asked of each kind here, whatever the operator.
    private static func ofKinds(_ comparison: Comparison, _ all: KindRegistry) -> PredicateSQL.Condition {
        let kinds = ItemKind.all(all).filter { kind in Predicate.comparison(comparison).holds { CatalogItem.value($0, of: kind) } }
        return PredicateSQL.Condition(sql: "i.kind IN (\(kinds.map { "\($0.code)" }.joined(separator: ",")))", isExact: true)
    }

    /// The type of a document follows from its kind; of other files from their names, so that each is asked.
    private static func ofTypes(_ comparison: Comparison, _ all: KindRegistry) -> PredicateSQL.Condition {
        let kinds = ItemKind.all(all).filter { kind in
            kind.document.map { document in Predicate.comparison(comparison).holds { _ in .text(Array(ContentTypeTable.identifier(of: document).utf8)) } } ?? true
        }
        return PredicateSQL.Condition(sql: "i.kind IN (\(kinds.map { "\($0.code)" }.joined(separator: ",")))", isExact: false)
    }

    private static let ofKind: Set<Attribute> = [.kind, .ubiquitous, .downloaded, .downloading, .uploaded, .uploading, .status]

    private static func condition(_ attribute: Attribute, _ operator: Comparison.Operator, _ value: Value, _ comparison: Comparison, _ kinds: KindRegistry) -> PredicateSQL.Condition? {
        if attribute == .type { return ofTypes(comparison, kinds) }
        if ofKind.contains(attribute) { return ofKinds(comparison, kinds) }
        if case .text(let text) = value, `operator`.isOfTexts || !comparison.folding.isEmpty { return condition(attribute, `operator`, text, comparison) }
        guard let column = column(attribute) else { return nil }
        switch `operator` {
        case .equal: return PredicateSQL.Condition(sql: value == .missing ? "\(column) IS NULL" : "\(column) = ?", values: value == .missing ? [] : [bound(value)], isExact: true)
        case .notEqual: return PredicateSQL.Condition(sql: "\(column) IS NOT ?", values: [bound(value)], isExact: true)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            return PredicateSQL.Condition(sql: "\(column) \(`operator`.rawValue) ?", values: [bound(value)], isExact: true)
        default: return nil
        }
    }

    private static func condition(_ attribute: Attribute, _ values: [Value], _ comparison: Comparison, _ kinds: KindRegistry) -> PredicateSQL.Condition? {
        if attribute == .type { return ofTypes(comparison, kinds) }
        if ofKind.contains(attribute) { return ofKinds(comparison, kinds) }
        guard comparison.folding.isEmpty, let column = column(attribute) else { return nil }
        switch comparison.operator {
        case .between where values.count == 2:
            return PredicateSQL.Condition(sql: "\(column) BETWEEN ? AND ?", values: values.map(bound), isExact: true)
        case .among where values.count <= 200 && !values.contains(.missing):
            return PredicateSQL.Condition(sql: "\(column) IN (\(values.map { _ in "?" }.joined(separator: ",")))", values: values.map(bound), isExact: true)
        default: return nil
        }
    }

    /// Of texts: the range of those that begin so, and the ones that have each sequence of three characters.
    private static func condition(_ attribute: Attribute, _ operator: Comparison.Operator, _ text: [UInt8], _ comparison: Comparison) -> PredicateSQL.Condition? {
        var parts: [PredicateSQL.Condition] = []
        let folding = comparison.folding
        var runs: [[UInt8]] = []
        switch `operator` {
        case .begins:
            if folding.isEmpty, let range = range(attribute, from: text, isExact: true) { return range }
            runs = [text]
        case .like:
            guard let literals = comparison.literals else { return nil }
            if folding.isEmpty, literals.isAnchored, let first = literals.runs.first, let range = range(attribute, from: first, isExact: false) { parts.append(range) }
            runs = literals.runs
        case .contains, .ends, .equal: runs = [text]
        default: return nil
        }
        if parts.isEmpty, let words = words(runs, attribute) { parts.append(words) }
        return parts.first
    }

    private static func range(_ attribute: Attribute, from text: [UInt8], isExact: Bool) -> PredicateSQL.Condition? {
        guard let column = column(attribute) else { return nil }
        guard !text.isEmpty else { return isExact ? PredicateSQL.Condition(sql: "\(column) IS NOT NULL", isExact: true) : nil }
        let kept = text.prefix(through: text.lastIndex { $0 != 0xFF } ?? 0)
        guard let last = kept.last, last != 0xFF else { return nil }
        return PredicateSQL.Condition(sql: "(\(column) >= ? AND \(column) < ?)", values: [.text(text), .text(kept.dropLast() + [last + 1])], isExact: isExact)
    }

    private static let mostWords = 12
    /// What nearly all addresses have, so that asking for it leaves nothing out and takes long.
    private static let common: Set<String> = ["htt", "ttp", "tps", "tp:", "ps:", "p:/", "s:/", "://", "//w", "/ww", "www", "ww.", ".co", "com", "om/"]

    /// Those of whose name, URL, title or text the words are. Folded they are alike whatever the predicate folds.
    private static func words(_ runs: [[UInt8]], _ attribute: Attribute) -> PredicateSQL.Condition? {
        guard [.name, .url, .title, .text].contains(attribute) else { return nil }
        var words: [String] = []
        for run in runs where String(validating: run, as: UTF8.self) != nil {
            let scalars = Array(SearchedText.folded(run).unicodeScalars)
            guard scalars.count >= 3 else { continue }
            let count = scalars.count - 2
            // Of a long text a few pieces from all over it are enough.
            for place in stride(from: 0, to: count, by: max(1, count / mostWords)) {
                words.append(String(String.UnicodeScalarView(scalars[place..<(place + 3)])))
            }
        }
        let all = Set(words), rare = all.subtracting(common)
        let chosen = (rare.isEmpty ? all : rare).sorted().prefix(mostWords)
        guard !chosen.isEmpty, !chosen.contains(where: { $0.unicodeScalars.contains { $0.value == 0 } }) else { return nil }
        let question = chosen.map { "\"" + ($0.contains("\"") ? $0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") : $0) + "\"" }.joined(separator: " AND ")
        return PredicateSQL.Condition(sql: "i.id IN (SELECT rowid FROM words WHERE words MATCH ?)", values: [.text(Array(question.utf8))], isExact: false)
    }
}

/// What is looked for in an item: its name, URL, title and text, one below the other, without differences of case and marks.
enum SearchedText {
    static func folded(_ text: [UInt8]) -> String { String(decoding: Folding.both.fold(text), as: UTF8.self) }

    static func of(shown: [UInt8], url: [UInt8]?, title: [UInt8]?, text: [UInt8]?) -> [UInt8] {
        var all = shown
        // Almost every name has the title in it.
        if let title, !shown.starts(with: title) { all += [0x0A] + title }
        for part in [url, text] { if let part { all += [0x0A] + part } }
        // To SQLite a text ends at a zero.
        return Folding.both.fold(all).map { $0 == 0 ? 0x20 : $0 }
    }
}
