import LinuxFiles

/// A journal as it lies there, read in pieces: what is kept of it is what is under way, however long it is.
struct JournalReading {
    private(set) var unfinished = Unfinished()
    /// The highest number that anything in it has.
    private(set) var highestNumber: UInt64 = 0
    /// What has begun and not ended, with the length of its longest line.
    private var open: [UInt64: Int] = [:]
    private var openLength = 0
    var live: Set<UInt64> { Set(open.keys) }
    /// Up to where its last whole line goes. A line without its end was never written.
    private(set) var whole: Int64 = 0
    private(set) var size: Int64 = 0
    /// So many lines of it cannot be understood.
    private(set) var oddLines = 0
    /// Why not all of it could be read.
    private(set) var fault: Errno?

    /// A folder that is renamed with hundreds of drafts in it takes one line.
    private static let longestLine = 4 << 20
    /// Far more than anybody has under way at once, and how long all the lines of it may be.
    private static let mostOpen = 1 << 16, longestOpen = 16 << 20
    private static let pieceSize = 64 * 1024

    init() {}

    init(_ file: borrowing Descriptor) {
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
    }

    private mutating func take(_ piece: [UInt8], _ rest: inout [UInt8]?) {
        var start = piece.startIndex
        while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if let rest, rest.count + end - start <= Self.longestLine { take(line: rest + piece[start..<end]) } else { oddLines += 1 }
            rest = []
            start = end + 1
            whole = size + Int64(start)
        }
        rest = rest.flatMap { $0.count + piece.endIndex - start <= Self.longestLine ? $0 + piece[start...] : nil }
    }

    private mutating func take(line: [UInt8]) {
        // Blanks in front of a line are of one that could not be written, and so is a line of nothing else.
        let text = line.drop { $0 == UInt8(ascii: " ") }
        if text.isEmpty { return }
        guard let record = Journal.Record(line: String(decoding: text, as: UTF8.self)), note(record, text.count) else { return oddLines += 1 }
        highestNumber = max(highestNumber, record.highestNumber)
        unfinished.take(record)
    }

    /// False where there is no room for more.
    private mutating func note(_ record: Journal.Record, _ length: Int) -> Bool {
        let known = open[record.number]
        if case .ended = record {
            openLength -= known ?? 0
            open[record.number] = nil
            return true
        }
        let more = max(0, length - (known ?? 0))
        guard known != nil || open.count < Self.mostOpen, openLength + more <= Self.longestOpen else { return false }
        openLength += more
        open[record.number, default: 0] += more
        return true
    }
}
