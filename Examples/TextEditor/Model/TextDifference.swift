/// What two texts have in common, line by line.
public struct TextDifference: Sendable, Equatable {
    public enum Mark: String, Sendable { case both = " ", old = "-", new = "+" }

    public struct Line: Sendable, Equatable {
        public let mark: Mark
        public let text: String
    }

    public let lines: [Line]

    public init(from old: String, to new: String) {
        func split(_ text: String) -> [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
        let before = split(old), after = split(new), difference = after.difference(from: before)
        var removed: Set<Int> = [], added: Set<Int> = []
        for case let .remove(offset, _, _) in difference { removed.insert(offset) }
        for case let .insert(offset, _, _) in difference { added.insert(offset) }
        var lines: [Line] = [], next = 0
        for (offset, line) in after.enumerated() {
            while removed.contains(next) { take() }
            lines.append(Line(mark: added.contains(offset) ? .new : .both, text: String(line)))
            if !added.contains(offset) { next += 1 }
        }
        while next < before.count { take() }
        self.lines = lines

        func take() {
            lines.append(Line(mark: .old, text: String(before[next])))
            next += 1
        }
    }
}
