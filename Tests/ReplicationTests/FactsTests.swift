import DeviceWorlds
import Hashes
import Replication
import Testing

/// What facts come to, in a few cases that are plain.
@Suite struct FactsTests {
    private static let items = (1...4).map { ItemID(Mark(high: UInt64($0), low: 1)) }
    private static func id(_ number: UInt64) -> FactID { FactID(Mark(high: 9, low: number)) }
    private static func version(_ number: UInt64, _ parents: [FactID] = [], body: Version.Body? = nil) -> Fact {
        Fact(id: id(number), rank: 1, device: .none, .version(Version(of: items[0], digest: RandomHistory.digest(of: "\(number)"), parents: parents, body: body)))
    }
    private static func place(_ item: Int, in folder: Int?, from former: Int? = nil) -> Fact {
        let place = Location(of: items[item], folder: folder.map { items[$0] }, name: ItemName([97]), kind: .folder, former: former.map { items[$0] })
        return Fact(id: id(UInt64(item) + 10), rank: 1, device: .none, .place(place))
    }

    /// Of what is replaced nobody needs what it was made of, in whatever order that comes.
    @Test func whatIsReplacedHasNoBody() {
        let body = Version.Body(size: 1, time: 1, computer: [], parts: []), whole = Self.version(1, body: body), later = Self.version(2, [Self.id(1)])
        for facts in [[whole, later], [later, whole], [Self.version(1), later, whole]] { #expect(Facts(facts).versions[Self.id(1)] == Self.version(1)) }
        // And of what is not it stays, though somebody has let go of it.
        for facts in [[whole, Self.version(1)], [Self.version(1), whole]] { #expect(Facts(facts).versions[Self.id(1)]?.version?.body == body) }
    }

    /// Where it is and where it came from, up to the top.
    @Test func placesAreSaidTogether() {
        let places = [Self.place(0, in: 1, from: 2), Self.place(1, in: 3), Self.place(2, in: 3), Self.place(3, in: nil)], facts = Facts(places + [Self.version(1)])
        #expect(Set(facts.withPlaces(Self.version(1))) == Set(places + [Self.version(1)]))
        #expect(Set(facts.withPlaces(places[0])) == Set(places))
    }

    /// Two bear one id, which nobody honest says: everybody takes the same one, and what the other one says of what is replaced is not so.
    @Test func ofOneIDAllTakeTheSame() {
        func said(_ number: UInt64, replacing parent: UInt64) -> Fact {
            Fact(id: Self.id(1), rank: 1, device: .none, .version(Version(of: Self.items[0], digest: RandomHistory.digest(of: "\(number)"), parents: [Self.id(parent)])))
        }
        let two = [said(1, replacing: 5), said(2, replacing: 6)], facts = Facts(two)
        #expect(facts == Facts(two.reversed()) && facts.count == 1)
        #expect(facts.replaced == Set(facts.versions.values.flatMap(\.parents)) && facts.replaced.count == 1)
        // What a third one replaced stays that.
        let third = Self.version(3, [Self.id(7)])
        for all in [[third] + two, two.reversed() + [third]] { #expect(Facts(all).replaced == facts.replaced.union([Self.id(7)])) }
    }

    /// Nor two places, and two values of a key, of one id and rank.
    @Test func ofOneRegisterAllTakeTheSame() {
        let places = [Self.place(0, in: 1), Self.place(0, in: 2)]
        #expect(Facts(places) == Facts(places.reversed()) && Facts(places).count == 1)
        let keys = [[1], [2]].map { Fact(id: Self.id(8), rank: 1, device: .none, .key(Key([97], value: $0))) }
        #expect(Facts(keys) == Facts(keys.reversed()) && Facts(keys).count == 1)
    }
}
