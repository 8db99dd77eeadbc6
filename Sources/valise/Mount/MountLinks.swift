import Glibc
import LinuxFiles
import Shell

/// Links on the way to what root mounts. Who owns one says where it leads, at any moment: root follows its own only.
enum MountLinks {
    private struct Link {
        let place: String
        let owner: UInt32
        /// Where the whole path leads now.
        let real: String

        var bytes: [UInt8] { Array("\(owner)\n\(place)\0\(real)".utf8) }

        init(_ place: String, _ owner: UInt32, _ real: String) { (self.place, self.owner, self.real) = (place, owner, real) }

        init?(_ bytes: [UInt8]) {
            guard let line = bytes.firstIndex(of: 10), let owner = UInt32(String(decoding: bytes[..<line], as: UTF8.self)) else { return nil }
            let paths = bytes[(line + 1)...].split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
            guard paths.count == 2 else { return nil }
            (self.owner, place, real) = (owner, paths[0], paths[1])
        }
    }

    /// What a path that root named leads to, by one walk: the path of the folder that it ended at. Throws where another user's link is on it.
    static func walk(_ path: String, _ what: String) throws(Stop) -> Reply {
        // The folders on the way may lie on a file system that does not answer.
        let answer = Child.ask { () throws(Errno) in try walked(path) }
        guard case .answer(let bytes) = answer, let link = Link(bytes) else { return answer }
        let whose = "\(quoted(link.place)) on the way to the \(what) \(quoted(path)) is a symbolic link of \(userName(link.owner)), who may have it lead elsewhere at any moment"
        throw Stop(1, "\(whose); root mounts by a path without it: \(shellWord(link.real))")
    }

    /// The path that it leads to, or the first link of another user's.
    private static func walked(_ path: String) throws(Errno) -> [UInt8] {
        var foreign: (place: String, owner: UInt32)?
        let end = try PathWalk.end(of: path) { (link) throws(Errno) in
            let owner = try link.place.descriptor.status().owner
            guard owner != 0, foreign == nil else { return }
            let above = try AbsolutePath.of(link.folder.descriptor)
            foreign = (above == "/" ? "/\(link.name)" : "\(above)/\(link.name)", owner)
        }
        let real = try AbsolutePath.of(end.descriptor)
        guard let foreign else { return Array(real.utf8) }
        return Link(foreign.place, foreign.owner, real).bytes
    }
}
