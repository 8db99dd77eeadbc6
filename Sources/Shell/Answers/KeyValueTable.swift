/// Settings of an app, a line each.
public struct KeyValueTable: Sendable {
    public typealias Row = (key: String, type: String, value: String)
    private let rows: [Row]

    public init(_ rows: [Row]) { self.rows = rows }

    private static let longestValue = 60

    public func text(paint: Paint = .none) -> String {
        guard !rows.isEmpty else { return "" }
        let lines = [("key", "type", "value")] + rows.map { (printable($0.key), $0.type, Self.cut(printable($0.value))) }
        let first = lines.map(\.0.count).max() ?? 0, second = lines.map(\.1.count).max() ?? 0
        return lines.enumerated().map { place, line in
            let cells = [padded(line.0, first), padded(line.1, second), line.2]
            return (place == 0 ? cells.map(paint.heading) : cells).joined(separator: "  ") + "\n"
        }.joined()
    }

    private static func cut(_ value: String) -> String { value.count > longestValue ? value.prefix(longestValue - 1) + "…" : value }
}
