import Documents
import LinuxFiles

/// Versions that go: those that the policy has no place for. Never while somebody waits.
final class VersionRemoval: Sendable {
    private let container: Container
    private let staging: Staging
    private let policy: VersionPolicy
    private let versions: VersionKeeping

    init(container: Container, staging: Staging, policy: VersionPolicy, versions: VersionKeeping) {
        (self.container, self.staging, self.policy, self.versions) = (container, staging, policy, versions)
    }

    /// One document's versions, as they lie.
    private struct Shelf {
        let folder: OpenFile
        let path: [Name]
        var versions: [(version: DocumentVersion, owner: UInt32, size: Int64)]
        var newest: DocumentVersion? { versions.map(\.version).max { $0.id < $1.id } }
    }

    /// Versions of documents that are gone stay so long, in case the document comes back.
    private static let orphanDays: Int64 = 30

    /// Removes what is not to be kept, and answers how many versions that were.
    /// `besides`: so much of the room is taken by what was deleted of each user's.
    @discardableResult
    func thinVersions(besides: [UInt32: Int64] = [:]) throws(Errno) -> Int {
        guard case .thinned = policy, let kept = versions.folder else { return 0 }
        try clearThinned()
        var shelves: [Shelf] = []
        try collect(kept, [], into: &shelves)
        var removed = 0
        for index in shelves.indices {
            let gone = try isOrphaned(shelves[index]) ? shelves[index].versions.map(\.version).filter(\.isDiscardable)
                : VersionPolicy.superfluous(shelves[index].versions.map(\.version))
            for version in gone { try remove(version, from: &shelves[index]) }
            removed += gone.count
        }
        return try removed + makeRoom(&shelves, besides: besides)
    }

    /// The store is full: what is being saved matters more than what was. First all but the newest of each document go, and
    /// then these. False where there is nothing to give up.
    func giveUpVersions() -> Bool {
        guard case .thinned = policy, let kept = versions.folder else { return false }
        do throws(Errno) {
            try clearThinned()
            var shelves: [Shelf] = [], removed = 0
            try collect(kept, [], into: &shelves)
            for keepsNewest in [true, false] where removed == 0 {
                for index in shelves.indices {
                    let newest = keepsNewest ? shelves[index].newest : nil
                    for (version, _, _) in shelves[index].versions where version.isDiscardable && version != newest {
                        try remove(version, from: &shelves[index])
                        removed += 1
                    }
                }
            }
            return removed > 0
        } catch { return false }
    }

    /// Of whose versions take most room the oldest go first, whatever they are of. The newest one of each document stays, however large it is.
    private func makeRoom(_ shelves: inout [Shelf], besides: [UInt32: Int64]) throws(Errno) -> Int {
        var used = besides, candidates: [(shelf: Int, version: DocumentVersion, owner: UInt32, size: Int64)] = []
        for (index, shelf) in shelves.enumerated() {
            let newest = shelf.newest
            for (version, owner, size) in shelf.versions {
                if version.isDiscardable, version != newest { candidates.append((index, version, owner, size)) } else { used[owner] = (used[owner] ?? 0).saturatingAdd(size) }
            }
        }
        let all = used.values.reduce(candidates.reduce(Int64(0)) { $0.saturatingAdd($1.size) }) { $0.saturatingAdd($1) }
        guard let room = try policy.room(for: all, in: container) else { return 0 }
        candidates.sort { $0.version.id < $1.version.id }
        let superfluous = SharedRoom.superfluous(candidates.map { ($0.owner, $0.size) }, besides: used, room: room)
        for index in superfluous { try remove(candidates[index].version, from: &shelves[candidates[index].shelf]) }
        return superfluous.count
    }

    private func collect(_ folder: OpenFile, _ path: [Name], into shelves: inout [Shelf]) throws(Errno) {
        var shelf = Shelf(folder: folder, path: path, versions: [])
        var entries = try FolderReader(folder.descriptor)
        while let entry = try entries.next() {
            if let version = DocumentVersion(entry: entry.name) {
                let (owner, size) = try size(of: entry.name, in: folder)
                shelf.versions.append((version, owner, size))
            } else if let inner = try Self.innerFolder(entry.name, in: folder) {
                try collect(inner, path + [entry.name], into: &shelves)
            }
        }
        if !shelf.versions.isEmpty { shelves.append(shelf) }
    }

    private static func innerFolder(_ name: Name, in folder: OpenFile) throws(Errno) -> OpenFile? {
        do throws(Errno) { return OpenFile(try folder.descriptor.open(name, [.path, .folder])) } catch {
            guard [.noSuchEntry, .notDirectory, .tooManySymbolicLinks].contains(error) else { throw error }
            return nil
        }
    }

    private func size(of name: Name, in folder: OpenFile) throws(Errno) -> (owner: UInt32, size: Int64) {
        let status = try folder.descriptor.status(of: name)
        guard status.type == .folder else { return (status.owner, status.size) }
        let package = try folder.descriptor.open(name, [.path, .folder])
        var size: Int64 = 0
        var entries = try FolderReader(package)
        while let entry = try entries.next() { size = try size.saturatingAdd(package.status(of: entry.name).size) }
        return (status.owner, size)
    }

    private func remove(_ version: DocumentVersion, from shelf: inout Shelf) throws(Errno) {
        shelf.versions.removeAll { $0.version == version }
        guard case .kept(let entry) = version.location else { return }
        do throws(Errno) { try versions.discard(version: entry, in: shelf.folder) } catch { if error != .noSuchEntry { throw error } }
    }

    /// What could not be removed before.
    private func clearThinned() throws(Errno) {
        var left: [Name] = []
        var entries = try FolderReader(staging.folder.descriptor)
        while let entry = try entries.next() { if "\(entry.name)".hasSuffix("\(Name.thinnedSuffix)") { left.append(entry.name) } }
        for name in left { try? staging.remove(name) }
    }

    /// The document is gone, and has been for long.
    private func isOrphaned(_ shelf: Shelf) throws(Errno) -> Bool {
        guard let stored = shelf.path.last, let newest = shelf.versions.map(\.version.modified.seconds).max(),
            Timestamp.now.seconds - newest > Self.orphanDays * VersionPolicy.day
        else { return false }
        do throws(Errno) { return try !container.documents.folder(at: shelf.path.dropLast()).descriptor.exists(stored) } catch {
            return [.noSuchEntry, .notDirectory].contains(error)
        }
    }
}
