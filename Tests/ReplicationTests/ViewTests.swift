import DeviceWorlds
import Hashes
import Replication
import SeededNumbers
import Testing

/// What is seen is a function of the facts, in whatever order they come.
@Suite struct ViewTests {
    static let histories: UInt64 = 600

    @Test func theOrderDoesNotMatter() {
        for seed in 0..<Self.histories {
            var history = RandomHistory(seed: seed)
            let facts = history.facts.shuffled(using: &history.numbers)
            let one = Facts(history.facts), other = Facts(facts + facts.prefix(5))
            #expect(one == other && View(of: one) == View(of: other), "seed \(seed)")
            #expect(faults(of: View(of: one), one) == [], "seed \(seed)")
        }
    }

    /// The view that goes on from what was seen is the one of all facts, after each.
    @Test func whatIsFollowedIsTheWhole() {
        for seed in 0..<Self.histories {
            var history = RandomHistory(seed: seed), followed = FollowedView()
            var rest = history.facts.shuffled(using: &history.numbers)[...]
            while !rest.isEmpty {
                let some = rest.prefix(history.number(1...3))
                rest = rest.dropFirst(some.count)
                let before = followed.view, answered = followed.add(some)
                #expect(followed.view == View(of: followed.facts), "seed \(seed), \(rest.count) left")
                let others = Set(before.items.keys).union(followed.view.items.keys).filter { before.items[$0] != followed.view.items[$0] }
                #expect(answered.isSuperset(of: others), "seed \(seed): it does not say what is another")
                #expect(followed.repairs == Repairs.needed(by: followed.view, followed.facts), "seed \(seed)")
                #expect(faults(of: followed.view, followed.facts) == [], "seed \(seed)")
            }
        }
    }

    /// Facts that bear the id of another one, which nobody honest says, make everybody see the same still, in whatever order they came.
    @Test func liesAreTheSameForAll() {
        for seed in 0..<Self.histories / 2 {
            var history = RandomHistory(seed: seed)
            let lies = history.facts.compactMap { fact -> Fact? in
                guard history.chance(40) else { return nil }
                switch fact.statement {
                case .version(let version):
                    return Fact(id: fact.id, rank: fact.rank, device: fact.device, .version(Version(of: history.pick(history.items), digest: RandomHistory.digest(of: "lie"), parents: version.parents)))
                case .place(let place):
                    let lie = Location(of: history.chance(70) ? place.item : history.pick(history.items), folder: place.folder, name: ItemName(Array("lie".utf8)), kind: place.kind, former: place.former)
                    return Fact(id: fact.id, rank: fact.rank, device: fact.device, .place(lie))
                default: return nil
                }
            }
            let facts = (history.facts + lies).shuffled(using: &history.numbers)
            var followed = FollowedView()
            for fact in facts {
                followed.add([fact])
                #expect(followed.view == View(of: followed.facts), "seed \(seed)")
            }
            #expect(followed.facts == Facts(history.facts + lies) && followed.facts == Facts(lies + history.facts), "seed \(seed)")
        }
    }

    /// Two who know halves repair what they see, and then what both know. It ends, and both see the same, with the names that places say.
    @Test func repairsEnd() {
        var most = 0
        for seed in 0..<Self.histories {
            var history = RandomHistory(seed: seed)
            let facts = history.facts.shuffled(using: &history.numbers)
            var sides = [0, 1].map { side in FollowedView(of: facts.enumerated().filter { $0.offset % 2 == side }.map(\.element)) }
            var rounds = 0
            while true {
                let said = sides.map(\.repairs)
                for side in 0...1 { sides[side].add(said[side]) }
                if rounds == 1 {
                    let all = sides[0].facts.all + sides[1].facts.all
                    for side in 0...1 { sides[side].add(all) }
                }
                rounds += 1
                if said.allSatisfy(\.isEmpty), rounds > 2 { break }
                guard rounds < 16 else { Issue.record("seed \(seed): repairs do not end"); break }
            }
            most = max(most, rounds)
            #expect(sides[0].view == sides[1].view && Shape(sides[0].view, sides[0].facts) == Shape(sides[1].view, sides[1].facts), "seed \(seed)")
            for item in sides[0].view.items.values where item.isThere { #expect(item.name == item.place?.place?.name, "seed \(seed): a name is not given") }
        }
        #expect(most < 12)
    }

    private static let one = ItemID(Mark(high: 1, low: 1)), another = ItemID(Mark(high: 2, low: 1))
    private static func id(_ number: UInt64) -> FactID { FactID(Mark(high: 9, low: number)) }
    private static func version(_ item: ItemID, _ number: UInt64, _ parents: [FactID] = [], rank: Int64 = 1) -> Fact {
        Fact(id: id(number), rank: rank, device: .none, .version(Version(of: item, digest: RandomHistory.digest(of: "\(number)"), parents: parents)))
    }

    /// By a version of an item of which is not known yet that it is this one.
    @Test func whatIsReplacedIsNotCurrent() {
        let view = View(of: Facts([Self.version(Self.one, 1), Self.version(Self.another, 2, [Self.id(1)])]))
        #expect(view.items[Self.one]?.current == nil && view.items[Self.another]?.current == Self.id(2))
    }

    /// What a version was made of may come after it, from somebody who has not let go of that; and that two are one, from whoever knows it by another way.
    @Test func whatIsKnownAlreadyIsNotFollowedTwice() {
        let body = Version.Body(size: 1, time: 1, computer: [], parts: []), digest = RandomHistory.digest(of: "1")
        let versions = [nil, body].map { Fact(id: Self.id(1), rank: 1, device: .none, .version(Version(of: Self.one, digest: digest, parents: [], body: $0))) }
        let third = ItemID(Mark(high: 3, low: 1)), pairs = [(Self.one, Self.another), (Self.another, third), (Self.one, third)]
        let sames = pairs.enumerated().map { Fact(id: Self.id(10 + UInt64($0.offset)), rank: 0, device: .none, .same($0.element.0, $0.element.1)) }
        var followed = FollowedView()
        for fact in versions + sames {
            followed.add([fact])
            #expect(followed.view == View(of: followed.facts))
        }
        #expect(followed.view.items[Self.one]?.leaves == [Self.id(1)])
    }

    /// Above the highest rank is a higher one still, and whoever replaces the other has no end.
    @Test func whatNobodyHonestSays() {
        let highest = View(of: Facts([Self.version(Self.one, 1, rank: .max), Self.version(Self.one, 2, [Self.id(1)], rank: .max), Self.version(Self.one, 3, rank: .max)]))
        #expect(highest.items[Self.one]?.current == Self.id(2) && highest.items[Self.one]?.conflicts == [Self.id(3)])
        let circle = View(of: Facts((1...4).map { Self.version(Self.one, $0, [[Self.id(2), Self.id(4)], [Self.id(1)], [Self.id(2)], []][Int($0) - 1]) }))
        #expect(circle.items[Self.one]?.leaves == [Self.id(3)])
    }
}
