import DeviceWorlds
import Hashes
import LinuxFiles
import Replication
import SeededNumbers
import Testing
@testable import Shares

/// What lies in a share is what its bytes are, and anything else is not there.
@Suite struct ShareBytesTests {
    private static let sum = SHA256.digest(of: [1])
    private static let name = FactFileName(number: 42, sum: Mark(high: 1, low: 2))
    private static let head = ShareHead(
        share: Mark(high: 1, low: 2), keeps: .all, edition: 7, mark: 8, time: -9, computer: Array("laptop".utf8), files: [name, FactFileName(number: 43, sum: Mark(high: 3, low: 4))],
        heard: [ShareDevice(5): 6, ShareDevice(7): 8], lacks: [sum], lacksMore: true)

    @Test func aHeadIsItsBytes() {
        let bytes = Self.head.bytes
        #expect(ShareHead(bytes) == Self.head)
        for count in 0..<bytes.count { #expect(ShareHead(Array(bytes[..<count])) == nil) }
        for index in bytes.indices {
            var odd = bytes
            odd[index] ^= 1
            #expect(ShareHead(odd) == nil)
        }
    }

    @Test func aFileOfFactsIsItsBytesUnderItsName() throws {
        let facts = RandomHistory(seed: 3).facts, files = FactFile.files(of: facts, among: Facts(), after: 41), file = try #require(files.first)
        #expect(files.count == 1 && file.name.number == 42 && file.facts == facts.map(\.id))
        #expect(FactFile.facts(in: file.bytes, named: file.name) == facts)
        #expect(FactFile.facts(in: file.bytes, named: Self.name) == nil)
        for count in stride(from: 0, to: file.bytes.count, by: 7) { #expect(FactFile.facts(in: Array(file.bytes[..<count]), named: file.name) == nil) }
        var odd = file.bytes
        odd[odd.count / 2] ^= 1
        #expect(FactFile.facts(in: odd, named: file.name) == nil)
    }

    /// No file has more than one may have, and together they say all of it.
    @Test func manyFactsAreSeveralFiles() {
        var numbers = SeededNumbers(seed: 1)
        let facts = (0..<FactFile.most * 2 + 1).map { index in
            Fact(id: FactID(Mark.drawn(with: &numbers)), rank: 1, device: .none, .key(Key([UInt8(index & 255)], value: index.isMultiple(of: 800) ? [UInt8](repeating: 0, count: 1 << 20) : [1])))
        }
        let files = FactFile.files(of: facts, among: Facts(), after: 0)
        #expect(files.count > 2 && files.allSatisfy { $0.bytes.count <= FactFile.largest && $0.facts.count <= FactFile.most })
        #expect(files.flatMap(\.facts) == facts.map(\.id) && files.map(\.name.number) == (1...UInt32(files.count)).map { $0 })
        #expect(files.flatMap { FactFile.facts(in: $0.bytes, named: $0.name) ?? [] } == facts)
    }

    @Test func namesAreThatOrNothing() throws {
        let text = "000042-00000000000000010000000000000002.facts"
        #expect(Self.name.name?.description == text && FactFileName(Name(constant: "000042-00000000000000010000000000000002.facts")) == Self.name)
        #expect(FactFileName(number: 12_345_678, sum: Self.name.sum).name.flatMap { FactFileName($0) }?.number == 12_345_678)
        for odd in ["42-00000000000000010000000000000002.facts", "0000042-00000000000000010000000000000002.facts", "000042-0000000000000001000000000000000A.facts", "000042.facts", "+00042" + text.dropFirst(6), text + ".facts"] {
            #expect(FactFileName(try #require(Name(odd))) == nil, "\(odd)")
        }
        #expect(ShareDevice(folder: Name(constant: "d-00000000000000ff")) == ShareDevice(255) && ShareDevice(255).folder == Name(constant: "d-00000000000000ff"))
        for odd in ["d-ff", "d-00000000000000FF", "d-000000000000000ff", "e-00000000000000ff"] { #expect(ShareDevice(folder: try #require(Name(odd))) == nil, "\(odd)") }
        let place = try #require(ContentPlace(Self.sum))
        #expect(ContentPlace.content(place.name) == Self.sum && place.name.description.hasPrefix(place.half.description))
    }

    @Test func aMarkerIsALine() {
        let marker = ShareMarker(share: Mark(high: 1, low: 2), keeps: .needed)
        #expect(marker.bytes == Array("valise share 1 00000000000000010000000000000002 keep=needed\n".utf8))
        #expect(ShareMarker.read(marker.bytes) == .marker(marker))
        #expect(ShareMarker.read(Array("valise share 2 whatever comes\n".utf8)) == .later)
        for odd in ["", "valise share 1 00000000000000010000000000000002 keep=needed", "valise share 1 0001 keep=all\n", "valise share 1 00000000000000010000000000000002 keep=some\n", "valise share 0 x\n", "valise share 01 00000000000000010000000000000002 keep=all\n"] {
            #expect(ShareMarker.read(Array(odd.utf8)) == .none, "\(odd)")
        }
    }

    /// The database has it as it was, and odd bytes are none.
    @Test func aMemoryIsItsBytes() {
        var numbers = SeededNumbers(seed: 2), memory = ShareMemory(with: &numbers, keeps: .all)
        (memory.marks, memory.given, memory.headSince) = ([1, 2, 3], [Self.sum: 9], 12)
        (memory.heard, memory.forgotten, memory.former, memory.number, memory.edition) = ([ShareDevice(4): 5], [ShareDevice(6)], [ShareDevice(13)], 7, 8)
        memory.lastSeen = [ShareDevice(4): ShareMemory.Seen(mark: 10, since: -11)]
        let bytes = ShareMemoryBytes.bytes(of: memory)
        #expect(ShareMemoryBytes.memory(of: bytes) == memory)
        for count in 0..<bytes.count { #expect(ShareMemoryBytes.memory(of: Array(bytes[..<count])) == nil) }
    }
}
