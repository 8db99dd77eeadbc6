import LinuxFiles

/// What the kernel was told last of a node, as far as it decides by it who may do what: whose it is, what it permits, and which
/// file it is. A digest with a key that this process alone has, because there are very many nodes and nobody is to find two
/// files that have the same.
struct ToldAccess: Hashable, Sendable {
    /// The upper half is of owner, group, type and permissions, the lower half of the file.
    private let rawValue: UInt64

    private init(rawValue: UInt64) { self.rawValue = rawValue }

    static let nothing = ToldAccess(rawValue: 0)

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
    func isSameFile(as other: ToldAccess) -> Bool { rawValue != 0 && UInt32(truncatingIfNeeded: rawValue) == UInt32(truncatingIfNeeded: other.rawValue) }

    /// Whether a document is as the kernel was told: each save makes its parts anew, so that which files they are says nothing.
    func permits(as other: ToldAccess) -> Bool { rawValue != 0 && rawValue >> 32 == other.rawValue >> 32 }
}
