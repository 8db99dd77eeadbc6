import Containers
import Documents
import LinuxFiles

/// Who sees to it that changes are noticed in folders, and in packages.
public protocol FolderWatching: AnyObject {
    /// A folder; or one that lies in a package of it.
    func watch(_ place: OpenFile, of folder: Int64, package: Name?)
    func watch(_ package: Name, in folder: Int64, _ place: OpenFile)
}

/// The folders of a container that somebody watches, packages among them.
final class ContainerWatch: FolderWatching {
    private let notices: ChangeNotices
    private var targets: [WatchID: (folder: Int64, package: Name?)] = [:]
    /// The kernel has no more watches or notices: what is not watched is looked at again and again.
    private(set) var isShort = false
    /// Where what comes and goes is not noticed.
    private(set) var unwatched: Set<Int64> = []
    /// No more than these are watched.
    private let most: Int

    init(most: Int = .max) throws(Errno) { (notices, self.most) = (try ChangeNotices.orNone(), most) }

    /// Whether that is watched from now on.
    private func watch(_ id: WatchID, for folder: Int64, _ package: Name?) -> Bool {
        guard targets[id] != nil || targets.count < most else {
            notices.unwatch(id)
            return false
        }
        targets[id] = (folder, package)
        return true
    }

    func watch(_ place: OpenFile, of folder: Int64, package: Name?) {
        let isWatched = (try? notices.watch(place.descriptor)).map { watch($0, for: folder, package) } ?? false
        if !isWatched { isShort = true }
        if package == nil { if isWatched { unwatched.remove(folder) } else { unwatched.insert(folder) } }
    }

    func watch(_ package: Name, in folder: Int64, _ place: OpenFile) {
        do throws(Errno) { if try !watch(notices.watch(package, in: place.descriptor), for: folder, package) { isShort = true } } catch {
            if error != .notDirectory, error != .noSuchEntry { isShort = true }
        }
    }

    /// What changed since the last time.
    struct News {
        var names: [Int64: Set<Name>] = [:]
        /// Notices were lost, and it is not known what changed.
        var isLost = false
        /// Something has left a folder, and nobody has said yet where it arrived.
        var isInMove = false

        var isEmpty: Bool { names.isEmpty && !isLost }
    }

    func take() -> News {
        var news = News(), moves: Set<UInt32> = []
        for notice in notices.take() {
            if notice.news.contains(.left) { moves.insert(notice.move) } else if notice.news.contains(.arrived) { moves.remove(notice.move) }
            if notice.news.contains(.lost) { news.isLost = true }
            guard let target = targets[notice.watch] else { continue }
            if notice.news.contains(.ended) { targets[notice.watch] = nil }
            if let name = target.package ?? notice.name { news.names[target.folder, default: []].insert(name) }
        }
        news.isInMove = !moves.isEmpty
        return news
    }

    func wait(milliseconds: Int64?) { notices.wait(milliseconds: milliseconds) }

    /// Ends a wait, also the next one; from any thread.
    var interruption: @Sendable () -> Void { { [notices] in notices.wake() } }
}
