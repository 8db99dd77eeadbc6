/// What a file of a backup is called there: the SHA-1 of its domain, “-” and its path, as 40 digits.
package struct FileID: Hashable, Sendable {
    // As words, because there are very many.
    private let words: (UInt64, UInt64, UInt32)

    private static let digits = Array("0123456789abcdef".utf8)

    /// nil for what is not exactly 40 digits: nothing else is looked for in a backup.
    package init?(_ text: some Collection<UInt8>) {
        guard text.count == 40 else { return nil }
        var bytes: [UInt8] = [], high: UInt8?
        bytes.reserveCapacity(20)
        for character in text {
            let value: UInt8
            switch character {
            case 0x30...0x39: value = character - 0x30
            case 0x61...0x66: value = character - 0x61 + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        self.init(bytes)
    }

    /// Of a manifest that does not name it.
    package init(domain: [UInt8], path: [UInt8]) { self.init(SHA1.digest(of: domain + [UInt8(ascii: "-")] + path)) }

    private init(_ bytes: [UInt8]) {
        func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
        words = (number(0..<8), number(8..<16), UInt32(truncatingIfNeeded: number(16..<20)))
    }

    /// The digits.
    package var text: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(40)
        for shift in stride(from: UInt64(60), through: 0, by: -4) {
            text.append(Self.digits[Int(words.0 >> shift & 15)])
        }
        for shift in stride(from: UInt64(60), through: 0, by: -4) {
            text.append(Self.digits[Int(words.1 >> shift & 15)])
        }
        for shift in stride(from: UInt32(28), through: 0, by: -4) {
            text.append(Self.digits[Int(words.2 >> shift & 15)])
        }
        return text
    }

    /// The first two digits as a number: the folder that it lies in.
    var folder: Int { Int(words.0 >> 56) }

    package static func == (left: FileID, right: FileID) -> Bool { left.words == right.words }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
    }
}
