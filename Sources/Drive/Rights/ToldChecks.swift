import LinuxFiles

/// Whether a file is still what the kernel was told of it, and as it was told. Where it is not, the kernel is to look again.
/// Each thing that a program asks for is done to what the kernel was told of, and to nothing that has its name since.
///
/// 1. Ann, whose folder it is, looks at a file of hers on the drive. The kernel remembers whose it is and what it permits.
/// 2. She exchanges its name below with that of a file of Bob's, and calls before the drive has noticed.
/// 3. The kernel lets her, because it remembers her file. So the drive opens the name, looks at what it got, and works on that
///    only if it is what the kernel was told; or else the kernel is to look again.
final class ToldChecks: Sendable {
    private let tree: TreeTable
    private let rights: CallerRights
    private let kernel: KernelMemory

    init(tree: TreeTable, rights: CallerRights, kernel: KernelMemory) {
        (self.tree, self.rights, self.kernel) = (tree, rights, kernel)
    }

    /// Throws `.stale`, and has the kernel look again, unless a file or folder is the one that it was told of, and as it was told.
    func check(_ id: NodeNumber, _ status: FileStatus) throws(Errno) {
        guard rights.areChecked, tree[id].told != ToldAccess(status) else { return }
        kernel.tell([.attributes(id)])
        throw .stale
    }

    /// The same of who changes or asks for attributes alone, whose rights are found out on the file itself: it need only be the same file. Whoever has
    /// it open does not look again, and its list or its permissions may have been changed by that very program.
    func checkFile(_ id: NodeNumber, _ status: FileStatus) throws(Errno) {
        let told = tree[id].told, now = ToldAccess(status)
        guard rights.areChecked, told != now else { return }
        kernel.tell([.attributes(id)])
        guard told.isSameFile(as: now) else { throw .stale }
    }

    /// A document is another file after each save, and has the permissions that it had.
    func checkDocument(_ id: NodeNumber, _ status: FileStatus) throws(Errno) {
        guard rights.areChecked, !tree[id].told.permits(as: ToldAccess(status)) else { return }
        kernel.tell([.attributes(id)])
        throw .stale
    }
}

extension Tree {
    /// The kernel is told of a node now.
    mutating func tell(_ attributes: Attributes) {
        guard attributes.access != .nothing, let id = node(attributes.node) else { return }
        self[id].told = attributes.access
    }
}
