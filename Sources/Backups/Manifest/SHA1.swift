/// SHA-1 (FIPS 180-4), by which backups call their files. It keeps no secret here and proves nothing.
enum SHA1 {
    static func digest(of message: [UInt8]) -> [UInt8] {
        var state: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
            0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0
        )
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        padded += (0..<8).reversed().map { UInt8(truncatingIfNeeded: (UInt64(message.count) &* 8) >> UInt64($0 * 8)) }
        var words = [UInt32](repeating: 0, count: 80)
        for start in stride(from: 0, to: padded.count, by: 64) {
            for index in 0..<16 {
                let place = start + index * 4
                words[index] = padded[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
            }
            for index in 16..<80 {
                words[index] = rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)
            }
            var (a, b, c, d, e) = state
            for index in 0..<80 {
                let (mixed, constant): (UInt32, UInt32) =
                    switch index {
                    case ..<20: (b & c | ~b & d, 0x5A82_7999)
                    case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                    case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                    default: (b ^ c ^ d, 0xCA62_C1D6)
                    }
                let next = rotated(a, 5) &+ mixed &+ e &+ constant &+ words[index]
                (a, b, c, d, e) = (next, a, rotated(b, 30), c, d)
            }
            state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
        }
        var digest: [UInt8] = []
        for word in [state.0, state.1, state.2, state.3, state.4] {
            for shift in [24, 16, 8, 0] as [UInt32] { digest.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        return digest
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
