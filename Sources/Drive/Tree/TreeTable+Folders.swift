import LinuxFiles

// Folders: who follows them, and what is listed of them.
extension TreeTable {
    func isFolder(_ id: NodeNumber) -> Bool { withLock { $0.folders[id] != nil } }
    func isKnown(_ folder: NodeNumber) -> Bool { withLock { $0.folders[folder]?.isKnown == true } }

    /// The path of a folder that the table has; nil also for what has no name.
    func knownPath(of folder: NodeNumber) -> (top: NodeNumber, names: [Name])? { withLock { $0.contains(folder) ? $0.storedPath(of: folder) : nil } }

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
                tree.tell(listed.attributes)
            }
        }
    }

    // MARK: Who watches the drive

    func echoes(of changes: [KernelChange]) -> [Echo] { withLock { tree in changes.compactMap { tree.echo(of: $0) } } }
}
