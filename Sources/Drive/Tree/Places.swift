import LinuxFiles

/// Where a folder of the tree lies: an open descriptor, so that only single names travel.
final class Places: Sendable {
    private let tree: Tree
    private let rights: CallerRights
    private let moves: MovesUnderWay
    private let cachedAccess: CachedAccessChecks

    init(tree: Tree, rights: CallerRights, moves: MovesUnderWay, cachedAccess: CachedAccessChecks) {
        (self.tree, self.rights, self.moves, self.cachedAccess) = (tree, rights, moves, cachedAccess)
    }

    /// So many folders are kept open at most; more are opened again when they are asked for.
    private static let openPlaces = 512

    func place(of folder: NodeNumber) throws(Errno) -> OpenFile {
        try moves.following { () throws(Errno) in try placeNow(of: folder) }
    }

    private func placeNow(of folder: NodeNumber) throws(Errno) -> OpenFile {
        // 1. Up to the nearest folder that is open, under the lock.
        let found = tree.withLock { tree -> (place: OpenFile, names: [(NodeNumber, Name)])? in
            var names: [(NodeNumber, Name)] = []
            var current = folder
            while true {
                if let remains = tree.remaining[current] { return (remains, names.reversed()) }
                if let place = tree.folders[current]?.place { return (place, names.reversed()) }
                let node = tree[current]
                // What has no name is nowhere, and so is what is under it.
                guard node.parent != .none, current != NodeNumber.root, !node.isNameless else { return nil }
                names.append((current, node.stored))
                current = node.parent
            }
        }
        guard let found else { throw .stale }
        // 2. Down again, one name at a time.
        var place = found.place
        for (id, name) in found.names {
            do throws(Errno) { place = OpenFile(try place.descriptor.open(name, [.path, .folder])) } catch {
                throw [.noSuchEntry, .notDirectory].contains(error) ? .stale : error
            }
            // Of one that the kernel has not been told of, it has decided nothing.
            if rights.areChecked, tree[id].cachedAccess != .nothing { try cachedAccess.check(id, try place.descriptor.status()) }
            keep(place, of: id, called: name)
        }
        return place
    }

    private func keep(_ place: OpenFile, of id: NodeNumber, called name: Name) {
        // What is let go of where there are so many is closed behind the lock.
        let dropped = tree.withLock { tree -> [OpenFile] in
            // A package that grew meanwhile has become the document's, which lies elsewhere.
            guard tree.folders[id] != nil, tree[id].stored == name else { return [] }
            var dropped: [OpenFile] = []
            if tree.openPlaces >= Self.openPlaces {
                // All but the two at the top, which were given.
                for (other, folder) in tree.folders where other != NodeNumber.root && other != NodeNumber.originals {
                    guard let place = folder.place else { continue }
                    dropped.append(place)
                    tree.folders[other]?.place = nil
                }
                tree.openPlaces = 0
            }
            if tree.folders[id]?.place == nil { tree.openPlaces += 1 }
            tree.folders[id]?.place = place
            return dropped
        }
        withExtendedLifetime(dropped) {}
    }
}

extension OpenFile {
    /// Holds what has a name in this folder, and may be about to lose it.
    func item(_ stored: Name) -> OpenFile? { try? OpenFile(descriptor.open(stored, .path)) }
}
