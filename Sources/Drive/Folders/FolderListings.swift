import LinuxFiles

/// Listing folders: what was read when a listing began is given out piece by piece.
final class FolderListings: Sendable {
    private let tree: Tree
    private let handles: OpenHandles
    private let places: Places
    private let shown: ShownAttributes
    private let folders: FolderContents
    private let access: AccessChecks
    private let versions: VersionFolders
    private let deleted: DeletedFolders
    private let control: ControlFolder
    private let accesses: AccessNotes

    init(
        tree: Tree, handles: OpenHandles, places: Places, shown: ShownAttributes, folders: FolderContents,
        access: AccessChecks, versions: VersionFolders, deleted: DeletedFolders, control: ControlFolder, accesses: AccessNotes
    ) {
        (self.tree, self.handles, self.places, self.shown, self.folders) = (tree, handles, places, shown, folders)
        (self.access, self.versions, self.deleted, self.control, self.accesses) = (access, versions, deleted, control, accesses)
    }

    func open(_ id: NodeNumber, flags: Int32, caller: Caller) throws(Errno) -> OpenedFolder {
        let role = tree[id].role
        guard role.isFolder else { throw .notDirectory }
        let isAccess = accesses.areMade(by: flags)
        var isStillRight = false
        if role != .control, !role.isRemadeFolder {
            let place = try access.folder(id, for: caller, .read), status = try place.descriptor.status()
            isStillRight = try folders.isUpToDate(id, status) && tree.withLock { tree in tree.folders[id].map { $0.cachedEdition == $0.edition } ?? false }
            // Otherwise the kernel asks for the names, and the drive reads them.
            if isStillRight, isAccess { accesses.note(id, folder: place.descriptor, status) }
        }
        tree.withLock { $0.addHandle(id) }
        let handle = handles.add(FolderListing(folder: id, isAccess: isAccess))
        return OpenedFolder(handle: handle, caches: role != .control && !role.isRemadeFolder, keepsCache: isStillRight)
    }

    /// Calls `take` for one entry after another from `position` on, until it says false: that one it did not take.
    /// With `counting`, the kernel learns of each node that was taken, "." and ".." excepted, as `lookUp` tells it.
    func read(
        _ handle: FolderHandleID, from position: UInt64, counting: Bool, _ take: (borrowing FolderEntry) -> Bool
    ) throws(Errno) {
        guard let listing = handles[folder: handle] else { throw .badDescriptor }
        let id = listing.folder
        if let own = listing.own { return try read(listing, own, from: position, take) }
        if position == 0 || listing.entries.value == nil {
            let entries = switch tree[id].role {
            case .control: control.entries()
            case .versionFolder: try versions.list(in: id)
            case .deletedFolder: try deleted.list(in: id)
            default: try folders.readListing(of: id, isAccess: listing.isAccess)
            }
            listing.entries.set(entries)
            tree.withLock { tree in
                if let edition = tree.folders[id]?.edition { tree.folders[id]?.cachedEdition = edition }
            }
        }
        guard let entries = listing.entries.value else { return }
        if try !listDots(of: id, from: position, take) { return }
        let first = Int(clamping: max(position, 2) - 2)
        guard first < entries.count else { return }
        // `take` copies a name and a struct into the answer; it neither waits nor asks.
        tree.withLock { tree in
            for index in first..<entries.count {
                let listed = entries[index]
                guard let child = tree.entry(listed, in: id), !tree[child].flags.contains(.unlisted) else { continue }
                let node = tree.node(of: child)
                var entry = Entry(node: NodeID(node), generation: UInt64(tree[node].generation), attributes: listed.attributes)
                entry.isItsName = !tree.isGrowing(node)
                // Something else has the name by now: of that, nothing was read. Nor of what changed since.
                let isKnown = listed.attributes.node == entry.node && listed.generation == tree[node].generation && listed.stamp == tree[node].stamp
                guard take(FolderEntry(name: listed.name, dots: .none, next: UInt64(index) + 3, entry: entry, isNameOnly: !isKnown)) else { return }
                guard counting, isKnown else { continue }
                tree.remember(node)
                tree.noteCached(listed.attributes)
            }
        }
    }

    private func read(
        _ listing: FolderListing, _ own: () throws(Errno) -> [(name: Name, type: FileType)], from position: UInt64, _ take: (borrowing FolderEntry) -> Bool
    ) throws(Errno) {
        if position == 0 || listing.ownEntries.value == nil {
            let found = try own()
            listing.ownEntries.set(found)
        }
        guard try listDots(of: listing.folder, from: position, take), let found = listing.ownEntries.value else { return }
        var attributes = shown.fixedAttributes(of: NodeNumber.control)
        // Some programs skip entries whose inode number is 0.
        attributes.node = NodeID(rawValue: UInt64(UInt32.max))
        for index in found.indices.dropFirst(Int(clamping: max(position, 2) - 2)) {
            attributes.mode = found[index].type.mode
            let entry = Entry(node: attributes.node, generation: 0, attributes: attributes)
            guard take(FolderEntry(name: found[index].name, dots: .none, next: UInt64(index) + 3, entry: entry, isNameOnly: true)) else { return }
        }
    }

    func release(_ handle: FolderHandleID) {
        guard let listing = handles.remove(handle) else { return }
        tree.withLock { $0.removeHandle(listing.folder) }
        // Reading thousands of documents leaves holes everywhere, and the drive may be idle from now on.
        let wasLong = listing.entries.set(nil)?.count ?? 0 >= Self.longListing
        if wasLong { Memory.returnFree() }
    }

    private static let longListing = 1000

    func synchronize(_ id: NodeNumber) throws(Errno) {
        guard tree.isFolder(id), !tree[id].role.isRemadeFolder else { return }
        try places.place(of: id).descriptor.reopened([.read, .folder]).synchronize()
    }

    /// "." and "..", where the listing begins before them; false when the answer is full.
    private func listDots(of id: NodeNumber, from position: UInt64, _ take: (borrowing FolderEntry) -> Bool) throws(Errno) -> Bool {
        let parent = tree[id].parent
        for (number, dots, node) in [(UInt64(1), FolderEntry.Dots.one, id), (2, .two, parent)] where position < number {
            // Only the number and the type of these two are looked at.
            var attributes = shown.fixedAttributes(of: NodeNumber.control)
            attributes.node = NodeID(node)
            let entry = Entry(node: attributes.node, generation: 0, attributes: attributes)
            guard take(FolderEntry(name: nil, dots: dots, next: number, entry: entry, isNameOnly: true)) else { return false }
        }
        return true
    }

}

/// An open folder: what was read of it when its listing began.
final class FolderListing: Sendable {
    let folder: NodeNumber
    /// Reading it is to be noted in the container.
    let isAccess: Bool
    /// What is in it, where that is in no table: the kernel is told the names alone.
    let own: (@Sendable () throws(Errno) -> [(name: Name, type: FileType)])?
    let entries = Latest<[ListedEntry]?>(nil)
    let ownEntries = Latest<[(name: Name, type: FileType)]?>(nil)

    init(folder: NodeNumber, isAccess: Bool = false, own: (@Sendable () throws(Errno) -> [(name: Name, type: FileType)])? = nil) {
        (self.folder, self.isAccess) = (folder, isAccess)
        self.own = own
    }
}
