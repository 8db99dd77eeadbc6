import Hashes
import Replication
import SeededNumbers

/// Facts at random, many about few items: names that collide, folders in each other, versions in any order, and ranks that lie.
package struct RandomHistory {
    package var numbers: SeededNumbers
    package private(set) var facts: [Fact] = []
    package private(set) var items: [ItemID] = []

    package init(seed: UInt64) {
        numbers = SeededNumbers(seed: seed)
        let isLawful = seed % 2 == 0
        items = (0..<number(2...6)).map { _ in ItemID(mark()) }
        for item in items { say(of: item, isLawful) }
        for _ in 0..<number(0...2) {
            let (one, other) = (pick(items), pick(items))
            if one != other { facts.append(Fact(id: id(), rank: 0, device: device(), .same(one, other))) }
        }
        for index in 0..<number(0...5) {
            facts.append(Fact(id: id(), rank: Int64(number(1...5)), device: device(), .key(Key([pick(Array("xy".utf8))], value: [UInt8(index)]))))
        }
    }

    private mutating func say(of item: ItemID, _ isLawful: Bool) {
        let isFolder = chance(45)
        for _ in 0..<number(1...3) {
            let name = [pick(Array("abc".utf8))] + (chance(50) ? Array(".t".utf8) : [])
            let folder: ItemID? = chance(50) ? nil : pick(items), former: ItemID? = chance(30) ? nil : pick(items)
            let place = Location(of: item, folder: folder, name: ItemName(name), kind: isFolder ? .folder : .document, former: former)
            facts.append(Fact(id: id(), rank: Int64(number(1...30)), device: device(), .place(place)))
        }
        var known: [Fact] = []
        for _ in 0..<number(1...6) {
            let parents = known.filter { _ in chance(40) }
            var rank = Int64(number(1...8))
            if isLawful { rank = max(rank, (parents.map(\.rank).max() ?? 0) + 1) }
            let digest = chance(20) ? nil : Self.digest(of: isFolder ? "" : pick(["d", "e", "f", "g"]))
            let fact = Fact(id: id(), rank: rank, device: device(), .version(Version(of: item, digest: digest, parents: parents.map(\.id))))
            known.append(fact)
            facts.append(fact)
        }
    }

    package static func digest(of text: String) -> Digest { SHA256.digest(of: Array(text.utf8)) }

    package mutating func mark() -> Mark { Mark.drawn(with: &numbers) }
    package mutating func id() -> FactID { FactID(mark()) }
    package mutating func device() -> DeviceID { DeviceID(Mark(high: 0, low: UInt64(number(1...3)))) }
    package mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &numbers) }
    package mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }
    package mutating func pick<Element>(_ all: [Element]) -> Element { all[number(0...(all.count - 1))] }
}

/// What one sees of a container: the names and contents in each folder.
package struct Shape: Equatable {
    package struct Row: Equatable {
        package let item: ItemID, folder: ItemID?, name: ItemName?, content: Digest?, others: Set<Digest>
    }
    package let rows: [Row]
    package let keys: [[UInt8]: Fact]

    package init(_ view: View, _ facts: Facts) {
        rows = view.items.filter(\.value.isThere).map { id, item in
            Row(
                item: id, folder: item.folder, name: item.name, content: item.current.flatMap { facts.versions[$0]?.digest },
                others: Set(item.conflicts.compactMap { facts.versions[$0]?.digest }))
        }.sorted { $0.item < $1.item }
        keys = facts.keys
    }

    package init(_ facts: Facts) { self.init(View(of: facts), facts) }
}

/// What must hold at any moment, whatever facts there are. Answers what does not.
package func faults(of view: View, _ facts: Facts) -> [String] {
    var found: [String] = [], names: Set<[String]> = []
    for (id, item) in view.items where item.isThere {
        var above: Set<ItemID> = [], next: ItemID? = id
        while let folder = next {
            if !above.insert(folder).inserted { found.append("an item is in itself"); break }
            if view.items[folder]?.isThere != true { found.append("an item is in a folder that is not there") }
            next = view.items[folder]?.folder
        }
        if !names.insert([item.folder.map { "\($0)" } ?? "", "\(item.name?.shown ?? [])"]).inserted { found.append("two are called \(item.name?.description ?? "")") }
    }
    // What nobody replaced is seen, or an equal one of a higher rank was replaced; an item is gone only where somebody deleted it.
    for (id, item) in view.items {
        let all = facts.versions.values.filter { $0.version.map { view.which($0.item) } == id }
        let ranks = Dictionary(uniqueKeysWithValues: all.map { ($0.id, rank($0, among: Array(all))) })
        func order(_ fact: Fact) -> Fact.Order { Fact.Order(rank: ranks[fact.id] ?? 0, id: fact.id) }
        // What replaced one of its versions may belong to an item of which is not known yet that it is this one: then nobody takes it for deleted.
        let isReplacedElsewhere = facts.versions.values.contains { other in
            other.version.map { view.which($0.item) != id } == true && other.parents.contains { ranks[$0] != nil }
        }
        let seen = Set(([item.current] + item.conflicts).compactMap { $0.flatMap { facts.versions[$0]?.digest } })
        for leaf in all where !facts.replaced.contains(leaf.id) && leaf.digest != nil {
            let isSpent = all.contains { facts.replaced.contains($0.id) && $0.digest == leaf.digest && order($0) > order(leaf) }
            if !isSpent, let digest = leaf.digest, !seen.contains(digest) { found.append("what nobody replaced is not seen") }
            if isSpent, item.current == leaf.id || item.conflicts.contains(leaf.id) { found.append("what somebody replaced is seen again") }
            if isSpent, item.current == nil, !isReplacedElsewhere, !item.leaves.contains(where: { facts.versions[$0]?.digest == nil }) { found.append("gone, and nobody deleted it") }
        }
    }
    return found
}

/// By looking at all parents again and again: slow, and plainly right.
private func rank(_ fact: Fact, among all: [Fact]) -> Int64 {
    let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
    func highest(_ fact: Fact, _ seen: Set<FactID>) -> Int64 {
        let parents = fact.parents.compactMap { byID[$0] }.filter { !seen.contains($0.id) }
        return parents.reduce(min(fact.rank, 1 << 62)) { max($0, highest($1, seen.union([$1.id])) + 1) }
    }
    return highest(fact, [fact.id])
}
