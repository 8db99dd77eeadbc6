import FuseBridge
import Glibc
import LinuxFiles
import Shell

// What is looked at before anything is mounted. Each refusal names the mend.

/// mount(8)'s exit code for a system call's error.
func mountExitCode(_ error: Errno) -> Int32 {
    switch error {
    case .notPermitted, .accessDenied: 1
    case .noMemory, .tooManyOpenFiles, Errno(rawValue: ENFILE): 2
    case .notImplemented: 4
    default: 32
    }
}

func checkSystem(_ options: MountOptions) throws(Stop) {
    if let obstacle = FuseDevice.obstacle() {
        throw Stop(obstacle.isForbidden ? 1 : 32, "\(obstacle.fault); try: \(obstacle.mend)")
    }
    if let nameless = SystemChecks.namelessUser { throw Stop(1, "\(nameless.fault); try: \(nameless.mend)") }
    if getuid() != 0, options.allowsOthers, !userMayAllowOthers() {
        throw Stop(1, "“allow_other” is only for root, unless /etc/fuse.conf permits it; try: echo user_allow_other | sudo tee -a /etc/fuse.conf")
    }
}

/// Whether /etc/fuse.conf lets users open their drives to others.
func userMayAllowOthers() -> Bool {
    guard let bytes = try? contents(of: "/etc/fuse.conf") else { return false }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        .contains { $0.split(whereSeparator: \.isWhitespace) == ["user_allow_other"] }
}

/// The container's real path. `byRoot`: by no link of another user's.
func checkedContainer(_ path: String, byRoot: Bool) throws(Stop) -> String {
    let real: String, found: FileStatus
    let walked = byRoot ? try MountLinks.walk(path, "container") : nil
    do throws(Errno) {
        real = switch walked {
        case .answer(let bytes): String(decoding: bytes, as: UTF8.self)
        case .failed(let error): throw error
        case .silent: throw .timedOut
        case nil: try realPath(path)
        }
        found = try status(of: real)
    } catch {
        guard error != .noSuchEntry else { throw Stop(32, "there is no container \(quoted(path)); to make one: valise init \(shellWord(path))") }
        guard error != .timedOut else { throw Stop(32, "the container \(quoted(path)) lies on a file system that does not answer; to see which: valise doctor") }
        throw Stop(mountExitCode(error), "cannot look at the container \(quoted(path)): \(error)")
    }
    guard found.type == .folder else {
        throw Stop(32, "the container \(quoted(path)) is not a folder; name the folder that holds the documents")
    }
    return real
}

func owner(of container: String) throws(Stop) -> UInt32 {
    do throws(Errno) { return try status(of: container).owner } catch { throw Stop(mountExitCode(error), "cannot look at the container \(quoted(container)): \(error)") }
}

func userName(_ number: UInt32) -> String { SystemUser(number).map { printable($0.name) } ?? "user \(number)" }

/// Whether root may mount a user's drive there.
func checkMountpoint(_ mountpoint: String, of user: SystemUser) throws(Stop) {
    do throws(Errno) { _ = try OwnersMountpoint(mountpoint, of: user.number) } catch {
        // What else there is to say of it is said later.
        guard error == .notPermitted else { return }
        throw Stop(1, "the mountpoint \(quoted(mountpoint)) is not \(printable(user.name))'s, and a drive that is served as them is mounted on a folder of theirs only; to make it theirs: chown \(shellWord(user.name)) \(shellWord(mountpoint))")
    }
}

/// What the file system of the container, or of the documents in it, is mounted without: “suid”, “dev”.
func missingPrivileges(of container: String) -> Set<String> {
    var missing: Set<String> = []
    for folder in [container, container + "/Documents"] {
        var facts = statvfs()
        // SAFETY: statvfs fills the struct that it is given.
        guard unsafe statvfs(folder, &facts) == 0 else { continue }
        if facts.f_flag & UInt(ST_NOSUID) != 0 { missing.insert("suid") }
        if facts.f_flag & nodev != 0 { missing.insert("dev") }
    }
    return missing
}

/// ST_NODEV, which only GNU sources see.
private let nodev: UInt = 4

/// The mountpoint's path as the kernel will list it. `byRoot`: by no link of another user's.
func foundMountpoint(_ path: String, byRoot: Bool) throws(Stop) -> String {
    switch byRoot ? try MountLinks.walk(path, "mountpoint") : Child.ask({ () throws(Errno) in Array(try mountpointPath(path).utf8) }) {
    case .answer(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .failed(.noSuchEntry): throw missing(writtenPath(path))
    case .failed(let error): throw Stop(mountExitCode(error), "cannot look at the mountpoint \(quoted(path)): \(error)")
    case .silent: throw Stop(32, "the mountpoint \(quoted(path)) lies on a file system that does not answer; to see which: valise doctor")
    }
}

private func missing(_ mountpoint: String) -> Stop {
    Stop(32, "there is no folder \(quoted(mountpoint)) to mount on; to make it: mkdir -p \(shellWord(mountpoint))")
}

/// Unmounts what a process that ended without unmounting left at the mountpoint, and refuses where a drive lives. Answers what
/// is mounted there then.
func clearDeadDrive(_ mountpoint: String) throws(Stop) -> MountTable.Mount? {
    let mount = try MountTable.now().mount(at: mountpoint)
    guard let mount, mount.isFuse else { return mount }
    switch (DriveHealth.of(mountpoint), mount.isDrive) {
    case (.answers, false): return mount
    case (.answers, true): throw alreadyMounted(mount)
    case (.silent, _):
        throw Stop(32, "\(quoted(mountpoint)) holds a mount that does not answer; to take it away: valise unmount --lazy \(shellWord(mountpoint))")
    case (.dead, false):
        throw Stop(32, "\(quoted(mountpoint)) holds a dead mount of another program (\(printable(mount.type))); to take it away: fusermount3 -u \(shellWord(mountpoint))")
    case (.dead, true):
        do throws(UnmountFault) { try unmountAtKernel(mountpoint, lazy: true) }
        catch { throw Stop(32, "\(quoted(mountpoint)) holds a dead drive that cannot be unmounted: \(printable(error.reason))") }
        printError("unmounted the dead drive that an ended process had left on \(quoted(mountpoint))")
        return try MountTable.now().mount(at: mountpoint)
    }
}

func alreadyMounted(_ mount: MountTable.Mount) -> Stop {
    Stop(32, "a drive of \(quoted(mount.source)) is on \(quoted(mount.mountpoint)) already; to take it away: valise unmount \(shellWord(mount.mountpoint))")
}

/// Whether a drive can be mounted here. Called with the lock held, so that it stays true.
func checkMountpoint(_ mountpoint: String, container: String, options: MountOptions) throws(Stop) {
    if let mount = try MountTable.now().mount(at: mountpoint), mount.isDrive { throw alreadyMounted(mount) }
    let found: FileStatus, entries: [String], isInContainer: Bool
    do throws(Errno) {
        found = try status(of: mountpoint)
        isInContainer = try liesIn(mountpoint, container)
        entries = found.type == .folder ? try names(in: mountpoint) : []
    } catch {
        guard error != .noSuchEntry else { throw missing(mountpoint) }
        throw Stop(mountExitCode(error), "cannot look at the mountpoint \(quoted(mountpoint)): \(error)")
    }
    guard found.type == .folder else {
        throw Stop(32, "the mountpoint \(quoted(mountpoint)) is not a folder; name an empty folder")
    }
    if isInContainer {
        throw Stop(32, "the mountpoint \(quoted(mountpoint)) is the container or lies in it, and a drive cannot show itself; name a folder outside of \(quoted(container))")
    }
    if !entries.isEmpty, !options.allowsNonempty {
        throw Stop(32, "the mountpoint \(quoted(mountpoint)) is not empty, and a drive would hide what is in it; name an empty folder, or add -o nonempty")
    }
    if getuid() != 0, !isPermitted(W_OK, mountpoint) {
        throw Stop(1, "you may not write to \(quoted(mountpoint)), and so may not mount on it; name a folder of your own")
    }
}

/// Whether a folder is the other or lies in it, under whatever name: the folders above are compared, not their paths.
private func liesIn(_ path: String, _ folder: String) throws(Errno) -> Bool {
    if isInside(path, folder) { return true }
    let searched = try status(of: folder).identity
    var above = path
    while true {
        if try status(of: above).identity == searched { return true }
        guard above != "/" else { return false }
        let parent = above.split(separator: "/").dropLast().joined(separator: "/")
        above = "/" + parent
    }
}
