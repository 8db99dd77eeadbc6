import LinuxFiles

/// Where a folder of the tree lies: an open descriptor, so that only single names travel.
final class Places: Sendable {
    private let tree: TreeTable
    private let rights: CallerRights
    private let moves: Moves
    private let cachedAccess: CachedAccessChecks

    init(tree: TreeTable, rights: CallerRights, moves: Moves, cachedAccess: CachedAccessChecks) {
        (self.tree, self.rights, self.moves, self.cachedAccess) = (tree, rights, moves, cachedAccess)
    }

    /// So many folders are kept open at most; more are opened again when they are asked for.
    private static let openPlaces = 512

    func place(of folder: NodeNumber) throws(Errno) -> OpenFile {
        try moves.following { () throws(Errno) in try placeNow(of: folder) }
    }

    private func placeNow(of folder: NodeNumber) throws(Errno) -> OpenFile {
        // 1. Up to the nearest folder that is open, under the lock.
        let found = tree.nearestPlace(of: folder)
        guard let found else { throw .stale }
        // 2. Down again, one name at a time.
        var place = found.place
        for (id, name) in found.names {
            do throws(Errno) { place = OpenFile(try place.descriptor.open(name, [.path, .folder])) } catch {
                throw [.noSuchEntry, .notDirectory].contains(error) ? .stale : error
            }
            // Of one that the kernel has not been told of, it has decided nothing.
            if rights.areChecked, tree[id].cachedAccess != .nothing { try cachedAccess.check(id, try place.descriptor.status()) }
            keep(place, of: id)
        }
        return place
    }

    private func keep(_ place: OpenFile, of id: NodeNumber) {
        // What is let go of is closed behind the lock.
        let dropped = tree.setPlace(place, of: id, most: Self.openPlaces)
        withExtendedLifetime(dropped) {}
    }
}

extension OpenFile {
    /// Holds what has a name in this folder, and may be about to lose it.
    func item(_ stored: Name) -> OpenFile? { try? OpenFile(descriptor.open(stored, .path)) }
}
