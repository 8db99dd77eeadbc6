import Hashes
import Replication

/// A rule that is left out, to see that it is missed.
enum Twin: String, CaseIterable {
    /// Files of facts are read up to a number, and not by their names.
    case cursor
    /// What is not whole is read as far as it goes.
    case torn
    /// Files of facts are called by a number alone.
    case numbersOnly
    /// A copy of a computer goes on under its name.
    case sameName
    /// Heads have no mark by which two writers notice each other.
    case unmarkedHeads
    /// A content is not given once more.
    case givenOnce
    /// What no file says any more is not said again.
    case saidOnce
    /// A version replaces leaves whose contents were not here.
    case unseenParents
    /// What lies in a folder that nobody has heard of is taken for gone.
    case shownOnly
    /// It is not noticed that a server has forgotten.
    case noMark
    /// A push is answered by no mark.
    case noPair
    /// Going back to what a server knows is not one step.
    case twoSteps
}

struct Fault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

struct Crash: Error {}

final class WorldDevice {
    let name: String
    let twins: Set<Twin>
    unowned let world: World

    /// What is in its database; a crash leaves what was committed last.
    struct State {
        var folder: String
        var known = FollowedView()
        var content: Set<Digest> = []
        var own: [Carrier.Path: Set<Fact>] = [:]
        var read: Set<Carrier.Path> = []
        var told: Set<Fact> = []
        var number = 0
        /// What the local content stands for, and what it is.
        var synced: [ItemID: (leaves: Set<FactID>, digest: Digest?)] = [:]
        var lastRead: [String: Int] = [:]
        var pairs: [(count: Int, mark: UInt64)] = [(0, 0)]
        var given: Set<Digest> = []
        var marks: Set<UInt64> = []
        var toldServer: Set<Fact> = []
    }

    var now: State
    private var kept: State
    /// Contents that were ever here. For the test alone.
    var seen: Set<Digest> = []

    init(_ name: String, _ world: World, _ twins: Set<Twin>) {
        (self.name, self.world, self.twins) = (name, world, twins)
        now = State(folder: world.newFolder())
        kept = now
    }

    func commit() { kept = now }
    func crash() { now = kept }
    var backup: State { kept }
    func restore(_ state: State) {
        now = state
        commit()
    }

    private func has(_ twin: Twin) -> Bool { twins.contains(twin) }
    private var view: View { now.known.view }
    private var facts: Facts { now.known.facts }
    private func fact(_ id: FactID) -> Fact? { facts.versions[id] }
    private func digests(_ item: ItemID) -> [(id: FactID, digest: Digest)] {
        guard let seen = view.items[item] else { return [] }
        return ([seen.current].compactMap(\.self) + seen.conflicts).compactMap { id in fact(id)?.digest.map { (id, $0) } }
    }

    // MARK: The user

    func act(_ clock: Int64) throws {
        let view = view
        let here = view.items.filter { $0.value.isThere && $0.value.place?.place?.kind == .document && $0.value.current != nil && now.synced[$0.key] != nil }.keys.sorted()
        let there = view.items.filter(\.value.isThere), folders = there.filter { $0.value.place?.place?.kind == .folder }.keys.sorted()
        let what = world.fraction()
        if what < 0.3 || here.isEmpty {
            make(in: world.pick([nil] + folders.map(Optional.some)), clock)
        } else if what < 0.6 {
            try write(world.pick(here), clock, world.newContent(by: name))
        } else if what < 0.65 {
            // An earlier content comes back, with its old time.
            let item = world.pick(here)
            let old = Set(facts.versions.values.filter { $0.version.map { view.which($0.item) } == item }.compactMap(\.digest)).intersection(seen).sorted()
            if !old.isEmpty { try write(item, Int64(world.number(1...Int(clock))), world.pick(old)) }
        } else if what < 0.75 {
            try write(world.pick(here), clock, nil)
        } else if what < 0.85 {
            move(world.pick(there.keys.sorted()), folders, clock)
        } else if what < 0.92 {
            try decide(world.pick(here), clock)
        } else {
            let key = [world.pick(Array("xyz".utf8))], rank = max(clock, (facts.keys[key]?.rank ?? 0) + 1)
            say(Fact(id: world.id(), rank: rank, device: .none, .key(Key(key, value: [UInt8(truncatingIfNeeded: clock)]))))
        }
        commit()
    }

    private func say(_ facts: Fact...) { now.known.add(facts) }

    private func make(in folder: ItemID?, _ clock: Int64) {
        let item = ItemID(world.mark()), isFolder = world.chance(0.3), name = Array(world.pick(["a", "b"]).utf8) + (isFolder ? [] : Array(".t".utf8))
        let digest = isFolder ? RandomHistory.digest(of: "") : world.chance(0.5) ? RandomHistory.digest(of: "common") : world.newContent(by: self.name)
        let version = Fact(id: world.id(), rank: clock, device: .none, .version(Version(of: item, digest: digest, parents: [])))
        say(Fact(id: world.id(), rank: clock, device: .none, .place(Place(of: item, folder: folder, name: ItemName(name), kind: isFolder ? .folder : .document, former: nil))), version)
        guard !isFolder else { return }
        hold(digest)
        now.synced[item] = ([version.id], digest)
    }

    private func move(_ item: ItemID, _ folders: [ItemID], _ clock: Int64) {
        guard let seen = view.items[item], let place = seen.place?.place, let rank = seen.place?.rank else { return }
        let target = world.pick([nil] + folders.filter { $0 != item }.map(Optional.some))
        let name = ItemName(Array((world.pick(["a", "b"]) + ".t").utf8))
        say(Fact(id: world.id(), rank: max(clock, rank + 1), device: .none, .place(Place(of: item, folder: target, name: name, kind: place.kind, former: seen.folder))))
    }

    private func decide(_ item: ItemID, _ clock: Int64) throws {
        let others = digests(item).dropFirst().map(\.digest)
        guard !others.isEmpty, others.allSatisfy(now.content.contains) else { return }
        let leaves = view.items[item]?.leaves ?? []
        let parents = leaves.filter { id in has(.unseenParents) || (fact(id)?.digest.map(now.content.contains) ?? true) }
        try write(item, clock, world.pick(others.sorted()), parents: Set(parents))
    }

    private func hold(_ digest: Digest) {
        now.content.insert(digest)
        seen.insert(digest)
    }

    private func write(_ item: ItemID, _ rank: Int64, _ digest: Digest?, parents: Set<FactID>? = nil) throws {
        let leaves = Set(view.items[item]?.leaves ?? [])
        var parents = parents ?? (has(.unseenParents) ? leaves : now.synced[item]?.leaves ?? [])
        if digest == nil { parents.formUnion(leaves.filter { fact($0)?.digest.map(now.content.contains) ?? false }) }
        for parent in parents { try checkSeen(parent, of: item) }
        let version = Fact(
            id: world.id(), rank: max(rank, parents.compactMap { fact($0)?.rank }.max().map { $0 + 1 } ?? rank), device: .none,
            .version(Version(of: item, digest: digest, parents: parents)))
        say(version)
        now.synced[item] = ([version.id], digest)
        if let digest { hold(digest) }
    }

    /// I3: what is replaced was here, or an equal one was replaced by who had it.
    private func checkSeen(_ parent: FactID, of item: ItemID) throws {
        guard let replaced = fact(parent), let digest = replaced.digest, !seen.contains(digest) else { return }
        let equals = facts.versions.values.filter { $0.digest == digest && $0.version.map { view.which($0.item) } == view.which(item) && facts.replaced.contains($0.id) }
        guard equals.contains(where: { $0.order > replaced.order }) else { throw Fault("what its writer never had is replaced") }
    }

    // MARK: What is known becomes what is here

    func adopt(_ find: (Digest) -> Bool) throws -> (lacks: Set<Digest>, live: Set<Digest>) {
        now.known.add(now.known.repairs)
        try world.check(now.known)
        var lacks: Set<Digest> = [], live: Set<Digest> = []
        for (item, seen) in view.items.sorted(by: { $0.key < $1.key }) {
            // Also what is not shown because its folder is not known: it stays where it is.
            if has(.shownOnly), !seen.isThere { continue }
            let contents = digests(item)
            guard let current = contents.first, current.digest != RandomHistory.digest(of: "") else { continue }
            for content in contents {
                live.insert(content.digest)
                if now.content.contains(content.digest) { continue }
                if find(content.digest) { hold(content.digest) } else { lacks.insert(content.digest) }
            }
            guard now.content.contains(current.digest) else { continue }
            let others = Set(contents.dropFirst().map(\.digest))
            now.synced[item] = (Set(seen.leaves.filter { id in fact(id)?.digest.map { !others.contains($0) } ?? true }), current.digest)
        }
        for item in now.synced.keys.sorted() where view.which(item) != item || view.items[item]?.current == nil { now.synced[item] = nil }
        // What is no content of anything here is let go of after a while.
        for digest in now.content.subtracting(live).sorted() where world.chance(0.3) { now.content.remove(digest) }
        return (lacks, live)
    }

    // MARK: A folder

    func meet(_ carrier: Carrier, isAtRest: Bool, mayCrash: () throws -> Void) throws -> Set<Digest> {
        takeOtherNameIfCopied(carrier)
        hear(carrier)
        let contents = Set(carrier.files.compactMap { path, file -> Digest? in
            if path.kind == .content, file.isWhole, case .content(let digest) = file.data { digest } else { nil }
        })
        let (lacks, live) = try adopt(contents.contains)
        commit()
        try mayCrash()
        func write(_ path: Carrier.Path, _ data: Carrier.Data) throws {
            carrier.put(path, data, isWhole: false)
            try mayCrash()
            carrier.put(path, data)
        }
        try sayNew(carrier, isAtRest, mayCrash)
        for (path, facts) in now.own.sorted(by: { $0.key < $1.key }) where carrier.file(path)?.isWhole != true { try write(path, .facts(facts)) }
        removeSuperfluous(carrier)
        let heads = carrier.files.filter { $0.key.kind == .head && $0.key.folder != now.folder }.compactMap(\.value.head)
        let wanted = heads.reduce(into: Set<Digest>()) { $0.formUnion($1.lacks) }
        for digest in live.intersection(now.content).sorted() {
            let path = Carrier.Path(folder: now.folder, kind: .content, name: digest.text), mine = carrier.file(path)
            let everybodyHas = !heads.isEmpty && heads.allSatisfy { $0.has.contains(digest) }
            if let mine, !mine.isWhole {
                try write(path, .content(digest))
            } else if wanted.contains(digest), !contents.contains(digest) || world.chance(0.2), !has(.givenOnce) {
                // At once if nobody's folder has it, and after a while whoever's has.
                try write(path, .content(digest))
            } else if mine == nil, !contents.contains(digest), !now.given.contains(digest), !everybodyHas {
                try write(path, .content(digest))
            } else if mine != nil, everybodyHas, world.chance(0.5) {
                carrier.remove(path)
            }
            if has(.givenOnce) { now.given.insert(digest) }
        }
        for path in carrier.files.keys.sorted() where path.folder == now.folder && path.kind == .content {
            let isNeeded = live.contains { $0.text == path.name } || wanted.contains { $0.text == path.name }
            if !isNeeded, world.chance(0.5) { carrier.remove(path) }
        }
        let path = Carrier.Path(folder: now.folder, kind: .head), there = carrier.file(path)?.head
        if there?.lacks != lacks || there?.has != live.intersection(now.content) {
            let head = Carrier.Head(lacks: lacks, has: live.intersection(now.content), mark: world.numbers.next())
            now.marks.insert(head.mark)
            commit()
            try mayCrash()
            try write(path, .head(head))
        }
        commit()
        return lacks
    }

    /// Somebody else is this device, or this one was: by files under its name that it does not know.
    private func takeOtherNameIfCopied(_ carrier: Carrier) {
        let isForeign = carrier.files.contains { $0.key.folder == now.folder && $0.key.kind == .facts && now.own[$0.key] == nil && $0.value.isWhole }
        let head = carrier.file(Carrier.Path(folder: now.folder, kind: .head))?.head
        let isOthersHead = !has(.unmarkedHeads) && head.map { !now.marks.contains($0.mark) } == true
        guard isForeign || isOthersHead, !has(.sameName) else { return }
        now.folder = world.newFolder()
        (now.own, now.given) = ([:], [])
        commit()
    }

    private func hear(_ carrier: Carrier) {
        for (path, file) in carrier.files.sorted(by: { $0.key < $1.key }) where path.kind == .facts && !now.read.contains(path) && now.own[path] == nil {
            guard let facts = file.facts, !(has(.sameName) && path.folder == now.folder) else { continue }
            guard file.isWhole else {
                if has(.torn) {
                    now.known.add(facts.sorted { $0.id < $1.id }.prefix(facts.count / 2))
                    now.read.insert(path)
                }
                continue
            }
            if has(.cursor) {
                let number = Int(path.name.prefix(6)) ?? 0
                if number <= now.lastRead[path.folder] ?? -1 { continue }
                now.lastRead[path.folder] = number
            }
            now.known.add(facts)
            now.read.insert(path)
            now.told.formUnion(facts)
        }
    }

    private func sayNew(_ carrier: Carrier, _ isAtRest: Bool, _ mayCrash: () throws -> Void) throws {
        var new = Set(facts.all).subtracting(now.told)
        // And what no file says any more, whoever said it first.
        if !has(.saidOnce), isAtRest || world.chance(0.3) {
            var said = Set<Fact>()
            for file in carrier.files.values where file.isWhole { said.formUnion(file.facts ?? []) }
            for facts in now.own.values { said.formUnion(facts) }
            new.formUnion(Set(facts.all).subtracting(said))
        }
        guard !new.isEmpty else { return }
        let former = now.own.keys, together = former.count >= 4
        let data = together ? now.own.values.reduce(into: new) { $0.formUnion($1) } : new
        now.number += 1
        var name = String(String(1_000_000 + now.number).dropFirst())
        if !has(.numbersOnly) { name += "-" + SHA256.digest(of: data.sorted { $0.id < $1.id }.flatMap { $0.bytes ?? [] }).text }
        if together { now.own = [:] }
        now.own[Carrier.Path(folder: now.folder, kind: .facts, name: name)] = data
        now.told = Set(facts.all)
        commit()
        try mayCrash()
    }

    /// What was put together, and what is torn.
    private func removeSuperfluous(_ carrier: Carrier) {
        guard !has(.sameName) else { return }
        for (path, file) in carrier.files where path.folder == now.folder && path.kind == .facts && now.own[path] == nil {
            if !file.isWhole || file.facts?.allSatisfy(facts.knows) == true { carrier.remove(path) }
        }
    }

    // MARK: A server

    func meet(_ server: Joiner, mayCrash: () throws -> Void) throws -> Set<Digest> {
        var forgot = false
        if !has(.noMark) {
            let last = now.pairs.count
            while let pair = now.pairs.last, now.pairs.count > 1, server.marks[pair.count] != pair.mark { now.pairs.removeLast() }
            forgot = now.pairs.count < last
        }
        let since = min(now.pairs.last?.count ?? 0, server.facts.count)
        now.known.add(server.facts[since...])
        let got = server.facts.count
        if has(.noMark) {
            now.pairs.append((max(got, now.pairs.last?.count ?? 0), 0))
        } else if let mark = server.marks[got] {
            now.pairs.append((got, mark))
        }
        let (lacks, live) = try adopt(server.contents.contains)
        let known = Set(server.facts)
        // In one step with the new pair.
        if forgot, !has(.twoSteps) { now.toldServer.formIntersection(known) }
        commit()
        try mayCrash()
        if forgot { now.toldServer.formIntersection(known) }
        let new = facts.all.filter { !now.toldServer.contains($0) && !known.contains($0) }
        server.contents.formUnion(live.intersection(now.content))
        server.push(new, mark: world.numbers.next())
        try mayCrash()
        now.toldServer.formUnion(facts.all)
        if !has(.noPair), !has(.noMark), let mark = server.marks[server.facts.count] { now.pairs.append((server.facts.count, mark)) }
        commit()
        return lacks
    }
}
