import Glibc
import LinuxFiles

/// Where something is mounted: an opened folder, and a name in it. Who owns a folder on the way there may move it and put a link in
/// its place, and then the path leads to something else by the time that root unmounts.
public struct MountPlace: Sendable {
    let above: OpenFile
    let name: Name

    /// Goes there from the top and follows no link, which a mountpoint's real path has none of.
    public init(_ path: String) throws(Errno) { try self.init(path) { (_) throws(Errno) in } }

    /// `passing` is given each folder on the way.
    init(_ path: String, passing: (OpenFile) throws(Errno) -> Void) throws(Errno) {
        let parts = path.split(separator: "/")
        guard path.hasPrefix("/"), let last = parts.last.flatMap({ Name(String($0)) }) else { throw .busy }
        above = try PathWalk.end(of: "/" + parts.dropLast().joined(separator: "/"), asFolder: true, passing: passing) { (_) throws(Errno) in throw .notDirectory }
        name = last
    }

    /// What is there now: the folder, or what is mounted on it.
    func opened() throws(Errno) -> OpenFile { OpenFile(try above.descriptor.open(name, .path)) }

    /// Of what is there now.
    public func device() throws(Errno) -> DeviceNumber { try opened().descriptor.device() }

    /// Takes away the drive that has this device, and nothing else that is there by now.
    public func unmount(_ drive: DeviceNumber, lazily: Bool) -> UnmountOutcome {
        // Not mounted any more is as good.
        guard (try? device()) == drive else { return .done }
        return unmount(lazily: lazily)
    }

    /// For root's process with one thread.
    public func unmount(lazily: Bool) -> UnmountOutcome {
        do throws(Errno) { try unmount(lazily ? Int32(MNT_DETACH) : 0) } catch {
            // Not mounted any more is as good.
            return error == .busy ? .busy : error == .invalid ? .done : .refused
        }
        return .done
    }

    func unmount(_ flags: Int32) throws(Errno) {
        try Self.within(above) { () throws(Errno) in
            // SAFETY: the text ends in zero.
            guard unsafe umount2(name.bytes.map { CChar(bitPattern: $0) } + [0], Int32(UMOUNT_NOFOLLOW) | flags) == 0 else { throw .current }
        }
    }

    /// mount(2) and umount(2) know paths only, and begin at the current folder.
    static func within(_ folder: OpenFile, _ body: () throws(Errno) -> Void) throws(Errno) {
        guard fchdir(folder.descriptor.rawValue) == 0 else { throw .current }
        defer { _ = unsafe chdir("/") }
        try body()
    }
}
