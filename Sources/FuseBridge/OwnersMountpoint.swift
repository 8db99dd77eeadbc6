import LinuxFiles

/// The folder that root mounts a user's drive on, and the one that it is in, opened.
///
/// A user who may exchange a folder on the way says where it leads, and mount(8) follows their links before it asks. So it is a folder
/// of their own, which they may mount on anyway, and not /etc. The place of an automount is root's, and then the whole way is.
public struct OwnersMountpoint {
    let place: MountPlace
    let folder: OpenFile

    /// Throws `.notPermitted` where it is not theirs.
    public init(_ path: String, of user: UInt32) throws(Errno) {
        var isRoots = true
        place = try MountPlace(path) { (folder) throws(Errno) in isRoots = try Self.isRoots(folder) && isRoots }
        // Not as a folder: that would have an automount mount it.
        folder = OpenFile(try place.above.descriptor.open(place.name, .path))
        let status = try folder.descriptor.status()
        guard status.type == .folder else { throw .notDirectory }
        if status.owner != user {
            guard isRoots, status.owner == 0, try folder.descriptor.fileSystemType() == .automount else { throw .notPermitted }
        }
    }

    /// Whether only root can exchange what is root's in a folder.
    private static func isRoots(_ folder: OpenFile) throws(Errno) -> Bool {
        let status = try folder.descriptor.status()
        return status.owner == 0 && (status.permissions & 0o022 == 0 || status.permissions & 0o1000 != 0)
    }
}
