import Hashes
import Replication

// What a device looks at, and what it plans and does then.
extension WorldDevice {
    func local(isQuiet: Bool) -> LocalItems {
        var entries: [LocalID: LocalEntry] = [:]
        for (id, file) in disk.files where !isHidden(id) {
            var entry = looked(at: file)
            if let known = now.read[id], known.stamp == entry.stamp { entry.digest = known.digest }
            entries[id] = entry
        }
        var local = LocalItems(
            entries, synced: now.synced, contents: disk.contents, conflicts: disk.conflicts.mapValues { Set($0.keys) }, decided: disk.decided,
            deleted: disk.deleted, gone: now.gone, stuck: Set(stuck.keys), time: localTime)
        if let unlisted, world.time < unlisted.until { local.unlisted = [unlisted.folder] }
        // Of a device with nothing only the folder itself tells that it is another one.
        if isAway, now.synced.isEmpty { local.unlisted = [nil] }
        local.aside = disk.other
        local.kinds = knowsPackages ? [WorldNames.packages] : []
        (local.mostKept, local.numbersComeBack) = (mostKept, disk.reuses)
        local.older = world.trouble.contains(.backups) ? VanishingLimit(most: 0, all: 1) : VanishingLimit(most: .max, all: .max)
        local.olderAre = olderAre
        if isQuiet, world.has(.answeredForAll) {
            local.olderAre = entries.mapValues { OlderDocument($0.stamp, is: .mistaken) }
        }
        (local.store, local.names) = (disk.names, now.names)
        // What it refuses for what it is, it says when it is tried.
        (local.store.forbidden, local.store.trims, local.store.refused) = ([], false, now.refused)
        local.vanishing = VanishingLimit(most: .max, all: 1)
        // Its user is asked when nothing else happens.
        local.isVanishingMeant = isQuiet || !world.trouble.contains(.vanishing)
        return local
    }

    /// As a look finds it in this moment.
    func looked(at file: Disk.File) -> LocalEntry {
        var entry = file.entry
        if isFresh(entry) { entry.stamp = LocalStamp(size: entry.stamp.size, modified: entry.stamp.modified, changed: entry.stamp.changed, isFresh: true) }
        return entry
    }

    private func isFresh(_ entry: LocalEntry) -> Bool {
        if entry.kind == .folder { return false }
        return writing[entry.id] != nil || disk.isOfThisMoment(entry.stamp) && !world.has(.grainUnnoticed)
    }

    private var hasFresh: Bool { !world.trouble.isDisjoint(with: [.grains, .writers]) && disk.files.values.contains { isFresh($0.entry) } }

    /// Its store is not there.
    var isAway: Bool { world.time < awayUntil }

    /// Whether a look does not find it, though it is there.
    func isHidden(_ id: LocalID) -> Bool {
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

    func comeBack() { (unlisted, awayUntil) = (nil, 0) }
    var isVanished: Bool { isAway || unlisted.map { world.time < $0.until } ?? false }

    /// What is to be done next, which is the same whether it is planned from what is other than it was, or from everything.
    func plan(isQuiet: Bool = false) throws -> [Step] {
        if world.trouble.contains(.kinds) { try checkForms() }
        let local = local(isQuiet: isQuiet)
        var planner = followed ?? FollowedPlanner(now.known, local)
        followed = nil
        planner.follow(local, now.known)
        let steps = planner.steps(now.known)
        followed = planner
        guard !world.plansAreCompared || steps == Planner(now.known, local).steps() else {
            world.tell("from what changed \(steps), from all \(Planner(now.known, local).steps())")
            throw Fault("what is planned from what changed is not the whole plan")
        }
        // Its user is asked when nothing else happens.
        guard isQuiet, !planner.older.isEmpty else { return steps }
        for (id, stamp) in planner.older {
            olderAre[id] = OlderDocument(stamp, is: putBack.contains(id) && !areOlderMeant ? .mistaken : .meant)
        }
        return try plan(isQuiet: true)
    }

    /// Does what is to be done, until nothing is. The user goes on meanwhile.
    func work(isQuiet: Bool = false, mayCrash: () throws -> Void = {}) throws {
        if isQuiet { comeBack() }
        if isQuiet { finishWriting() }
        try exchangeKeys()
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
                if stuck.isEmpty, !isVanished, !hasFresh { try checkReturned() }
                // What is missing is gone after a while.
                if isQuiet { (putBack, olderAre) = ([], [:]) }
                isSettled = now.synced.values.allSatisfy { $0.missing == nil } && stuck.isEmpty && putBack.isEmpty && !hasFresh
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
        let steps = try plan().prefix(3)
        world.tell("\(name) plans \(steps)")
        throw Fault("a device is never done")
    }

    /// What was set here is said, and what others set is set here.
    private func exchangeKeys() throws {
        guard world.trouble.contains(.keys) else { return }
        for _ in 0..<3 {
            let exchange = KeyExchange(facts, disk.keys.entries, world.rules)
            if exchange.said.isEmpty, exchange.coming.isEmpty { return }
            hear(exchange.said)
            disk.keys.take(exchange.coming)
        }
        throw Fault("keys come again and again")
    }

    /// Now and then its store does, of what is done there.
    func isRefused(_ step: Step) -> Bool {
        switch step {
        case .read, .put, .replace, .move, .exchange, .putAway, .keepAside, .keepConflict: break
        default: return false
        }
        guard world.chance(0.25) else { return false }
        stuck[step] = world.time + Int64(world.number(1...60))
        return true
    }

    func checkReturned() throws {
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
}
