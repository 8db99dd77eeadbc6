import Glibc
import LinuxFiles
import Shell

/// `valise mount`: serves the drive here or in the background.
func mountVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let options: MountOptions
    do throws(UsageFault) { options = try MountOptions(arguments.values(of: .mountOptions)) }
    catch { throw Stop(error) }
    let isInForeground = arguments.has(.foreground) || arguments.has(.debug)
    let plan = MountPlan(container: arguments.operands[0], mountpoint: arguments.operands[1], options: options, debug: arguments.has(.debug))
    return try isInForeground ? plan.mountHere() : plan.mountInBackground()
}

/// What is to be mounted where.
private struct MountPlan {
    let container: String
    let mountpoint: String
    let options: MountOptions
    let debug: Bool

    func mountHere() throws(Stop) -> Int32 {
        let (service, lock) = try checked()
        let manager = ServiceManager()
        if let stream = environment("JOURNAL_STREAM"), SystemLog.isJournal(stream) { service.logToJournal() }
        let status = "\(quoted(service.container)) on \(quoted(service.mountpoint))"
        return try service.run(stopping: { manager.stopping("Saving \(status)") }) {
            lock?.release()
            manager.ready("Serving \(status)")
            return true
        }
    }

    func mountInBackground() throws(Stop) -> Int32 {
        // The drive outlives its caller, and must not keep the caller's pipes and locks.
        closefrom(3)
        let (service, lock) = try checked()
        return try runInBackground(service, lock: lock)
    }

    /// Looks at everything before anything is mounted.
    func checked() throws(Stop) -> (Service, MountpointLock?) {
        try checkSystem(options)
        let container = try checkedContainer(container)
        let mountpoint = try foundMountpoint(mountpoint)
        try clearDeadDrive(mountpoint)
        let service = Service(container: container, mountpoint: mountpoint, options: options, debug: debug)
        let lock = try MountpointLock(mountpoint)
        try checkMountpoint(mountpoint, container: container, options: options)
        return (service, lock)
    }
}
