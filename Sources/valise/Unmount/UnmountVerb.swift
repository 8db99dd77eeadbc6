import FuseBridge
import Glibc
import LinuxFiles
import Shell

/// `valise unmount`: each drive in turn; what went wrong with one does not keep the others.
func unmountVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    var code: Int32 = 0, named = arguments.operands
    if arguments.has(.forgetKey) {
        let wereKept = try KeptKeys.forget()
        printIfVerbose(wereKept ? "the keys of backups that were kept are forgotten" : "no key of a backup was kept", arguments)
        if named.isEmpty, !arguments.has(.all) { return 0 }
    }
    guard named.isEmpty == arguments.has(.all) else {
        throw Stop(2, named.isEmpty ? "say which drive to unmount: valise unmount DRIVE, or --all" : "“--all” is for all drives: name none with it")
    }
    // Who is in the drive's folder may name it by “.”; this process is not to be in its own way.
    if let here = linkTarget("/proc/self/cwd") {
        named = named.map { $0.hasPrefix("/") ? $0 : "\(here == "/" ? "" : here)/\($0)" }
        // SAFETY: reads a literal.
        _ = unsafe chdir("/")
    }
    // One that lies on another goes first.
    if arguments.has(.all) { named = try MountTable.now().ownDrives.reversed().map(\.mountpoint) }
    for path in named {
        do throws(Stop) {
            let mountpoint = try unmount(path, lazy: arguments.has(.lazy))
            printIfVerbose("\(quoted(mountpoint)) is unmounted", arguments)
        } catch {
            printError(error.sentence)
            code = max(code, error.code)
        }
    }
    return code
}

/// The drive that a path leads to.
private func drive(_ path: String) throws(Stop) -> MountTable.Mount {
    let place = try NamedPlace.existing(path)
    if case .other(let mountpoint) = place, let mount = try MountTable.now().mount(at: mountpoint) {
        throw Stop(1, "what is mounted on \(quoted(mountpoint)) is no drive of Valise (\(printable(mount.type))); to take it away: umount \(shellWord(mountpoint))")
    }
    // Only a part of it may be meant, and all of it would go.
    if case .onDrive(let mount) = place {
        throw Stop(1, "nothing is mounted on \(quoted(path)), which is on the drive \(quoted(mount.mountpoint)); to take that away: valise unmount \(shellWord(mount.mountpoint))")
    }
    if case .drive(let app) = place, app.isApp, let mount = try MountTable.now().drives.last(where: { isInside(app.mountpoint, $0.mountpoint) }) {
        throw Stop(1, "\(quoted(path)) is a folder of the drive \(quoted(mount.mountpoint)), which shows several containers; to take that away: valise unmount \(shellWord(mount.mountpoint))")
    }
    let drives = try place.drives()
    guard let mount = drives.first, drives.count == 1 else {
        throw Stop(1, "\(quoted(path)) is shown by \(drives.count) drives; name the one: \(drives.map { "valise unmount \(shellWord($0.mountpoint))" }.joined(separator: ", "))")
    }
    return mount
}

/// Answers where it was.
private func unmount(_ path: String, lazy: Bool) throws(Stop) -> String {
    let mount = try drive(path), mountpoint = mount.mountpoint
    // Asked before the drive is gone.
    let process = DriveProcess.serving(mount)
    let isSilent = lazy && DriveHealth.of(mountpoint) == .silent
    let unsaved = isSilent || process?.isStopped == true ? nil : unsavedDrafts(mountpoint)
    let areEnded = !isSilent || endRequests(of: mount)
    try takeAway(mount, lazy: lazy, aborting: isSilent)
    guard areEnded else { throw Stop(1, requestsGoOn(mount, process)) }
    if let unsaved { printError(unsaved) }
    guard let process else { return mountpoint }
    if let other = try MountTable.now().mount(like: mount) {
        printError("its drive is still mounted on \(quoted(other.mountpoint)), and goes on there; to take it away, too: valise unmount \(shellWord(other.mountpoint))")
        return mountpoint
    }
    // A namespace that somebody makes at this moment has all mounts, and may be gone in the next one.
    if !lazy, !process.isGone(within: 2000) {
        let holder = DriveHolder.first(of: mount)
        if holder != nil || FuseConnections.has(mount.connection) == true { process.end(heldBy: holder, mountpoint: mountpoint) }
    }
    try process.waitUntilGone(mountpoint: mountpoint, lazy: lazy)
    return mountpoint
}

/// What is not saved, and why: it waits in the container, or goes with the drive, because its container is gone.
private func unsavedDrafts(_ mountpoint: String) -> String? {
    guard case .answer(let bytes) = StatusSource.read(mountpoint), let page = JSON(bytes).map(StatusReport.init) else { return nil }
    let container = quoted(page.container ?? "?"), isLost = page.absence.map { !$0.saves } ?? false
    // Those without a reason are saved when the drive ends. What a read-only drive names is another one's to save, unless that has ended.
    let drafts = page.drafts.named.filter { page.isReadOnly == true ? $0.waits : isLost || $0.reason != nil }
    guard !drafts.isEmpty else { return nil }
    if let absence = page.absence, isLost { return "not saved: \(named(drafts)), because the container \(container) is gone: \(printable(absence.reason))" }
    // What was emptied to be written anew, and was not, is given up by the next drive.
    let emptied = drafts.filter { $0.isSaved && $0.isEmpty }, written = drafts.filter { !$0.isSaved || !$0.isEmpty }
    let sentences = [
        written.isEmpty ? nil : "\(named(written)); what was written waits in the container \(container) for the next mount",
        emptied.isEmpty ? nil : "\(named(emptied)); nothing was written there since \(emptied.count == 1 ? "it was emptied, and it stays what it was" : "they were emptied, and they stay what they were") before",
    ]
    return "not saved: " + sentences.compactMap(\.self).joined(separator: "; not saved either: ")
}

private func named(_ drafts: [StatusReport.Item]) -> String {
    drafts.prefix(10).map { quoted($0.file) + ($0.reason.map { " (\(clause($0)))" } ?? "") }.joined(separator: ", ") + (drafts.count > 10 ? " and \(drafts.count - 10) more" : "")
}

private func requestsGoOn(_ mount: MountTable.Mount, _ process: DriveProcess?) -> String {
    let killing = process.map { "kill -KILL \($0.number), or " } ?? ""
    return "\(quoted(mount.mountpoint)) is unmounted, but programs that wait for it go on waiting, because \(FuseConnections.path) cannot be used; "
        + "to end that: \(killing)as root: mount -t fusectl fusectl \(FuseConnections.path); echo 1 >\(FuseConnections.path)/\(mount.connection)/abort"
}

/// Unmounts, and tries again for some seconds where nobody is seen who uses it: a file manager that looks at every new drive soon lets go, and so does
/// the drive's own thread that lets watchers hear of a change, whose files nobody sees.
private func takeAway(_ mount: MountTable.Mount, lazy: Bool, aborting: Bool) throws(Stop) {
    let mountpoint = mount.mountpoint
    let deadline = Clock.now + 5000
    while true {
        do throws(UnmountFault) { return try unmountAtKernel(mountpoint, lazy: lazy, aborting: aborting) }
        catch {
            if geteuid() != 0, let user = mount.user, user != getuid() {
                throw Stop(1, "the drive on \(quoted(mountpoint)) is \(userName(user))'s, who alone may unmount it, but for root: sudo valise unmount \(shellWord(mountpoint))")
            }
            guard error.isBusy else { throw Stop(1, "cannot unmount \(quoted(mountpoint)): \(printable(error.reason))") }
            let users = DriveUser.all(of: mountpoint)
            if users.isEmpty, Clock.now < deadline {
                usleep(50_000)
                continue
            }
            throw Stop(1, "cannot unmount \(quoted(mountpoint)): it is in use by \(DriveUser.sentence(users)); \(DriveUser.advice(users)), or take the drive away from it: valise unmount --lazy \(shellWord(mountpoint))")
        }
    }
}
