import Containers
import Coordination
import Documents
import LinuxFiles

// What other programs are told and asked that claim items of the container while they are open here.
extension Drive: ItemPresenter {
    /// Whoever serves the claims of other programs, until the drive ends.
    public func setCoordination(_ server: CoordinationServer?) { others.withLock { $0 = server } }

    public func isConcerned(by items: [ClaimedItem]) -> Bool { !open(in: items).isEmpty }

    public func prepare(for items: [ClaimedItem]) {
        for (id, document) in open(in: items.filter(\.purpose.wantsSaving)) { try? save(document, id, durably: false) }
        // What is being saved by somebody else is in its lane.
        for (id, _) in open(in: items) { coordinator.read(lane(id)) {} }
    }

    public func written(_ items: [ClaimedItem]) {
        let paths = Set(items.map(\.path.names))
        let places = tree.withLock { tree in
            paths.map { names in
                let folder = names.dropLast().reduce(Optional(Tree.root)) { folder, name in folder.flatMap { tree.entry(stored: name, of: $0) } }
                let entry = folder.flatMap { folder in names.last.flatMap { tree.entry(stored: $0, of: folder) } }
                return (folder: folder, node: entry.map { tree.node(of: $0) })
            }
        }
        for folder in Set(places.compactMap { $0.folder }) {
            // Where changes are noticed, no more is read than those.
            if !isFollowed(folder) { forgetReading(of: folder) }
            try? readNames(of: folder)
        }
        // The same file may have been written to.
        tell(places.compactMap { $0.node }.map { .content($0) })
    }

    /// Waits while another program has a claim on a document that is about to be saved. In no lane: nobody who wants the document
    /// or lists its folder is to wait for that program.
    func waitForOthers(on id: UInt32, _ patience: SavePatience) {
        guard let server = others.withLock({ $0 }), server.hasClients else { return }
        for path in itemPaths(of: id) { server.waitForOthers(on: path, atMost: patience.left) }
    }

    /// Whether another program has a claim on a document. In its lane, this stays right as long as one is there: whoever asks
    /// for it meanwhile gets it when the lane is free.
    func isClaimedByOthers(_ id: UInt32) -> Bool {
        guard let server = others.withLock({ $0 }), server.hasClients else { return false }
        return itemPaths(of: id).contains { server.isClaimed($0) }
    }

    /// Where a document is in the container. A new one has its name, and the one that its item gets where nothing else has that.
    private func itemPaths(of id: UInt32) -> [ItemPath] {
        let (node, base) = tree.withLock { ($0[id], $0.documents[id]?.base) }
        var names = [node.stored]
        if node.flags.contains(.unborn) {
            let now = UnixMicroseconds(rawValue: Timestamp.now.seconds &* 1_000_000)
            let stored = base?.stored ?? Name(node.kindID.kind.storedName(forShown: node.shown.bytes, at: now, attempt: 0))
            if let stored { names.append(stored) }
        }
        return names.compactMap { itemPath($0, in: node.parent) }
    }

    /// Those who wait for an item that has another name now get it there.
    func tellOthers(_ stored: Name, in folder: UInt32, becameShown shown: Name, in newFolder: UInt32) {
        guard let server = others.withLock({ $0 }), server.hasClients, let old = itemPath(stored, in: folder) else { return }
        let now = tree.withLock { tree in tree.child(shown: shown, of: newFolder).map { tree.node($0, called: shown, in: newFolder).stored } }
        if let now, let new = itemPath(now, in: newFolder), new != old { server.moved(old, to: new) }
    }

    private func itemPath(_ stored: Name, in folder: UInt32) -> ItemPath? {
        tree.withLock { $0.storedPath(of: folder)?.names }.flatMap { ItemPath($0 + [stored]) }
    }

    /// The open documents that are one of the items, or in one.
    private func open(in items: [ClaimedItem]) -> [(UInt32, OpenDocument)] {
        guard !items.isEmpty else { return [] }
        return tree.withLock { tree in
            tree.documents.filter { id, _ in
                guard !tree[id].flags.contains(.orphan), let names = tree.storedPath(of: tree[id].parent)?.names, let path = ItemPath(names + [tree[id].stored])
                else { return false }
                return items.contains { path.isInside($0.path) }
            }.map { ($0.key, $0.value) }
        }
    }
}

/// How long one save waits for other programs: none keeps the drive from saving for ever.
struct SavePatience {
    private static let longest: Int64 = 10_000
    private let end = Monotonic.milliseconds + longest

    /// In milliseconds.
    var left: Int64 { max(0, end - Monotonic.milliseconds) }
    var isOver: Bool { left == 0 }
}
