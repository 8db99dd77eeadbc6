import Glibc
import LinuxFiles

/// Whom a store says that files belong to that this process makes, and whether it keeps what it is told of permissions.
///
/// Most keep both. A memory stick (FAT, exFAT), a share of another computer or a disk that is mounted with `uid=` has one
/// owner and one set of permissions for all there is. Nobody can be told apart there: what is asked is then whether
/// something belongs to whom everything belongs to.
struct StoreOwnership {
    let user: UInt32
    let keepsPermissions: Bool

    /// Makes a file there for a moment, where the container is to be written to. Elsewhere the type of the store has to do.
    init(of folder: borrowing Descriptor, _ access: Container.Access) {
        if access == .readWrite, let probe = try? Self.probe(folder) {
            (user, keepsPermissions) = (probe.owner, probe.permissions & 0o077 == 0)
        } else if Self.isWithoutOwners(folder), let status = try? folder.status() {
            (user, keepsPermissions) = (status.owner, false)
        } else {
            (user, keepsPermissions) = (geteuid(), true)
        }
    }

    private static func probe(_ folder: borrowing Descriptor) throws(Errno) -> FileStatus {
        if let nameless = try? folder.reopened([.nameless, .readWrite], mode: 0o600) { return try nameless.status() }
        guard let name = Name(".valise-\(getpid())") else { throw .invalid }
        let file = try folder.open(name, [.write, .create, .exclusive], mode: 0o600)
        defer { try? folder.unlink(name) }
        return try file.status()
    }

    /// By its type. What root mounts of a disk by way of a program, as ntfs-3g and exfat-fuse do, is taken for such a store where
    /// it cannot be tried.
    private static func isWithoutOwners(_ folder: borrowing Descriptor) -> Bool {
        guard let type = try? folder.fileSystemType() else { return false }
        return typesWithoutOwners.contains(type) || type == .fuse && folder.mountType() == "fuseblk"
    }

    /// FAT, exFAT, NTFS (both drivers), UDF and ISO 9660, as <linux/magic.h> and their drivers number them.
    private static let typesWithoutOwners = Set([0x4D44, 0x2011_BAB0, 0x7366_746E, 0x5346_544E, 0x1501_3346, 0x9660].map(FileSystemType.init))
}
