import Hashes
import Replication

// How a device carries out what was planned.
extension WorldDevice {
    /// Whether it is what the step was planned for, in the moment when that is carried out.
    func isSame(_ entry: LocalEntry) -> Bool {
        guard var now = disk.files[entry.id].map(looked) else { return false }
        now.digest = entry.digest
        return now == entry
    }

    func note(_ item: ItemID, _ id: LocalID, _ content: Digest, leaves: Set<FactID>) {
        guard let entry = disk.files[id].map(looked) else { return }
        let folder = entry.folder.flatMap { folder in now.synced.first { $0.value.entry == folder }?.key }
        let permissions = now.synced[item]?.permissions
        now.synced[item] = Synced(entry, in: folder, digest: content, leaves: leaves)
        now.synced[item]?.permissions = permissions
        now.read[id] = entry.stamp.isFresh ? nil : (entry.stamp, content)
    }

    /// What its store made of those that all have.
    private func noteAllowed(_ item: ItemID, _ id: LocalID) {
        guard let mode = disk.files[id]?.entry.mode, let said = view.items[view.which(item)]?.place?.place?.permissions else { return }
        now.synced[item]?.permissions = Synced.Permissions(here: mode & Location.permissionBits, said: said)
    }

    func carryOut(_ step: Step) throws {
        switch step {
        case .sayKind(let kind): say(.kind(kind), rank: clock)
        case .read(let id, let stamp):
            guard let file = disk.files[id], looked(at: file).stamp == stamp else { return }
            now.read[id] = (stamp, essence(file))
            have(file.content)
        case .sayNew(let entry, let folder):
            guard isSame(entry), let content = disk.files[entry.id]?.content else { return }
            try checkNew(entry, content, in: folder)
            try checkDone(entry)
            let item = ItemID(world.mark())
            let version = say(.version(version(of: item, content, [])), rank: clock), mode = (entry.mode ?? 0) & Location.permissionBits
            say(.place(Location(of: item, folder: folder, name: ItemName(entry.name), kind: entry.kind, mode: mode, former: nil)), rank: clock)
            now.synced[item] = Synced(entry, in: folder, digest: content, leaves: [version])
            if mode != 0 { now.synced[item]?.permissions = Synced.Permissions(here: mode, said: mode) }
            unsaid.remove(entry.id)
            world.tell("\(name) says that \(disk.path(entry.id)) is new")
        case .sayContent(let item, let digest, let replacing, let entry):
            guard isSame(entry) else { return }
            let isOlder = now.synced[item].map { entry.stamp.modified < $0.stamp.modified } ?? false
            if putBack.contains(entry.id), isOlder, olderAre[entry.id]?.stamp != entry.stamp {
                throw Fault("what a backup put back is said to be an edit")
            }
            if let file = disk.files[entry.id], file.content != digest {
                throw Fault(file.derived != nil ? "a thumbnail is said to be an edit" : "a device says another content than its store has")
            }
            try checkOther(item, digest, entry)
            try checkDone(entry)
            try checkWritten(item, digest, entry)
            let version = try sayVersion(of: item, digest, replacing)
            guard let synced = now.synced[item] else { return }
            now.synced[item] = Synced(entry, in: synced.folder, named: synced.name, digest: digest, leaves: [version])
            now.synced[item]?.going = synced.going
            now.synced[item]?.permissions = synced.permissions
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
        case .sayBack(let item, let digest, let replacing, let entry, let folder, let name):
            let name = name ?? entry.name
            try checkName(name, of: item, entry)
            guard isSame(entry), disk.files[entry.id]?.content == digest, let seen = view.items[item], let place = seen.place?.place, let rank = seen.place?.rank else { return }
            let version = try sayVersion(of: item, digest, replacing)
            if seen.folder != folder || place.name.shown != name {
                say(.place(Location(of: item, folder: folder, name: ItemName(name), kind: place.kind, mode: place.mode, former: seen.folder)), rank: max(clock, rank + 1))
            }
            now.synced[item] = Synced(entry, in: folder, digest: digest, leaves: [version])
            unsaid.remove(entry.id)
            world.tell("\(self.name) says that \(disk.path(entry.id)) is there again")
        case .sayPlace(let item, let folder, let name, let entry):
            guard isSame(entry), let seen = view.items[view.which(item)], let place = seen.place?.place, let rank = seen.place?.rank else { return }
            try checkMoved(seen, entry, to: folder)
            let name = ItemName(name ?? entry.name)
            try checkName(name.shown, of: item, entry)
            say(.place(Location(of: item, folder: folder, name: name, kind: place.kind, mode: place.mode, former: seen.folder)), rank: max(clock, rank + 1))
            now.synced[item]?.folder = folder
            now.synced[item]?.name = entry.name
            unsaid.remove(entry.id)
            world.tell("\(self.name) says that something was moved to \(disk.path(entry.id))")
        case .sayPermissions(let item, let mode, let entry):
            guard isSame(entry), let seen = view.items[view.which(item)], let place = seen.place?.place, let rank = seen.place?.rank else { return }
            if mode & ~Location.permissionBits != 0 { throw Fault("what runs a file as another user is said") }
            guard moved.contains(entry.id) || allowed[entry.id].map({ $0 & Location.permissionBits }) == mode else { throw Fault("permissions are said that nobody gave") }
            let other = Location(of: item, folder: place.folder, name: place.name, kind: place.kind, mode: mode, former: place.former)
            say(.place(other), rank: max(clock, rank + 1))
            now.synced[item]?.permissions = Synced.Permissions(here: mode, said: mode)
            world.tell("\(name) says that \(disk.path(entry.id)) has permissions \(String(mode, radix: 8))")
        case .noteMissing(let item):
            if let gone = now.synced[item]?.entry, deletedWhenPlanned.contains(gone) { throw Fault("what is decided is waited for") }
            now.synced[item]?.missing = localTime
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
        case .nameHere(let item, let names): now.names[item] = names.isEmpty ? nil : names
        case .repair(let facts): hear(facts)
        case .keepAside(_, let version):
            if let digest = digest(version), disk.contents.contains(digest) { disk.other.insert(digest) }
        case .keepConflict(let item, let version):
            guard let digest = digest(version), disk.contents.contains(digest), canKeep(item, digest) else { return }
            disk.keep(item, version, digest)
        case .settle(let item, let version):
            // Nor must what was decided of it.
            if !world.has(.letGoEarly) { makeDurable() }
            disk.settle(item, version)
            try checkSettled(item, version)
        case .put, .replace, .move, .exchange, .setPermissions, .putAway: try adopt(step)
        }
    }

    /// What others said becomes what is here.
    func adopt(_ step: Step) throws {
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
            if isRefused(name, in: folder) { return }
            guard let content, kind == .folder || disk.contents.contains(content), let made = disk.make(in: folder, name, kind, content) else { return }
            if let mode = view.items[item]?.place?.place?.permissions { disk.allow(made.id, mode) }
            putHere[made.id] = content
            putAs[made.id] = (item, view.items[item]?.folder, view.items[item]?.name)
            note(item, made.id, content, leaves: now.known.standsFor(item))
            noteAllowed(item, made.id)
            world.tell("\(self.name) puts \(disk.path(made.id)) there")
        case .replace(let item, let version, let entry):
            guard let content = digest(version), disk.contents.contains(content), world.has(.unstamped) ? disk.files[entry.id] != nil : isSame(entry) else { return }
            // Somebody decided a moment ago that what is there is no conflict.
            if let here = disk.files[entry.id]?.content, disk.decided[item]?.contains(where: { digest($0) == here }) == true { return }
            try giveUp(entry.id, of: item)
            disk.write(entry.id, content)
            putHere[entry.id] = content
            note(item, entry.id, content, leaves: now.known.standsFor(item))
            world.tell("\(name) puts other content into \(disk.path(entry.id))")
        case .move(let item, let entry, let folder, let name):
            guard isSame(entry), !isRefused(name, in: folder) else { return }
            try checkMovedBack(entry)
            guard disk.move(entry.id, to: folder, name), let synced = now.synced[item] else { return }
            note(item, entry.id, synced.digest, leaves: synced.leaves)
            world.tell("\(self.name) moves \(String(decoding: entry.name, as: UTF8.self)) to \(disk.path(entry.id))")
        case .setPermissions(let item, let mode, let entry):
            guard isSame(entry) else { return }
            disk.allow(entry.id, mode)
            guard let synced = now.synced[item] else { return }
            note(item, entry.id, synced.digest, leaves: synced.leaves)
            now.synced[item]?.folder = synced.folder
            noteAllowed(item, entry.id)
        case .exchange(let one, let other):
            guard isSame(one), isSame(other) else { return }
            try checkMovedBack(one)
            try checkMovedBack(other)
            disk.exchange(one.id, other.id)
            for (item, synced) in now.synced where [one.id, other.id].contains(synced.entry) && synced.missing == nil { note(item, synced.entry, synced.digest, leaves: synced.leaves) }
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

    private func canKeep(_ item: ItemID, _ content: Digest) -> Bool {
        switch view.items[item]?.place?.place?.kind {
        case .link: false
        case .plain: WorldNames.size(content) <= mostKept
        default: true
        }
    }

    /// The device finds out what its store refuses.
    private func isRefused(_ name: [UInt8], in folder: LocalID?) -> Bool {
        guard disk.names.refuses(name, in: folder) else { return false }
        now.refused.insert(name)
        return true
    }

    func checkFound(_ item: ItemID) throws {
        if let file = now.synced[item]?.entry, isHidden(file) { throw Fault("what could not be looked at counts as gone") }
    }

    /// I4 of conflicts: a crash does not bring back one that is let go of.
    func checkSettled(_ item: ItemID, _ version: FactID) throws {
        let seen = durable.known.view, one = seen.which(item)
        // It may lie with the other one of two that are one.
        guard seen.items[one]?.conflicts.contains(version) == true, disk.conflicts[view.which(item)]?[version] == nil else { return }
        throw Fault("a conflict that may come back is let go of")
    }

    /// I4: what is replaced here is a version that somebody said, and this device does not forget that. A conflict lies beside its document by then, for what is
    /// replaced is kept for a while only.
    func giveUp(_ id: LocalID, of item: ItemID) throws {
        guard let file = disk.files[id] else { return }
        if writing[id] != nil { throw Fault("what somebody is writing is replaced") }
        let one = view.which(item), isConflict = view.items[one]?.conflicts.contains { digest($0) == file.content } == true
        if isConflict, disk.conflicts[one]?.values.contains(file.content) != true { throw Fault("a conflict is replaced before it is kept") }
        guard facts.versions.values.contains(where: { $0.digest == file.content }) else { throw Fault("what nobody has said is replaced") }
        guard durable.known.facts.versions.values.contains(where: { $0.digest == file.content }) else { throw Fault("what may be forgotten is replaced") }
        disk.other.insert(file.content)
    }
}
