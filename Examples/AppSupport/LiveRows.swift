import DocumentKit
import Foundation

/// The rows of a list that follows a query. Each document is read once as long as it stays as it is; the list is shown when all are read, in an order
/// that does not depend on that.
@MainActor
public final class LiveRows<Row: Equatable & Sendable> {
    public private(set) var rows: [Row] = []
    /// All that there was at the start is in the list.
    public private(set) var isGathered = false
    /// The list changed; what was there before comes along.
    public var changed: (([Row]) -> Void)?
    private let predicate: NSPredicate
    private let read: (LiveQuery.Found) async -> Row?
    private let precedes: (Row, Row) -> Bool
    private var query: LiveQuery?
    private var known: [LiveQuery.Found: Row?] = [:]
    private var wanted: [LiveQuery.Found]?
    private var isReading = false
    /// The query has answered since it was started last.
    private var isAnswered = false

    /// `read`: the row of what was found; nil where that is none of this list.
    public init(_ predicate: NSPredicate, in order: @escaping (Row, Row) -> Bool, read: @escaping (LiveQuery.Found) async -> Row?) {
        (self.predicate, precedes, self.read) = (predicate, order, read)
    }

    /// The query is kept for the life of the app.
    public func start() throws {
        let query = query ?? LiveQuery(predicate) { [weak self] in self?.take($0) }
        self.query = query
        (isGathered, isAnswered, wanted) = (false, false, nil)
        try query.start()
    }

    public func stop() { query?.stop() }

    /// The list as it is now, once.
    public func gather() async throws -> [Row] {
        try start()
        while !isGathered { try await Task.sleep(for: .milliseconds(5)) }
        stop()
        return rows
    }

    private func take(_ found: [LiveQuery.Found]) {
        (wanted, isAnswered) = (found, true)
        guard !isReading else { return }
        isReading = true
        Task {
            while let found = wanted {
                wanted = nil
                var now: [LiveQuery.Found: Row?] = [:]
                for item in found { if let row = known[item] { now[item] = row } else { now[item] = await read(item) } }
                known = now
                let old = rows
                rows = now.values.compactMap(\.self).sorted(by: precedes)
                // What was found before the query was started again is not that.
                if isAnswered, wanted == nil { isGathered = true }
                changed?(old)
            }
            isReading = false
        }
    }
}
