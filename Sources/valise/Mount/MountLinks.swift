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

    /// Throws where another user's link is in the path of the container or mountpoint that root named. What else is wrong with a path is said later.
    static func check(_ path: String, _ what: String) throws(Stop) {
        // The folders on the way may lie on a file system that does not answer.
        guard geteuid() == 0, case .answer(let bytes) = Child.ask({ () throws(Errno) in try foreign(in: path)?.bytes ?? [] }), let link = Link(bytes) else { return }
        let whose = "\(quoted(link.place)) on the way to the \(what) \(quoted(path)) is a symbolic link of \(userName(link.owner)), who may have it lead elsewhere at any moment"
        throw Stop(1, "\(whose); root mounts by a path without it: \(shellWord(link.real))")
    }

    private static func foreign(in path: String) throws(Errno) -> Link? {
        var folder = OpenFile(try Descriptor.atPath(path.hasPrefix("/") ? "/" : ".", .path)), rest = parts(of: path), followed = 0
        while let part = rest.popLast() {
            if part == "." { continue }
            if part == ".." {
                folder = OpenFile(try Descriptor.parent(of: folder.descriptor))
                continue
            }
            guard let name = Name(part) else { throw .invalid }
            let place = OpenFile(try folder.descriptor.open(name, .path))
            // What lies there may be a drive that does not answer: only a link is asked for more.
            guard let target = try? place.descriptor.readSymbolicLink() else {
                folder = place
                continue
            }
            let status = try place.descriptor.status(), above = try AbsolutePath.of(folder.descriptor)
            guard status.owner == 0 else { return Link(above == "/" ? "/\(part)" : "\(above)/\(part)", status.owner, try mountpointPath(path)) }
            followed += 1
            guard followed < 40 else { throw .tooManySymbolicLinks }
            let text = String(decoding: target, as: UTF8.self)
            if text.hasPrefix("/") { folder = OpenFile(try Descriptor.atPath("/", .path)) }
            rest += parts(of: text)
        }
        return nil
    }

    /// The last one first.
    private static func parts(of path: String) -> [String] { path.split(separator: "/").reversed().map(String.init) }
}
