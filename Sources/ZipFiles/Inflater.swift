/// Takes apart what deflate packed (RFC 1951), a chunk at a time. It never gives more than the length that it was told of, and its
/// memory is a chunk and the 32 KiB that copies may reach back.
struct Inflater: Sendable {
    enum Fault: Error {
        case broken(String)
        case input(ZipFault)
    }

    private enum State {
        case beforeBlock
        case stored(left: Int)
        case packed
        case ended
    }

    private static let reach = 1 << 15

    private let length: Int64
    private var given: Int64 = 0
    private var state = State.beforeBlock
    private var isLast = false

    private var bits: UInt64 = 0, bitCount = 0
    private var input: ArraySlice<UInt8> = [], inputIndex = 0

    /// What was given lately, and behind it what comes next. There is one byte more than needed: what stands in it would be too much.
    private var output: [UInt8]
    private var filled = 0
    /// What is left of a copy.
    private var copyLeft = 0, copyDistance = 0
    private var literals = fixedLiterals, distances = fixedDistances

    init(length: Int64) {
        self.length = length
        output = [UInt8](repeating: 0, count: Int(min(length, Int64(Self.reach + ZipContent.longestChunk))) + 1)
    }

    /// The next bytes; nil at the end, which is where the input ends.
    mutating func next(from source: inout SourceReader) throws(Fault) -> [UInt8]? {
        if filled > Self.reach, filled + ZipContent.longestChunk >= output.count, length >= output.count {
            output.replaceSubrange(0..<Self.reach, with: output[(filled - Self.reach)..<filled])
            filled = Self.reach
        }
        let start = filled, limit = min(output.count, start + ZipContent.longestChunk)
        loop: while filled < limit {
            switch state {
            case .beforeBlock: try beginBlock(&source)
            case .stored(let left): try copyStored(left, to: limit, &source)
            case .packed: try unpack(to: limit, &source)
            case .ended: break loop
            }
        }
        given += Int64(filled - start)
        guard given <= length else { throw .broken("it is longer than it says") }
        if filled > start { return Array(output[start..<filled]) }
        guard bitCount < 8, inputIndex == input.endIndex, source.count == 0 else { throw .broken("something follows its end") }
        return nil
    }

    // MARK: Bits

    /// Takes in whole bytes, as many as there is room for and as there are.
    private mutating func fill(_ source: inout SourceReader) throws(Fault) {
        while bitCount <= 56 {
            if inputIndex == input.endIndex, try !hasMoreInput(&source) { return }
            bits |= UInt64(input[inputIndex]) << UInt64(bitCount)
            inputIndex += 1
            bitCount += 8
        }
    }

    private mutating func hasMoreInput(_ source: inout SourceReader) throws(Fault) -> Bool {
        do throws(ZipFault) { input = try source.some(ZipContent.longestChunk) } catch { throw .input(error) }
        inputIndex = input.startIndex
        return !input.isEmpty
    }

    private mutating func take(_ count: Int, _ source: inout SourceReader) throws(Fault) -> Int {
        if bitCount < count { try fill(&source) }
        guard bitCount >= count else { throw .broken("it ends early") }
        let taken = Int(bits & (1 << UInt64(count) - 1))
        drop(count)
        return taken
    }

    private mutating func drop(_ count: Int) {
        bits >>= UInt64(count)
        bitCount -= count
    }

    private mutating func symbol(of code: HuffmanCode, _ source: inout SourceReader) throws(Fault) -> Int {
        if bitCount < HuffmanCode.longest { try fill(&source) }
        guard let found = code.symbol(in: bits) else { throw .broken(bitCount < HuffmanCode.longest ? "it ends early" : "a code has no meaning") }
        guard found.length <= bitCount else { throw .broken("it ends early") }
        drop(found.length)
        return found.symbol
    }

    // MARK: Blocks

    private mutating func beginBlock(_ source: inout SourceReader) throws(Fault) {
        if isLast {
            state = .ended
            return
        }
        isLast = try take(1, &source) == 1
        switch try take(2, &source) {
        case 0:
            drop(bitCount % 8)
            let count = try take(16, &source)
            guard try take(16, &source) == ~count & 0xFFFF else { throw .broken("a block says two lengths") }
            state = .stored(left: count)
        case 1:
            (literals, distances) = (Self.fixedLiterals, Self.fixedDistances)
            state = .packed
        case 2:
            try readCodes(&source)
            state = .packed
        default: throw .broken("a block is of no known sort")
        }
    }

    private mutating func copyStored(_ left: Int, to limit: Int, _ source: inout SourceReader) throws(Fault) {
        var left = left
        // What came in with the bits before.
        while left > 0, filled < limit, bitCount >= 8 {
            output[filled] = UInt8(truncatingIfNeeded: bits)
            filled += 1
            left -= 1
            drop(8)
        }
        while left > 0, filled < limit {
            if inputIndex == input.endIndex, try !hasMoreInput(&source) { throw .broken("it ends early") }
            let count = min(left, limit - filled, input.endIndex - inputIndex)
            output.replaceSubrange(filled..<(filled + count), with: input[inputIndex..<(inputIndex + count)])
            inputIndex += count
            filled += count
            left -= count
        }
        state = left > 0 ? .stored(left: left) : .beforeBlock
    }

    private mutating func unpack(to limit: Int, _ source: inout SourceReader) throws(Fault) {
        // The codes are not copied for each symbol.
        let literals = literals, distances = distances
        while filled < limit {
            if copyLeft > 0 {
                let count = min(copyLeft, limit - filled)
                // It may reach into what it makes itself.
                for index in filled..<(filled + count) { output[index] = output[index - copyDistance] }
                filled += count
                copyLeft -= count
                continue
            }
            let symbol = try symbol(of: literals, &source)
            if symbol < 256 {
                output[filled] = UInt8(truncatingIfNeeded: symbol)
                filled += 1
            } else if symbol == 256 {
                state = .beforeBlock
                return
            } else {
                try beginCopy(symbol - 257, distances, &source)
            }
        }
    }

    private mutating func beginCopy(_ lengthSymbol: Int, _ distances: HuffmanCode, _ source: inout SourceReader) throws(Fault) {
        guard lengthSymbol < Self.lengths.count else { throw .broken("a copy has no length") }
        let count = Self.lengths[lengthSymbol].base + (try take(Self.lengths[lengthSymbol].bits, &source))
        let distanceSymbol = try symbol(of: distances, &source)
        guard distanceSymbol < Self.distances.count else { throw .broken("a copy has no distance") }
        let distance = Self.distances[distanceSymbol].base + (try take(Self.distances[distanceSymbol].bits, &source))
        guard distance <= filled else { throw .broken("a copy is of what was not there") }
        (copyLeft, copyDistance) = (count, distance)
    }

    /// The codes of a block that has its own, themselves packed by a code.
    private mutating func readCodes(_ source: inout SourceReader) throws(Fault) {
        let literalCount = try take(5, &source) + 257, distanceCount = try take(5, &source) + 1, lengthCount = try take(4, &source) + 4
        guard literalCount <= 286, distanceCount <= 30 else { throw .broken("a block has too many codes") }
        var lengths = [UInt8](repeating: 0, count: 19)
        for place in Self.lengthOrder.prefix(lengthCount) { lengths[place] = UInt8(truncatingIfNeeded: try take(3, &source)) }
        guard let code = HuffmanCode(lengths: lengths[...], mayBeAlone: false) else { throw .broken("a block's codes do not fit together") }
        lengths = []
        while lengths.count < literalCount + distanceCount {
            let symbol = try symbol(of: code, &source)
            let (length, times): (UInt8, Int)
            switch symbol {
            case 16:
                guard let last = lengths.last else { throw .broken("a code's length repeats none") }
                (length, times) = (last, try take(2, &source) + 3)
            case 17: (length, times) = (0, try take(3, &source) + 3)
            case 18: (length, times) = (0, try take(7, &source) + 11)
            default: (length, times) = (UInt8(truncatingIfNeeded: symbol), 1)
            }
            guard lengths.count + times <= literalCount + distanceCount else { throw .broken("a block has more codes than it says") }
            for _ in 0..<times { lengths.append(length) }
        }
        guard let literals = HuffmanCode(lengths: lengths[..<literalCount]), let distances = HuffmanCode(lengths: lengths[literalCount...]) else {
            throw .broken("a block's codes do not fit together")
        }
        (self.literals, self.distances) = (literals, distances)
    }

    // MARK: What RFC 1951 says

    private static let fixedLiterals = code(of: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    private static let fixedDistances = code(of: [UInt8](repeating: 5, count: 32))

    private static func code(of lengths: [UInt8]) -> HuffmanCode { HuffmanCode(lengths: lengths[...]) ?? HuffmanCode() }

    private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// What a copy's length and distance begin with, and how many bits follow that say more.
    private static let lengths: [(base: Int, bits: Int)] = steps(from: 3, (0..<28).map { max(0, $0 / 4 - 1) }) + [(258, 0)]
    private static let distances = steps(from: 1, (0..<30).map { max(0, $0 / 2 - 1) })

    private static func steps(from first: Int, _ bits: [Int]) -> [(base: Int, bits: Int)] {
        var base = first
        return bits.map { bits in
            defer { base += 1 << bits }
            return (base, bits)
        }
    }
}
