import Glibc

/// The digest that thumbnails are named by (RFC 1321). Not for anything that has to be safe.
public struct MD5: Hashable, Sendable {
    private let a: UInt32, b: UInt32, c: UInt32, d: UInt32

    private static let turns: [[Int]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]
    private static let sines: [UInt32] = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }

    public init(of bytes: [UInt8]) {
        var padded = bytes + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        padded += (0..<8).map { UInt8(truncatingIfNeeded: (UInt64(bytes.count) * 8) >> ($0 * 8)) }
        var state: (UInt32, UInt32, UInt32, UInt32) = (0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476)
        for block in stride(from: 0, to: padded.count, by: 64) {
            let words = (0..<16).map { word in
                (0..<4).reduce(UInt32(0)) { $0 | UInt32(padded[block + word * 4 + $1]) << ($1 * 8) }
            }
            let (a, b, c, d) = Self.mixed(state, with: words)
            state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d)
        }
        (a, b, c, d) = state
    }

    private static func mixed(_ state: (UInt32, UInt32, UInt32, UInt32), with words: [UInt32]) -> (UInt32, UInt32, UInt32, UInt32) {
        var (a, b, c, d) = state
        for step in 0..<64 {
            let (mix, word) =
                switch step / 16 {
                case 0: (b & c | ~b & d, step)
                case 1: (d & b | ~d & c, (5 * step + 1) % 16)
                case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                default: (c ^ (b | ~d), 7 * step % 16)
                }
            let sum = a &+ mix &+ sines[step] &+ words[word]
            let turn = turns[step / 16][step % 4]
            (a, d, c, b) = (d, c, b, b &+ ((sum << turn) | (sum >> (32 - turn))))
        }
        return (a, b, c, d)
    }

    /// From 32 hexadecimal digits, small letters only.
    public init?(hexadecimal digits: some Collection<UInt8>) {
        guard digits.count == 32 else { return nil }
        var words: [UInt32] = [0, 0, 0, 0]
        for (place, digit) in digits.enumerated() {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            // Two digits a byte, and the bytes of a word from its low end.
            words[place / 8] |= UInt32(value) << (place % 8 / 2 * 8 + (place % 2 == 0 ? 4 : 0))
        }
        (a, b, c, d) = (words[0], words[1], words[2], words[3])
    }
}
