import Hashes
import Replication

// A device says what was done at it, once, and nothing else. All would agree whatever it says; but a document would be there twice, a conflict decided that
// nobody decided, and a move undone that somebody made elsewhere.
extension WorldDevice {
    func checkNew(_ entry: LocalEntry, _ content: Digest, in folder: ItemID?) throws {
        guard entry.folder == nil || folder != nil else { throw Fault("what is in a new folder is said to be at the top") }
        let isKnown = view.items.contains { item, seen in
            guard now.synced[item] == nil, seen.folder == folder, isCalled(entry.name, item, seen), (seen.place?.place?.kind == .folder) == (entry.kind == .folder) else { return false }
            return entry.kind == .folder || seen.current.flatMap(digest) == content
        }
        if isKnown { throw Fault("what is there is said to be new") }
        // What was put there by this device, and nobody touched it, is no other item while all see that one there.
        if let (item, folder, shown) = putAs[entry.id], putHere[entry.id] == content, !moved.contains(entry.id), now.synced[item] == nil,
            let seen = view.items[item], seen.folder == folder, seen.name == shown, seen.isThere, entry.kind == .folder || seen.current.flatMap(digest) == content
        { throw Fault("what this device put there is said to be new") }
        if let item = now.gone[entry.id].map(view.which), view.items[item] != nil, !now.synced.keys.contains(where: { view.which($0) == item }) {
            throw Fault("what came back from among the deleted is another document")
        }
    }

    /// Whether what is called so here is what all see: its store answers another name than it was given, or cannot have it.
    func isCalled(_ name: [UInt8], _ item: ItemID?, _ seen: View.Item) -> Bool {
        guard let shown = seen.name?.shown else { return false }
        if WorldNames.answered(shown, disk.names) == name { return true }
        return item.flatMap { now.names[view.which($0)] }?.contains { name == WorldNames.answered($0.here, disk.names) && $0.shown == shown } ?? false
    }

    func checkOther(_ item: ItemID, _ content: Digest, _ entry: LocalEntry) throws {
        guard entry.beside.isEmpty, let seen = view.items[item], seen.conflicts.isEmpty, seen.current.flatMap(digest) == content else { return }
        throw Fault("the content that all have is said again")
    }

    /// What the device put there is no edit. What somebody moved over another document is.
    func checkWritten(_ item: ItemID, _ content: Digest, _ entry: LocalEntry) throws {
        guard putHere[entry.id] == content, entry.beside.isEmpty, !moved.contains(entry.id), now.synced[item]?.digest != content else { return }
        throw Fault("what nobody wrote is said to be written")
    }

    /// Nor is half of something what its user wrote.
    func checkDone(_ entry: LocalEntry) throws {
        if writing[entry.id] != nil { throw Fault("what is half written is said") }
    }

    func checkBeside(_ entry: LocalEntry, _ replacing: Set<FactID>) throws {
        let replaced = Set(replacing.filter { !facts.replaced.contains($0) }.compactMap(digest))
        if let here = disk.files[entry.id]?.content, replaced.contains(here) { throw Fault("one side of a conflict replaces the other") }
    }

    func checkMoved(_ seen: View.Item, _ entry: LocalEntry, to folder: ItemID?) throws {
        // Where numbers come back, what has another file's content as well is that file.
        let isAlike = disk.reuses && now.synced.values.contains { $0.entry == entry.id && $0.digest == disk.files[entry.id]?.content }
        guard moved.contains(entry.id) || isAlike else { throw Fault("what nobody moved is said to be moved") }
        if seen.folder == folder, isCalled(entry.name, nil, seen) { throw Fault("where it is is said again") }
    }

    /// Where the user put it is where it is by the facts, or as another item that was there, by a way that nobody moved it.
    func noteMoved(_ item: ItemID, _ synced: Synced) {
        // What is to come into it says nothing of where it is.
        if let coming = synced.coming, coming != now.synced[item]?.coming { return }
        let seen = view.items[view.which(item)], isBySeen = seen?.folder == synced.folder.map(view.which) && seen.map { isCalled(synced.name, item, $0) } == true
        let known = now.synced[item], isWhereItWas = known?.folder.map(view.which) == synced.folder.map(view.which) && known?.name == synced.name
        let isWritten = known?.going == Synced.Destination(folder: synced.folder, name: synced.name)
        if isBySeen || isWhereItWas || isWritten { unsaid.remove(synced.entry) }
    }

    /// Who moves something to where it was, when last that was written down, did nothing that can be seen; and what took the place of another one is that one.
    func forgetMovesBack() {
        unsaid = unsaid.filter { id in
            guard let entry = disk.files[id]?.entry else { return false }
            let folder = entry.folder.flatMap { folder in now.synced.first { $0.value.entry == folder }?.key }
            return !now.synced.values.contains { $0.entry == id && $0.name == entry.name && $0.folder.map(view.which) == folder.map(view.which) }
        }
    }

    /// What others said of it may move it after that, and not instead.
    func checkMovedBack(_ entry: LocalEntry) throws {
        if unsaid.contains(entry.id) { throw Fault("a move is undone that nobody has heard of") }
    }

    func checkGone(_ item: ItemID) throws {
        let isHere = now.synced.contains { other, synced in other != item && view.which(other) == view.which(item) && disk.files[synced.entry] != nil }
        if isHere { throw Fault("what is here is said to be deleted") }
    }

    /// A package is a folder on a disk, and one document to every device that has it.
    func checkForms() throws {
        for (id, file) in disk.files where file.entry.kind == .document && AddedKind.ending(of: file.entry.name) == WorldNames.packages.ending && !isHidden(id) {
            var folder: ItemID??
            if let above = file.entry.folder { folder = now.synced.first { $0.value.entry == above }.map { .some(view.which($0.key)) } } else { folder = .some(nil) }
            let kind = now.synced.values.first { $0.entry == id }?.kind
            let isOne = now.known.isOneItem(file.entry.name, in: folder, writtenDownAs: kind) { knowsPackages && $0 == WorldNames.packages.ending }
            if !isOne { throw Fault("a document is taken for a folder of files") }
        }
    }

    // MARK: Names

    /// What something is called here because its store cannot have its name is said only where somebody called it so.
    func checkName(_ name: [UInt8], of item: ItemID, _ entry: LocalEntry) throws {
        guard name == entry.name, given[entry.id].map({ WorldNames.answered($0, disk.names) }) != name else { return }
        let isLocal = now.names[item]?.contains { WorldNames.answered($0.here, disk.names) == name && $0.shown != name } == true
        if isLocal { throw Fault("a name is said that only a store needs") }
    }

    /// At rest.
    func nameHere(_ item: ItemID, _ seen: View.Item) -> [UInt8] {
        let shown = seen.name?.shown ?? []
        let name = now.names[item]?.first { $0.shown == shown && $0.folder.map(view.which) == seen.folder }?.here
        return WorldNames.answered(name ?? shown, disk.names)
    }

    /// What is called otherwise here though its store could have its name.
    var namesWithoutNeed: [String] {
        now.names.flatMap { item, names in
            names.compactMap { name -> String? in
                guard let seen = view.items[item], seen.isThere, let entry = now.synced[item]?.entry, let file = disk.files[entry] else { return nil }
                let other = disk.file(file.entry.folder, name.shown)?.entry.id
                if names.count == 1, disk.names.refuses(name.shown, in: file.entry.folder) || other.map({ $0 != entry }) ?? false { return nil }
                return "\(disk.path(entry)) could have its name"
            }
        }
    }
}
