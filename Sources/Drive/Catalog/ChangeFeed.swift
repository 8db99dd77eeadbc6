import Dispatch
import LinuxFiles

/// What changed in the container, in order and with numbers: from here the catalog is fed, and with it every search.
///
/// A change comes here when the tree has followed it, and the kernel and those who watch the drive were told (`KernelMemory`). Of folders
/// that nobody has looked into on the drive the tree knows nothing; what the kernel notices there comes here at once.
final class ChangeFeed: Sendable {
    /// A folder: by its number in the catalog, or by its names from the top of the documents on.
    enum Place: Hashable, Sendable {
        case known(Int64)
        case path([Name])
    }

    struct Change: Sendable {
        let place: Place
        /// The names that changed in the folder; nil where it is not known which.
        let names: Set<Name>?
    }

    struct Changes: Sendable {
        var all: [Change] = []
        /// Changes were lost, in folders that are not known.
        var isLost = false
        /// The number of the last of these changes.
        var number: UInt64 = 0
    }

    private struct Table {
        var isFollowed = false
        var number: UInt64 = 0
        var order: [Place] = []
        var names: [Place: Set<Name>?] = [:]
        var isLost = false
        /// What the catalog has watched.
        var watched: [WatchID: (folder: Int64, package: Name?)] = [:]
    }

    private let table = Locked(Table())
    /// Rung for each change, and for whoever wants something of the one who follows.
    private let bell = DispatchSemaphore(value: 0)

    /// Beyond so many names, all of a folder counts as changed.
    private static let mostNames = 20_000

    /// From now on changes are kept until they are taken.
    func startFollowing() { table.withLock { $0.isFollowed = true } }

    func stopFollowing() { table.withLock { $0 = Table(number: $0.number) } }

    var isFollowed: Bool { table.withLock { $0.isFollowed } }

    // MARK: What comes

    /// These items are others than they were; without names, nobody knows which.
    func add(_ names: [Name]?, in place: Place) {
        let isFollowed = table.withLock { table in
            guard table.isFollowed else { return false }
            Self.add(names, in: place, to: &table)
            return true
        }
        if isFollowed { ring() }
    }

    private static func add(_ names: (some Collection<Name>)?, in place: Place, to table: inout Table) {
        table.number += 1
        if table.names[place] == nil { table.order.append(place) }
        guard let names, var known = table.names[place] ?? Set(), known.count < mostNames else {
            table.names[place] = .some(nil)
            return
        }
        known.formUnion(names)
        table.names[place] = known
    }

    /// Something was noticed of which the tree knows nothing: if the catalog watches it.
    func noticed(_ notice: ChangeNotice) {
        let isOurs = table.withLock { table in
            guard let (folder, package) = table.watched[notice.watch] else { return false }
            if notice.news.contains(.ended) {
                table.watched[notice.watch] = nil
                Self.add(package.map { [$0] }, in: .known(folder), to: &table)
            } else if let name = package ?? notice.name {
                Self.add([name], in: .known(folder), to: &table)
            }
            return true
        }
        if isOurs { ring() }
    }

    func loseTrack() {
        table.withLock { table in
            table.number += 1
            if table.isFollowed { table.isLost = true }
        }
        ring()
    }

    // MARK: What the catalog watches

    func watch(_ watch: WatchID, of folder: Int64, package: Name?) { table.withLock { $0.watched[watch] = (folder, package) } }

    func without(_ watches: Set<WatchID>) -> Set<WatchID> {
        watches.isEmpty ? watches : table.withLock { table in watches.filter { table.watched[$0] == nil } }
    }

    // MARK: Who follows

    func ring() { bell.signal() }

    /// Waits until something is added, and no longer than this.
    func wait(milliseconds: Int64) {
        guard bell.wait(timeout: .now() + .milliseconds(Int(clamping: milliseconds))) == .success else { return }
        // What was added several times meanwhile wakes it once.
        while bell.wait(timeout: .now()) == .success {}
    }

    var hasChanges: Bool { table.withLock { !$0.order.isEmpty || $0.isLost } }

    func hasChanges(in places: [Place]) -> Bool { table.withLock { table in table.isLost || places.contains { table.names[$0] != nil } } }

    func take() -> Changes {
        table.withLock { table in
            defer { (table.order, table.names, table.isLost) = ([], [:], false) }
            return Changes(all: table.order.map { Change(place: $0, names: table.names[$0] ?? nil) }, isLost: table.isLost, number: table.number)
        }
    }

    /// What could not be followed now.
    func putBack(_ changes: some Collection<Change>) {
        table.withLock { table in for change in changes { Self.add(change.names, in: change.place, to: &table) } }
    }

    var number: UInt64 { table.withLock { $0.number } }
}
