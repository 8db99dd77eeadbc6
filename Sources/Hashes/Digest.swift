/// 32 bytes that stand for content, in the order in which they are written.
public struct Digest: Hashable, Sendable {
    // As words, because arrays would be an allocation each. In memory their bytes are those of the digest.
    private var words: (UInt64, UInt64, UInt64, UInt64)

    public static let count = 32
    public static let zero = Digest(words: (0, 0, 0, 0))

    private init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    /// Nil unless it is 32 bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.count else { return nil }
        var words: [UInt64] = [0, 0, 0, 0]
        for (index, byte) in bytes.enumerated() { words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8) }
        self.init(words: (UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]), UInt64(littleEndian: words[2]), UInt64(littleEndian: words[3])))
    }

    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.count)
        for word in [words.0, words.1, words.2, words.3] {
            for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word.littleEndian >> UInt64(index * 8))) }
        }
        return bytes
    }

    /// 64 digits.
    public var text: String {
        func digit(_ half: UInt8) -> UInt8 { half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") + half - 10 }
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * Self.count)
        for byte in bytes {
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    public static func == (left: Digest, right: Digest) -> Bool { left.words == right.words }

    public func hash(into hasher: inout Hasher) {
        // It is a hash already; whoever could choose it for others' tables has the seed against them.
        hasher.combine(words.0)
        hasher.combine(words.1)
    }
}

extension Digest: Comparable {
    public static func < (left: Digest, right: Digest) -> Bool {
        (left.words.0.bigEndian, left.words.1.bigEndian, left.words.2.bigEndian, left.words.3.bigEndian)
            < (right.words.0.bigEndian, right.words.1.bigEndian, right.words.2.bigEndian, right.words.3.bigEndian)
    }
}

extension Digest: CustomStringConvertible {
    public var description: String { text }
}
