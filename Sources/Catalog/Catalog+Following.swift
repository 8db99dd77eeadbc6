import Containers
import Databases
import LinuxFiles

// For the one who writes in a container, follows it by notices of their own, and goes through it bit by bit.
extension Catalog {
    /// Whoever notices what changes from now on.
    public func startFollowing(_ watcher: any FolderWatching) { self.watcher = watcher }

    /// The folder of the documents that a path leads to, or the last one on the way there that is known, and how many of the names lead to it.
    public func nearest(_ path: [Name]) -> (folder: Int64, count: Int)? { folders.nearest(path, in: .documents) }

    /// What was to be looked at still, of those who go through the container.
    public struct Walk {
        fileprivate var pending: [Int64]
        public fileprivate(set) var isNew = true
        public var isOver: Bool { pending.isEmpty }
    }

    public func newWalk() -> Walk {
        forgetPlaces()
        return Walk(pending: folders.tops.sorted { $0.key.rawValue > $1.key.rawValue }.map(\.value))
    }

    /// Goes on by one folder.
    public func step(_ walk: inout Walk) throws(Failure) -> [FolderChange] {
        guard let id = walk.pending.popLast() else { return [] }
        walk.isNew = false
        var changes: [FolderChange] = []
        try lasting { () throws(DatabaseFault) in changes = try lookAtAll(of: id) }
        unreported = []
        walk.pending += folders.children(of: id).values
        if walk.isOver { try lasting { () throws(DatabaseFault) in try addIndexes() } }
        return changes
    }

    /// Looks at some names in a folder again, or at all; and into the folders that are new there.
    public func look(again names: Set<Name>?, at folder: Int64) throws(Failure) -> [FolderChange] {
        var changes: [FolderChange] = []
        try lasting { () throws(DatabaseFault) in
            changes = if let names { try look(again: names.sorted(), in: folder) } else { try lookAtAllAndInto(folder) }
        }
        unreported = []
        return changes
    }

    /// All that was noticed in a folder till it had these times was looked at.
    public func settle(_ folder: Int64, _ status: FileStatus) throws(Failure) {
        let stamp = ItemStamp.of(folder: status).settled
        try lasting { () throws(DatabaseFault) in try setStamp(stamp, of: folder) }
    }

    public func place(of folder: Int64) -> OpenFile? {
        guard let known = folders[folder], let path = folders.path(of: folder) else { return nil }
        return place(of: known, path)
    }

    /// The results of a query as far as they are known. What nobody has confirmed is looked at, and left out where it is another thing
    /// until its folder has been gone through.
    public func gather(_ results: QueryResults, isConfirmed: Bool) throws(Failure) {
        try lasting { () throws(DatabaseFault) in
            let run = newRun(results.query)
            _ = try run.run(.everything, folders, isConfirmed: isConfirmed) { item in
                results.put(item)
                return !results.isFull
            }
            results.unsure = run.stale
        }
    }
}
