import Hashes
import Replication

// How a device says something, and hears what others said.
extension WorldDevice {
    @discardableResult
    func say(_ statement: Fact.Statement, rank: Int64) -> FactID {
        let fact = Fact(id: world.id(), rank: rank, device: .none, statement)
        hear([fact])
        return fact.id
    }

    func sayVersion(of item: ItemID, _ digest: Digest?, _ parents: Set<FactID>) throws -> FactID {
        for parent in parents { try checkSeen(parent, of: item) }
        let above = parents.compactMap { facts.versions[$0]?.rank }.max().map { $0 + 1 } ?? clock
        return say(.version(version(of: item, digest, parents)), rank: max(clock, above))
    }

    func version(of item: ItemID, _ digest: Digest?, _ parents: Set<FactID>) -> Version {
        let parts = digest.map { [Version.Part(path: [], .elsewhere([travelling($0)]))] }
        return Version(of: item, digest: digest, parents: parents, body: parts.map { Version.Body(size: WorldNames.size(digest), time: 0, computer: Array(name.utf8), parts: $0) })
    }

    /// I3: what is replaced was here, or an equal one was replaced by who had it.
    func checkSeen(_ parent: FactID, of item: ItemID) throws {
        // What somebody replaced who had it is replaced; to name it once more changes nothing.
        guard !facts.replaced.contains(parent), let replaced = facts.versions[parent], let digest = replaced.digest, !seen.contains(digest) else { return }
        let equals = facts.versions.values.filter { $0.digest == digest && $0.version.map { view.which($0.item) } == view.which(item) && facts.replaced.contains($0.id) }
        guard equals.contains(where: { $0.order > replaced.order }) else { throw Fault("what its writer never had is replaced") }
    }

    // MARK: Meeting the others

    func meet(_ carrier: Carrier, isAtRest: Bool, mayCrash: @escaping () throws -> Void) throws {
        let commit: (FolderTransport.Memory) -> Void = { [unowned self] memory in
            now.share = memory
            makeDurable()
        }
        var share = FolderTransport(
            memory: now.share, carrier: carrier, world: world, isAtRest: isAtRest, commit: commit, checkDurable: checkDurable, mayCrash: mayCrash)
        try meet(&share, isQuiet: isAtRest, mayCrash) { now.share = $0 }
    }

    func meet(_ joiner: Joiner, isAtRest: Bool, mayCrash: @escaping () throws -> Void) throws {
        var server = ServerTransport(memory: now.server, server: joiner, world: world, checkDurable: checkDurable, mayCrash: mayCrash)
        try meet(&server, isQuiet: isAtRest, mayCrash) { now.server = $0 }
    }

    /// I5: it is known here whatever happens, before somebody else hears it.
    func checkDurable(_ facts: Set<Fact>) throws {
        guard facts.allSatisfy(durable.known.facts.knows) else { throw Fault("somebody hears what may be forgotten here") }
    }

    /// As the protocol says: what was heard is durable with the memory, and what is said is durable before.
    func meet<Carried: Transport>(_ transport: inout Carried, isQuiet: Bool, _ mayCrash: () throws -> Void, keep: (Carried.Memory) -> Void) throws {
        try work(isQuiet: isQuiet, mayCrash: mayCrash)
        hear(try transport.hear())
        keep(transport.memory)
        makeDurable()
        try mayCrash()
        // With what was heard more is needed, and with what was done nothing else is.
        try fetch(from: transport)
        try work(isQuiet: isQuiet, mayCrash: mayCrash)
        try fetch(from: transport)
        try work(isQuiet: isQuiet, mayCrash: mayCrash)
        if !world.has(.saidEarly) { makeDurable() }
        try transport.say(facts, contentsHere())
        keep(transport.memory)
        makeDurable()
        letGo()
    }

    func fetch(from transport: some Transport) throws {
        let come = try transport.available(contentsHere().lacking), here = disk.contents
        if come.isEmpty { return }
        let fetched = neededVersions().filter { version in version.digest.map { !here.contains($0) } ?? false && come.isSuperset(of: version.contents) }
            .compactMap(\.digest)
        disk.other.formUnion(fetched)
        fetched.forEach(have)
    }

    /// What is no content of anything here is let go of after a while.
    func letGo() {
        for digest in disk.other.subtracting(neededContents()).sorted() where world.chance(0.3) { disk.other.remove(digest) }
    }
}
