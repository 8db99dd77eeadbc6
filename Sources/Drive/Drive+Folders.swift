import Containers
import LinuxFiles
import Synchronization

/// An open folder: what was read of it when its listing began.
final class FolderListing: Sendable {
    let folder: UInt32
    /// What is in the folder is found by name only.
    let listsNothing: Bool
    let entries = Mutex<[Drive.Listed]?>(nil)

    init(folder: UInt32, listsNothing: Bool = false) {
        self.folder = folder
        self.listsNothing = listsNothing
    }
}

// Listing folders.
extension Drive {
    public func openFolder(_ node: NodeID, caller: Caller) throws(Errno) -> OpenedFolder {
        if let thumbnails = ThumbnailNode(node) { return try openThumbnails(thumbnails) }
        let id = try known(node)
        let role = tree.withLock { $0[id].role }
        guard role.isFolder else { throw .notDirectory }
        var isStillRight = false
        if role != .control, role != .versionFolder {
            let upToDate = try isUpToDate(id, try folder(id, for: caller, .read))
            isStillRight = tree.withLock { tree in
                guard upToDate, let folder = tree.folders[id] else { return false }
                return folder.cachedEdition == folder.edition
            }
        }
        tree.withLock { $0.addHandle(id) }
        let handle = handles.withLock { $0.add(FolderListing(folder: id)) }
        return OpenedFolder(handle: handle, caches: role != .control && role != .versionFolder, keepsCache: isStillRight)
    }

    /// Calls `take` for one entry after another from `position` on, until it says false: that one it did not take.
    /// With `counting`, the kernel learns of each node that was taken, "." and ".." excepted, as `lookUp` tells it.
    public func readFolder(
        _ handle: FolderHandleID, from position: UInt64, counting: Bool, _ take: (borrowing FolderEntry) -> Bool
    ) throws(Errno) {
        guard let listing = handles.withLock({ $0[folder: handle] }) else { throw .badDescriptor }
        let id = listing.folder
        if listing.listsNothing {
            _ = try listDots(of: id, from: position, take)
            return
        }
        if position == 0 || listing.entries.withLock({ $0 == nil }) {
            let entries = switch tree.withLock({ $0[id].role }) {
            case .control: controlEntries()
            case .versionFolder: try listVersions(in: id)
            default: try readListing(of: id)
            }
            listing.entries.withLock { $0 = entries }
            tree.withLock { tree in
                if let edition = tree.folders[id]?.edition { tree.folders[id]?.cachedEdition = edition }
            }
        }
        guard let entries = listing.entries.withLock({ $0 }) else { return }
        if try !listDots(of: id, from: position, take) { return }
        let first = Int(clamping: max(position, 2) - 2)
        guard first < entries.count else { return }
        // `take` copies a name and a struct into the answer; it neither waits nor asks.
        tree.withLock { tree in
            for index in first..<entries.count {
                let listed = entries[index]
                guard let child = tree.entry(listed, in: id), !tree[child].flags.contains(.unlisted) else { continue }
                let node = tree.node(of: child)
                let entry = Entry(
                    node: NodeID(rawValue: UInt64(node)), generation: UInt64(tree[node].generation),
                    attributes: listed.attributes)
                // Something else has the name by now: of that, nothing was read. Nor of what changed since.
                let isKnown = listed.attributes.node == entry.node && listed.generation == tree[node].generation
                    && listed.stamp == tree[node].stamp
                let shown = FolderEntry(name: listed.name, dots: .none, next: UInt64(index) + 3, entry: entry, isNameOnly: !isKnown)
                guard take(shown) else { return }
                guard counting, isKnown else { continue }
                tree.remember(node)
                tree.tell(listed.attributes)
            }
        }
    }

    public func releaseFolder(_ handle: FolderHandleID) {
        guard let listing = handles.withLock({ $0.remove(handle) }) else { return }
        tree.withLock { $0.removeHandle(listing.folder) }
        // Reading thousands of documents leaves holes everywhere, and the drive may be idle from now on.
        let isLong = listing.entries.withLock { entries in
            defer { entries = nil }
            return (entries?.count ?? 0) >= Self.longListing
        }
        if isLong { Memory.returnFree() }
    }

    private static let longListing = 1000

    public func syncFolder(_ node: NodeID) throws(Errno) {
        let id = try known(node)
        guard tree.withLock({ $0.folders[id] != nil && $0[id].role != .versionFolder }) else { return }
        try place(of: id).descriptor.reopened([.read, .folder]).synchronize()
    }

    /// "." and "..", where the listing begins before them; false when the answer is full.
    private func listDots(of id: UInt32, from position: UInt64, _ take: (borrowing FolderEntry) -> Bool) throws(Errno) -> Bool {
        let parent = tree.withLock { $0[id].parent }
        for (number, dots, node) in [(UInt64(1), FolderEntry.Dots.one, id), (2, .two, parent)] where position < number {
            // Only the number and the type of these two are looked at.
            var attributes = fixedAttributes(of: Tree.control)
            attributes.node = NodeID(rawValue: UInt64(node))
            let entry = Entry(node: attributes.node, generation: 0, attributes: attributes)
            guard take(FolderEntry(name: nil, dots: dots, next: number, entry: entry, isNameOnly: true)) else { return false }
        }
        return true
    }

    private func controlEntries() -> [Listed] {
        controlItems.compactMap { id in
            guard let attributes = try? attributes(of: NodeID(rawValue: UInt64(id)), handle: nil) else { return nil }
            return tree.withLock { Listed(entry: id, name: $0[id].shown, generation: $0[id].generation, attributes: attributes, stamp: .unknown) }
        }
    }
}
