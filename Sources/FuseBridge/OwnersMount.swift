import CFuse3
import Glibc
import LinuxFiles

/// A drive's mount that root makes for the user who serves it. For a process that stays root, and has one thread.
///
/// To the kernel it is that user's: without `allow_other` nobody else gets in, root neither.
public struct OwnersMount {
    private let path: String
    private let options: SessionOptions
    private let user: SystemUser
    private var mounted: (place: MountPlace, device: DeviceNumber)?

    public init(on path: String, for user: SystemUser, _ options: SessionOptions) {
        (self.path, self.user, self.options) = (path, user, options)
    }

    /// Mounts, once, and answers the kernel's device for the drive.
    public mutating func mount() throws(Errno) -> OpenFile {
        guard mounted == nil else { throw .busy }
        let place = try OwnersMountpoint(path, of: user.number)
        let device = OpenFile(try Descriptor.atPath("/dev/fuse", .readWrite))
        try MountPlace.within(place.folder) { () throws(Errno) in
            let facts = "fd=\(device.descriptor.rawValue),rootmode=40000,user_id=\(user.number),group_id=\(user.group)," + options.kernelWords.joined(separator: ",")
            // SAFETY: the kernel reads the texts.
            guard unsafe Glibc.mount(options.source, ".", "fuse.\(options.subtype)", options.kernelFlags, facts) == 0 else { throw .current }
        }
        // What lies under the mount is not kept: somebody else may unmount that, too.
        do throws(Errno) { mounted = (place.place, try place.place.device()) } catch {
            try? place.place.unmount(Int32(MNT_DETACH))
            throw error
        }
        return device
    }

    public func isMounted(on device: DeviceNumber) -> Bool { mounted?.device == device }

    /// What root does beside for a drive that has begun to answer. Answers the switch that ends its requests.
    public func greeted() -> OpenFile? {
        guard let mounted else { return nil }
        Session.readAhead(on: mounted.device)
        return FuseConnections.abortFile(of: mounted.device.minor)
    }

    public func unmount(lazily: Bool) -> UnmountOutcome {
        guard let mounted else { return .done }
        return mounted.place.unmount(mounted.device, lazily: lazily)
    }

    /// Takes away what a killed process left, and ends what waits for it.
    public func clear() {
        guard let mounted, (try? mounted.place.device()) == mounted.device else { return }
        try? mounted.place.unmount(Int32(MNT_DETACH | MNT_FORCE))
    }
}

extension SessionOptions {
    /// What libfuse makes of the options for the kernel. Files are never more than their bytes where a user serves them.
    fileprivate var kernelFlags: UInt {
        var flags = MS_NOSUID | MS_NODEV
        if readOnly { flags |= MS_RDONLY }
        let known: [(on: String, off: String, flag: Int)] = [
            ("noexec", "exec", MS_NOEXEC), ("noatime", "atime", MS_NOATIME), ("sync", "async", MS_SYNCHRONOUS), ("dirsync", "", MS_DIRSYNC),
        ]
        for option in kernelOptions {
            for (on, off, flag) in known {
                if option == on { flags |= flag }
                if option == off { flags &= ~flag }
            }
        }
        return UInt(flags)
    }

    fileprivate var kernelWords: [String] {
        ["default_permissions", "max_read=\(CFuse3_most_read)"] + (kernelOptions.contains("allow_other") ? ["allow_other"] : [])
    }
}

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
        folder = try place.opened()
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
