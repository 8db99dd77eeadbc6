import FuseBridge
import Glibc
import LinuxFiles
import Shell

private let noFollow = Int32(UMOUNT_NOFOLLOW), detach = Int32(MNT_DETACH), force = Int32(MNT_FORCE)

/// Why the kernel did not unmount.
struct UnmountFault: Error {
    let isBusy: Bool
    let reason: String
}

/// Unmounts: as root by the system call, otherwise through fusermount3, which may do it for its user.
/// In a child either way, because an unmount can wait for a drive. `aborting` ends the requests of a drive that will never
/// answer them, for root: one that was killed while the kernel made it wait for a folder that waits for it cannot end otherwise.
func unmountAtKernel(_ mountpoint: String, lazy: Bool, aborting: Bool = false) throws(UnmountFault) {
    if geteuid() == 0 {
        switch Child.ask(seconds: 10, { () throws(Errno) in
            // Not through a link that somebody put in the mountpoint's place.
            // SAFETY: reads the path.
            guard unsafe umount2(mountpoint, noFollow | (lazy ? detach : 0) | (aborting ? force : 0)) == 0 else { throw .current }
            return []
        }) {
        case .answer: return
        case .failed(let error): throw UnmountFault(isBusy: error == .busy, reason: "\(error)")
        case .silent: throw UnmountFault(isBusy: false, reason: "the kernel has been waiting for the drive for 10 seconds")
        }
    }
    guard let run = ProgramRun.run("fusermount3", lazy ? ["-u", "-z", "--", mountpoint] : ["-u", "--", mountpoint]) else {
        throw UnmountFault(isBusy: false, reason: "fusermount3 is missing or does not end; try: sudo apt-get install fuse3")
    }
    guard run.code != 0 else { return }
    let reason = run.output.split(whereSeparator: \.isNewline).last.map(String.init) ?? "fusermount3 ended with exit code \(run.code)"
    throw UnmountFault(isBusy: reason.contains("busy"), reason: reason)
}

extension MountTable.Mount {
    /// Its connection's number.
    var connection: Substring { device.split(separator: ":").last ?? "" }
}

/// Ends the requests of a drive that does not answer them. False where this user has no means to.
func endRequests(of mount: MountTable.Mount) -> Bool {
    // Root does it in unmounting.
    if geteuid() == 0 { return true }
    guard let abort = try? FuseConnections.abort(of: mount.connection) else { return false }
    // SAFETY: writes one byte of a literal. The file has no places to write at.
    return unsafe write(abort.rawValue, "1", 1) == 1
}
