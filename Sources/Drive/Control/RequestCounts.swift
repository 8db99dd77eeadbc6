import Synchronization

/// The kinds of requests that the kernel makes, in the order they are listed in `status`.
public enum RequestKind: Int, CaseIterable, Sendable {
    case lookup, forget, getattr, setattr, readlink, mknod, mkdir, symlink, unlink, rmdir, rename, link
    case open, create, read, write, flush, fsync, release
    case opendir, readdir, readdirplus, releasedir, fsyncdir
    case statfs, getxattr, setxattr, listxattr, removexattr
    case access, fallocate, lseek, copyFileRange, tmpfile, other

    public var label: String {
        switch self {
        case .copyFileRange: "COPY_FILE_RANGE"
        default: "\(self)".uppercased()
        }
    }
}

/// How many requests of each kind the drive was asked. Counts do not wobble on a busy machine.
///
/// Those to the control folder, its status page and the folder of versions are left out: asking for the counts must not change
/// them, and a listing beside the page asks for the folder, whose permissions the kernel does not remember.
public final class RequestCounts: Sendable {
    private let counts: [Counter]
    private final class Counter: Sendable { let value = Atomic<UInt64>(0) }

    /// What was deleted before, and is gone for good because somebody said so.
    let purged = Atomic(0)
    /// The same of earlier versions.
    let purgedVersions = Atomic(0)

    public init() { counts = RequestKind.allCases.map { _ in Counter() } }

    @inline(__always)
    public func add(_ kind: RequestKind, at node: NodeID) {
        guard node != NodeID(NodeNumber.control), node != NodeID(NodeNumber.status), node != NodeID(NodeNumber.versions), node != NodeID(NodeNumber.keyValues),
            node != NodeID(NodeNumber.deletedItems), node != NodeID(NodeNumber.search), node != NodeID(NodeNumber.searches)
        else { return }
        add(kind)
    }

    @inline(__always)
    public func add(_ kind: RequestKind) { counts[kind.rawValue].value.add(1, ordering: .relaxed) }

    /// All of them, but for those about the control folder.
    var total: UInt64 { counts.reduce(0) { $0 &+ $1.value.load(ordering: .relaxed) } }

    public func count(of kind: RequestKind) -> UInt64 { counts[kind.rawValue].value.load(ordering: .relaxed) }
}
