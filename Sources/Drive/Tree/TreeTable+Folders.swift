import Catalog
import Documents
import LinuxFiles

// Folders: who follows them, and what is listed of them.
extension TreeTable {
    func isFolder(_ id: NodeNumber) -> Bool { withLock { $0.folders[id] != nil } }
    func isKnown(_ folder: NodeNumber) -> Bool { withLock { $0.folders[folder]?.isKnown == true } }

    /// The path of a folder of the documents; nil for what has no name or is not known, and for one that lies so deep that the catalog does not look into it.
    func cataloguedPath(of folder: NodeNumber) -> [Name]? {
        withLock { tree in
            guard tree.contains(folder), let path = tree.storedPath(of: folder, most: Catalog.deepest), path.top == Tree.root else { return nil }
            return path.names
        }
    }

    /// What lies in a folder under its names in the container, and which of it are folders.
    func items(in folder: NodeNumber) -> [(stored: Name, folder: NodeNumber?)] {
        withLock { tree in
            tree.children(of: folder).compactMap { entry in
                let node = tree[entry]
                return node.isUnborn ? nil : (node.stored, node.role == .folder ? tree.node(of: entry) : nil)
            }
        }
    }

    // MARK: Places

    /// The nearest folder above one that is open, or that one itself, and the names from there to it; nil for what has no name and is under such.
    func nearestPlace(of folder: NodeNumber) -> (place: OpenFile, names: [(NodeNumber, Name)])? {
        withLock { tree in
            var names: [(NodeNumber, Name)] = []
            var current = folder
            while true {
                if let remains = tree.remains(of: current) { return (remains, names.reversed()) }
                if let place = tree.folders[current]?.place { return (place, names.reversed()) }
                let node = tree[current]
                guard node.parent != .none, current != Tree.root, !node.isNameless else { return nil }
                names.append((current, node.stored))
                current = node.parent
            }
        }
    }

    /// Keeps a folder open. What is let go of for that, where there are so many: it is to be closed behind the lock.
    func setPlace(_ place: OpenFile, of folder: NodeNumber, most: Int) -> [OpenFile] {
        withLock { tree in
            guard tree.folders[folder] != nil else { return [] }
            let dropped = tree.openPlaces >= most ? tree.dropPlaces() : []
            tree.setPlace(place, of: folder)
            return dropped
        }
    }

    // MARK: Letters

    /// What a name may mean in a folder: a node of that name, or the document of one file whose item has it.
    func spelling(_ name: Name, in folder: NodeNumber) -> (isThere: Bool, isCaseless: Bool?, shown: Name?) {
        withLock { tree in
            let isThere = tree.child(shown: name, of: folder) != nil
            let item = isThere ? nil : tree.entry(stored: name, of: folder).map { tree[$0] }
            let isOneFile = item.map { $0.role == .document && !$0.isUnborn && !tree.kind(of: $0).isPackage } ?? false
            return (isThere, tree.folders[folder]?.isCaseless, isOneFile ? item?.shown : nil)
        }
    }

    /// A name that differs in the case of its letters only, in a folder where that is no difference.
    func shownName(alike name: Name, in folder: NodeNumber) -> Name? { withLock { tree in tree.entry(alike: name, in: folder).map { tree[$0].shown } } }

    /// The name of an item with its letters in the other case, which no other item has; nil where there is none.
    func nameWithOtherLetters(in folder: NodeNumber) -> Name? {
        withLock { tree in tree.someStoredNames(in: folder).lazy.compactMap(\.withOtherLetters).first { tree.entry(stored: $0, of: folder) == nil } }
    }

    func setCaseless(_ isCaseless: Bool, _ folder: NodeNumber) { withLock { $0.setCaseless(isCaseless, folder) } }

    // MARK: Thumbnails

    /// A folder's photos, where their thumbnails' names are not known in its present edition.
    func photos(in folder: NodeNumber) -> (edition: UInt64, names: ThumbnailNames?, photos: [(id: NodeNumber, shown: Name)]) {
        withLock { tree in
            guard let entries = tree.folders[folder] else { return (0, nil, []) }
            if let names = entries.thumbnailNames, names.edition == entries.edition { return (entries.edition, names, []) }
            var photos: [(id: NodeNumber, shown: Name)] = []
            entries.byShown.forEach { id in
                if tree[id].role == .document, tree.kind(of: tree[id]).kind.thumbnails != nil { photos.append((tree.node(of: id), tree[id].shown)) }
            }
            return (entries.edition, entries.thumbnailNames, photos)
        }
    }

    func setThumbnailNames(_ names: ThumbnailNames, of folder: NodeNumber) { withLock { $0.folders[folder]?.thumbnailNames = names } }

    // MARK: Watches

    func node(watch: WatchID) -> (NodeNumber?, Node?) {
        withLock { tree in
            let id = tree.node(watch: watch)
            return (id, id.map { tree[$0] })
        }
    }

    func isWatchable(_ folder: NodeNumber) -> Bool { withLock { $0.isWatchable(folder) } }
    func setWatch(_ watch: WatchID, of folder: NodeNumber) { withLock { $0.setWatch(watch, of: folder) } }
    func forgetWatch(of id: NodeNumber) { withLock { $0.forgetWatch(of: id) } }
    func beginMoves(of folders: some Sequence<NodeNumber>) { withLock { $0.beginMoves(of: folders) } }
    func endMoves(of folders: some Sequence<NodeNumber>) { withLock { $0.endMoves(of: folders) } }
    func takeUnneededWatches() -> Set<WatchID> { withLock { $0.takeUnneededWatches() } }
    func distrustReadings() -> [NodeNumber] { withLock { $0.distrustReadings() } }

    /// A folder is watched that was not when its names were found: whatever is known of it may have changed since. Nil where it is gone.
    func watchLate(_ folder: NodeNumber, _ watch: WatchID) -> (own: (Name, NodeNumber)?, inside: [Name])? {
        withLock { tree in
            guard tree.isWatchable(folder) else { return nil }
            tree.setWatch(watch, of: folder)
            var names: [Name] = []
            tree.folders[folder]?.byStored.forEach { names.append(tree[$0].stored) }
            return (folder == Tree.root ? nil : (tree[folder].stored, tree[folder].parent), names)
        }
    }

    // MARK: Held until `removeHandle`

    func hold(_ folder: NodeNumber) -> Bool { withLock { $0.hold(folder) { _ in true } } }
    func holdKnown(_ folder: NodeNumber) -> Bool { withLock { $0.hold(folder) { $0.folders[folder]?.isKnown == true && !$0[folder].isNameless } } }
    func holdUnwatched(_ folder: NodeNumber) -> Bool { withLock { $0.hold(folder) { $0[folder].watch == 0 && $0.isWatchable(folder) } } }

    // MARK: Listings

    /// Whether nothing has changed since the kernel was given the folder's listing.
    func isCachedListingRight(of folder: NodeNumber) -> Bool { withLock { tree in tree.folders[folder].map { $0.cachedEdition == $0.edition } ?? false } }

    func noteCachedListing(of folder: NodeNumber) {
        withLock { tree in
            if let edition = tree.folders[folder]?.edition { tree.folders[folder]?.cachedEdition = edition }
        }
    }

    /// What was read of a folder, with the nodes that its names lead to now. `take` copies a name and a struct into the answer; it neither waits nor asks.
    func list(_ entries: [ListedEntry], from first: Int, in folder: NodeNumber, counting: Bool, _ take: (borrowing FolderEntry) -> Bool) {
        withLock { tree in
            for index in first..<entries.count {
                let listed = entries[index]
                guard let child = tree.entry(listed, in: folder), !tree[child].flags.contains(.unlisted) else { continue }
                let node = tree.node(of: child)
                let entry = Entry(node: NodeID(node), generation: UInt64(tree[node].generation), attributes: listed.attributes)
                // Something else has the name by now: of that, nothing was read. Nor of what changed since.
                let isKnown = listed.attributes.node == entry.node && listed.generation == tree[node].generation && listed.stamp == tree[node].stamp
                guard take(FolderEntry(name: listed.name, dots: .none, next: UInt64(index) + 3, entry: entry, isNameOnly: !isKnown)) else { return }
                guard counting, isKnown else { continue }
                tree.remember(node)
                tree.noteCached(listed.attributes)
            }
        }
    }

    // MARK: Who watches the drive

    func echoes(of changes: [KernelChange]) -> [Echo] { withLock { tree in changes.compactMap { tree.echo(of: $0) } } }
}
