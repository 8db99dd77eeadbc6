/// Small stretches of a source, kept while one list is read: its end, where the trailer is, and the
/// last two places that were looked at. What is larger than a window is read past them. A file of a page
/// or less is read once and as a whole, and bytes that are in memory already are looked at where they are.
///
/// A class, because reading moves the windows and the readers above it are values.
final class Windows {
    static let length: Int64 = 1024
    private static let alignment: Int64 = 512
    private static let whole: Int64 = 4096

    let source: any ByteSource
    let byteCount: Int64

    private struct Window {
        var start: Int64 = 0
        var bytes: [UInt8] = []

        func holds(_ offset: Int64, _ count: Int) -> Bool {
            offset >= start && offset - start <= Int64(bytes.count - count)
        }
    }

    private var tail = Window()
    private var recent = Window()
    private var former = Window()

    private var turnsLeft: Int

    init(_ source: any ByteSource, most turns: Int) {
        self.source = source
        turnsLeft = turns
        byteCount = source.byteCount
        // Where nobody counts how much of it is looked at.
        if turns == .max, let memory = source as? Bytes { tail = Window(bytes: memory.bytes) }
    }

    /// The big-endian number of `width` (0 to 8) bytes at `offset`.
    func unsigned(at offset: Int64, width: Int) throws(PropertyListFault) -> UInt64 {
        if tail.holds(offset, width) { return number(tail, offset, width) }
        if !recent.holds(offset, width) { try turn(to: offset, width) }
        return number(recent, offset, width)
    }

    private func number(_ window: borrowing Window, _ offset: Int64, _ width: Int) -> UInt64 {
        var value: UInt64 = 0
        let first = Int(offset - window.start)
        for index in first..<(first + width) { value = value << 8 | UInt64(window.bytes[index]) }
        return value
    }

    /// Whether exactly these bytes lie at `offset`.
    func equal(at offset: Int64, _ wanted: String.UTF8View, stride: Int = 1) throws(PropertyListFault) -> Bool {
        let count = wanted.count * stride
        if tail.holds(offset, count) { return same(tail, offset, wanted, stride) }
        if !recent.holds(offset, count) { try turn(to: offset, count) }
        return same(recent, offset, wanted, stride)
    }

    /// With a stride of 2, each wanted byte stands behind a zero byte, as in UTF-16.
    private func same(_ window: borrowing Window, _ offset: Int64, _ wanted: String.UTF8View, _ stride: Int) -> Bool {
        var index = Int(offset - window.start)
        for byte in wanted {
            if stride == 2 {
                guard window.bytes[index] == 0 else { return false }
                index += 1
            }
            guard window.bytes[index] == byte else { return false }
            index += 1
        }
        return true
    }

    /// The bytes at `offset`; `count` is what a limit allowed.
    func bytes(at offset: Int64, count: Int) throws(PropertyListFault) -> [UInt8] {
        if tail.holds(offset, count) { return Array(tail.bytes[Int(offset - tail.start)..<(Int(offset - tail.start) + count)]) }
        if Int64(count) > Self.length - Self.alignment { return try direct(at: offset, count: count) }
        if !recent.holds(offset, count) { try turn(to: offset, count) }
        return Array(recent.bytes[Int(offset - recent.start)..<(Int(offset - recent.start) + count)])
    }

    /// The ASCII text at `offset`; `count` is what a limit allowed.
    func text(at offset: Int64, count: Int) throws(PropertyListFault) -> String {
        guard tail.holds(offset, count) else { return String(decoding: try bytes(at: offset, count: count), as: UTF8.self) }
        let first = Int(offset - tail.start)
        return String(decoding: tail.bytes[first..<(first + count)], as: UTF8.self)
    }

    /// The bytes at `offset`, where they were read with what is around them.
    func held(at offset: Int64, count: Int) -> [UInt8]? {
        func copy(_ window: borrowing Window) -> [UInt8] {
            Array(window.bytes[Int(offset - window.start)..<(Int(offset - window.start) + count)])
        }
        guard count >= 0 else { return nil }
        return tail.holds(offset, count) ? copy(tail) : recent.holds(offset, count) ? copy(recent) : former.holds(offset, count) ? copy(former) : nil
    }

    private func turn(to offset: Int64, _ count: Int) throws(PropertyListFault) {
        swap(&recent, &former)
        if recent.holds(offset, count) { return }
        guard offset >= 0, offset <= byteCount, Int64(count) <= byteCount - offset else {
            throw .damaged("Something reaches past the end of the file.")
        }
        if byteCount <= Self.whole || offset >= byteCount - Self.length, tail.bytes.isEmpty {
            // The trailer is looked at first, so the first turn is to the end.
            let start = byteCount <= Self.whole ? 0 : min(offset, byteCount - Self.length)
            tail = Window(start: start, bytes: try direct(at: start, count: Int(byteCount - start)))
            recent = tail
            return
        }
        guard turnsLeft > 0 else { throw .excessive("What it says is strewn over too much of it.") }
        turnsLeft -= 1
        let start = offset / Self.alignment * Self.alignment
        let length = min(byteCount - start, max(Self.length, offset - start + Int64(count)))
        recent = Window(start: start, bytes: try direct(at: start, count: Int(length)))
    }

    private func direct(at offset: Int64, count: Int) throws(PropertyListFault) -> [UInt8] {
        guard offset >= 0, offset <= byteCount, Int64(count) <= byteCount - offset else {
            throw .damaged("Something reaches past the end of the file.")
        }
        do throws(SourceFailure) { return try source.bytes(at: offset, count: count) } catch { throw .unreadable(error) }
    }
}
