import Hashes
import Replication

/// A server that joins and counts, and may forget its end.
struct ServerTransport: Transport {
    struct Memory {
        /// How many facts it had, and the mark that it gave that.
        var pairs: [(count: Int, mark: UInt64)] = [(0, 0)]
        var told: Set<Fact> = []
    }

    var memory: Memory
    let server: Joiner
    let world: World
    /// I5: what others may hear is durable here.
    let checkDurable: (Set<Fact>) throws -> Void
    let mayCrash: () throws -> Void
    private var forgot = false

    init(memory: Memory, server: Joiner, world: World, checkDurable: @escaping (Set<Fact>) throws -> Void, mayCrash: @escaping () throws -> Void) {
        (self.memory, self.server, self.world, self.checkDurable, self.mayCrash) = (memory, server, world, checkDurable, mayCrash)
    }

    private func has(_ twin: Twin) -> Bool { world.twin == twin }

    mutating func hear() -> [Fact] {
        if !has(.noMark) {
            let last = memory.pairs.count
            while let pair = memory.pairs.last, memory.pairs.count > 1, server.marks[pair.count] != pair.mark { memory.pairs.removeLast() }
            forgot = memory.pairs.count < last
        }
        let since = min(memory.pairs.last?.count ?? 0, server.facts.count), got = server.facts.count
        if has(.noMark) {
            memory.pairs.append((max(got, memory.pairs.last?.count ?? 0), 0))
        } else if let mark = server.marks[got] {
            memory.pairs.append((got, mark))
        }
        // In one step with the new pair.
        if forgot, !has(.twoSteps) { memory.told.formIntersection(server.facts) }
        return Array(server.facts[since...])
    }

    func available(_ wanted: Set<Digest>) -> Set<Digest> { server.contents.intersection(wanted) }

    mutating func say(_ facts: Facts, _ here: ContentsHere) throws {
        let known = Set(server.facts)
        if forgot { memory.told.formIntersection(known) }
        let new = facts.all.filter { !memory.told.contains($0) && !known.contains($0) }
        try checkDurable(Set(new))
        server.contents.formUnion(here.held)
        server.push(new, mark: world.numbers.next())
        try mayCrash()
        memory.told.formUnion(facts.all)
        if !has(.noPair), !has(.noMark), let mark = server.marks[server.facts.count] { memory.pairs.append((server.facts.count, mark)) }
    }
}
