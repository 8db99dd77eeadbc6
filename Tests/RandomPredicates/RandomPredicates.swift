import SeededNumbers

/// Predicates at random: such as people write, and deeper ones.
public struct RandomPredicates {
    private var numbers: SeededNumbers

    public init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

    public mutating func next() -> String { predicate(depth: Int.random(in: 0...3, using: &numbers)) }

    private mutating func pick(_ words: [String]) -> String { words.randomElement(using: &numbers) ?? "" }

    private mutating func predicate(depth: Int) -> String {
        guard depth > 0 else { return comparison() }
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0: return "(" + predicate(depth: depth - 1) + ")"
        case 1: return pick(["NOT ", "! ", "not "]) + "(" + predicate(depth: depth - 1) + ")"
        case 2, 3: return predicate(depth: depth - 1) + pick([" AND ", " && ", " and "]) + predicate(depth: depth - 1)
        default: return predicate(depth: depth - 1) + pick([" OR ", " || "]) + predicate(depth: depth - 1)
        }
    }

    private static let texts = [
        "Swift", "swift.url", "Swift.url", "Café", "cafe", "*.txt", "*i*", "?wift*", "", "ß", "ss", "STRASSE", "list", "日本", ".url", "Bookmark_*", "Holiday",
        "https://", "swift.org", "org", "1", "Οδυσσεύς", "σ", "e", "milk", "*COFFEE*", "IMG_0001", "a\\*b", "photo", "text", "bookmark", "plain",
    ]

    private mutating func text() -> String { "'" + pick(Self.texts) + "'" }

    private mutating func comparison() -> String {
        switch Int.random(in: 0..<10, using: &numbers) {
        case 0...4: return textComparison()
        case 5: return "size " + ordering() + " " + size()
        case 6: return pick(["changed", "created"]) + " " + ordering() + " " + date()
        case 7: return pick(["size BETWEEN {" + size() + ", " + size() + "}", "changed BETWEEN {" + date() + ", " + date() + "}", "size IN {" + size() + ", 54, 0}"])
        case 8: return pick(["conflict", "draft", "hidden"]) + pick([" == ", " != "]) + pick(["TRUE", "FALSE", "1"])
        default: return pick(["url", "text", "title"]) + pick([" == ", " != "]) + "nil"
        }
    }

    private mutating func textComparison() -> String {
        let attribute = pick(["name", "stored", "title", "url", "text", "kind", "path"])
        let folding = pick(["", "", "[c]", "[d]", "[cd]"])
        switch Int.random(in: 0..<8, using: &numbers) {
        case 0: return "\(attribute) IN\(folding) {\(text()), \(text()), \(text())}"
        case 1: return "\(attribute) \(ordering())\(folding) \(text())"
        case 2: return "\(attribute) BETWEEN\(folding) {\(text()), \(text())}"
        case 3: return "\(attribute) MATCHES\(folding) '" + pick([".*", "[A-Z].*", ".*\\.(url|txt)", "\\w+", "(S|s)wift.*", ".{3,9}", "[^i]*"]) + "'"
        default: return "\(attribute) " + pick(["LIKE", "CONTAINS", "BEGINSWITH", "ENDSWITH"]) + "\(folding) \(text())"
        }
    }

    private mutating func ordering() -> String { pick(["<", "<=", ">", ">=", "==", "!=", "=<", "<>"]) }
    private mutating func size() -> String { pick(["0", "54", "1 kB", "1KiB", "21", "2.5 MB", "3145728", "1e3", "10.5"]) }
    private mutating func date() -> String { pick(["2026-03-01", "now", "now - 7d", "now - 36 h", "2025-12-25T08:00:00Z", "2000-02-29T12:00Z", "'2026-03-03'", "1970-01-01"]) }
}
