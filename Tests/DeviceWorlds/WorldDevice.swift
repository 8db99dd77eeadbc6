import Hashes
import Replication

/// A computer with a container, and what it knows of the others.
final class WorldDevice {
    let name: String
    unowned let world: World

    /// What is in its database. A crash leaves what was durable last.
    struct State {
        var known: FollowedView
        var synced: [ItemID: Synced] = [:]
        /// What was read, while the stamp is the same.
        var read: [LocalID: (stamp: LocalStamp, digest: Digest)] = [:]
        /// Which item each file was that went among the deleted.
        var gone: [LocalID: ItemID] = [:]
        var share: FolderTransport.Memory
        var server = ServerTransport.Memory()
    }

    var now: State
    private var durable: State
    var disk = Disk() { didSet { isSettled = false } }
    /// Nothing was to be done, and nothing is another since then.
    private var isSettled = false
    /// A folder that cannot be listed, or the top, and until when; and until when its store is not there.
    private var unlisted: (folder: LocalID?, until: Int64)?
    private var awayUntil: Int64 = 0
    /// What its store refused, and until when. The process knows it, and nobody writes it down.
    private var stuck: [Step: Int64] = [:]
    /// What it knows of what is to be done, while it runs.
    private var followed: FollowedPlanner?
    /// How often something was planned.
    private var plans = 0
    /// What was among the deleted when it was planned.
    private var deletedWhenPlanned: Set<LocalID> = []
    /// Whether its store was not there.
    private var wasAwayWhenPlanned = false
    private var needed: [Version]?
    /// No fact came since the view was checked.
    private var isChecked = false
    /// Contents that were ever here. For the test alone, as what follows.
    var seen: Set<Digest> = [Disk.noBytes]
    /// What the user saved and nobody has replaced: each was acknowledged.
    var saved: Set<Digest> = []
    private var deletedHere: Set<ItemID> = []
    /// Documents that a program removed and made anew a moment later, by their files.
    var returned: [LocalID: (item: ItemID, path: String, alike: Int)] = [:]
    var drafts: [Draft] = []
    /// What the user moved, ever: a crash may forget that it was said.
    var moved: Set<LocalID> = []
    /// And of which nobody has said where it is now.
    var unsaid: Set<LocalID> = []
    /// Conflicts that the user decided about.
    var decisions: Set<FactID> = []
    /// What the device itself put into files that nobody wrote into since then.
    var putHere: [LocalID: Digest] = [:]
    /// How far its clock is off.
    let clockError: Int64

    init(_ name: String, _ world: World, clockError: Int64 = 0) {
        (self.name, self.world, self.clockError) = (name, world, clockError)
        now = State(known: FollowedView([], world.rules), share: FolderTransport.Memory(folder: world.newFolder()))
        durable = now
    }

    var clock: Int64 { world.time + clockError }
    var view: View { now.known.view }
    var facts: Facts { now.known.facts }
    func digest(_ version: FactID) -> Digest? { facts.versions[version]?.digest }

    // MARK: What lasts

    func makeDurable() { durable = now }

    func crash() {
        now = durable
        followed = nil
        forgetMovesBack()
        unsettle()
        returned = [:]
        drafts = []
        stuck = [:]
    }

    /// The whole computer, with its disk.
    struct Backup {
        let state: State, disk: Disk, seen: Set<Digest>, saved: Set<Digest>, moved: Set<LocalID>, putHere: [LocalID: Digest]
    }

    var backup: Backup { Backup(state: durable, disk: disk, seen: seen, saved: saved, moved: moved, putHere: putHere) }

    func restore(_ backup: Backup) {
        (now, durable, disk, seen, saved, moved, putHere) = (backup.state, backup.state, backup.disk, backup.seen, backup.saved, backup.moved, backup.putHere)
        // What it deleted after that was somebody else's doing.
        (returned, drafts, unsaid, deletedHere, decisions, stuck) = ([:], [], [], [], [], [:])
        followed = nil
        unsettle()
    }

    /// Contents that are here and of which it knows that they were said.
    var keptContents: Set<Digest> { disk.contents.intersection(facts.versions.compactMap(\.digest)) }

    private func unsettle() { (isSettled, isChecked, needed) = (false, false, nil) }

    func hear(_ facts: some Collection<Fact>) {
        if facts.isEmpty { return }
        isChecked = false
        let items = now.known.add(facts)
        if items.isEmpty { return }
        followed?.hear(items, now.known)
        unsettle()
    }

    /// Contents of what is current or in conflict.
    func neededContents() -> Set<Digest> { Set(neededVersions().compactMap(\.digest)) }

    private func neededVersions() -> [Version] {
        if let needed { return needed }
        let found = now.known.needed
        needed = found
        return found
    }

    /// What it can give, and what it asks for.
    private var contentsHere: ContentsHere {
        let here = disk.contents
        return ContentsHere(neededVersions()) { version in
            version.digest.map { here.contains($0) && version.contents == [travelling($0)] } ?? true
        }
    }

    /// What it gives of a content to others, and says of it.
    private func travelling(_ content: Digest) -> Digest {
        guard world.has(.thumbnailTravels) else { return World.travelling(content) }
        return World.travelling(content, with: disk.files.values.filter { $0.content == content }.compactMap(\.derived).min())
    }

    /// The content of a file as the kind says it.
    private func essence(_ file: Disk.File) -> Digest {
        guard world.has(.thumbnailIsContent), let derived = file.derived else { return file.content }
        return World.travelling(file.content, with: derived)
    }

    func have(_ digest: Digest) { seen.insert(digest) }

    // MARK: Planning

    private func local(isQuiet: Bool) -> LocalItems {
        var entries: [LocalID: LocalEntry] = [:]
        for (id, file) in disk.files where !isHidden(id) {
            var entry = file.entry
            if let known = now.read[id], known.stamp == entry.stamp { entry.digest = known.digest }
            entries[id] = entry
        }
        var local = LocalItems(
            entries, synced: now.synced, contents: disk.contents, conflicts: disk.conflicts.mapValues { Set($0.keys) }, decided: disk.decided,
            deleted: disk.deleted, gone: now.gone, stuck: Set(stuck.keys), time: world.time)
        if let unlisted, world.time < unlisted.until { local.unlisted = [unlisted.folder] }
        // Of a device with nothing only the folder itself tells that it is another one.
        if isAway, now.synced.isEmpty { local.unlisted = [nil] }
        local.vanishing = VanishingLimit(most: .max, all: 1)
        // Its user is asked when nothing else happens.
        local.isVanishingMeant = isQuiet || !world.trouble.contains(.vanishing)
        return local
    }

    /// Its store is not there.
    private var isAway: Bool { world.time < awayUntil }

    /// Whether a look does not find it, though it is there.
    private func isHidden(_ id: LocalID) -> Bool {
        guard let file = disk.files[id] else { return false }
        if isAway { return true }
        guard let unlisted, world.time < unlisted.until else { return false }
        return unlisted.folder.map { disk.isInside(file.entry.folder, $0) } ?? true
    }

    /// For a while its store is not there, or a folder cannot be listed, or the top.
    func vanish() {
        returned = [:]
        let until = world.time + Int64(world.number(1...90))
        guard world.chance(0.5) else {
            let folder = world.pick([nil] + disk.folders.map(Optional.some))
            unlisted = (folder, until)
            return world.tell("\(name): \(folder.map { disk.path($0) } ?? "the top") cannot be listed for a while")
        }
        awayUntil = until
        world.tell("\(name): the store is not there for a while")
    }

    private func comeBack() { (unlisted, awayUntil) = (nil, 0) }
    var isVanished: Bool { isAway || unlisted.map { world.time < $0.until } ?? false }

    /// What is to be done next, which is the same whether it is planned from what is other than it was, or from everything.
    private func plan(isQuiet: Bool = false) throws -> [Step] {
        let local = local(isQuiet: isQuiet)
        var planner = followed ?? FollowedPlanner(now.known, local)
        followed = nil
        planner.follow(local, now.known)
        let steps = planner.steps(now.known)
        followed = planner
        guard !world.plansAreCompared || steps == Planner(now.known, local).steps() else {
            throw Fault("what is planned from what changed is not the whole plan")
        }
        return steps
    }

    /// Does what is to be done, until nothing is. The user goes on meanwhile.
    func work(isQuiet: Bool = false, mayCrash: () throws -> Void = {}) throws {
        if isQuiet { comeBack() }
        if isSettled, !world.trouble.contains(.vanishing) { return }
        stuck = isQuiet ? [:] : stuck.filter { $0.value > world.time }
        for _ in 0..<300 {
            let steps = try plan(isQuiet: isQuiet)
            plans += 1
            deletedWhenPlanned = disk.deleted
            wasAwayWhenPlanned = isAway
            let plan = plans
            guard !steps.isEmpty else {
                // What its store refuses to have read may be anything.
                if stuck.isEmpty, !isVanished { try checkReturned() }
                // What is missing is gone after a while.
                isSettled = now.synced.values.allSatisfy { $0.missing == nil } && stuck.isEmpty
                return
            }
            for step in steps {
                if !isQuiet, world.chance(0.02 * world.roughness) { try act() }
                // Or what somebody looked at meanwhile, and said, would be said twice.
                guard plan == plans || world.has(.saidTwice) else { break }
                if world.trouble.contains(.stubborn), !isQuiet, isRefused(step) { continue }
                try carryOut(step)
                if !isQuiet, world.chance(0.3 / world.roughness) { makeDurable() }
                try mayCrash()
            }
            if !isChecked { try world.check(self) }
            isChecked = true
        }
        throw Fault("\(name) is never done: \(try plan().prefix(3))")
    }

    /// Now and then its store does, of what is done there.
    private func isRefused(_ step: Step) -> Bool {
        switch step {
        case .read, .put, .replace, .move, .exchange, .putAway, .keepConflict: break
        default: return false
        }
        guard world.chance(0.25) else { return false }
        stuck[step] = world.time + Int64(world.number(1...60))
        return true
    }

    private func checkReturned() throws {
        for (id, (item, path, alike)) in returned where disk.path(id) == path {
            // Others may have deleted it meanwhile.
            guard deletedHere.contains(item) || view.items[view.which(item)]?.current != nil else { continue }
            let files = now.synced.filter { view.which($0.key) == view.which(item) }.map(\.value.entry)
            // Or it turned out to be one with another that is here: that is the document then.
            if howManyAre(item) > alike, files.contains(where: { disk.files[$0] != nil }) { continue }
            guard files.contains(id) else { throw Fault("what came back is another document") }
        }
        returned = [:]
    }

    /// Items that are one with this one.
    func howManyAre(_ item: ItemID) -> Int { view.joined.values.count { $0 == view.which(item) } }

    // MARK: Steps

    /// Whether it is what the step was planned for, in the moment when that is carried out.
    private func isSame(_ entry: LocalEntry) -> Bool {
        guard var now = disk.files[entry.id]?.entry else { return false }
        now.digest = entry.digest
        return now == entry
    }

    private func note(_ item: ItemID, _ id: LocalID, leaves: Set<FactID>) {
        guard let file = disk.files[id] else { return }
        let folder = file.entry.folder.flatMap { folder in now.synced.first { $0.value.entry == folder }?.key }
        now.synced[item] = Synced(file.entry, in: folder, digest: file.content, leaves: leaves)
        now.read[id] = (file.entry.stamp, file.content)
    }

    private func carryOut(_ step: Step) throws {
        switch step {
        case .read(let id, let stamp):
            guard let file = disk.files[id], file.entry.stamp == stamp else { return }
            now.read[id] = (stamp, essence(file))
            have(file.content)
        case .sayNew(let entry, let folder):
            guard isSame(entry), let content = disk.files[entry.id]?.content else { return }
            try checkNew(entry, content, in: folder)
            let item = ItemID(world.mark())
            let version = say(.version(version(of: item, content, [])), rank: clock)
            say(.place(Location(of: item, folder: folder, name: ItemName(entry.name), kind: entry.kind, former: nil)), rank: clock)
            now.synced[item] = Synced(entry, in: folder, digest: content, leaves: [version])
            unsaid.remove(entry.id)
            world.tell("\(name) says that \(disk.path(entry.id)) is new")
        case .sayContent(let item, let digest, let replacing, let entry):
            guard isSame(entry) else { return }
            guard disk.files[entry.id]?.content == digest else { throw Fault("a thumbnail is said to be an edit") }
            try checkOther(item, digest, entry)
            try checkWritten(item, digest, entry)
            let version = try sayVersion(of: item, digest, replacing)
            guard let synced = now.synced[item] else { return }
            now.synced[item] = Synced(entry, in: synced.folder, named: synced.name, digest: digest, leaves: [version])
            now.synced[item]?.going = synced.going
            forgetMovesBack()
            world.tell("\(name) says that \(disk.path(entry.id)) has other content")
        case .sayBeside(let item, let digest, let replacing, let entry):
            guard isSame(entry) else { return }
            try checkBeside(entry, replacing)
            let leaf = facts.versions.values.filter { $0.version.map { view.which($0.item) } == view.which(item) && $0.digest == digest && !facts.replaced.contains($0.id) }.map(\.id).min()
            let version = try leaf ?? sayVersion(of: item, digest, replacing)
            // Or nobody would know any more of what the conflict is.
            makeDurable()
            disk.conflicts[view.which(item), default: [:]][version] = digest
            disk.clearBeside(entry.id, digest)
        case .sayDecided(let item, let digest, let replacing, let entry):
            guard isSame(entry), disk.files[entry.id]?.content == digest else { return }
            let version = try sayVersion(of: item, digest, replacing)
            now.synced[item]?.leaves = [version]
            world.tell("\(name) says what was decided of \(disk.path(entry.id))")
        case .sayBack(let item, let digest, let replacing, let entry, let folder):
            guard isSame(entry), disk.files[entry.id]?.content == digest, let seen = view.items[item], let place = seen.place?.place, let rank = seen.place?.rank else { return }
            let version = try sayVersion(of: item, digest, replacing)
            if seen.folder != folder || place.name.shown != entry.name {
                say(.place(Location(of: item, folder: folder, name: ItemName(entry.name), kind: place.kind, former: seen.folder)), rank: max(clock, rank + 1))
            }
            now.synced[item] = Synced(entry, in: folder, digest: digest, leaves: [version])
            unsaid.remove(entry.id)
            world.tell("\(name) says that \(disk.path(entry.id)) is there again")
        case .sayPlace(let item, let folder, let entry):
            guard isSame(entry), let seen = view.items[view.which(item)], let place = seen.place?.place, let rank = seen.place?.rank else { return }
            try checkMoved(seen, entry, to: folder)
            say(.place(Location(of: item, folder: folder, name: ItemName(entry.name), kind: place.kind, former: seen.folder)), rank: max(clock, rank + 1))
            now.synced[item]?.folder = folder
            now.synced[item]?.name = entry.name
            unsaid.remove(entry.id)
            world.tell("\(name) says that something was moved to \(disk.path(entry.id))")
        case .noteMissing(let item):
            if let gone = now.synced[item]?.entry, deletedWhenPlanned.contains(gone) { throw Fault("what is decided is waited for") }
            now.synced[item]?.missing = world.time
        case .sayDeleted(let item, let replacing):
            try checkGone(item)
            try checkFound(item)
            deletedHere.insert(item)
            _ = try sayVersion(of: item, nil, replacing)
            world.tell("\(name) says that \(String(decoding: now.synced[item]?.name ?? [], as: UTF8.self)) is deleted")
            if let file = now.synced[item]?.entry, disk.deleted.contains(file) { now.gone[file] = item }
            now.synced[item] = nil
        case .note(let item, let synced):
            noteMoved(item, synced)
            now.synced[item] = synced
        case .join(let item, let one): now.synced[one] = now.synced.removeValue(forKey: item)
        case .forget(let item):
            try checkFound(item)
            now.synced[item] = nil
        case .repair(let facts): hear(facts)
        case .keepConflict(let item, let version):
            guard let digest = digest(version), disk.contents.contains(digest) else { return }
            disk.keep(item, version, digest)
        case .settle(let item, let version):
            // Nor must what was decided of it.
            if !world.has(.letGoEarly) { makeDurable() }
            disk.settle(item, version)
            try checkSettled(item, version)
        case .put, .replace, .move, .exchange, .putAway: try adopt(step)
        }
    }

    /// What others said becomes what is here.
    private func adopt(_ step: Step) throws {
        if isAway {
            // Who carries it out sees that the folder is another one since it was planned.
            guard wasAwayWhenPlanned else { return }
            throw Fault("something is done to a store that is not there")
        }
        // What was said of what is replaced here must not be forgotten after that.
        if !world.has(.replacedEarly) { makeDurable() }
        switch step {
        case .put(let item, let version, let folder, let name, let kind):
            let content = kind == .folder ? Disk.noBytes : version.flatMap(digest)
            guard let content, kind == .folder || disk.contents.contains(content), let made = disk.make(in: folder, name, kind, content) else { return }
            putHere[made.id] = content
            note(item, made.id, leaves: now.known.standsFor(item))
            world.tell("\(self.name) puts \(disk.path(made.id)) there")
        case .replace(let item, let version, let entry):
            guard let content = digest(version), disk.contents.contains(content), world.has(.unstamped) ? disk.files[entry.id] != nil : isSame(entry) else { return }
            // Somebody decided a moment ago that what is there is no conflict.
            if let here = disk.files[entry.id]?.content, disk.decided[item]?.contains(where: { digest($0) == here }) == true { return }
            try giveUp(entry.id, of: item)
            disk.write(entry.id, content)
            putHere[entry.id] = content
            note(item, entry.id, leaves: now.known.standsFor(item))
            world.tell("\(name) puts other content into \(disk.path(entry.id))")
        case .move(let item, let entry, let folder, let name):
            guard isSame(entry) else { return }
            try checkMovedBack(entry)
            guard disk.move(entry.id, to: folder, name), let synced = now.synced[item] else { return }
            note(item, entry.id, leaves: synced.leaves)
            world.tell("\(self.name) moves \(String(decoding: entry.name, as: UTF8.self)) to \(disk.path(entry.id))")
        case .exchange(let one, let other):
            guard isSame(one), isSame(other) else { return }
            try checkMovedBack(one)
            try checkMovedBack(other)
            disk.exchange(one.id, other.id)
            for (item, synced) in now.synced where [one.id, other.id].contains(synced.entry) { note(item, synced.entry, leaves: synced.leaves) }
        case .putAway(let item, let entry):
            guard isSame(entry), disk.inside(entry.id).isEmpty else { return }
            if entry.kind != .folder { try giveUp(entry.id, of: item) }
            // Of two that are one the other is here.
            if view.which(item) == item, !facts.versions.values.contains(where: { $0.digest == nil && $0.version.map { view.which($0.item) } == item }) {
                throw Fault("what nobody deleted is put away")
            }
            world.tell("\(name) puts \(disk.path(entry.id)) away")
            if entry.kind != .folder, view.which(item) == item {
                disk.putAway(entry.id)
                now.gone[entry.id] = item
            } else { disk.remove(entry.id) }
            now.synced[item] = nil
        default: break
        }
    }

    private func checkFound(_ item: ItemID) throws {
        if let file = now.synced[item]?.entry, isHidden(file) { throw Fault("what could not be looked at counts as gone") }
    }

    /// I4 of conflicts: a crash does not bring back one that is let go of.
    private func checkSettled(_ item: ItemID, _ version: FactID) throws {
        let seen = durable.known.view, one = seen.which(item)
        // It may lie with the other one of two that are one.
        guard seen.items[one]?.conflicts.contains(version) == true, disk.conflicts[view.which(item)]?[version] == nil else { return }
        throw Fault("a conflict that may come back is let go of")
    }

    /// I4: what is replaced here is a version that somebody said, and this device does not forget that. A conflict lies beside its document by then, for what is
    /// replaced is kept for a while only.
    private func giveUp(_ id: LocalID, of item: ItemID) throws {
        guard let file = disk.files[id] else { return }
        let one = view.which(item), isConflict = view.items[one]?.conflicts.contains { digest($0) == file.content } == true
        if isConflict, disk.conflicts[one]?.values.contains(file.content) != true { throw Fault("a conflict is replaced before it is kept") }
        guard facts.versions.values.contains(where: { $0.digest == file.content }) else { throw Fault("what nobody has said is replaced") }
        guard durable.known.facts.versions.values.contains(where: { $0.digest == file.content }) else { throw Fault("what may be forgotten is replaced") }
        disk.other.insert(file.content)
    }

    // MARK: Saying

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

    private func version(of item: ItemID, _ digest: Digest?, _ parents: Set<FactID>) -> Version {
        let parts = digest.map { [Version.Part(path: [], .elsewhere([travelling($0)]))] }
        return Version(of: item, digest: digest, parents: parents, body: parts.map { Version.Body(size: 0, time: 0, computer: [], parts: $0) })
    }

    /// I3: what is replaced was here, or an equal one was replaced by who had it.
    private func checkSeen(_ parent: FactID, of item: ItemID) throws {
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
    private func checkDurable(_ facts: Set<Fact>) throws {
        guard facts.allSatisfy(durable.known.facts.knows) else { throw Fault("somebody hears what may be forgotten here") }
    }

    /// As the protocol says: what was heard is durable with the memory, and what is said is durable before.
    private func meet<Carried: Transport>(_ transport: inout Carried, isQuiet: Bool, _ mayCrash: () throws -> Void, keep: (Carried.Memory) -> Void) throws {
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
        try transport.say(facts, contentsHere)
        keep(transport.memory)
        makeDurable()
        letGo()
    }

    private func fetch(from transport: some Transport) throws {
        let come = try transport.available(contentsHere.lacking), here = disk.contents
        if come.isEmpty { return }
        let fetched = neededVersions().filter { version in version.digest.map { !here.contains($0) } ?? false && come.isSuperset(of: version.contents) }
            .compactMap(\.digest)
        disk.other.formUnion(fetched)
        fetched.forEach(have)
    }

    /// What is no content of anything here is let go of after a while.
    private func letGo() {
        for digest in disk.other.subtracting(neededContents()).sorted() where world.chance(0.3) { disk.other.remove(digest) }
    }
}
