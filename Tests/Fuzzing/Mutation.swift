import SeededNumbers

// Changes to bytes, the same for the same seed.
extension SeededNumbers {
    /// Numbers at which arithmetic goes wrong, and words of the formats.
    private static let words = [
        "0", "-1", "127", "255", "65535", "2147483647", "4294967295", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "18446744073709551616",
        "281474976710656", " ", "\n", "/", ";", "%2F", "%", "..", "\u{0}", "~", "=", "then", "d/", "s/", "move;", "é", "\u{FFFD}",
    ].map { Array($0.utf8) } + [[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], [0x80], [0, 0, 0, 0, 0, 0, 0, 0x80], [0xC3], [0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]]

    mutating func changed(_ seed: [UInt8], with other: [UInt8]) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...5, using: &self) {
            let place = Int.random(in: 0...bytes.count, using: &self), end = min(bytes.count, place + Int.random(in: 0...20, using: &self))
            switch Int.random(in: 0..<8, using: &self) {
            case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &self)
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 4: bytes.replaceSubrange(place..<end, with: Self.words.randomElement(using: &self) ?? [])
            case 5: bytes.insert(contentsOf: Self.words.randomElement(using: &self) ?? [], at: place)
            case 6:
                // A number as text becomes another one.
                guard let start = bytes[place...].firstIndex(where: { (0x30...0x39).contains($0) }) else { continue }
                let last = bytes[start...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.count
                bytes.replaceSubrange(start..<last, with: Self.words[Int.random(in: 0..<12, using: &self)])
            default:
                let from = Int.random(in: 0...other.count, using: &self)
                bytes.replaceSubrange(place..<end, with: other[from..<min(other.count, from + 30)])
            }
        }
        return Array(bytes.prefix(1 << 16))
    }
}
