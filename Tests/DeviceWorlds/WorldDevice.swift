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
        /// What items are called for whose names its store has no place, and which it refused.
        var names: [ItemID: Set<LocalName>] = [:]
        var refused: Set<[UInt8]> = []
        var share: FolderTransport.Memory
        var server = ServerTransport.Memory()
    }

    var now: State
    var durable: State
    var disk: Disk {
        didSet {
            isSettled = false
            if !disk.remade.isEmpty { forgetRemade() }
        }
    }
    /// Nothing was to be done, and nothing is another since then.
    var isSettled = false
    /// A folder that cannot be listed, or the top, and until when; and until when its store is not there.
    var unlisted: (folder: LocalID?, until: Int64)?
    var awayUntil: Int64 = 0
    /// What its store refused, and until when. The process knows it, and nobody writes it down.
    var stuck: [Step: Int64] = [:]
    /// What it knows of what is to be done, while it runs.
    var followed: FollowedPlanner?
    /// What it knows of what it can give, and what was here then.
    var followedContents: (given: FollowedContents, here: Set<Digest>)?
    /// How often something was planned.
    var plans = 0
    /// What was among the deleted when it was planned.
    var deletedWhenPlanned: Set<LocalID> = []
    /// Whether its store was not there.
    var wasAwayWhenPlanned = false
    var needed: [Version]?
    /// No fact came since the view was checked.
    var isChecked = false
    /// Contents that were ever here. For the test alone, as what follows.
    var seen: Set<Digest> = [Disk.noBytes]
    /// What the user saved and nobody has replaced: each was acknowledged.
    var saved: Set<Digest> = []
    var deletedHere: Set<ItemID> = []
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
    /// What item that was, and where all saw it then.
    var putAs: [LocalID: (item: ItemID, folder: ItemID?, shown: ItemName?)] = [:]
    /// How far the clock that does not go back while it runs stands from the world's.
    var running: Int64 = 0
    /// Documents as they were once, and those that were put back since, with what its user says of it.
    var backedUp: [LocalID: Disk.File] = [:]
    var putBack: Set<LocalID> = []
    var areOlderMeant = false
    /// What its user said of those that he was asked about.
    var olderAre: [LocalID: OlderDocument] = [:]
    /// What programs write there that are not done: what is in each of these files is half of something, and this is to be in it.
    var writing: [LocalID: Digest] = [:]
    /// The permissions that its user gave.
    var allowed: [LocalID: UInt16] = [:]
    /// The names that its user gave.
    var given: [LocalID: [UInt8]] = [:]
    /// Of plain files of so many bytes it keeps conflicts.
    let mostKept: UInt64
    /// Whether somebody has written down here that packages are documents.
    private(set) var knowsPackages: Bool
    /// How far its clock is off.
    let clockError: Int64

    init(_ name: String, _ world: World, clockError: Int64 = 0) {
        (self.name, self.world, self.clockError) = (name, world, clockError)
        disk = Disk(
            world.trouble.contains(.names) ? WorldNames.store(drawnWith: world) : StoreNames(),
            modes: world.trouble.contains(.modes) ? world.pick([nil, 0o7777, 0o7777, 0o7700]) : nil, reuses: world.trouble.contains(.restarts) && world.chance(0.5),
            grain: world.trouble.contains(.grains) ? world.pick([nil, 2, 2, 10]) : nil, clock: { [unowned world] in world.time })
        knowsPackages = world.trouble.contains(.kinds) && world.chance(0.4)
        mostKept = world.trouble.contains(.unkept) ? world.pick([0, 100, .max]) : .max
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
        if world.has(.localNameForgotten) { now.names = [:] }
        (followed, followedContents) = (nil, nil)
        forgetMovesBack()
        unsettle()
        returned = [:]
        drafts = []
        writing = [:]
        stuck = [:]
        if world.trouble.contains(.restarts) { running = world.pick([0, -5_000, -100_000]) }
    }

    /// What had the number of another file is known by that no more.
    private func forgetRemade() {
        for id in disk.remade {
            (putHere[id], putAs[id], given[id], allowed[id], returned[id], writing[id]) = (nil, nil, nil, nil, nil, nil)
            (moved.remove(id), unsaid.remove(id), putBack.remove(id))
            drafts.removeAll { $0.file == id }
        }
        disk.remade = []
    }

    /// In seconds, as the device counts them.
    var localTime: Int64 { world.time + running }

    /// The whole computer, with its disk.
    struct Backup {
        let state: State, disk: Disk, given: [LocalID: [UInt8]], allowed: [LocalID: UInt16], seen: Set<Digest>, saved: Set<Digest>, moved: Set<LocalID>, putHere: [LocalID: Digest], knowsPackages: Bool
    }

    var backup: Backup { Backup(state: durable, disk: disk, given: given, allowed: allowed, seen: seen, saved: saved, moved: moved, putHere: putHere, knowsPackages: knowsPackages) }

    func restore(_ backup: Backup) {
        (now, durable, disk, seen, saved, moved, putHere) = (backup.state, backup.state, backup.disk, backup.seen, backup.saved, backup.moved, backup.putHere)
        (given, allowed, putAs, olderAre, writing) = (backup.given, backup.allowed, [:], [:], [:])
        knowsPackages = backup.knowsPackages
        // What it deleted after that was somebody else's doing.
        (returned, drafts, unsaid, deletedHere, decisions, stuck) = ([:], [], [], [], [], [:])
        (followed, followedContents) = (nil, nil)
        unsettle()
    }

    /// Contents that are here and of which it knows that they were said.
    var keptContents: Set<Digest> { disk.contents.intersection(facts.versions.compactMap(\.digest)) }

    func unsettle() { (isSettled, isChecked, needed) = (false, false, nil) }

    func hear(_ facts: some Collection<Fact>) {
        if facts.isEmpty { return }
        isChecked = false
        let items = now.known.add(facts)
        if items.isEmpty { return }
        followed?.hear(items, now.known)
        if let here = followedContents?.here { followedContents?.given.hear(items, now.known) { isHere($0, here) } }
        unsettle()
    }

    /// Contents of what is current or in conflict.
    func neededContents() -> Set<Digest> { Set(neededVersions().compactMap(\.digest)) }

    func neededVersions() -> [Version] {
        if let needed { return needed }
        let found = now.known.needed
        needed = found
        return found
    }

    /// What it can give, and what it asks for.
    func contentsHere() throws -> ContentsHere {
        let here = disk.contents
        let whole = ContentsHere(neededVersions()) { isHere($0, here) }
        // Another thumbnail is no other content.
        if world.has(.thumbnailTravels) { return whole }
        var followed = followedContents ?? (FollowedContents(now.known) { isHere($0, here) }, here)
        followedContents = nil
        if !world.has(.comingUnnoticed) {
            followed.given.reconsider(here.symmetricDifference(followed.here), now.known) { isHere($0, here) }
        }
        followed.here = here
        followedContents = followed
        guard followed.given.here == whole else { throw Fault("what can be given by what changed is not all") }
        return whole
    }

    private func isHere(_ version: Version, _ here: Set<Digest>) -> Bool {
        version.digest.map { here.contains($0) && version.contents == [travelling($0)] } ?? true
    }

    /// What it gives of a content to others, and says of it.
    func travelling(_ content: Digest) -> Digest {
        guard world.has(.thumbnailTravels) else { return World.travelling(content) }
        return World.travelling(content, with: disk.files.values.filter { $0.content == content }.compactMap(\.derived).min())
    }

    /// The content of a file as the kind says it.
    func essence(_ file: Disk.File) -> Digest {
        guard world.has(.thumbnailIsContent), let derived = file.derived else { return file.content }
        return World.travelling(file.content, with: derived)
    }

    func have(_ digest: Digest) { seen.insert(digest) }
}
