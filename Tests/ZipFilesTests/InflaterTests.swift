import Foundation
import MountTesting
import PropertyLists
import SeededNumbers
import Testing

@testable import ZipFiles

/// What zlib packs is unpacked as it was, and anything else ends in a fault.
@Suite struct InflaterTests {
    private struct Packed {
        let content: [UInt8]
        let packed: [UInt8]
    }

    /// By zlib at all its levels and by each of its strategies. One is longer than the inflater's memory, so that copies reach over chunks.
    private static func samples() throws -> [Packed] {
        let script = """
            import base64, random, zlib
            random.seed(44)
            noise = random.randbytes(3000)
            text = b"".join(random.choice([b"package ", b"folder ", b"file ", "é".encode()]) for _ in range(1500))
            long = (noise + text) * 2 + bytes(100000) + noise + text[:700] + (b"ab" * 300 + noise[:9]) * 20
            def say(content, level, strategy=zlib.Z_DEFAULT_STRATEGY, flush=False):
                packer = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
                packed = packer.compress(content[:100]) + (packer.flush(zlib.Z_FULL_FLUSH) if flush else b"") + packer.compress(content[100:]) + packer.flush()
                print(base64.b64encode(content).decode(), base64.b64encode(packed).decode())
            for level in range(10):
                for content in [b"", b"a", noise, text]: say(content, level)
            for strategy in [zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE, zlib.Z_FIXED]: say(text, 6, strategy); say(noise, 9, strategy, True)
            for level in [0, 1, 9]: say(long, level)
            """
        return try run("python3", "-c", script).good().lines.map { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: false).map { Array(Data(base64Encoded: String($0)) ?? Data()) }
            return Packed(content: words[0], packed: words[1])
        }
    }

    private static func inflated(_ packed: [UInt8], length: Int, window: Int = 1 << 16) throws -> [UInt8] {
        var inflater = Inflater(length: Int64(length)), input = SourceReader(Bytes(packed), from: 0, to: Int64(packed.count), window: window),
            bytes: [UInt8] = []
        while let chunk = try inflater.next(from: &input) {
            guard (1...ZipContent.longestChunk).contains(chunk.count), bytes.count + chunk.count <= length else {
                throw Failed("a chunk of \(chunk.count) bytes")
            }
            bytes += chunk
        }
        return bytes
    }

    @Test func whatZlibPacksIsUnpacked() throws {
        let samples = try Self.samples()
        #expect(samples.count == 51)
        for (index, sample) in samples.enumerated() {
            #expect(try Self.inflated(sample.packed, length: sample.content.count, window: [1, 7, 1 << 16][index % 3]) == sample.content, "\(index)")
            // Not one byte more than was said.
            if !sample.content.isEmpty {
                #expect(throws: Inflater.Fault.self, "\(index)") { try Self.inflated(sample.packed, length: sample.content.count - 1) }
            }
        }
    }

    @Test func whatIsCutOffOrGoesOnIsRefused() throws {
        for sample in try Self.samples().filter({ $0.packed.count < 2000 }) {
            for count in Set([0, 1, 2, sample.packed.count / 2, sample.packed.count - 1]) where count < sample.packed.count {
                #expect(throws: Inflater.Fault.self) { try Self.inflated(Array(sample.packed.prefix(count)), length: sample.content.count) }
            }
            #expect(throws: Inflater.Fault.self) { try Self.inflated(sample.packed + [0], length: sample.content.count) }
        }
    }

    /// A block with codes of its own, as many as it says or more, of which two are used: for a zero and for the end.
    private static func block(literals: Int, distances: Int, beyond: Int = 0) -> [UInt8] {
        var bits: [Int] = []
        func add(_ number: Int, _ count: Int) { for bit in 0..<count { bits.append(number >> bit & 1) } }
        add(1 | 2 << 1, 3)
        add(literals - 257, 5)
        add(distances - 1, 5)
        add(15, 4)
        for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] { add(symbol == 1 || symbol == 18 ? 1 : 0, 3) }
        // A code of one bit, or so many unused ones.
        func unused(_ count: Int) {
            add(1, 1)
            add(count - 11, 7)
        }
        add(0, 1)
        unused(138)
        unused(117)
        add(0, 1)
        unused(literals - 257 + distances + beyond)
        add(0, 1)
        add(1, 1)
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<min(start + 8, bits.count)].reversed().reduce(0) { $0 << 1 | UInt8(truncatingIfNeeded: $1) }
        }
    }

    @Test func aBlockHasNoMoreCodesThanThereAre() throws {
        #expect(try Self.inflated(Self.block(literals: 286, distances: 30), length: 1) == [0])
        #expect(throws: Inflater.Fault.self) { try Self.inflated(Self.block(literals: 287, distances: 30), length: 1) }
        #expect(throws: Inflater.Fault.self) { try Self.inflated(Self.block(literals: 286, distances: 31), length: 1) }
        #expect(throws: Inflater.Fault.self) { try Self.inflated(Self.block(literals: 280, distances: 20, beyond: 1), length: 1) }
    }

    /// Any bytes: a value or a fault, as zlib has it.
    @Test func changedBytesEndAsZlibSays() throws {
        var numbers = SeededNumbers(seed: 49)
        let seeds = try Self.samples().filter { $0.packed.count < 1000 && !$0.packed.isEmpty }, most = 1 << 16
        var streams: [[UInt8]] = (0..<200).map { _ in
            // The first bits say that it is the last block, of each sort.
            [UInt8.random(in: 0...255, using: &numbers)] + numbers.bytes(Int.random(in: 0...60, using: &numbers))
        }
        streams += [(286, 30, 0), (287, 30, 0), (286, 31, 0), (280, 20, 1)].map { Self.block(literals: $0, distances: $1, beyond: $2) }
        for seed in seeds {
            for _ in 0..<8 {
                var bytes = seed.packed
                for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                    bytes[Int.random(in: bytes.indices, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
                }
                streams.append(bytes)
            }
        }
        let script = """
            import base64, sys, zlib
            for line in sys.stdin:
                unpacker, packed = zlib.decompressobj(-15), base64.b64decode(line)
                try:
                    content = unpacker.decompress(packed, \(most + 1))
                    whole = unpacker.eof and not unpacker.unused_data and len(content) <= \(most)
                    print(zlib.crc32(content) if whole else "-")
                except zlib.error: print("-")
            """
        let input = streams.map { Data($0).base64EncodedString() + "\n" }.joined()
        let answers = try Program(["python3", "-c", script], input: Data(input.utf8)).wait().good().lines
        #expect(answers.count == streams.count && answers.count { $0 != "-" } > 20)
        for (stream, answer) in zip(streams, answers) {
            let ours = (try? Self.inflated(stream, length: most)).map { "\(CRC32.value(of: $0))" } ?? "-"
            #expect(ours == answer, "\(stream)")
        }
    }
}
