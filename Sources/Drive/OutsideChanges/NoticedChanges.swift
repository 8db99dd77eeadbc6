import Dispatch
import LinuxFiles
import Synchronization

/// What is known of changes that other programs make in the container: where it is watched, and what was noticed and not
/// looked at yet. What the drive does about it is in `OutsideChanges.swift`.
final class NoticedChanges: Sendable {
    /// The kernel's notices; nil where it gives none.
    let notices: ChangeNotices?
    let means: SeeingChanges
    /// Why it is not the one that was asked for.
    let reason: String?

    /// How many notices came, how many items were looked at because of them, how often all of them, and what the kernel was told.
    let noticed = Atomic(0), looked = Atomic(0), rescans = Atomic(0), kernelNotices = Atomic(0)
    /// How often notices were lost.
    let losses = Atomic(0)
    /// There are as many watches as the system allows.
    let isFull = Atomic(false)

    /// Whose turn it is to take notices: what one thread took, no other may miss.
    let turn = Locked((), .takingNotices)
    private let table = Locked(Table())
    private let isEnding = Atomic(false)
    let ended = DispatchGroup()

    private struct Table {
        var news: [NodeNumber: [Name: News]] = [:]
        /// Packages and folders that are watched and have no node: they are being read, or are no document yet.
        var newcomers: [WatchID: (folder: NodeNumber, name: Name)] = [:]
        var toRescan: Set<NodeNumber> = []
        var moves = OutsideMoves()
        /// What was put in its place by this drive and not noticed yet.
        var own: [Own: FileStatus] = [:]
        /// How many take what is due, and look at it.
        var looking = 0
    }

    private struct Own: Hashable {
        let folder: NodeNumber
        let name: Name
    }

    /// What was noticed of one item. The times are those of `Monotonic`.
    struct News: Sendable {
        var what: ChangeNotice.News
        let first: Int64
        var last: Int64
        /// The moment, in milliseconds, from which it is to be looked at.
        var due: Int64
        /// It was looked at and was still being written.
        var isHalf = false
    }

    /// How long after its last change an item that is not whole may still become so; and how long a request waits for that.
    static let patience: Int64 = 5000, requestPatience: Int64 = 1000
    /// A file that somebody writes to is looked at when it is closed, but not later than that.
    static let writing: Int64 = 800
    /// The parts of a package come one after the other.
    static let parts: Int64 = 60

    init(_ wanted: SeeingChanges, _ folder: borrowing Descriptor) {
        var means = wanted, reason: String?
        var notices: ChangeNotices?
        if wanted == .watch {
            if let store = try? Self.unwatchable(folder.fileSystemType()) {
                (means, reason) = (.poll, "\(store) does not tell what others change")
            } else {
                do throws(Errno) { notices = try ChangeNotices() } catch { (means, reason) = (.poll, "the kernel gives no notices: \(error)") }
            }
        }
        self.means = means
        self.reason = reason
        self.notices = notices
    }

    /// The file systems on which somebody else's changes are made on another machine, by their magic numbers.
    private static func unwatchable(_ type: FileSystemType) -> String? {
        if type == .fuse { return "a FUSE file system" }
        return switch type.rawValue {
        case 0x6969: "NFS"
        case 0xFF53_4D42, 0xFE53_4D42, 0x517B: "SMB"
        case 0x0102_1997: "9p"
        case 0x00C3_6400: "Ceph"
        case 0x5346_414F, 0x6B41_4653: "AFS"
        case 0x786F_4256: "a shared folder of VirtualBox"
        default: nil
        }
    }

    // MARK: Watches

    func watch(_ folder: borrowing Descriptor) -> WatchID? { adding { notices throws(Errno) in try notices.watch(folder) } }

    func watch(_ name: Name, in folder: borrowing Descriptor) -> WatchID? {
        adding { notices throws(Errno) in try notices.watch(name, in: folder) }
    }

    private func adding(_ add: (ChangeNotices) throws(Errno) -> WatchID) -> WatchID? {
        guard let notices else { return nil }
        do throws(Errno) {
            let watch = try add(notices)
            isFull.store(false, ordering: .relaxed)
            return watch
        } catch {
            // One that may not be read is looked at each time; so is what is over the limit.
            if error == .noSpace { isFull.store(true, ordering: .relaxed) }
            return nil
        }
    }

    func unwatch(_ watches: Set<WatchID>) {
        for watch in watches { notices?.unwatch(watch) }
    }

    func expect(_ watch: WatchID, as name: Name, in folder: NodeNumber) { table.withLock { $0.newcomers[watch] = (folder, name) } }

    func haveNodes(_ watches: [WatchID]) {
        guard !watches.isEmpty else { return }
        table.withLock { table in
            for watch in watches { table.newcomers[watch] = nil }
            // A dictionary keeps the room that it once had: of ten thousand packages, when all have their nodes.
            if table.newcomers.isEmpty { table.newcomers = [:] }
        }
    }

    func newcomer(_ watch: WatchID) -> (folder: NodeNumber, name: Name)? { table.withLock { $0.newcomers[watch] } }

    // MARK: The drive's own

    /// More than come between two looks.
    private static let mostOwn = 512

    /// A file was put in its place by this drive, as it is now.
    func noteOwn(_ name: Name, in folder: NodeNumber, _ status: FileStatus) {
        guard notices != nil else { return }
        table.withLock { table in
            if table.own.count >= Self.mostOwn { table.own = [:] }
            table.own[Own(folder: folder, name: name)] = status
        }
    }

    /// Whether what came under a name is the file that the drive put there, and nobody has touched it since. Once for each.
    func isOwn(_ name: Name, in folder: NodeNumber, _ status: FileStatus, _ news: News) -> Bool {
        guard let own = table.withLock({ $0.own.removeValue(forKey: Own(folder: folder, name: name)) }) else { return false }
        return news.what == .arrived && !news.isHalf && status.isAsIt(was: own)
    }

    // MARK: News

    /// Something was noticed of an item. `delay`: how soon it is to be looked at.
    func note(_ name: Name, in folder: NodeNumber, _ what: ChangeNotice.News, after delay: Int64) {
        let now = Monotonic.milliseconds
        table.withLock { table in
            var news = table.news[folder]?[name] ?? News(what: [], first: now, last: now, due: .max)
            news.what.formUnion(what)
            news.last = now
            // Later than it was to be only as long as somebody writes, and not for ever.
            news.due = delay == 0 || news.isHalf ? now + delay : min(now + delay, news.first + Self.writing)
            table.news[folder, default: [:]][name] = news
        }
    }

    /// One end of a move was noticed, of an item whose name is the last of the path. `node`: of a folder that leaves, as the tree has it.
    /// Returns the folders that others have moved, if this is one that came.
    func noteMove(_ notice: ChangeNotice, at place: OutsideMoves.Place, isNow: Bool, node: NodeNumber?) -> [NodeNumber: [Name]] {
        table.withLock { table in
            if notice.news.contains(.arrived) {
                table.moves.arrive(notice.move, place, isNow: isNow, isFolder: notice.news.contains(.ofFolder))
            } else {
                table.moves.leave(notice.move, place, isNow: isNow, node: node)
            }
            return notice.news.isSuperset(of: [.ofFolder, .arrived]) ? table.moves.movedFolders : [:]
        }
    }

    var movedFolders: [NodeNumber: [Name]] { table.withLock { $0.moves.movedFolders } }

    func takeMoves() -> [OutsideMoves.Move] { table.withLock { $0.moves.take() } }
    func takeEnds(in folder: NodeNumber, _ names: some Sequence<Name>) -> OutsideMoves.Ends { table.withLock { $0.moves.takeEnds(in: folder, names) } }

    func forgetTakenMoves() -> [NodeNumber] { table.withLock { $0.moves.forgetTaken() } }

    /// It was looked at and is not whole: it is looked at again when it changes, and when patience ends.
    func wait(for name: Name, in folder: NodeNumber, _ news: News) {
        table.withLock { table in
            guard table.news[folder]?[name] == nil else { return }
            var news = news
            news.isHalf = true
            news.due = news.last + Self.patience
            table.news[folder, default: [:]][name] = news
        }
    }

    static func isPatient(_ news: News) -> Bool { Monotonic.milliseconds < news.last + patience }

    func news(of name: Name, in folder: NodeNumber) -> News? { table.withLock { $0.news[folder]?[name] } }

    func hasNews(of folder: NodeNumber) -> Bool { table.withLock { $0.news[folder] != nil } }

    /// The same, or somebody is just looking at what was noticed, there perhaps.
    func mayHaveNews(of folder: NodeNumber) -> Bool { table.withLock { $0.news[folder] != nil || $0.looking > 0 } }

    /// Takes what is due in one folder. Whoever looks at it says when that is done and was told.
    func takeDue(in folder: NodeNumber) -> [Name: News] {
        let now = Monotonic.milliseconds
        return table.withLock { table in
            table.looking += 1
            guard let all = table.news[folder] else { return [:] }
            let due = all.filter { $0.value.due <= now }
            let rest = due.count == all.count ? [:] : all.filter { $0.value.due > now }
            table.news[folder] = rest.isEmpty ? nil : rest
            return due
        }
    }

    func hasLooked() { table.withLock { $0.looking -= 1 } }

    /// Something was noticed that nobody has looked at yet, though it is due or nearly so.
    var isBehind: Bool {
        let soon = Monotonic.milliseconds + Self.parts
        return table.withLock { table in table.looking > 0 || !table.toRescan.isEmpty || table.news.values.contains { $0.values.contains { $0.due <= soon } } }
    }

    /// The folders in which something is due, and in how many milliseconds the next thing is.
    func due() -> (folders: [NodeNumber], next: Int64?) {
        let now = Monotonic.milliseconds
        return table.withLock { table in
            var folders: [NodeNumber] = [], next: Int64?
            for (folder, items) in table.news {
                let earliest = items.values.lazy.map(\.due).min() ?? .max
                if earliest <= now { folders.append(folder) } else { next = min(next ?? .max, earliest - now) }
            }
            return (folders, next)
        }
    }

    /// Nobody knows what changed in these folders.
    func loseTrack(of folders: some Sequence<NodeNumber>) {
        losses.add(1, ordering: .relaxed)
        table.withLock { $0.toRescan.formUnion(folders) }
        notices?.wake()
    }

    func takeRescan() -> Set<NodeNumber> {
        table.withLock { table in
            defer { table.toRescan = [] }
            return table.toRescan
        }
    }

    // MARK: The end

    var goesOn: Bool { !isEnding.load(ordering: .relaxed) }

    /// Waits until no thread takes notices any more.
    func stop() {
        isEnding.store(true, ordering: .relaxed)
        notices?.wake()
        ended.wait()
    }
}
