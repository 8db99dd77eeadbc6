import BackupDrive
import Backups
import FuseBridge
import Glibc
import LinuxFiles
import Shell

/// `valise mount BACKUP MOUNTPOINT`: the password is asked, then it is as with a container.
func mountBackup(_ options: MountOptions, _ arguments: Arguments) throws(Stop) -> Int32 {
    // It may come through a pipe of the caller's.
    let password = try GivenPassword(arguments, code: 1)
    // The drive outlives its caller, and must not keep the caller's pipes and locks.
    closefrom(3)
    let named = try NamedBackup(arguments.operands[0], password, keepingKey: arguments.has(.keepKey), code: 1)
    let (service, lock) = try checked(named, options, arguments)
    guard !arguments.has(.foreground), !arguments.has(.debug) else {
        service.useLog(try service.openLog())
        return try service.serve(telling: { SystemLog.write($0, .warning) }) { _ in
            lock?.release()
            return true
        }
    }
    let code = try runInBackground(service, lock: lock)
    printIfVerbose("\(named.title) is mounted on \(quoted(service.mountpoint))", arguments)
    return code
}

/// Looks at everything before anything is mounted.
private func checked(_ named: NamedBackup, _ options: MountOptions, _ arguments: Arguments) throws(Stop) -> (
    BackupService, MountpointLock?
) {
    try checkSystem(options)
    guard !options.isServedAsOwner else { throw Stop(1, "a backup is served as who mounts it; leave out “as=owner”") }
    let byRoot = geteuid() == 0, path = try checkedContainer(named.path, byRoot: byRoot)
    let mountpoint = try foundMountpoint(arguments.operands[1], byRoot: byRoot)
    _ = try clearDeadDrive(mountpoint)
    var all = options
    all.readOnly = true
    let lock = try MountpointLock(mountpoint)
    try checkMountpoint(mountpoint, container: path, options: all)
    return (BackupService(named: named, mountpoint: mountpoint, options: all, debug: arguments.has(.debug)), lock)
}

/// A backup's drive being served: from the opened backup to the last request. It has neither a store to write to nor a
/// thumbnail worker.
struct BackupService: DriveService {
    let named: NamedBackup
    let mountpoint: String
    let options: MountOptions
    let debug: Bool

    var container: String { named.path }

    func serve(telling: (String) -> Void, ready: (DriveHelper) -> Bool) throws(Stop) -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        StopSignals.block()
        // The helper has none of the keys.
        named.keys?.stayHere()
        let helper: DriveHelper
        do throws(Errno) {
            helper = try DriveHelper(
                mountpoint: mountpoint, worker: nil, mount: nil, user: nil,
                status: "\(quoted(container)) on \(quoted(mountpoint))", makesDevices: false)
        } catch { throw Stop(2, "cannot start a process for the drive: \(error)") }
        var showing = BackupDriveOptions(path: container, mountpoint: mountpoint)
        if let owner = options.owner { showing.owner = owner }
        if let group = options.group { showing.group = group }
        if let umask = options.umask { showing.umask = umask }
        let drive = BackupDrive(named.backup, named.keys, showing), session: Session
        do throws(Failure) {
            session = try Session.mount(drive, on: mountpoint, options: sessionOptions(with: helper))
            if geteuid() == 0 { helper.settleMount() }
        } catch { throw Stop(mountExitCode(error.errno), error.sentence) }
        var answered = false, stop: Stop?
        let code = session.run { guardian in
            do throws(Stop) {
                // While there is one thread, and before anything of the list is read.
                try seal(drive, top: session.top(), guardian: guardian)
                do throws(Failure) { try drive.readTree() } catch {
                    throw Stop(32, "\(quoted(container)): \(error.sentence)")
                }
            } catch {
                stop = error
                return session.stop()
            }
            // Once: contents are decrypted into blocks of half a megabyte all the time, which are not to go back each time.
            Memory.returnFree()
            helper.start()
            StopSignals.serve(lastly: helper.unmountWithoutWaiting) { session.stop() }
            answered = true
            if !ready(helper) { session.stop() }
        }
        withExtendedLifetime(session) {}
        helper.end()
        if let stop { throw stop }
        return try ended(code, answered: answered)
    }

    /// It reaches the backup and the drive, for reading, and nothing else.
    private func seal(_ drive: BackupDrive, top: OpenFile?, guardian: Int32?) throws(Stop) {
        guard options.isSandboxed else { return }
        do throws(Sandbox.Fault) {
            let places =
                [named.backup.folder, top].compactMap(\.self).map(Sandbox.Reachable.reading)
                + Sandbox.Reachable.processes()
            let sandbox = try Sandbox.enter(reaching: places, ward: guardian)
            drive.setSandbox(files: sandbox.sealsFiles)
        } catch { throw unsealed(error) }
    }

    private func sessionOptions(with helper: DriveHelper) -> SessionOptions {
        var session = mounting
        session.unmount = helper.unmount(lazily:)
        return session
    }
}
