import Hashes
import Replication

/// A share: a folder that others carry.
struct FolderTransport: Transport {
    struct Memory {
        /// Its own name in the share.
        var folder: String
        var own: [Carrier.Path: Set<Fact>] = [:]
        var read: Set<Carrier.Path> = []
        var told: Set<Fact> = []
        var number = 0
        var lastRead: [String: Int] = [:]
        var given: Set<Digest> = []
        var marks: Set<UInt64> = []
    }

    var memory: Memory
    let carrier: Carrier
    let world: World
    let isAtRest: Bool
    /// Writes the memory down, durably.
    let commit: (Memory) -> Void
    /// I5: what others may hear is durable here.
    let checkDurable: (Set<Fact>) throws -> Void
    let mayCrash: () throws -> Void

    private func has(_ twin: Twin) -> Bool { world.twin == twin }

    mutating func hear() -> [Fact] {
        takeOtherNameIfCopied()
        var heard: [Fact] = []
        let unread = carrier.files.filter { path, _ in path.kind == .facts && !memory.read.contains(path) && memory.own[path] == nil }
        for (path, file) in unread.sorted(by: { $0.key < $1.key }) {
            guard let facts = file.facts, !(has(.sameName) && path.folder == memory.folder) else { continue }
            guard file.isWhole else {
                if has(.torn) {
                    heard += facts.sorted { $0.id < $1.id }.prefix(facts.count / 2)
                    memory.read.insert(path)
                }
                continue
            }
            if has(.cursor) {
                let number = Int(path.name.prefix(6)) ?? 0
                if number <= memory.lastRead[path.folder] ?? -1 { continue }
                memory.lastRead[path.folder] = number
            }
            heard += facts
            memory.read.insert(path)
            memory.told.formUnion(facts)
        }
        return heard
    }

    /// Somebody else is this device, or this one was: by files under its name that it does not know.
    private mutating func takeOtherNameIfCopied() {
        let isForeign = carrier.files.contains { $0.key.folder == memory.folder && $0.key.kind == .facts && memory.own[$0.key] == nil && $0.value.isWhole }
        let head = carrier.file(Carrier.Path(folder: memory.folder, kind: .head))?.head
        let isOthersHead = head.map { !memory.marks.contains($0.mark) } == true
        guard isForeign || isOthersHead && !has(.noHeadMark), !has(.sameName) else { return }
        memory.folder = world.newFolder()
        (memory.own, memory.given) = ([:], [])
        commit(memory)
    }

    func available(_ wanted: Set<Digest>) -> Set<Digest> { carrier.contents.intersection(wanted) }

    mutating func say(_ facts: Facts, _ here: ContentsHere) throws {
        try sayNew(facts)
        for (path, facts) in memory.own.sorted(by: { $0.key < $1.key }) where carrier.file(path)?.isWhole != true { try write(path, .facts(facts)) }
        removeSuperfluous(facts)
        let heads = carrier.files.filter { $0.key.kind == .head && $0.key.folder != memory.folder }.compactMap(\.value.head)
        try give(here, heads)
        try writeHead(here)
        commit(memory)
    }

    private func write(_ path: Carrier.Path, _ data: Carrier.Data) throws {
        if case .facts(let facts) = data { try checkDurable(facts) }
        carrier.put(path, data, isWhole: false)
        try mayCrash()
        carrier.put(path, data)
    }

    private mutating func sayNew(_ facts: Facts) throws {
        let all = facts.all
        var new = Set(all.filter { !memory.told.contains($0) })
        // And what no file says any more, whoever said it first.
        if !has(.saidOnce), isAtRest || world.chance(0.3) {
            var said = Set<Fact>()
            for file in carrier.files.values where file.isWhole { said.formUnion(file.facts ?? []) }
            for facts in memory.own.values { said.formUnion(facts) }
            new.formUnion(all.filter { !said.contains($0) })
        }
        guard !new.isEmpty else { return }
        // What was said of where things are may have been in a file that never comes.
        if !has(.unplaced) { new.formUnion(new.flatMap(facts.withPlaces)) }
        let together = memory.own.count >= 4
        let data = together ? memory.own.values.reduce(into: new) { $0.formUnion($1) } : new
        memory.number += 1
        var name = String(String(1_000_000 + memory.number).dropFirst())
        // Called after what it says. Ids say that as well as bytes would, and sooner.
        if !has(.numbersOnly) { name += "-" + RandomHistory.digest(of: data.map { "\($0.id) \($0.rank) \($0.parents.count)" }.sorted().joined()).text }
        if together { memory.own = [:] }
        memory.own[Carrier.Path(folder: memory.folder, kind: .facts, name: name)] = data
        memory.told = Set(all)
        commit(memory)
        try mayCrash()
    }

    /// What was put together, and what is torn.
    private func removeSuperfluous(_ facts: Facts) {
        guard !has(.sameName) else { return }
        for (path, file) in carrier.files where path.folder == memory.folder && path.kind == .facts && memory.own[path] == nil {
            if !file.isWhole || file.facts?.allSatisfy(facts.knows) == true { carrier.remove(path) }
        }
    }

    private mutating func give(_ here: ContentsHere, _ heads: [Carrier.Head]) throws {
        let wanted = heads.reduce(into: Set<Digest>()) { $0.formUnion($1.lacks) }, before = carrier.contents
        for digest in here.held.sorted() {
            let path = Carrier.Path(folder: memory.folder, kind: .content, name: digest.text), mine = carrier.file(path)
            let everybodyHas = !heads.isEmpty && heads.allSatisfy { $0.has.contains(digest) }
            if let mine, !mine.isWhole {
                try write(path, .content(digest))
            } else if mine == nil || has(.givenForEver), wanted.contains(digest), !before.contains(digest) || world.chance(0.2), !has(.givenOnce) {
                // At once if nobody's folder has it, and after a while whoever's has. What is there says all that can be said: whose computer is no more,
                // or has another name by now, lacks it for ever.
                try write(path, .content(digest))
            } else if mine == nil, !before.contains(digest), !memory.given.contains(digest), !everybodyHas {
                try write(path, .content(digest))
            } else if mine != nil, everybodyHas, world.chance(0.5) {
                carrier.remove(path)
            }
            if has(.givenOnce) { memory.given.insert(digest) }
        }
        let own = carrier.files.keys.filter { $0.folder == memory.folder && $0.kind == .content }, needed = own.isEmpty ? [] : Set(here.held.union(wanted).map(\.text))
        for path in own.sorted() {
            let isNeeded = needed.contains(path.name)
            if !isNeeded, world.chance(0.5) { carrier.remove(path) }
        }
    }

    private mutating func writeHead(_ here: ContentsHere) throws {
        let path = Carrier.Path(folder: memory.folder, kind: .head), there = carrier.file(path)?.head
        guard there?.lacks != here.lacking || there?.has != here.held else { return }
        let head = Carrier.Head(lacks: here.lacking, has: here.held, mark: world.numbers.next())
        memory.marks.insert(head.mark)
        commit(memory)
        try mayCrash()
        try write(path, .head(head))
    }
}
