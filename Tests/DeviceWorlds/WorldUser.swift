import Hashes
import Replication

/// A draft: a program has a document open, and saves later.
struct Draft {
    let file: LocalID
    let stamp: LocalStamp
    let content: Digest
}

// What somebody does at a device. Words that are saved are a content of their own, so that each can be looked for in the end.
extension WorldDevice {
    func act() throws {
        if world.trouble.contains(.vanishing) {
            if !isVanished, world.chance(0.1) { vanish() }
            // Nobody can do anything there.
            if isVanished { return }
        }
        let documents = disk.documents
        if world.trouble.contains(.thumbnails), !documents.isEmpty, world.chance(0.3) { makeThumbnail(of: world.pick(documents)) }
        if world.trouble.contains(.modes), !documents.isEmpty, world.chance(0.2) { allow(world.pick(documents)) }
        if world.trouble.contains(.backups) { keepOrPutBack() }
        if world.trouble.contains(.keys), world.chance(0.3) { setOrRemoveKey() }
        if world.trouble.contains(.writers), !documents.isEmpty, world.chance(0.3) { writeInPlace(world.pick(documents)) }
        let what = world.fraction()
        switch what {
        case _ where documents.isEmpty: make()
        case ..<0.2: make()
        case ..<0.4: edit(world.pick(documents), isRename: world.chance(0.4))
        case ..<0.45: bringBackOldContent(world.pick(documents))
        case ..<0.53: removeAndPerhapsMakeAnew(world.pick(documents))
        case ..<0.56:
            guard !disk.folders.isEmpty else { return }
            let folder = world.pick(disk.folders)
            world.tell("\(name): rm -r \(disk.path(folder))")
            withdraw(inside: folder)
            disk.remove(folder)
        case ..<0.7: move()
        case ..<0.76: 
            if let file = disk.files[world.pick(documents)] { drafts.append(Draft(file: file.entry.id, stamp: file.entry.stamp, content: file.content)) }
        case ..<0.84: saveDraft()
        case ..<0.93: decide()
        case ..<0.96: undelete()
        case _ where world.trouble.contains(.keys): setOrRemoveKey()
        default:
            let key = [world.pick(Array("xyz".utf8))], rank = max(clock, (facts.keys[key]?.rank ?? 0) + 1)
            say(.key(Key(key, value: [UInt8(truncatingIfNeeded: clock)])), rank: rank)
        }
    }

    private func somewhere() -> LocalID? { world.pick([nil] + disk.folders.map(Optional.some)) }
    private func someName(_ kind: Location.Kind, instead name: [UInt8]? = nil) -> [UInt8] {
        if world.trouble.contains(.kinds), kind == .document { return Array(world.pick(["a", "b", "c"]).utf8) + (isPackage(instead: name) ? ".p" : ".t").utf8 }
        if world.trouble.contains(.names) { return WorldNames.some(world, kind) }
        return Array((world.pick(["a", "b", "c"]) + WorldNames.end(kind)).utf8)
    }

    /// Somebody makes one where it is known what it is, and it is one for ever.
    private func isPackage(instead name: [UInt8]?) -> Bool {
        if let name { return AddedKind.ending(of: name) == WorldNames.packages.ending }
        return (knowsPackages || facts.kinds[WorldNames.packages.ending] != nil) && world.chance(0.6)
    }

    private func save(_ token: Digest) {
        have(token)
        saved.insert(token)
    }

    /// What the user replaced themselves, before anybody looked, is theirs to lose.
    private func withdraw(_ id: LocalID) {
        putHere[id] = nil
        putBack.remove(id)
        if let file = disk.files[id] { saved.remove(file.content) }
    }

    private func withdrawAll(_ id: LocalID) { if let file = disk.files[id] { saved.subtract(file.entry.beside.union([file.content])) } }

    private func withdraw(inside folder: LocalID) {
        for id in disk.inside(folder) {
            withdrawAll(id)
            withdraw(inside: id)
        }
    }

    private func makeThumbnail(of id: LocalID) {
        world.tell("\(name): a thumbnail of \(disk.path(id)) is made")
        disk.derive(id, world.newContent())
    }

    private func setOrRemoveKey() {
        let key = [world.pick(Array("xyz".utf8))], value = world.chance(0.4) ? nil : [UInt8(world.number(0...255))]
        guard disk.keys.set(key, value, at: clock, id: world.mark()) else { return }
        world.tell("\(name): \(value == nil ? "removes" : "sets") the key \(String(decoding: key, as: UTF8.self))")
    }

    /// A program writes a document where it lies, and is done later.
    private func writeInPlace(_ id: LocalID) {
        if world.chance(0.5), !writing.isEmpty { return finishWriting(world.pick(writing.keys.sorted())) }
        guard writing[id] == nil else { return }
        withdraw(id)
        let half = world.newContent()
        have(half)
        disk.write(id, half)
        writing[id] = world.newContent()
        world.tell("\(name): begins to write into \(disk.path(id)) where it lies")
    }

    private func finishWriting(_ id: LocalID) {
        guard let content = writing.removeValue(forKey: id), disk.files[id] != nil else { return }
        withdraw(id)
        save(content)
        disk.write(id, content)
        world.tell("\(name): has written \(disk.path(id))")
    }

    func finishWriting() { for id in writing.keys.sorted() { finishWriting(id) } }

    /// Of the documents alone: the database stays as it is.
    private func keepOrPutBack() {
        if world.chance(0.15) { backedUp = disk.files.filter { $0.value.entry.kind != .folder } }
        guard world.chance(0.1) else { return }
        areOlderMeant = world.chance(0.3)
        for (id, old) in backedUp.sorted(by: { $0.key < $1.key }) {
            guard let file = disk.files[id], file.content != old.content, file.entry.name == old.entry.name, file.entry.folder == old.entry.folder,
                file.entry.beside.isEmpty
            else { continue }
            withdraw(id)
            world.lose(file.content)
            disk.putBack(id, old.content, modified: old.entry.stamp.modified)
            putBack.insert(id)
            world.tell("\(name): \(disk.path(id)) is put back from a backup")
        }
    }

    /// Now and then also to run it as another user.
    private func allow(_ id: LocalID) {
        let mode = world.pick([0o644, 0o600, 0o755, 0o4755, 0o640] as [UInt16])
        disk.allow(id, mode)
        allowed[id] = disk.files[id]?.entry.mode
        world.tell("\(name): chmod \(String(mode, radix: 8)) \(disk.path(id))")
    }

    private func make() {
        let isFolder = world.chance(0.3), content = isFolder ? Disk.noBytes : world.chance(0.3) ? RandomHistory.digest(of: "common") : world.newContent()
        let kind: Location.Kind = isFolder ? .folder : world.trouble.contains(.unkept) ? world.pick([.document, .plain, .plain, .link]) : .document
        make(in: somewhere(), someName(kind), kind, content)
    }

    func make(in folder: LocalID?, _ name: [UInt8], _ kind: Location.Kind, _ content: Digest) {
        guard let made = disk.make(in: folder, name, kind, content) else { return }
        given[made.id] = name
        if world.trouble.contains(.modes) { allow(made.id) }
        if kind != .folder { save(content) }
        world.tell("\(self.name): makes \(disk.path(made.id))\(kind == .folder ? "/" : "")")
    }

    func edit(_ id: LocalID, isRename: Bool) {
        withdraw(id)
        let token = world.newContent()
        save(token)
        world.tell("\(name): writes into \(disk.path(id))")
        guard isRename else { return disk.write(id, token) }
        let mode = disk.files[id]?.entry.mode
        guard let new = disk.saveByRename(id, token) else { return }
        given[new] = given[id]
        if let mode { disk.allow(new, mode) }
        allowed[new] = allowed[id]
    }

    private func bringBackOldContent(_ id: LocalID) {
        guard let item = now.synced.first(where: { $0.value.entry == id })?.key else { return }
        let old = Set(facts.versions.values.filter { $0.version.map { view.which($0.item) } == view.which(item) }.compactMap(\.digest)).intersection(seen)
        guard !old.isEmpty else { return }
        withdraw(id)
        let content = world.pick(old.sorted())
        world.tell("\(name): brings an earlier content of \(disk.path(id)) back")
        disk.write(id, content)
    }

    func remove(_ id: LocalID) {
        withdrawAll(id)
        world.tell("\(name): removes \(disk.path(id))")
        disk.remove(id)
    }

    /// Some programs save by removing a document and making it anew.
    private func removeAndPerhapsMakeAnew(_ id: LocalID) {
        guard let file = disk.files[id] else { return }
        withdrawAll(id)
        let isAnew = world.chance(0.4)
        world.tell("\(name): removes \(disk.path(id))\(isAnew ? ", and makes it anew a moment later" : "")")
        // What the device has missed for so long already is said to be deleted by its next look.
        func isGivenUp(_ synced: Synced) -> Bool { synced.missing.map { localTime >= $0 + Planner.patience } ?? false }
        let item = now.synced.first { $0.value.entry == id && !isGivenUp($0.value) && $0.value.folder == nil && file.entry.folder == nil && $0.value.name == file.entry.name && view.which($0.key) == $0.key }?.key
        // Where it was put among the deleted, nobody waits whether it comes back.
        let isKept = !isAnew && world.chance(0.5)
        if isKept { disk.deleted.insert(id) }
        if isKept { disk.putAway(id) } else { disk.remove(id) }
        guard isAnew else { return }
        let alike = item.map(howManyAre) ?? 0
        // The device may look in between.
        try? work(isQuiet: true)
        let token = world.newContent()
        guard let made = disk.make(in: file.entry.folder, file.entry.name, file.entry.kind, token) else { return }
        save(token)
        if let item { returned[made.id] = (item, disk.path(made.id), alike) }
    }

    private func move() {
        guard let id = (disk.documents + disk.folders).isEmpty ? nil : world.pick((disk.documents + disk.folders).sorted()), let entry = disk.files[id]?.entry else { return }
        let before = disk.path(id)
        let folder = somewhere(), isRenamed = !world.trouble.contains(.names) || world.chance(0.6), name = isRenamed ? someName(entry.kind, instead: entry.name) : entry.name
        guard disk.move(id, to: folder, name) else { return }
        if isRenamed { given[id] = name }
        returned[id] = nil
        // He wants it there, whatever was there before.
        putBack.remove(id)
        moved.insert(id)
        unsaid.insert(id)
        forgetMovesBack()
        world.tell("\(self.name): moves \(before) to \(disk.path(id))")
    }

    /// What is in its place and not what it began with is put beside it.
    private func saveDraft() {
        guard let draft = drafts.popLast(), let file = disk.files[draft.file] else { return }
        let token = world.newContent()
        save(token)
        putHere[draft.file] = nil
        let isSame = file.entry.stamp == draft.stamp && file.content == draft.content
        if isSame {
            withdraw(draft.file)
            disk.write(draft.file, token)
        } else {
            disk.write(draft.file, token, beside: [file.content])
        }
        world.tell("\(name): saves a draft of \(disk.path(draft.file))\(isSame ? "" : ", with another content beside it")")
    }

    /// Of a conflict: for what is in its place, or for the other side. Nobody is told: the device finds out.
    private func decide() {
        let items = disk.conflicts.keys.filter { item in now.synced[item].map { disk.files[$0.entry] != nil } ?? false }.sorted()
        guard !items.isEmpty else { return }
        let item = world.pick(items)
        guard let id = now.synced[item]?.entry, let (version, content) = disk.conflicts[item]?.min(by: { $0.key < $1.key }) else { return }
        let isOther = world.chance(0.5)
        world.tell("\(name): decides about a conflict of \(disk.path(id)), \(isOther ? "for the other side" : "for what is there")")
        // Where both sides are the same, because the other one is still to come, nothing was decided.
        if disk.files[id]?.content != content { decisions.insert(version) }
        if isOther {
            withdraw(id)
            disk.write(id, content)
        }
        disk.decide(item, version)
    }

    private func undelete() {
        guard let id = disk.undeletable.isEmpty ? nil : world.pick(disk.undeletable), let content = disk.trash[id]?.content else { return }
        disk.undelete(id)
        save(content)
        putHere[id] = nil
        moved.insert(id)
        world.tell("\(name): takes \(disk.path(id)) back from among the deleted")
    }
}
