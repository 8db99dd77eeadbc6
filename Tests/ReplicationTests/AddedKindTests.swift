import DeviceWorlds
import Replication
import Testing

/// Kinds of documents that a person or a container added.
@Suite struct AddedKindTests {
    typealias Base = PlannerTests

    static let kind = AddedKind(ending: Array("sketch".utf8), words: Array("[sketch]\nextension = sketch\n".utf8))
    static func fact(_ kind: AddedKind = kind, rank: Int64 = 5, _ number: UInt64 = 50) -> Fact {
        Fact(id: Base.id(number), rank: rank, device: .none, .kind(kind))
    }

    @Test(arguments: [("a.sketch", "sketch"), ("a.b.SKETCH", "sketch"), ("sketch", nil), (".sketch", nil), ("a.", nil)])
    func whatANameEndsWith(name: String, ending: String?) {
        #expect(AddedKind.ending(of: Array(name.utf8)) == ending.map { Array($0.utf8) })
    }

    @Test func itIsAFact() throws {
        let bytes = try #require(Self.fact().bytes)
        #expect(Fact(bytes) == Self.fact())
        #expect(Self.fact(AddedKind(ending: [], words: [])).bytes == nil)
        #expect(Self.fact(AddedKind(ending: [UInt8](repeating: 97, count: FactLimits.key + 1), words: [])).bytes == nil)
        #expect(Self.fact(AddedKind(ending: [97], words: [UInt8](repeating: 97, count: AddedKind.longestWords + 1))).bytes == nil)
        // Of two the later one counts, in whatever order.
        let later = Self.fact(AddedKind(ending: Self.kind.ending, words: [1]), rank: 6, 51)
        for facts in [Facts([Self.fact(), later]), Facts([later, Self.fact()])] { #expect(facts.all == [later]) }
    }

    /// Whoever hears of a document hears of its kind.
    @Test func itIsSaidWithItsDocuments() {
        let place = Base.placed(Base.item, "a.sketch", 1), version = Base.version(Base.item, Base.text, 2)
        let facts = Facts([place, version, Self.fact()])
        #expect(facts.withPlaces(version) == [version, place, Self.fact()])
        #expect(facts.withPlaces(place) == [place, Self.fact()])
        #expect(facts.withPlaces(Self.fact()) == [Self.fact()])
        #expect(Facts([Base.placed(Base.item, "a.txt", 1), version, Self.fact()]).withPlaces(version).count == 2)
    }

    @Test func itIsSaidOnceAndFirst() {
        let new = Base.entry(Base.file, "a.sketch", digest: Base.text)
        func steps(_ facts: [Fact]) -> [Step] {
            var local = LocalItems([new.id: new], synced: [:], contents: [Base.text], time: 100)
            local.kinds = [Self.kind]
            return Planner(FollowedView(of: facts), local).steps()
        }
        #expect(steps([]) == [.sayKind(Self.kind)])
        #expect(steps([Self.fact()]) == [.sayNew(new, folder: nil)])
        // Others have written down something else.
        #expect(steps([Self.fact(AddedKind(ending: Self.kind.ending, words: [1]))]) == [.sayNew(new, folder: nil)])
    }

    @Test func whatIsOneItem() {
        let name = Array("a.sketch".utf8)
        func isOne(_ facts: [Fact], as kind: Location.Kind? = nil, in folder: ItemID?? = .some(nil), isKindHere: Bool = false) -> Bool {
            FollowedView(of: facts).isOneItem(name, in: folder, writtenDownAs: kind) { isKindHere && $0 == Self.kind.ending }
        }
        #expect(!isOne([]))
        #expect(isOne([], isKindHere: true))
        #expect(isOne([Self.fact()]))
        // Whatever is known of its name, it is what it was.
        #expect(!isOne([Self.fact()], as: .folder, isKindHere: true))
        #expect(isOne([], as: .document))
        // And what all see there, where it is known where that is.
        let document = [Base.placed(Base.item, "a.sketch", 1), Base.version(Base.item, Base.text, 2)]
        #expect(isOne(document))
        #expect(!isOne(document, in: nil))
    }
}
