import Glibc
import LinuxFiles
import Shell

/// Links on the way to what root mounts, and to its log. Who owns one says where it leads, at any moment, and who may change a folder on the way puts
/// there a link of root's from elsewhere: root follows only its own that nobody else can have put there.
enum MountLinks {
    private struct Link {
        let place: String
        /// The user who owns the link; where others may change a folder on the way, the user who owns that folder.
        let owner: UInt32
        /// That folder; empty where the link itself is another user's.
        let folder: String

        /// What to say of it. `real`: where the whole path leads now.
        func refusal(of path: String, _ what: String, real: String, _ does: String) -> Stop {
            let cause = if folder.isEmpty { "of \(userName(owner)), who may have it lead elsewhere at any moment" }
            else if owner == 0 { "below \(quoted(folder)), where others may write, and put another in its place" }
            else { "below \(quoted(folder)), which is \(userName(owner))'s, who may put another in its place" }
            let advice = real.isEmpty ? "" : "; root \(does) by a path without it: \(shellWord(real))"
            return Stop(1, "\(quoted(place)) on the way to the \(what) \(quoted(path)) is a symbolic link \(cause)\(advice)")
        }
    }

    /// One walk along a path, which notes the first link that root does not follow.
    private final class Walk {
        private(set) var refused: Link?
        /// The last folder on the way.
        private var last: FileStatus?
        private var exposed: (folder: String, owner: UInt32)?

        func pass(_ folder: OpenFile) throws(Errno) {
            let status = try folder.descriptor.status()
            last = status
            // Only root moves a folder of root's that lies in a sticky one.
            guard exposed == nil, status.owner != 0 || isWrittenByOthers(status) && status.mode & 0o1000 == 0 else { return }
            exposed = (try AbsolutePath.of(folder.descriptor), status.owner)
        }

        func follow(_ link: PathWalk.Link) throws(Errno) {
            guard refused == nil else { return }
            let owner = try link.place.descriptor.status().owner, above = try AbsolutePath.of(link.folder.descriptor)
            let place = above == "/" ? "/\(link.name)" : "\(above)/\(link.name)"
            if owner != 0 { refused = Link(place: place, owner: owner, folder: "") }
            else if let exposed { refused = Link(place: place, owner: exposed.owner, folder: exposed.folder) }
            // Into a sticky one, too, anybody moves a link that root made in a folder of theirs.
            else if last.map(isWrittenByOthers) != false { refused = Link(place: place, owner: 0, folder: above) }
        }

        /// Whether others can have put it where the walk ended: it is theirs, or root's from elsewhere.
        func mayBeAnothers(_ end: OpenFile) throws(Errno) -> Bool {
            let status = try end.descriptor.status()
            return last.map { $0.owner != 0 || isWrittenByOthers($0) } != false && (status.owner != 0 || status.type == .regular && status.links > 1)
        }

        private func isWrittenByOthers(_ folder: FileStatus) -> Bool { folder.mode & 0o022 != 0 }
    }

    /// What a path that root named leads to, by one walk: the path of the folder that it ended at. Throws where there is a link that it does not follow.
    static func walk(_ path: String, _ what: String) throws(Stop) -> Reply {
        // The folders on the way may lie on a file system that does not answer.
        let answer = Child.ask { () throws(Errno) in
            let walk = Walk()
            let end = try PathWalk.end(of: path, passing: { (folder) throws(Errno) in try walk.pass(folder) }) { (link) throws(Errno) in try walk.follow(link) }
            let real = try AbsolutePath.of(end.descriptor)
            return Array((walk.refused.map { "\(real)\0\($0.owner)\0\($0.place)\0\($0.folder)" } ?? real).utf8)
        }
        guard case .answer(let bytes) = answer else { return answer }
        let parts = bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 4, let owner = parts[1...].first.flatMap({ UInt32($0) }) else { return answer }
        throw Link(place: parts[2], owner: owner, folder: parts[3]).refusal(of: path, what, real: parts[0], "mounts")
    }

    /// The file that root's drive adds its messages to, which is made where it is not there. None that others have put there.
    static func openLog(_ path: String) throws(Stop) -> OpenFile {
        let walk = Walk(), end: OpenFile
        var isNew = false
        do throws(Errno) {
            end = try PathWalk.end(of: path, passing: { (folder) throws(Errno) in try walk.pass(folder) }, making: { (folder, name) throws(Errno) in
                guard walk.refused == nil else { throw .noSuchEntry }
                isNew = true
                return OpenFile(try folder.descriptor.open(name, [.write, .create, .exclusive, .append], mode: 0o600))
            }) { (link) throws(Errno) in try walk.follow(link) }
        } catch { throw walk.refused?.refusal(of: path, "log", real: "", "writes") ?? cannotOpenLog(path, error) }
        if let refused = walk.refused { throw refused.refusal(of: path, "log", real: (try? AbsolutePath.of(end.descriptor)) ?? "", "writes") }
        if isNew { return end }
        let isOthers: Bool, log: OpenFile
        do throws(Errno) {
            isOthers = try walk.mayBeAnothers(end)
            log = isOthers ? end : OpenFile(try end.descriptor.reopened([.write, .append]))
        } catch { throw cannotOpenLog(path, error) }
        guard isOthers else { return log }
        throw Stop(1, "the log \(quoted(path)) lies where others may put any file, and is not root's, or has another name besides; name one in a folder of root's, or one that is not there yet")
    }
}

func cannotOpenLog(_ path: String, _ error: Errno) -> Stop { Stop(mountExitCode(error), "cannot open the log \(quoted(path)): \(error)") }
