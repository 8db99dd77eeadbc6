/// Two texts line by line. A line that one side lacks is an empty one there, so that what is alike stands beside each other.
public struct LineComparison: Equatable, Sendable {
    public enum Mark: Sendable { case both, removed, added }

    public struct Line: Equatable, Sendable {
        public let mark: Mark
        public let text: String
    }

    public let lines: [Line]
    /// Of more lines in one piece it is not asked which belong together: all of them are others then.
    private static let most = 4_000

    public init(from old: String, to new: String) {
        let before = Self.lines(of: old), after = Self.lines(of: new)
        let begin = zip(before, after).prefix { $0 == $1 }.count, rest = min(before.count, after.count) - begin
        let end = zip(before.suffix(rest).reversed(), after.suffix(rest).reversed()).prefix { $0 == $1 }.count
        lines = before[..<begin].map { Line(mark: .both, text: String($0)) }
            + Self.middle(before[begin..<(before.count - end)], after[begin..<(after.count - end)])
            + after[(after.count - end)...].map { Line(mark: .both, text: String($0)) }
    }

    public var isSame: Bool { lines.allSatisfy { $0.mark == .both } }

    private static func lines(of text: String) -> [Substring] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // The end of the last line is no line.
        return lines.last == "" ? lines.dropLast() : lines
    }

    private static func middle(_ before: ArraySlice<Substring>, _ after: ArraySlice<Substring>) -> [Line] {
        guard before.count + after.count > most else { return piece(Array(before), Array(after)) }
        var lines: [Line] = [], start = (before.startIndex, after.startIndex)
        for (one, other) in anchors(before, after) {
            lines += piece(Array(before[start.0..<one]), Array(after[start.1..<other])) + [Line(mark: .both, text: String(before[one]))]
            start = (one + 1, other + 1)
        }
        return lines + piece(Array(before[start.0...]), Array(after[start.1...]))
    }

    /// Where both have a line that each has once: as many of them as stand in the same order. A long text with changes far apart is many short ones so.
    private static func anchors(_ before: ArraySlice<Substring>, _ after: ArraySlice<Substring>) -> [(Int, Int)] {
        func single(_ lines: ArraySlice<Substring>) -> [Substring: Int] {
            Dictionary(zip(lines, lines.indices.map(Optional.some)), uniquingKeysWith: { _, _ in nil }).compactMapValues { $0 }
        }
        let others = single(after), pairs = single(before).compactMap { line, one in others[line].map { (one, $0) } }.sorted { $0.0 < $1.0 }
        // The longest run that rises: of each length the end that is lowest, and what comes before each.
        var ends: [Int] = [], previous = [Int?](repeating: nil, count: pairs.count)
        for (index, pair) in pairs.enumerated() {
            var low = 0, high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].1 < pair.1 { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? ends[low - 1] : nil
            if low < ends.count { ends[low] = index } else { ends.append(index) }
        }
        return Array(sequence(first: ends.last) { $0.flatMap { previous[$0] } }.prefix { $0 != nil }.compactMap { $0.map { pairs[$0] } }.reversed())
    }

    private static func piece(_ before: [Substring], _ after: [Substring]) -> [Line] {
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
