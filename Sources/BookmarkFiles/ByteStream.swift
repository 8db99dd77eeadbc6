import PropertyLists

/// A file from its beginning to its end, a byte after another: it is never in memory as a whole. UTF-16 behind its mark comes as UTF-8.
struct ByteStream {
    private let source: any ByteSource
    private var chunk: [UInt8] = []
    private var position = 0
    /// Where the next chunk begins.
    private var offset: Int64 = 0
    private(set) var line = 1
    /// Why it ended early; nil where it ended.
    private(set) var failure: SourceFailure?
    private enum Form { case bytes, little, big }
    private var form = Form.bytes
    /// The first half of a pair.
    private var surrogate: UInt16?

    private static let chunkLength = 1 << 16

    init(_ source: any ByteSource) {
        self.source = source
        let mark = (try? source.bytes(at: 0, count: Int(min(3, source.byteCount)))) ?? []
        if mark.starts(with: [0xFF, 0xFE]) { (form, offset) = (.little, 2) } else if mark.starts(with: [0xFE, 0xFF]) { (form, offset) = (.big, 2) } else if mark == [0xEF, 0xBB, 0xBF] { offset = 3 }
    }

    var place: String { "line \(line)" }

    mutating func peek() -> UInt8? { position < chunk.count || fill() ? chunk[position] : nil }

    mutating func next() -> UInt8? {
        guard position < chunk.count || fill() else { return nil }
        let byte = chunk[position]
        position += 1
        if byte == 0x0A { line += 1 }
        return byte
    }

    /// All bytes up to one of these, which is not taken; no more than `limit` of them are kept.
    mutating func take(into bytes: inout [UInt8], limit: Int, until isEnd: (UInt8) -> Bool) {
        while position < chunk.count || fill() {
            var end = position
            while end < chunk.count, !isEnd(chunk[end]) {
                if chunk[end] == 0x0A { line += 1 }
                end += 1
            }
            let room = max(0, limit - bytes.count)
            bytes.append(contentsOf: chunk[position..<min(end, position + room)])
            position = end
            if end < chunk.count { return }
        }
    }

    private mutating func fill() -> Bool {
        while failure == nil, offset < source.byteCount {
            do throws(SourceFailure) {
                let count = min(Int64(Self.chunkLength), source.byteCount - offset)
                let bytes = try source.bytes(at: offset, count: Int(count))
                offset += count
                (chunk, position) = (form == .bytes ? bytes : decoded(bytes), 0)
                if !chunk.isEmpty { return true }
            } catch { failure = error }
        }
        return false
    }

    private mutating func decoded(_ bytes: [UInt8]) -> [UInt8] {
        var text = String.UnicodeScalarView()
        for index in stride(from: 0, to: bytes.count - 1, by: 2) {
            let one = UInt16(bytes[index]), other = UInt16(bytes[index + 1])
            let unit = form == .little ? one | other << 8 : other | one << 8
            if let first = surrogate {
                surrogate = nil
                if UTF16.isTrailSurrogate(unit) {
                    text.append(UTF16.decode(UTF16.EncodedScalar([first, unit])))
                    continue
                }
                text.append("\u{FFFD}")
            }
            if UTF16.isLeadSurrogate(unit) { surrogate = unit } else { text.append(Unicode.Scalar(unit) ?? "\u{FFFD}") }
        }
        return Array(String(text).utf8)
    }
}

/// Bytes of a file that says nothing of how they are meant: UTF-8, or else one character a byte as old Windows has it.
enum GuessedText {
    static func text(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append((0x80..<0xA0).contains(byte) ? windows[Int(byte) - 0x80] : Unicode.Scalar(byte)) }
        return String(text)
    }

    /// Windows-1252, where it differs from Latin-1.
    private static let windows: [Unicode.Scalar] = Array("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}
