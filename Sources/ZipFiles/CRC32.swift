/// The CRC-32 that ZIP has, of bytes that come piece by piece.
public struct CRC32: Hashable, Sendable {
    private var state: UInt32 = ~0

    public init() {}

    public var value: UInt32 { ~state }

    public static func value(of bytes: [UInt8]) -> UInt32 {
        var sum = CRC32()
        sum.add(bytes)
        return sum.value
    }

    public mutating func add(_ bytes: [UInt8]) { add(bytes.span) }

    /// Sixteen bytes at a time: a table says what each of them comes to behind those that follow it.
    public mutating func add(_ bytes: Span<UInt8>) {
        let tables = Self.tables.span, count = bytes.count
        var sum = state, index = 0
        while count - index >= 16 {
            let part = bytes.extracting(index..<(index + 16))
            let first = sum ^ (UInt32(part[0]) | UInt32(part[1]) << 8 | UInt32(part[2]) << 16 | UInt32(part[3]) << 24)
            sum =
                tables[0xF00 | Int(first & 0xFF)] ^ tables[0xE00 | Int(first >> 8 & 0xFF)] ^ tables[0xD00 | Int(first >> 16 & 0xFF)]
                ^ tables[0xC00 | Int(first >> 24)]
            sum ^= tables[0xB00 | Int(part[4])] ^ tables[0xA00 | Int(part[5])] ^ tables[0x900 | Int(part[6])] ^ tables[0x800 | Int(part[7])]
            sum ^= tables[0x700 | Int(part[8])] ^ tables[0x600 | Int(part[9])] ^ tables[0x500 | Int(part[10])] ^ tables[0x400 | Int(part[11])]
            sum ^= tables[0x300 | Int(part[12])] ^ tables[0x200 | Int(part[13])] ^ tables[0x100 | Int(part[14])] ^ tables[Int(part[15])]
            index += 16
        }
        while index < count {
            sum = sum >> 8 ^ tables[Int((sum ^ UInt32(bytes[index])) & 0xFF)]
            index += 1
        }
        state = sum
    }

    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 16 * 256)
        for byte in 0..<256 {
            var sum = UInt32(truncatingIfNeeded: byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
            tables[byte] = sum
        }
        for index in 256..<(16 * 256) { tables[index] = tables[index - 256] >> 8 ^ tables[Int(tables[index - 256] & 0xFF)] }
        return tables
    }()
}
