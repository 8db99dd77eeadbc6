import DeviceWorlds
import Hashes
import Replication
import Testing

/// What whoever looks says of what is seen, in a few cases that are plain.
@Suite struct RepairsTests {
    private static let items = (1...4).map { ItemID(Mark(high: UInt64($0), low: 1)) }
    private static let text = RandomHistory.digest(of: "text"), other = RandomHistory.digest(of: "other")
    private static func id(_ number: UInt64) -> FactID { FactID(Mark(high: 9, low: number)) }

    private static func place(
        _ item: Int, _ number: UInt64, _ name: ItemName = ItemName(Array("a".utf8)), in folder: ItemID? = nil, kind: Location.Kind = .document, former: ItemID? = nil, rank: Int64? = nil
    ) -> Fact {
        let place = Location(of: items[item], folder: folder, name: name, kind: kind, mode: 7, former: former)
        return Fact(id: id(number), rank: rank ?? Int64(number), device: .none, .place(place))
    }

    private static func version(_ item: Int, _ digest: Digest?, _ number: UInt64, _ parents: [FactID] = []) -> Fact {
        Fact(id: id(number), rank: Int64(number), device: .none, .version(Version(of: items[item], digest: digest, parents: parents)))
    }

    /// Of all facts, and by who goes on from what was seen.
    private func repairs(_ facts: [Fact]) -> Set<Fact> {
        let followed = FollowedView(of: facts)
        #expect(followed.repairs == Repairs.needed(by: followed.view, followed.facts))
        return followed.repairs
    }

    private func statements(_ facts: [Fact]) -> Set<Fact.Statement> { Set(repairs(facts).map(\.statement)) }

    @Test func whatWasMadeApartIsOne() {
        let places = [Self.place(0, 1), Self.place(1, 2)], same: Set = [Fact.Statement.same(Self.items[0], Self.items[1])]
        let equal = places + [Self.version(0, Self.text, 3), Self.version(1, Self.text, 4)]
        #expect(statements(equal) == same)
        #expect(repairs(equal + repairs(equal)).isEmpty)
        let folders = [Self.place(0, 1, kind: .folder), Self.place(1, 2, kind: .folder), Self.version(0, .folder, 3), Self.version(1, .folder, 4, [Self.id(7)])]
        #expect(statements(folders) == same)
    }

    /// Another content, another kind, a history or a conflict: they are two, and the second is numbered.
    @Test func whatIsNotAlikeIsTwo() {
        let places = [Self.place(0, 1), Self.place(1, 2)], first = Self.version(0, Self.text, 3)
        let numbered = Location(of: Self.items[1], folder: nil, name: ItemName(Array("a".utf8), number: 1), kind: .document, mode: 7, former: nil)
        let apart: [[Fact]] = [
            places + [first, Self.version(1, Self.other, 4)], places + [first, Self.version(1, Self.text, 4, [Self.id(5)])],
            places + [first, Self.version(1, Self.text, 5), Self.version(1, Self.other, 4)],
        ]
        for facts in apart { #expect(statements(facts) == [.place(numbered)]) }
        let plain = [Self.place(0, 1), Self.place(1, 2, kind: .plain), first, Self.version(1, Self.text, 4)]
        #expect(repairs(plain).compactMap { $0.place?.kind } == [.plain])
    }

    /// Who is one with another needs no number, so what is one is said first.
    @Test func whatIsOneIsSaidFirst() {
        let facts = [Self.place(0, 1), Self.place(1, 2), Self.place(2, 3), Self.version(0, Self.text, 4), Self.version(1, Self.text, 5), Self.version(2, Self.other, 6)]
        #expect(statements(facts) == [.same(Self.items[0], Self.items[1])])
    }

    /// Whoever says it says the same, in every version of the program: so these are written down.
    @Test func aRepairIsTheSameFactForAll() {
        let folder = Self.items[3], inFolder = [Self.place(3, 1, ItemName(Array("f".utf8)), kind: .folder), Self.version(3, .folder, 2)]
        let facts = inFolder + [Self.place(0, 3, in: folder), Self.version(0, Self.text, 4), Self.place(1, 5, in: folder, former: Self.items[2]), Self.version(1, Self.other, 6)]
        let place = Location(of: Self.items[1], folder: folder, name: ItemName(Array("a".utf8), number: 1), kind: .document, mode: 7, former: Self.items[2])
        let said = repairs(facts)
        #expect(said.map(\.statement) == [.place(place)] && said.map(\.rank) == [6] && said.map { "\($0.id)" } == ["d17655cea906c18df1dfed95c8db2fc2"])
        let same = repairs([Self.place(0, 1), Self.place(1, 2), Self.version(0, Self.text, 3), Self.version(1, Self.text, 4)])
        #expect(same.map { "\($0.id)" } == ["f3323131c6a8e2df118c2d69be684808"] && same.map(\.rank) == [0])
    }

    /// That of an item, of where it is, and of what it is called.
    @Test func anotherRepairIsAnotherFact() {
        func id(_ item: Int, _ name: String, _ folder: ItemID?) -> FactID? {
            let name = ItemName(Array(name.utf8)), there = [Self.place(3, 1, ItemName(Array("f".utf8)), kind: .folder), Self.version(3, .folder, 2)]
            return repairs(there + [Self.place(0, 3, name, in: folder), Self.version(0, Self.text, 4), Self.place(item, 5, name, in: folder), Self.version(item, Self.other, 6)]).first?.id
        }
        #expect(Set([id(1, "a", nil), id(2, "a", nil), id(1, "b", nil), id(1, "a", Self.items[3])]).count == 4)
    }

    /// In each other: the one that went there last is where it was, and its place says so.
    @Test func whoIsFreedFromACircleIsPlaced() {
        let facts = [
            Self.place(0, 1, ItemName(Array("a".utf8)), in: Self.items[1], kind: .folder), Self.version(0, .folder, 2),
            Self.place(1, 3, ItemName(Array("b".utf8)), in: Self.items[0], kind: .folder), Self.version(1, .folder, 4),
        ]
        #expect(statements(facts) == [.place(Location(of: Self.items[1], folder: nil, name: ItemName(Array("b".utf8)), kind: .folder, mode: 7, former: nil))])
    }

    /// Nothing is above the highest rank.
    @Test func theHighestRankIsNotRepaired() {
        #expect(repairs([Self.place(0, 1), Self.version(0, Self.text, 2), Self.place(1, 3, rank: .max), Self.version(1, Self.other, 4)]).isEmpty)
    }

    /// Whatever others are called and wish for. One that is numbered goes on from its number.
    @Test func eachHasANameOfItsOwn() {
        func names(_ numbers: [UInt32]) -> Set<ItemName?> {
            let facts = numbers.enumerated().flatMap { item, number in
                [Self.place(item, UInt64(item) + 1, ItemName(Array("a".utf8), number: number)), Self.version(item, RandomHistory.digest(of: "\(item)"), UInt64(item) + 10)]
            }
            return Set(View(of: Facts(facts)).items.values.map(\.name))
        }
        func named(_ numbers: UInt32...) -> Set<ItemName?> { Set(numbers.map { ItemName(Array("a".utf8), number: $0) }) }
        #expect(names([0, 0, 1, 1]) == named(0, 1, 2, 3))
        #expect(names([3, 3]) == named(3, 4))
        // Of one id, which nobody draws.
        let twice = [Self.place(0, 1), Self.place(1, 1), Self.version(0, Self.text, 4), Self.version(1, Self.other, 5)]
        for facts in [twice, twice.reversed()] { #expect(View(of: Facts(facts)).items[Self.items[0]]?.name?.number == 0) }
    }
}
