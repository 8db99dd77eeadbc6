/// Two texts line by line. A line that one side lacks is an empty one there, so that what is alike stands beside each other.
public struct LineComparison: Equatable, Sendable {
    public enum Mark: Sendable { case both, removed, added }

    public struct Line: Equatable, Sendable {
        public let mark: Mark
        public let text: String
    }

    public let lines: [Line]
    /// Of more lines it is not asked which belong together: all of them are others then.
    private static let most = 4_000

    public init(from old: String, to new: String) {
        let before = Self.lines(of: old), after = Self.lines(of: new)
        let begin = zip(before, after).prefix { $0 == $1 }.count, rest = min(before.count, after.count) - begin
        let end = zip(before.suffix(rest).reversed(), after.suffix(rest).reversed()).prefix { $0 == $1 }.count
        lines = before[..<begin].map { Line(mark: .both, text: String($0)) }
            + Self.middle(Array(before[begin..<(before.count - end)]), Array(after[begin..<(after.count - end)]))
            + after[(after.count - end)...].map { Line(mark: .both, text: String($0)) }
    }

    public var isSame: Bool { lines.allSatisfy { $0.mark == .both } }

    private static func lines(of text: String) -> [Substring] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // The end of the last line is no line.
        return lines.last == "" ? lines.dropLast() : lines
    }

    private static func middle(_ before: [Substring], _ after: [Substring]) -> [Line] {
        guard before.count + after.count <= most else { return before.map { Line(mark: .removed, text: String($0)) } + after.map { Line(mark: .added, text: String($0)) } }
        let difference = after.difference(from: before)
        var removed: Set<Int> = [], added: Set<Int> = []
        for case let .remove(offset, _, _) in difference { removed.insert(offset) }
        for case let .insert(offset, _, _) in difference { added.insert(offset) }
        var lines: [Line] = [], next = 0
        func takeRemoved() {
            while removed.contains(next) {
                lines.append(Line(mark: .removed, text: String(before[next])))
                next += 1
            }
        }
        for (offset, line) in after.enumerated() {
            takeRemoved()
            lines.append(Line(mark: added.contains(offset) ? .added : .both, text: String(line)))
            if !added.contains(offset) { next += 1 }
        }
        takeRemoved()
        return lines
    }
}
