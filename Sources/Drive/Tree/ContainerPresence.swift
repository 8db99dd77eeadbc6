import Containers
import LinuxFiles

/// Whether the container is where it was. Its folder may be removed while a drive shows it, its store unmounted, or dead.
///
/// Looked at when a request fails in a way that could come of it, when the kernel tells that something happened to the
/// folder, and when somebody asks for the status: each change is told once.
final class ContainerPresence: Sendable {
    enum Absence: Equatable, Sendable {
        /// The folder was deleted.
        case removed
        /// The store answers every request with this error.
        case dead(Errno)
        /// The folder has this path now.
        case moved(String)
        /// The folder goes on, but no path leads to it: its store was unmounted while it was in use.
        case elsewhere

        /// Nothing can be read or saved any more.
        var isFinal: Bool {
            switch self {
            case .removed, .dead: true
            case .moved, .elsewhere: false
            }
        }

        var sentence: String {
            switch self {
            case .removed: "the folder was removed while the drive shows it; nothing can be saved any more"
            case .dead(let error): "its file system does not work any more (\(error)); mount that again, and then the drive"
            case .moved(let path): "the folder was moved to “\(path)”; the drive goes on with it"
            case .elsewhere: "the folder was moved or its file system unmounted; the drive goes on with it until it is unmounted itself"
            }
        }
    }

    private let container: Container
    private let absence = Latest<Absence?>(nil)
    /// What the top was like when it could be asked last.
    private let lastStatus: Latest<FileStatus?>
    /// Some FUSE programs count no links.
    private let countsLinks: Bool

    init(_ container: Container) {
        self.container = container
        let status = try? container.documents.descriptor.status()
        lastStatus = Latest(status)
        countsLinks = status?.links ?? 0 > 0
    }

    /// Where the folder is, as far as is known.
    func path(_ absence: Absence?) -> String { if case .moved(let path)? = absence { path } else { container.path } }

    /// What was found last.
    var last: Absence? { absence.value }

    /// Looks, and tells if it is another than it was.
    @discardableResult
    func look() -> Absence? {
        let now = found()
        guard absence.set(now) != now else { return now }
        if let now {
            SystemLog.write("the container “\(container.path)” is gone: \(now.sentence)", .error)
        } else {
            SystemLog.write("the container “\(container.path)” is there again")
        }
        return now
    }

    private func found() -> Absence? {
        do throws(Errno) {
            let top = try container.documents.descriptor.status(), base = try container.base.descriptor.status()
            if countsLinks, top.links == 0 || base.links == 0 { return .removed }
            lastStatus.set(top)
            // A file system's attributes may be remembered longer than it lives.
            _ = try container.base.descriptor.fileSystemStatus()
            func leads(_ path: String) -> Bool { (try? Descriptor.atPath(path, [.path, .folder]).status())?.identity == base.identity }
            if leads(container.path) { return nil }
            guard let path = try? AbsolutePath.of(container.base.descriptor), leads(path) else { return .elsewhere }
            return .moved(path)
        } catch { return error == .noSuchEntry || error == .stale ? .removed : .dead(error) }
    }

    /// The top as it is, or as it was last: the drive is still there, with its control folder.
    func topStatus(_ ask: () throws(Errno) -> FileStatus) throws(Errno) -> FileStatus {
        do throws(Errno) { return try ask() } catch {
            guard error != .timedOut, let now = look(), now.isFinal, let last = lastStatus.value else { throw error }
            return last
        }
    }

    /// What a request is answered that failed with `error`: what is gone with its container is not just missing; and that
    /// a connection is lost is what a drive says whose process has ended.
    func explained(_ error: Errno) -> Errno {
        switch error {
        case .noSuchEntry, .stale:
            // Names that are not there are asked for all the time.
            if let top = try? container.documents.descriptor.status(), top.links > 0 { return error }
        case .inputOutput, .notConnected, .gone: break
        default: return error
        }
        return look()?.isFinal == true || error == .notConnected ? .gone : error
    }
}
