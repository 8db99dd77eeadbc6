/// PNGs made by hand: uncompressed, of any size and colours.
enum MadePNG {
    /// `pixel` answers the four bytes of a pixel.
    static func of(width: Int, height: Int, _ pixel: (_ x: Int, _ y: Int) -> [UInt8]) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width { rows += pixel(x, y) }
        }
        return signature + header(width, height) + chunk("IDAT", stored(rows)) + chunk("IEND", [])
    }

    /// The beginning of one that says it is large.
    static func beginning(width: Int, height: Int) -> [UInt8] { signature + header(width, height) + chunk("IDAT", stored([UInt8](repeating: 0, count: 4000))) }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static func header(_ width: Int, _ height: Int) -> [UInt8] { chunk("IHDR", number(width) + number(height) + [8, 6, 0, 0, 0]) }

    private static func number(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        var sum: UInt32 = .max
        for byte in body {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return number(content.count) + body + number(Int(~sum))
    }

    /// A zlib stream that compresses nothing.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01], a: UInt32 = 1, b: UInt32 = 0
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let count = UInt16(block.count)
            stream += [rest.isEmpty ? 1 : 0, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)]
            stream += block
        } while !rest.isEmpty
        for byte in bytes {
            a = (a + UInt32(byte)) % 65521
            b = (b + a) % 65521
        }
        return stream + number(Int(b << 16 | a))
    }
}
