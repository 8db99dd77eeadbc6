import Glibc
import Shell

/// `valise mount`: checks what was asked for, and serves the drive here or in the background.
func mountVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let options: MountOptions
    do throws(UsageFault) { options = try MountOptions(arguments.values(of: .mountOptions)) }
    catch { throw Stop(error) }
    let isInForeground = arguments.has(.foreground) || arguments.has(.debug)
    // The drive outlives its caller, and must not keep the caller's pipes and locks.
    if !isInForeground { closefrom(3) }
    try checkSystem(options)

    let container = try checkedContainer(arguments.operands[0])
    let mountpoint = try foundMountpoint(arguments.operands[1])
    try clearDeadDrive(mountpoint)
    let lock = try MountpointLock(mountpoint)
    try checkMountpoint(mountpoint, container: container, options: options)

    let service = Service(container: container, mountpoint: mountpoint, options: options, debug: arguments.has(.debug))
    if isInForeground {
        return try service.run { lock.release(); return true }
    }
    return try runInBackground(service, lock: lock)
}
