import Documents
import LinuxFiles

/// Versions that go: those that the policy has no place for, never while somebody waits; and those that somebody has removed.
final class VersionRemoval: Sendable {
    private let container: Container
    private let staging: Staging
    private let policy: VersionPolicy
    private let versions: VersionKeeping

    init(container: Container, staging: Staging, policy: VersionPolicy, versions: VersionKeeping) {
        (self.container, self.staging, self.policy, self.versions) = (container, staging, policy, versions)
    }

    /// Versions of documents that are gone stay so long, in case the document comes back.
    private static let orphanDays: Int64 = 30

    /// Removes what is not to be kept, and answers how many versions that were.
    /// `besides`: so much of the room is taken by what was deleted of each user's.
    @discardableResult
    func thinVersions(besides: [UInt32: Int64] = [:]) throws(Errno) -> Int {
        guard case .thinned = policy, let kept = versions.folder else { return 0 }
        try clearThinned()
        var shelves = try VersionShelf.all(in: kept, at: []), removed = 0
        for index in shelves.indices {
            let gone = try isOrphaned(shelves[index]) ? shelves[index].versions.map(\.version).filter(\.isDiscardable)
                : VersionPolicy.superfluous(shelves[index].versions.map(\.version))
            for version in gone { try remove(version, from: &shelves[index]) }
            removed += gone.count
        }
        return try removed + makeRoom(&shelves, besides: besides)
    }

    /// The store is full: what is being saved matters more than what was. A quarter of all goes at a time, the oldest first; the newest of each
    /// document only when there are no others, and not for the sake of another version. False where there is nothing to give up.
    func giveUp(alsoNewest: Bool) -> Bool {
        guard case .thinned = policy, let kept = versions.folder else { return false }
        var gone = KeptRoom(), of: Set<String> = []
        defer {
            if gone.items > 0 {
                let named = of.sorted().prefix(Self.mostNamed).joined(separator: ", ") + (of.count > Self.mostNamed ? ", …" : "")
                SystemLog.write("the store is full: the oldest versions made room (\(gone.items) of them, \(gone.size) bytes), those of \(named)")
            }
        }
        do throws(Errno) {
            try clearThinned()
            var shelves = try VersionShelf.all(in: kept, at: [])
            for keepsNewest in alsoNewest ? [true, false] : [true] where gone.items == 0 {
                var (candidates, _) = Self.candidates(in: shelves, keepingNewest: keepsNewest)
                candidates.sort { $0.version.id < $1.version.id }
                for index in SharedRoom.quarter(of: candidates.map { ($0.owner, $0.size) }) {
                    try remove(candidates[index].version, from: &shelves[candidates[index].shelf])
                    gone = gone + KeptRoom(items: 1, size: candidates[index].size)
                    of.insert(shelves[candidates[index].shelf].path.text)
                }
            }
        } catch {
            // What went before made room all the same.
        }
        return gone.items > 0
    }

    /// Removes all versions of the documents at and below a path that were written before a moment, because somebody says so. What nobody
    /// has decided about stays.
    func purge(at path: [Name], before moment: Int64?) throws(Errno) -> Outcome {
        guard let kept = versions.folder, let folder = try Container.folder(at: path, in: kept) else { return Outcome(isUnchanged: true) }
        for var shelf in try VersionShelf.all(in: folder, at: path) {
            for version in shelf.purgeable(before: moment) { try remove(version, from: &shelf) }
        }
        return Outcome()
    }

    /// Of whose versions take most room the oldest go first, whatever they are of. The newest one of each document stays, however large it is.
    private func makeRoom(_ shelves: inout [VersionShelf], besides: [UInt32: Int64]) throws(Errno) -> Int {
        var (candidates, used) = Self.candidates(in: shelves, keepingNewest: true)
        used.merge(besides) { $0.saturatingAdd($1) }
        let all = used.values.reduce(candidates.reduce(Int64(0)) { $0.saturatingAdd($1.size) }) { $0.saturatingAdd($1) }
        guard let room = try policy.room(for: all, in: container) else { return 0 }
        candidates.sort { $0.version.id < $1.version.id }
        let superfluous = SharedRoom.superfluous(candidates.map { ($0.owner, $0.size) }, besides: used, room: room)
        for index in superfluous { try remove(candidates[index].version, from: &shelves[candidates[index].shelf]) }
        return superfluous.count
    }

    private static let mostNamed = 5

    private typealias Candidate = (shelf: Int, version: DocumentVersion, owner: UInt32, size: Int64)

    /// What may go, and how much room the others take of each owner's.
    private static func candidates(in shelves: [VersionShelf], keepingNewest: Bool) -> (candidates: [Candidate], others: [UInt32: Int64]) {
        var candidates: [Candidate] = [], others: [UInt32: Int64] = [:]
        for (index, shelf) in shelves.enumerated() {
            let newest = keepingNewest ? shelf.newest : nil
            for (version, owner, size) in shelf.versions {
                if version.isDiscardable, version != newest { candidates.append((index, version, owner, size)) } else { others[owner] = (others[owner] ?? 0).saturatingAdd(size) }
            }
        }
        return (candidates, others)
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
