import Foundation
import MountTesting
import Testing

/// A PNG as somebody else reads it: Python's zlib and the format's own rules.
struct SeenPNG {
    let width: Int, height: Int
    /// Red, green, blue and alpha, a row after the other.
    private let pixels: [UInt8]

    subscript(x: Int, y: Int) -> [UInt8] { Array(pixels[(y * width + x) * 4..<(y * width + x) * 4 + 4]) }

    /// The colours in the middles of the four quarters, as words.
    var quarters: String {
        [(1, 1), (3, 1), (1, 3), (3, 3)].map { Self.word(for: self[width * $0.0 / 4, height * $0.1 / 4]) }.joined(separator: " ")
    }

    static func word(for pixel: [UInt8]) -> String {
        guard pixel[3] > 127 else { return "nothing" }
        return switch pixel.prefix(3).map({ $0 > 127 }) {
        case [true, false, false]: "red"
        case [false, true, false]: "green"
        case [false, false, true]: "blue"
        case [true, true, true]: "white"
        default: "\(pixel)"
        }
    }

    init(_ png: [UInt8]) throws {
        let lines = try Self.run(Self.script, png)
        let head = Array(lines.prefix(8)).map(Int.init)
        try #require(head.count == 8, "Python did not understand the PNG")
        width = head[0] << 8 | head[1]
        height = head[2] << 8 | head[3]
        pixels = Array(lines.dropFirst(8))
        try #require(pixels.count == width * height * 4)
    }

    private static func run(_ script: String, _ input: [UInt8]) throws -> [UInt8] {
        let digits = Array(try Program(["python3", "-c", script], input: Data(input)).wait().good().output.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).map { place in
            digits[place...place + 1].reduce(0) { $0 << 4 | ($1 < 0x60 ? $1 &- 0x30 : $1 &- 0x57) }
        }
    }

    private static let script = """
        import struct, sys, zlib
        data = sys.stdin.buffer.read()
        assert data[:8] == b"\\x89PNG\\r\\n\\x1a\\n"
        at, packed = 8, b""
        while at < len(data):
            length, name = struct.unpack(">I4s", data[at:at + 8])
            body = data[at + 8:at + 8 + length]
            assert zlib.crc32(name + body) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]
            if name == b"IHDR": width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            if name == b"IDAT": packed += body
            at += 12 + length
        assert depth == 8 and colour in (2, 6) and not interlaced
        size = 4 if colour == 6 else 3
        rows, before, at, out = zlib.decompress(packed), bytearray(width * size), 0, bytearray()
        for y in range(height):
            kind, row = rows[at], bytearray(rows[at + 1:at + 1 + width * size])
            at += 1 + width * size
            for i in range(len(row)):
                left = row[i - size] if i >= size else 0
                up, corner = before[i], before[i - size] if i >= size else 0
                guess = left + up - corner
                paeth = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
                row[i] = (row[i] + [0, left, up, (left + up) // 2, paeth][kind]) & 255
            before = row
            for x in range(width): out += row[x * size:x * size + 3] + (row[x * size + 3:x * size + 4] if size == 4 else b"\\xff")
        sys.stdout.write((struct.pack(">HHI", width, height, 0) + out).hex())
        """
}
