/// The versions of a document, as people see and name them: the first is what it is now, the newest of the others number 1.
public struct VersionList: Sendable {
    public struct Row: Equatable, Sendable {
        /// What it is called for as long as it is there: "2026-11-21T23-27-33.123456Z".
        public let id: String
        /// In seconds since 1970.
        public let modified: Int64
        public let size: Int64?
        public let computer: String
        public let isConflict: Bool
        public let isResolved: Bool

        public init(id: String, modified: Int64, size: Int64?, computer: String, isConflict: Bool = false, isResolved: Bool = false) {
            (self.id, self.modified, self.size, self.computer) = (id, modified, size, computer)
            (self.isConflict, self.isResolved) = (isConflict, isResolved)
        }
    }

    public let rows: [Row]
    private let clock: LocalClock

    /// `rows`: what the document is now, and its versions, the newest first.
    public init(_ rows: [Row], clock: LocalClock) {
        self.rows = rows
        self.clock = clock
    }

    // MARK: Shown

    /// “now”, or its number.
    public static func name(_ number: Int) -> String { number == 0 ? "now" : "\(number)" }

    public var text: String { text(Array(rows.indices)) }

    /// A table of some of them. `paint` marks what waits for somebody.
    public func text(_ shown: [Int], paint: Paint = .none) -> String {
        let lines = shown.filter { rows.indices.contains($0) }.map { number in
            let row = rows[number]
            let state = row.isConflict ? row.isResolved ? "resolved" : "conflict" : ""
            return [Self.name(number), "\(clock.shown(row.modified))  \(clock.age(row.modified))", row.size.map(Shell.size) ?? "?", printable(row.computer), state]
        }
        let all = [["#", "when", "size", "from", ""]] + lines
        let columns = (0..<4).map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { line in
            let cells = [leading(line[0], columns[0]), padded(line[1], columns[1]), leading(line[2], columns[2]), line[4].isEmpty ? line[3] : padded(line[3], columns[3])]
            return "  " + cells.joined(separator: "  ") + (line[4].isEmpty ? "" : "  " + paint.warning(line[4])) + "\n"
        }.joined()
    }

    private func leading(_ text: String, _ column: Int) -> String { String(repeating: " ", count: max(0, column - text.count)) + text }

    /// A word for each but the first, of those that need no quotes in a shell: for completion.
    public var words: [String] {
        rows.indices.dropFirst().map { number in
            let isAlone = rows.dropFirst().count { $0.modified == rows[number].modified } == 1
            return isAlone ? clock.word(rows[number].modified) : "\(number)"
        }
    }

    // MARK: Named

    public enum Choice: Equatable, Sendable {
        case one(Int)
        /// It could be each of these.
        case several([Int])
        /// None is that old.
        case tooOld
        case unknown
    }

    /// The version that somebody means: by its number, its name, the beginning of a time, or a time at which it was what the
    /// document was. Of a day or an hour only one may be: who restores wants to know which.
    public func choose(_ word: String) -> Choice {
        if word == "now" { return .one(0) }
        if let exact = rows.indices.dropFirst().first(where: { rows[$0].id == word }) ?? rows.indices.first(where: { rows[$0].id == word }) { return .one(exact) }
        if !word.isEmpty, word.allSatisfy({ $0.isASCII && $0.isNumber }) {
            if let number = Int(word), rows.indices.contains(number) { return .one(number) }
            // A year is the beginning of a time.
            if word.count != 4 { return .unknown }
        }
        let begun = rows.indices.dropFirst().filter { word.count > 10 && rows[$0].id.hasPrefix(word) }
        if !begun.isEmpty { return found(begun) }
        switch NamedTime(word, clock) {
        case .moment(let moment):
            // The second itself, and otherwise what it was then.
            let exact = rows.indices.dropFirst().filter { rows[$0].modified == moment }
            return exact.isEmpty ? asOf(moment) : found(exact)
        case .period(let range):
            let within = rows.indices.filter { range.contains(rows[$0].modified) }
            let earlier = within.filter { $0 > 0 }
            return within.isEmpty ? asOf(range.upperBound - 1) : found(earlier.isEmpty ? within : earlier)
        case nil: return .unknown
        }
    }

    private func found(_ numbers: [Int]) -> Choice { numbers.count == 1 ? .one(numbers[0]) : .several(numbers) }

    /// What somebody else's work is, the document was at no time.
    private func asOf(_ moment: Int64) -> Choice {
        let own = rows.indices.filter { !rows[$0].isConflict && rows[$0].modified <= moment }
        // Of two of one time the one that was there later is listed first.
        guard let newest = own.max(by: { (rows[$0].modified, $1) < (rows[$1].modified, $0) }) else { return .tooOld }
        return .one(newest)
    }
}
