/// Looks for words in the rows of a list, beside the main thread: there may be very many. What is shown in the end is what was found of the last rows by the last
/// words; of other words that were asked for before, nothing is shown any more.
@MainActor
public final class RowSearch<Row: Sendable> {
    private struct Question {
        let words: String, rows: [Row], found: ([Row]) -> Void
    }

    private let holds: @Sendable (Row, String) -> Bool
    private var work: (words: String, task: Task<Void, Never>)?
    /// What is asked next, when an answer is under way.
    private var next: Question?

    public init(_ holds: @escaping @Sendable (Row, String) -> Bool) { self.holds = holds }

    /// `found` is called at once where nothing is looked for, and else when it is known.
    public func look(for words: String?, in rows: [Row], _ found: @escaping @MainActor ([Row]) -> Void) {
        guard let words else {
            stop()
            return found(rows)
        }
        let question = Question(words: words, rows: rows, found: found)
        // Rows that change all the time keep nobody waiting: what was asked of those before is answered, too.
        if let work, work.words == words { next = question } else {
            stop()
            ask(question)
        }
    }

    private func stop() {
        work?.task.cancel()
        (work, next) = (nil, nil)
    }

    private func ask(_ question: Question) {
        let holds = holds
        work = (question.words, Task {
            let rows = await Self.found(question.words, in: question.rows, holds)
            guard !Task.isCancelled else { return }
            work = nil
            question.found(rows)
            // What was found may be the reason for another question.
            guard work == nil, let next else { return }
            self.next = nil
            ask(next)
        })
    }

    @concurrent private nonisolated static func found(_ words: String, in rows: [Row], _ holds: @Sendable (Row, String) -> Bool) async -> [Row] {
        var found: [Row] = []
        for row in rows {
            guard !Task.isCancelled else { return [] }
            if holds(row, words) { found.append(row) }
        }
        return found
    }
}
