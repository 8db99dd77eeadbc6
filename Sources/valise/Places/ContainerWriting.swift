import Coordination
import Glibc
import LinuxFiles
import Shell

/// How a command changes a container: with the one process that writes in it, and by way of no drive that is read-only, however it
/// became so. What is named in the container itself is changed by whoever may do that.
struct ContainerWriting {
    private let container: String
    private let mount: MountTable.Mount?

    /// Whoever has something claimed is waited for, so many seconds.
    private static let patience = 60

    /// `path` is what a person named.
    init(_ container: String, by path: String) throws(Stop) {
        mount = Self.drive(of: path)
        if let mount { try Self.check(mount) }
        self.container = container
    }

    /// Whether what was named may be changed that way.
    static func check(_ path: String) throws(Stop) {
        if let mount = drive(of: path) { try check(mount) }
    }

    static func check(_ mount: MountTable.Mount) throws(Stop) {
        guard mount.isReadOnly else { return }
        let refusal = "the drive \(quoted(mount.mountpoint)) is read-only, and nothing is changed by way of it; to change things there"
        if let container = try? StatusSource.container(of: mount), isOnReadOnlyStore(container) {
            throw Stop(1, refusal + ": its container \(quoted(container)) lies on a read-only file system, and has to be writable before")
        }
        throw Stop(1, refusal + ", unmount it and mount it without -o ro")
    }

    /// A second mount of the container's file system may be read-only as well: what counts is where the container lies.
    private static func isOnReadOnlyStore(_ container: String) -> Bool {
        // SAFETY: reads the path.
        unsafe faccessat(AT_FDCWD, container, W_OK, AT_EACCESS) != 0 && Errno.current == .readOnly
    }

    /// By its path alone, where there is no such thing any more.
    private static func drive(of path: String) -> MountTable.Mount? {
        let absolute = (try? foundPath(path)) ?? writtenPath(path)
        guard let mount = try? MountTable.now().mount(under: absolute), mount.isDrive else { return nil }
        return mount
    }

    func change(_ item: String, _ body: (CoordinatedItem) throws(Failure) -> Void) throws {
        let coordinator = try FileCoordinator(container)
        defer { coordinator.close() }
        do {
            try coordinator.coordinate(writing: item, timeout: .seconds(Self.patience)) { try body($0) }
        } catch let failure as Failure where failure.errno == .noSuchDevice {
            guard let mount else { throw failure }
            // The drive's process cannot be asked, and does the same for who uses its files.
            let drive = mount.mountpoint
            throw Failure(
                failure.errno,
                failure.sentence + "; on the drive it can be done: move what was deleted out of \(quoted(drive + "/.valise/deleted")), or copy a version out of "
                    + "\(quoted(drive + "/.valise/versions")) over its document", cause: failure)
        }
    }
}
