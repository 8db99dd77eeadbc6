import Hashes
import Replication

// A device says what was done at it, once, and nothing else. All would agree whatever it says; but a document would be there twice, a conflict decided that
// nobody decided, and a move undone that somebody made elsewhere.
extension WorldDevice {
    func checkNew(_ entry: LocalEntry, _ content: Digest, in folder: ItemID?) throws {
        guard entry.folder == nil || folder != nil else { throw Fault("what is in a new folder is said to be at the top") }
        let isKnown = view.items.contains { item, seen in
            guard now.synced[item] == nil, seen.folder == folder, seen.name?.shown == entry.name, (seen.place?.place?.kind == .folder) == (entry.kind == .folder) else { return false }
            return entry.kind == .folder || seen.current.flatMap(digest) == content
        }
        if isKnown { throw Fault("what is there is said to be new") }
        if let item = now.gone[entry.id].map(view.which), view.items[item] != nil, !now.synced.keys.contains(where: { view.which($0) == item }) {
            throw Fault("what came back from among the deleted is another document")
        }
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

    func checkBeside(_ entry: LocalEntry, _ replacing: Set<FactID>) throws {
        let replaced = Set(replacing.filter { !facts.replaced.contains($0) }.compactMap(digest))
        if let here = disk.files[entry.id]?.content, replaced.contains(here) { throw Fault("one side of a conflict replaces the other") }
    }

    func checkMoved(_ seen: View.Item, _ entry: LocalEntry, to folder: ItemID?) throws {
        guard moved.contains(entry.id) else { throw Fault("what nobody moved is said to be moved") }
        if seen.folder == folder, seen.name?.shown == entry.name { throw Fault("where it is is said again") }
    }

    /// Where the user put it is where it is by the facts, or as another item that was there, by a way that nobody moved it.
    func noteMoved(_ item: ItemID, _ synced: Synced) {
        // What is to come into it says nothing of where it is.
        if let coming = synced.coming, coming != now.synced[item]?.coming { return }
        let seen = view.items[view.which(item)], isBySeen = seen?.folder == synced.folder.map(view.which) && seen?.name?.shown == synced.name
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
}
