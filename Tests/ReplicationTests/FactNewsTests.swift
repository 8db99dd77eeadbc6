import DeviceWorlds
import Replication
import SeededNumbers
import Testing

@Suite struct FactNewsTests {
    private static func current(_ facts: Facts) -> [FactSubject: Fact] {
        Dictionary(facts.all.map { ($0.subject, $0) }, uniquingKeysWith: { $1 })
    }

    @Test(arguments: UInt64(0)..<40)
    func whoGoesOnKnowsAll(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed), facts = Facts(), known: [FactSubject: Fact] = [:], mark: FactNews.Mark?
        for fact in RandomHistory(seed: seed).facts.shuffled(using: &numbers) {
            facts.add(fact)
            if Bool.random(using: &numbers) { continue }
            if let news = facts.news.since(mark) {
                for subject in news { known[subject] = facts[subject] }
            } else {
                #expect(mark == nil)
                known = Self.current(facts)
            }
            mark = facts.news.mark
            #expect(known == Self.current(facts))
        }
    }

    /// Of two copies that went different ways the one is not gone on from where the other was.
    @Test func anotherWayIsNoNews() {
        let all = RandomHistory(seed: 3).facts, common = Facts(all.dropLast(2))
        var one = common, other = common
        one.add(all[all.count - 1])
        other.add(all[all.count - 2])
        #expect(one.news.since(common.news.mark)?.count == 1)
        #expect(other.news.since(one.news.mark) == nil)
        #expect(Facts(all).news.since(common.news.mark) == nil)
    }

    /// What came long ago is not remembered.
    @Test func longAgoAllIsNew() {
        var facts = Facts()
        let item = ItemID(Mark(high: 1, low: 1))
        func add(_ count: Int64) {
            for rank in 1...count {
                let place = Location(of: item, folder: nil, name: ItemName([UInt8(ascii: "a")]), kind: .document, former: nil)
                facts.add(Fact(id: FactID(Mark(high: 2, low: UInt64(rank))), rank: rank, device: .none, .place(place)))
            }
        }
        add(1)
        let first = facts.news.mark
        add(10)
        #expect(facts.news.since(first)?.count == 9)
        add(20_000)
        #expect(facts.news.since(first) == nil)
        #expect(facts.news.since(facts.news.mark)?.isEmpty == true)
    }
}
