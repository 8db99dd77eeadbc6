import Dispatch
import LinuxFiles

/// What changed in the container, in order and with numbers: from here the catalog is fed, and with it every search.
///
/// A change comes here when the tree has followed it, and the kernel and those who watch the drive were told (`KernelMemory`). Of folders
/// that nobody has looked into on the drive the tree knows nothing; what the kernel notices there comes here at once.
final class ChangeFeed: Sendable {
    /// A folder: by its number in the catalog, or by its place among those that changed.
    enum Place: Hashable, Sendable {
        case known(Int64)
        case path(FolderPaths.Number)
    }

    struct Change: Sendable {
        let place: Place
        /// The names that changed in the folder; nil where it is not known which.
        let names: Set<Name>?
    }

    struct Changes: Sendable {
        var all: [Change] = []
        /// Where the folders of these changes lie.
        var paths = FolderPaths()
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
        var nameCount = 0
        var paths = FolderPaths()
        var isLost = false
        /// What the catalog has watched.
        var watched: [WatchID: (folder: Int64, package: Name?)] = [:]

        mutating func forgetChanges() { (order, names, nameCount, paths, isLost) = ([], [:], 0, FolderPaths(), false) }
    }

    private let table = Locked(Table())
    /// Rung for each change, and for whoever wants something of the one who follows.
    private let bell = DispatchSemaphore(value: 0)

    /// Beyond so many names, all of a folder counts as changed; and beyond so many folders, or names in all of them, everything does.
    private static let mostNames = 20_000, mostFolders = 50_000, mostNamesTogether = 500_000

    /// From now on changes are kept until they are taken.
    func startFollowing() { table.withLock { $0.isFollowed = true } }

    func stopFollowing() { table.withLock { $0 = Table(number: $0.number) } }

    var isFollowed: Bool { table.withLock { $0.isFollowed } }

    // MARK: What comes

    /// These items are others than they were; without names, it is not known which. The folder is given by its names from the top of the documents on;
    /// nil for one that the catalog does not look into.
    func add(_ names: [Name]?, in path: [Name]?) {
        guard let path else { return }
        add(names) { .path($0.paths.number(of: path)) }
    }

    /// The same of a folder that the catalog knows by this number.
    func add(_ names: [Name]?, inKnown folder: Int64) { add(names) { _ in .known(folder) } }

    private func add(_ names: [Name]?, _ place: (inout Table) -> Place) {
        let isFollowed = table.withLock { table in
            guard table.isFollowed else { return false }
            Self.add(names, in: place(&table), to: &table)
            return true
        }
        if isFollowed { ring() }
    }

    private static func add(_ names: (some Collection<Name>)?, in place: Place, to table: inout Table) {
        table.number += 1
        if table.names[place] == nil { table.order.append(place) }
        let known = table.names[place] ?? Set()
        if let names, var known, known.count < mostNames {
            let before = known.count
            // A set that is held twice is copied when it grows.
            table.names[place] = .some(nil)
            known.formUnion(names)
            table.nameCount += known.count - before
            table.names[place] = known
        } else {
            table.nameCount -= known?.count ?? 0
            table.names[place] = .some(nil)
        }
        guard table.order.count > mostFolders || table.paths.count > mostFolders || table.nameCount > mostNamesTogether else { return }
        table.forgetChanges()
        table.isLost = true
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

    func take() -> Changes {
        table.withLock { table in
            defer { table.forgetChanges() }
            return Changes(
                all: table.order.map { Change(place: $0, names: table.names[$0] ?? nil) }, paths: table.paths, isLost: table.isLost, number: table.number)
        }
    }

    /// What could not be followed now: of what was taken, from that one on.
    func putBack(_ changes: Changes, from first: Int) {
        table.withLock { table in
            for change in changes.all[first...] {
                let place: Place
                switch change.place {
                case .known: place = change.place
                case .path(let number): place = .path(table.paths.number(of: changes.paths.names(of: number)))
                }
                Self.add(change.names, in: place, to: &table)
            }
        }
    }

    /// How many folders and names wait to be followed.
    var kept: Int { table.withLock { $0.order.count + $0.paths.count + $0.nameCount } }

    var number: UInt64 { table.withLock { $0.number } }
}

/// Folders by where they lie: each as its parent and a name, so that many deep ones take no more room than others.
struct FolderPaths: Sendable {
    /// 0 is the top of the documents.
    typealias Number = Int32

    private struct Step: Hashable {
        let parent: Number
        let name: Name
    }

    private var steps: [Step] = []
    private var numbers: [Step: Number] = [:]

    var count: Int { steps.count }

    mutating func number(of path: [Name]) -> Number {
        var number: Number = 0
        for name in path {
            let step = Step(parent: number, name: name)
            if let known = numbers[step] {
                number = known
            } else {
                steps.append(step)
                number = Number(steps.count)
                numbers[step] = number
            }
        }
        return number
    }

    func names(of number: Number) -> [Name] {
        var names: [Name] = [], current = number
        while current > 0 {
            let step = steps[Int(current) - 1]
            names.append(step.name)
            current = step.parent
        }
        return names.reversed()
    }
}
