import Glibc
import LinuxFiles

/// A folder of which nobody else can make another one: each on the way to it is root's or this user's, and nobody else may write there, so
/// what is found by its path is what was found before.
enum OwnFolder {
    private static let mostLinks = 40

    /// Its path without links; nil where somebody else could change what is there. What is missing is made.
    static func path(of path: String) -> String? {
        guard path.hasPrefix("/") else { return nil }
        var left = names(of: path), way: [Substring] = [], links = 0
        guard var folder = try? Descriptor.atPath("/", [.path, .folder]), isSafe(folder, isLast: false) else { return nil }
        while let next = left.popLast() {
            guard next != "..", let name = Name(String(next)) else { return nil }
            if (try? folder.exists(name)) == false { try? folder.makeFolder(name, mode: 0o700) }
            guard let status = try? folder.status(of: name) else { return nil }
            if status.type == .symbolicLink {
                links += 1
                guard links < mostLinks, isOwn(status), let target = (try? folder.readSymbolicLink(name)).map({ String(decoding: $0, as: UTF8.self) }) else { return nil }
                left += names(of: target)
                if target.hasPrefix("/") {
                    way = []
                    guard let top = try? Descriptor.atPath("/", [.path, .folder]) else { return nil }
                    folder = top
                }
                continue
            }
            guard let inner = try? folder.open(name, [.path, .folder]), isSafe(inner, isLast: left.isEmpty) else { return nil }
            folder = inner
            way.append(next)
        }
        return "/" + way.joined(separator: "/")
    }

    /// The last one first.
    private static func names(of path: String) -> [Substring] { path.split(separator: "/").filter { $0 != "." }.reversed() }

    private static func isOwn(_ status: FileStatus) -> Bool { status.owner == 0 || status.owner == geteuid() }

    private static func isSafe(_ folder: borrowing Descriptor, isLast: Bool) -> Bool {
        guard let status = try? folder.status(), isOwn(status) else { return false }
        // In a sticky folder nobody takes away what is somebody else's.
        if status.mode & 0o1000 != 0, !isLast { return true }
        // A group with the user's own number has nobody else in it, as most systems make users.
        let isOwnGroup = status.group == 0 || status.group == geteuid()
        return status.mode & 0o002 == 0 && (status.mode & 0o020 == 0 || isOwnGroup) && (!isLast || status.owner == geteuid())
    }

    /// Whether a file in such a folder is one's own alone, or is not there.
    static func hasOwn(_ name: String, in folder: String) -> Bool {
        guard let name = Name(name), let folder = try? Descriptor.atPath(folder, [.path, .folder]) else { return false }
        do throws(Errno) {
            let status = try folder.status(of: name)
            return status.type != .regular || status.owner == geteuid() && status.links == 1 && status.mode & 0o022 == 0
        } catch { return error == .noSuchEntry }
    }
}
