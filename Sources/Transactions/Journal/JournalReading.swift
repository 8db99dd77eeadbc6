import Glibc
import LinuxFiles

/// A journal as it lies there, read in pieces: what is kept of it is what is under way, however long it is.
///
/// A line is looked at as far as its word and its number. Those that say what is under way are kept as they are, and
/// understood when the end has come without theirs: nearly all of a long journal is over.
package struct JournalReading {
    package private(set) var unfinished = Unfinished()
    /// The highest number that anything in it has.
    package private(set) var highestNumber: UInt64 = 0
    private var open: [UInt64: Lines] = [:]
    /// The length of all lines that are kept, in bytes.
    private var openLength = 0
    /// What has begun and not ended.
    var live: Set<UInt64> { Set(open.keys) }
    /// Up to where its last whole line goes. A line without its end was never written.
    private(set) var whole: Int64 = 0
    private(set) var size: Int64 = 0
    /// So many lines of it cannot be understood.
    package private(set) var oddLines = 0
    /// Why not all of it could be read.
    package private(set) var fault: Errno?

    /// What was said under a number.
    private struct Lines {
        var draft: [UInt8]?
        var intent: [UInt8]?
        var hasPassed = false, isIncomplete = false
        var sealed: Int64?
        /// Of the longest that it had: what comes in the place of another takes no more room.
        var length = 0
    }

    /// A folder that is renamed with hundreds of drafts in it takes one line.
    private static let longestLine = 4 << 20
    /// Far more than anybody has under way at once, and how long all the lines of it may be.
    private static let mostOpen = 1 << 16, longestOpen = 16 << 20
    private static let pieceSize = 64 * 1024
    private static let blank = UInt8(ascii: " ")

    init() {}

    package init(_ file: borrowing Descriptor) {
        // What is left of the line at the end of the piece; nil of one that is longer than any.
        var rest: [UInt8]? = []
        do throws(Errno) {
            while true {
                let piece = try file.read(at: size, count: Self.pieceSize)
                if piece.isEmpty { break }
                take(piece, &rest)
                size += Int64(piece.count)
            }
        } catch { fault = error }
        understand()
    }

    private mutating func take(_ piece: [UInt8], _ rest: inout [UInt8]?) {
        var start = 0
        while let end = Self.lineEnd(in: piece, from: start) {
            if let begun = rest, begun.count + end - start <= Self.longestLine {
                take(line: begun.isEmpty ? piece[start..<end] : (begun + piece[start..<end])[...])
            } else {
                oddLines += 1
            }
            rest = []
            start = end + 1
            whole = size + Int64(start)
        }
        rest = rest.flatMap { $0.count + piece.count - start <= Self.longestLine ? $0 + piece[start...] : nil }
    }

    /// By the C library, for a journal can be long.
    private static func lineEnd(in piece: [UInt8], from start: Int) -> Int? {
        guard start < piece.count else { return nil }
        // SAFETY: looks at the bytes from `start` to the end of the array, which is there through the call.
        return unsafe piece.withUnsafeBytes { bytes in
            guard let first = bytes.baseAddress, let found = unsafe memchr(first + start, Int32(UInt8(ascii: "\n")), bytes.count - start) else { return nil }
            return unsafe UnsafeRawPointer(found) - first
        }
    }

    private mutating func take(line: ArraySlice<UInt8>) {
        // Blanks in front of a line are of one that could not be written, and so is a line of nothing else.
        let text = line.drop { $0 == Self.blank }
        if text.isEmpty { return }
        let words = text.split(separator: Self.blank, maxSplits: 2)
        guard words.count >= 2, words[0].count <= 10, let number = Journal.number(words[1]),
            take(String(decoding: words[0], as: UTF8.self), number, text)
        else { return oddLines += 1 }
        highestNumber = max(highestNumber, number)
    }

    /// False where it is not understood, or where there is no room for more.
    private mutating func take(_ word: String, _ number: UInt64, _ text: ArraySlice<UInt8>) -> Bool {
        switch word {
        case "draft": return keep(text, of: number, as: \.draft)
        case "intent":
            guard keep(text, of: number, as: \.intent) else { return false }
            open[number]?.hasPassed = false
        case "passed": open[number]?.hasPassed = true
        case "returned": open[number]?.hasPassed = false
        case "undone": open[number]?.intent = nil
        case "sealed":
            guard case .sealed(_, let length) = Journal.Record(line: text) else { return false }
            open[number]?.sealed = length
        case "unsealed": open[number]?.sealed = nil
        case "incomplete": open[number]?.isIncomplete = true
        case "complete": open[number]?.isIncomplete = false
        case "ended":
            guard let ended = open.removeValue(forKey: number) else { break }
            openLength -= ended.length
            if let intent = ended.intent { return follow(intent) }
        default: return false
        }
        return true
    }

    /// What cannot be understood takes the place of nothing that can.
    private mutating func keep(_ text: ArraySlice<UInt8>, of number: UInt64, as line: WritableKeyPath<Lines, [UInt8]?>) -> Bool {
        let known = open[number], more = max(0, text.count - (known?.length ?? 0))
        guard known != nil || open.count < Self.mostOpen, openLength + more <= Self.longestOpen else { return false }
        if known?[keyPath: line] != nil, Journal.Record(line: text) == nil { return false }
        openLength += more
        open[number, default: Lines()].length += more
        open[number]?[keyPath: line] = Array(text)
        return true
    }

    /// An intent was carried out: drafts are drafts of what it made, as if each had said so itself.
    private mutating func follow(_ intent: [UInt8]) -> Bool {
        var isUnderstood = true
        for draft in Journal.Intent.draftLines(of: intent) {
            let words = draft.split(separator: Self.blank, maxSplits: 2)
            guard words.count >= 2, let number = Journal.number(words[1]), keep(draft[...], of: number, as: \.draft) else {
                isUnderstood = false
                continue
            }
            highestNumber = max(highestNumber, number)
        }
        return isUnderstood
    }

    private mutating func understand() {
        for (number, lines) in open {
            for line in [lines.draft, lines.intent] {
                guard let line else { continue }
                guard let record = Journal.Record(line: line[...]) else {
                    oddLines += 1
                    continue
                }
                highestNumber = max(highestNumber, record.highestNumber)
                switch record {
                case .draft(let draft): unfinished.drafts[number] = draft
                case .intent(_, let intent): unfinished.intents[number] = intent
                default: break
                }
            }
            if lines.hasPassed { unfinished.passed.insert(number) }
            if lines.isIncomplete { unfinished.incomplete.insert(number) }
            unfinished.sealed[number] = lines.sealed
        }
    }
}
