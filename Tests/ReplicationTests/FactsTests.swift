import DeviceWorlds
import Hashes
import Replication
import Testing

/// What facts come to, in a few cases that are plain.
@Suite struct FactsTests {
    private static let items = (1...4).map { LaneID(Mark(high: UInt64($0), low: 1)) }
    private static func id(_ number: UInt64) -> FactID { FactID(Mark(high: 9, low: number)) }
    private static func version(_ number: UInt64, _ parents: [FactID] = [], body: Version.Body? = nil) -> Fact {
        Fact(id: id(number), rank: 1, device: .none, .version(Version(of: items[0], digest: RandomHistory.digest(of: "\(number)"), parents: parents, body: body)))
    }
    private static func place(_ item: Int, in folder: Int?, from former: Int? = nil) -> Fact {
        let place = Place(of: items[item], folder: folder.map { items[$0] }, name: ItemName([97]), kind: .folder, former: former.map { items[$0] })
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
}
