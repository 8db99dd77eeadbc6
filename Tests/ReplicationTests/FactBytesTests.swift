import DeviceWorlds
import Hashes
import Replication
import SeededNumbers
import Testing

/// A fact is what its bytes are, and bytes that nobody wrote are none.
@Suite struct FactBytesTests {
    private static func samples() -> [Fact] {
        var history = RandomHistory(seed: 7)
        let item = history.items[0]
        let body = Version.Body(
            size: 5000, time: -1, computer: Array("laptop".utf8),
            parts: [.init(path: Array("photo.data".utf8), .elsewhere([RandomHistory.digest(of: "a"), RandomHistory.digest(of: "b")])), .init(path: Array("photo.metadata".utf8), .here([1, 2, 3])),
                .init(path: Array("Contents".utf8), .folder), .init(path: Array("Contents/Index.zip".utf8), .here([])), .init(path: Array("Latest".utf8), .link(Array("Contents".utf8)))])
        func fact(_ statement: Fact.Statement) -> Fact { Fact(id: history.id(), rank: .max, device: history.device(), statement) }
        return history.facts + [
            fact(.version(Version(of: item, digest: RandomHistory.digest(of: "x"), parents: [history.id(), history.id()], body: body))),
            fact(.place(Location(of: item, folder: nil, name: ItemName(Array("∕".utf8), number: .max), kind: .link, mode: 0o755, former: item))),
            fact(.key(Key(Array("key".utf8), value: nil))), fact(.name(Array("laptop".utf8))),
        ]
    }

    @Test func aFactIsItsBytes() throws {
        for fact in Self.samples() {
            let bytes = try #require(fact.bytes)
            #expect(Fact(bytes) == fact)
            #expect(Fact(bytes + [0]) == nil)
            for count in 0..<bytes.count { #expect(Fact(Array(bytes[..<count])) == nil) }
        }
    }

    /// Whatever is read is written as it was read: there are no two forms of one fact.
    @Test func oddBytesAreNoFactOrTheirOwn() throws {
        var numbers = SeededNumbers(seed: 3), read = 0
        for _ in 0..<200 {
            for fact in Self.samples() {
                var bytes = try #require(fact.bytes)
                for _ in 0..<Int.random(in: 1...3, using: &numbers) { bytes[Int.random(in: bytes.indices, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers) }
                guard let odd = Fact(bytes) else { continue }
                read += 1
                #expect(odd.bytes == bytes)
            }
        }
        #expect(read > 100)
    }

    @Test(arguments: ["", ".", "..", "a/b", "a\0b", String(repeating: "a", count: 256)])
    func whatIsNoNameIsNotSaid(name: String) {
        let item = ItemID(Mark(high: 1, low: 2))
        let place = Location(of: item, folder: nil, name: ItemName(Array(name.utf8)), kind: .plain, former: nil)
        #expect(Fact(id: FactID(item.mark), rank: 1, device: .none, .place(place)).bytes == nil)
    }

    /// Parts that are no package: whoever laid them out would write outside of it, or one over the other.
    @Test(arguments: [
        ["", "a"], ["/a"], ["a/"], ["a//b"], ["../a"], ["a/../../b"], ["a/."], ["a\0"], ["a", "a"], ["a", "a/b"], ["a", "a-", "a/b"], [String(repeating: "a/", count: 64) + "a"],
        [String(repeating: "a", count: 256)],
    ])
    func whatIsNoPackageIsNotSaid(paths: [String]) {
        func bytes(_ parts: [Version.Part]) -> [UInt8]? {
            let body = Version.Body(size: 1, time: 1, computer: [], parts: parts), item = ItemID(Mark(high: 1, low: 2))
            return Fact(id: FactID(item.mark), rank: 1, device: .none, .version(Version(of: item, digest: RandomHistory.digest(of: "x"), parents: [], body: body))).bytes
        }
        #expect(bytes(paths.map { Version.Part(path: Array($0.utf8), .here([])) }) == nil)
        #expect(bytes([.init(path: [], .folder)]) == nil && bytes([.init(path: [65], .link([]))]) == nil && bytes([.init(path: [65], .link([0]))]) == nil)
        #expect(bytes([.init(path: [], .link([65]))]) != nil && bytes([.init(path: [65], .folder), .init(path: Array("A/B".utf8), .link(Array("../C".utf8)))]) != nil)
    }

    @Test func whatIsTooMuchIsNotSaid() {
        let item = ItemID(Mark(high: 1, low: 2))
        func bytes(_ statement: Fact.Statement) -> [UInt8]? { Fact(id: FactID(item.mark), rank: 1, device: .none, statement).bytes }
        let parents = (0...UInt64(FactLimits.parents)).map { FactID(Mark(high: 3, low: $0)) }
        #expect(bytes(.version(Version(of: item, digest: nil, parents: parents))) == nil)
        #expect(bytes(.version(Version(of: item, digest: nil, parents: parents.dropLast()))) != nil)
        #expect(bytes(.key(Key(Array(repeating: 65, count: FactLimits.key + 1), value: []))) == nil)
        #expect(bytes(.key(Key([65], value: Array(repeating: 0, count: FactLimits.body + 1)))) == nil)
        #expect(bytes(.key(Key([65], value: Array(repeating: 0, count: FactLimits.body)))) != nil)
    }
}
