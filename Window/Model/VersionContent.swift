import Foundation

/// A version's content, as far as it can be looked at.
public enum VersionContent: Equatable, Sendable {
    case text(String)
    /// Perhaps a picture; what draws it knows.
    case bytes(Data)
    case fault(String)

    /// Of a text so much is shown, and a larger picture is read by no window.
    private static let mostText = 1 << 20, mostBytes = 256 << 20

    /// Beside the main thread: it may be on a drive that takes its time.
    public static func read(_ version: DocumentVersion) async -> VersionContent { await Task.detached { of(version) }.value }

    static func of(_ version: DocumentVersion) -> VersionContent {
        guard let file = version.file else { return .fault("It can be looked at on the drive: mount it first.") }
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
            defer { try? handle.close() }
            let first = try handle.read(upToCount: mostText + 4) ?? Data()
            if let text = text(first) { return .text(text) }
            return .bytes(try first + (handle.read(upToCount: mostBytes) ?? Data()))
        } catch { return .fault("It cannot be read: \(error.localizedDescription)") }
    }

    /// Nil where it is none. A character that is cut off at the end is left out.
    static func text(_ bytes: Data) -> String? {
        guard !bytes.contains(0) else { return nil }
        if bytes.count <= mostText { return String(validating: bytes, as: UTF8.self) }
        let shown = bytes.prefix(mostText)
        for cut in 0..<4 { if let text = String(validating: shown.dropLast(cut), as: UTF8.self) { return text + "\n…\n" } }
        return nil
    }
}

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
            if added.contains(offset) {
                takeRemoved()
                lines.append(Line(mark: .added, text: String(line)))
            } else {
                takeRemoved()
                lines.append(Line(mark: .both, text: String(line)))
                next += 1
            }
        }
        takeRemoved()
        return lines
    }
}
