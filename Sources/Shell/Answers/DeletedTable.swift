/// What was deleted and is kept, as people see and name it.
public struct DeletedTable: Sendable {
    public struct Row: Equatable, Sendable {
        public let number: UInt64
        /// In seconds since 1970.
        public let deleted: Int64
        public let size: Int64?
        public let versions: Int
        /// From the documents on, as it was shown.
        public let path: String
        /// A plain file that is called as a document is: a draft that was given up, most of all.
        public let isCalledAsDocument: Bool
        /// Something else has its name: it was replaced, perhaps, and not removed.
        public let isNameTaken: Bool

        public init(number: UInt64, deleted: Int64, size: Int64?, versions: Int, path: String, isCalledAsDocument: Bool = false, isNameTaken: Bool = false) {
            (self.number, self.deleted, self.size, self.versions, self.path) = (number, deleted, size, versions, path)
            (self.isCalledAsDocument, self.isNameTaken) = (isCalledAsDocument, isNameTaken)
        }

        fileprivate var note: String {
            if isCalledAsDocument { return "  (no document: a draft that was given up, or a plain file)" }
            return isNameTaken ? "  (another one has its name now)" : ""
        }
    }

    private let rows: [Row]
    private let clock: LocalClock

    public init(_ rows: [Row], clock: LocalClock) { (self.rows, self.clock) = (rows, clock) }

    public var text: String {
        let lines = rows.map { row in
            [
                "\(row.number)", "\(clock.shown(row.deleted))  \(clock.age(row.deleted))", row.size.map(Shell.size) ?? "?",
                row.versions == 0 ? "" : "\(row.versions)", printable(row.path) + row.note,
            ]
        }
        let all = [["#", "deleted", "size", "versions", "path"]] + lines
        let columns = (0..<4).map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { line in
            let cells = [leading(line[0], columns[0]), padded(line[1], columns[1]), leading(line[2], columns[2]), leading(line[3], columns[3]), line[4]]
            return "  " + cells.joined(separator: "  ") + "\n"
        }.joined() + sum
    }

    /// Of one, it is told already.
    private var sum: String {
        guard rows.count > 1 else { return "" }
        return "  \(count(rows.count)) items, \(Shell.size(rows.reduce(Int64(0)) { $0 &+ ($1.size ?? 0) })) of content\n"
    }

    private func leading(_ text: String, _ column: Int) -> String { String(repeating: " ", count: max(0, column - text.count)) + text }
}
