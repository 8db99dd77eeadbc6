/// A code of deflate's: shorter for what comes more often.
struct HuffmanCode: Sendable {
    static let longest = 15
    private static let quickBits = 10

    /// For the next ten bits: the symbol, and in the low four bits how long its code is; 0 if it is longer or there is none.
    private var quick = [UInt16](repeating: 0, count: 1 << quickBits)
    /// How many codes of each length there are.
    private var counts = [Int](repeating: 0, count: longest + 1)
    /// By length, then by value.
    private var symbols: [UInt16]

    /// Without any code.
    init() { symbols = [] }

    /// Nil if there are more codes than the lengths leave room for, or fewer, but for none, and for one that is alone where that may be.
    init?(lengths: ArraySlice<UInt8>, mayBeAlone: Bool = true) {
        for length in lengths { counts[Int(length)] += 1 }
        counts[0] = 0
        var room = 1, places = [Int](repeating: 0, count: Self.longest + 2)
        for length in 1...Self.longest {
            room = room << 1 - counts[length]
            if room < 0 { return nil }
            places[length + 1] = places[length] + counts[length]
        }
        let used = places[Self.longest + 1]
        if room > 0, used > 0, !mayBeAlone || used > 1 || counts[1] == 0 { return nil }
        symbols = [UInt16](repeating: 0, count: used)
        for (symbol, length) in lengths.enumerated() where length > 0 {
            symbols[places[Int(length)]] = UInt16(truncatingIfNeeded: symbol)
            places[Int(length)] += 1
        }
        fillQuick()
    }

    private mutating func fillQuick() {
        var code = 0, index = 0
        for length in 1...Self.quickBits {
            code <<= 1
            for _ in 0..<counts[length] {
                // The first bit of a code is the lowest of what is read.
                var place = 0
                for bit in 0..<length where code >> bit & 1 == 1 { place |= 1 << (length - 1 - bit) }
                while place < quick.count {
                    quick[place] = symbols[index] << 4 | UInt16(truncatingIfNeeded: length)
                    place += 1 << length
                }
                code += 1
                index += 1
            }
        }
    }

    /// The symbol of the code at the beginning of these bits, and the code's length. Nil if no code begins so.
    func symbol(in bits: UInt64) -> (symbol: Int, length: Int)? {
        let found = Int(quick[Int(bits & UInt64(quick.count - 1))])
        if found > 0 { return (found >> 4, found & 15) }
        var code = 0, first = 0, index = 0
        for length in 1...Self.longest {
            code |= Int(bits >> UInt64(length - 1) & 1)
            let count = counts[length]
            if code - first < count { return (Int(symbols[index + code - first]), length) }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        return nil
    }
}
