import PropertyLists
import SeededNumbers

/// A binary property list put together by hand, right or wrong.
struct Handmade {
    var objects: [[UInt8]]
    var offsetWidth = 1
    var referenceWidth = 1
    var top: UInt64 = 0
    var count: UInt64?
    var offsets: [UInt64]?
    var table: UInt64?
    var behind: [UInt8] = []

    var bytes: [UInt8] {
        var result = Array("bplist00".utf8)
        var places: [UInt64] = []
        for object in objects {
            places.append(UInt64(result.count))
            result += object
        }
        let start = UInt64(result.count)
        for place in offsets ?? places { result += number(place, offsetWidth) }
        result += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
        result += number(count ?? UInt64(places.count), 8) + number(top, 8) + number(table ?? start, 8)
        return result + behind
    }
}

func number(_ value: UInt64, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { $0 >= 8 ? 0 : UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
}

/// Counts what is read of some bytes.
final class Counting: ByteSource, @unchecked Sendable {
    // Unchecked, because each test reads it from one thread only.
    let base: any ByteSource
    private(set) var reads = 0
    private(set) var bytesRead = 0

    init(_ base: any ByteSource) { self.base = base }

    var byteCount: Int64 { base.byteCount }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceFailure) {
        reads += 1
        bytesRead += buffer.count
        try base.read(into: buffer, at: offset)
    }
}

/// Some bytes, a hole of zeros, and some more bytes.
struct Sparse: ByteSource {
    let head: [UInt8]
    let hole: Int64
    let tail: [UInt8]

    var byteCount: Int64 { Int64(head.count) + hole + Int64(tail.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceFailure) {
        guard offset >= 0, offset <= byteCount, Int64(buffer.count) <= byteCount - offset else { throw .ended }
        for index in 0..<buffer.count {
            let position = offset + Int64(index)
            let behind = position - Int64(head.count) - hole
            buffer[index] = position < head.count ? head[Int(position)] : behind >= 0 ? tail[Int(behind)] : 0
        }
    }
}

/// A random tree without sets and dates, which not every decoder has.
func randomTree(_ random: inout SeededNumbers, depth: Int = 1) -> PropertyList {
    switch Int.random(in: 0..<(depth < 6 ? 10 : 7), using: &random) {
    case 0: return .boolean(Bool.random(using: &random))
    case 1: return .integer(Int128(Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0..<63, using: &random)))
    case 2: return .real(Double(bitPattern: random.next() & 0xBFFF_FFFF_FFFF_FFFF))
    case 3: return .data((0..<Int.random(in: 0..<40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
    case 4: return .uid(random.next() >> UInt64.random(in: 32..<64, using: &random))
    case 5, 6: return .string(randomText(&random))
    case 7, 8: return .array((0..<Int.random(in: 0..<20, using: &random)).map { _ in randomTree(&random, depth: depth + 2) })
    default:
        let keys = Set((0..<Int.random(in: 0..<20, using: &random)).map { _ in randomText(&random) })
        return .dictionary(keys.sorted().map { .init($0, randomTree(&random, depth: depth + 2)) })
    }
}

func randomText(_ random: inout SeededNumbers) -> String {
    let alphabet: [Unicode.Scalar] = ["a", "Z", "0", "$", " ", "<", "&", "é", "ß", "日", "😀", "\u{301}", "\u{FFFD}", "]", ">"]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0..<24, using: &random) { text.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)]) }
    return String(text)
}
