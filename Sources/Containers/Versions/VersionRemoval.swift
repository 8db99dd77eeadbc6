import Documents
import LinuxFiles
import Transactions

/// Versions that go: those that the policy has no place for, never while somebody waits; and those that somebody has removed.
final class VersionRemoval: Sendable {
    private let container: Container
    private let staging: Staging
    private let policy: VersionPolicy
    private let versions: VersionKeeping
    private let early: EarlyRemovals

    init(container: Container, staging: Staging, policy: VersionPolicy, versions: VersionKeeping, early: EarlyRemovals) {
        (self.container, self.staging, self.policy, self.versions, self.early) = (container, staging, policy, versions, early)
    }

    /// Versions of documents that are gone stay so long, in case the document comes back.
    private static let orphanDays: Int64 = 30

    /// All that are kept, without those that the policy has no place for: these are removed, and how many that were is told.
    func thinnedShelves() throws(Errno) -> (shelves: [VersionShelf], removed: Int) {
        guard case .thinned = policy, let kept = versions.folder else { return ([], 0) }
        try clearThinned()
        var shelves = try VersionShelf.all(in: kept, at: []), removed = 0
        for index in shelves.indices {
            let gone = try isOrphaned(shelves[index]) ? shelves[index].versions.map(\.version).filter(\.isDiscardable)
                : VersionPolicy.superfluous(shelves[index].versions.map(\.version))
            for version in gone { try remove(version, from: &shelves[index]) }
            removed += gone.count
        }
        return (shelves, removed)
    }

    /// The store is full: what is being saved matters more than what was. A quarter of all goes at a time; the newest of each document only when
    /// there are no others, and not for the sake of another version. False where there is nothing to give up.
    func giveUp(alsoNewest: Bool) -> Bool {
        guard case .thinned = policy, let kept = versions.folder else { return false }
        var gone: [EarlyRemovals.Gone] = []
        defer { early.tellFullStore(gone) }
        do throws(Errno) {
            try clearThinned()
            var shelves = try VersionShelf.all(in: kept, at: [])
            for keepsNewest in alsoNewest ? [true, false] : [true] where gone.isEmpty {
                let candidates = candidates(in: shelves, keepingNewest: keepsNewest)
                for index in SharedRoom.quarter(of: candidates.map(\.kept), now: Timestamp.now.seconds) {
                    try remove(candidates[index], from: &shelves)
                    gone.append(candidates[index].gone())
                }
            }
        } catch {
            // What went before made room all the same.
        }
        return !gone.isEmpty
    }

    /// Removes all versions of the documents at and below a path that were written before a moment, because somebody says so. What nobody
    /// has decided about stays.
    func purge(at path: [Name], before moment: Int64?) throws(Errno) -> Outcome {
        guard let kept = versions.folder, let folder = try Container.folder(at: path, in: kept) else { return Outcome(isUnchanged: true) }
        var outcome = Outcome()
        for var shelf in try VersionShelf.all(in: folder, at: path) {
            let gone = shelf.purgeable(before: moment)
            for version in gone { try remove(version, from: &shelf) }
            if !gone.isEmpty { outcome.purged.append((shelf.path, gone.count)) }
        }
        return outcome
    }

    struct Candidate {
        fileprivate let shelf: Int
        fileprivate let version: DocumentVersion
        /// What its document is called in the container.
        fileprivate let path: [Name]
        let kept: SharedRoom.Kept

        func gone(_ reason: SharedRoom.Reason = .noRoom) -> EarlyRemovals.Gone {
            EarlyRemovals.Gone(path: path, isVersion: true, size: kept.size, isTooLarge: reason == .tooLarge)
        }
    }

    /// What may go, the oldest first. The newest one of each document does not, however large it is: otherwise one large save costs the others theirs.
    func candidates(in shelves: [VersionShelf], keepingNewest: Bool) -> [Candidate] {
        var candidates: [Candidate] = []
        for (index, shelf) in shelves.enumerated() {
            let newest = keepingNewest ? shelf.newest : nil
            for (version, owner, size) in shelf.versions where version.isDiscardable && version != newest {
                let kept = SharedRoom.Kept(owner: owner, size: size, what: .version(version.id.time.seconds))
                candidates.append(Candidate(shelf: index, version: version, path: shelf.path, kept: kept))
            }
        }
        return candidates.sorted { $0.version.id < $1.version.id }
    }

    func remove(_ candidate: Candidate, from shelves: inout [VersionShelf]) throws(Errno) {
        try remove(candidate.version, from: &shelves[candidate.shelf])
    }

    private func remove(_ version: DocumentVersion, from shelf: inout VersionShelf) throws(Errno) {
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
    private func isOrphaned(_ shelf: VersionShelf) throws(Errno) -> Bool {
        guard let stored = shelf.path.last, let newest = shelf.versions.map(\.version.modified.seconds).max(),
            Timestamp.now.seconds - newest > Self.orphanDays * VersionPolicy.day
        else { return false }
        do throws(Errno) { return try !container.documents.folder(at: shelf.path.dropLast()).descriptor.exists(stored) } catch {
            return [.noSuchEntry, .notDirectory].contains(error)
        }
    }
}
