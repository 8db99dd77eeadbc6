import DocumentKit
import Foundation

/// The rows of a list that follows a query. What the query knows makes a row at once, beside the main thread; else the document is read, once as long as it
/// stays as it is. While the first ones are found the list is shown whenever it is twice as long as it was, so that nobody waits for all of a long one.
@MainActor
public final class LiveRows<Row: Equatable & Sendable> {
    /// The rows and their numbers, in order.
    private struct Sorted: Sendable {
        var numbers: [Int] = [], rows: [Row] = []
    }

    public var rows: [Row] { sorted.rows }
    /// All that there was at the start is in the list.
    public private(set) var isGathered = false
    /// The list changed; what was there before comes along.
    public var changed: (([Row]) -> Void)?
    private let predicate: NSPredicate
    private let quick: @Sendable (LiveQuery.Found) -> Row?
    private let read: (LiveQuery.Found) async -> Row?
    private let precedes: @Sendable (Row, Row) -> Bool
    private var query: LiveQuery?
    private var sorted = Sorted()
    private var gone: Set<Int> = [], there: [LiveQuery.Found] = []
    private var isReading = false
    /// The query has answered since it was started last.
    private var isAnswered = false

    /// `quick`: the row of what was found, without reading it; nil where it has to be read. `read`: the same by reading it; nil where it is none of this list.
    public init(
        _ predicate: NSPredicate, in order: @escaping @Sendable (Row, Row) -> Bool, quick: @escaping @Sendable (LiveQuery.Found) -> Row? = { _ in nil },
        read: @escaping (LiveQuery.Found) async -> Row?
    ) {
        (self.predicate, precedes, self.quick, self.read) = (predicate, order, quick, read)
    }

    /// The query is kept for the life of the app.
    public func start() throws {
        let query = query ?? LiveQuery(predicate) { [weak self] in self?.take($0) }
        self.query = query
        (isGathered, isAnswered) = (false, false)
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

    private func take(_ change: LiveQuery.Change) {
        // What came and is another one already was never a row.
        let waiting = Set(there.map(\.number)), over = change.gone.filter(waiting.contains)
        if !over.isEmpty { there.removeAll { Set(over).contains($0.number) } }
        gone.formUnion(change.gone)
        there += change.there
        if change.isWhole { isAnswered = true }
        guard !isReading, isAnswered || there.count > rows.count else { return }
        isReading = true
        Task {
            repeat {
                let (gone, there) = (gone, there)
                (self.gone, self.there) = ([], [])
                await show(without: gone, with: there)
            } while !self.gone.isEmpty || !self.there.isEmpty && (isAnswered || self.there.count > rows.count)
            isReading = false
        }
    }

    private func show(without gone: Set<Int>, with there: [LiveQuery.Found]) async {
        let before = sorted, quick = quick, precedes = precedes
        let known = await Task.detached { there.map { (number: $0.number, row: quick($0)) } }.value
        var new: [(number: Int, row: Row)] = []
        for (found, known) in zip(there, known) { if let row = known.row { new.append((known.number, row)) } else if let row = await read(found) { new.append((found.number, row)) } }
        let rows = new
        if !gone.isEmpty || !rows.isEmpty { sorted = await Task.detached { Self.merged(before, without: gone, rows, precedes) }.value }
        if isAnswered, self.gone.isEmpty, self.there.isEmpty { isGathered = true }
        changed?(before.rows)
    }

    private nonisolated static func merged(
        _ before: Sorted, without gone: Set<Int>, _ new: [(number: Int, row: Row)], _ precedes: (Row, Row) -> Bool
    ) -> Sorted {
        let new = new.sorted { precedes($0.row, $1.row) }
        var all = Sorted(), next = 0
        all.numbers.reserveCapacity(before.numbers.count + new.count)
        all.rows.reserveCapacity(before.numbers.count + new.count)
        func add(_ number: Int, _ row: Row) {
            all.numbers.append(number)
            all.rows.append(row)
        }
        for (number, row) in zip(before.numbers, before.rows) where !gone.contains(number) {
            while next < new.count, precedes(new[next].row, row) {
                add(new[next].number, new[next].row)
                next += 1
            }
            add(number, row)
        }
        for (number, row) in new[next...] { add(number, row) }
        return all
    }
}
