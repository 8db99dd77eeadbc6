import LinuxFiles

/// Whether a file is still what the kernel was told of it, and as it was told. Where it is not, the kernel is to look again.
/// Each thing that a program asks for is done to what the kernel was told of, and to nothing that has its name since.
///
/// 1. Ann, whose folder it is, looks at a file of hers on the drive. The kernel remembers whose it is and what it permits.
/// 2. She exchanges its name below with that of a file of Bob's, and calls before the drive has noticed.
/// 3. The kernel lets her, because it remembers her file. So the drive opens the name, looks at what it got, and works on that
///    only if it is what the kernel was told; or else the kernel is to look again.
final class CachedAccessChecks: Sendable {
    private let tree: Tree
    private let rights: CallerRights
    private let kernel: KernelMemory

    init(tree: Tree, rights: CallerRights, kernel: KernelMemory) {
        (self.tree, self.rights, self.kernel) = (tree, rights, kernel)
    }

    /// Throws `.stale`, and has the kernel look again, unless a file or folder is the one that it was told of, and as it was told.
    func check(_ id: NodeNumber, _ status: FileStatus) throws(Errno) {
        guard rights.areChecked, tree[id].cachedAccess != CachedAccess(status) else { return }
        kernel.tell([.attributes(id)])
        throw .stale
    }

    /// The same of who changes or asks for attributes alone, whose rights are found out on the file itself: it need only be the same file. Whoever has
    /// it open does not look again, and its list or its permissions may have been changed by that very program.
    func checkFile(_ id: NodeNumber, _ status: FileStatus) throws(Errno) {
        let cached = tree[id].cachedAccess, now = CachedAccess(status)
        guard rights.areChecked, cached != now else { return }
        kernel.tell([.attributes(id)])
        guard cached.isSameFile(as: now) else { throw .stale }
    }

    /// A document is another file after each save, and has the permissions that it had.
    func checkDocument(_ id: NodeNumber, _ status: FileStatus) throws(Errno) {
        guard rights.areChecked, !tree[id].cachedAccess.permits(as: CachedAccess(status)) else { return }
        kernel.tell([.attributes(id)])
        throw .stale
    }
}

extension NodeTable {
    /// From now on the kernel decides by these attributes.
    mutating func noteCached(_ attributes: Attributes) {
        guard attributes.access != .nothing, let id = node(attributes.node) else { return }
        self[id].cachedAccess = attributes.access
    }
}

/// What the kernel was told last of a node, as far as it decides by it who may do what: whose it is, what it permits, and which
/// file it is. A digest with a key that this process alone has, because there are very many nodes and nobody is to find two
/// files that have the same.
struct CachedAccess: Hashable, Sendable {
    /// The upper half is of owner, group, type and permissions, the lower half of the file.
    private let rawValue: UInt64

    private init(rawValue: UInt64) { self.rawValue = rawValue }

    static let nothing = CachedAccess(rawValue: 0)

    init(_ status: FileStatus) {
        var access = Hasher(), file = Hasher()
        access.combine(status.owner)
        access.combine(status.group)
        access.combine(status.mode)
        file.combine(status.identity)
        let upper = UInt64(UInt32(truncatingIfNeeded: access.finalize())), lower = UInt64(UInt32(truncatingIfNeeded: file.finalize()))
        rawValue = upper << 32 | lower | 1
    }

    /// Whatever its owner and permissions are by now.
    func isSameFile(as other: CachedAccess) -> Bool { rawValue != 0 && UInt32(truncatingIfNeeded: rawValue) == UInt32(truncatingIfNeeded: other.rawValue) }

    /// Whether a document is as the kernel was told: each save makes its parts anew, so that which files they are says nothing.
    func permits(as other: CachedAccess) -> Bool { rawValue != 0 && rawValue >> 32 == other.rawValue >> 32 }
}
