import Containers
import Glibc
import LinuxFiles
import Shell

/// `valise mount`: serves the drive here or in the background.
func mountVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let options: MountOptions
    do throws(UsageFault) { options = try MountOptions(arguments.values(of: .mountOptions)) }
    catch { throw Stop(error) }
    var all = options
    if let file = arguments.values(of: .logFile).last { all.log = writtenPath(file) }
    if NamedBackup.isMeant(arguments.operands[0]) { return try mountBackup(all, arguments) }
    guard arguments.values(of: .passwordFile).isEmpty else { throw Stop(1, "\(quoted(arguments.operands[0])) is no backup, and only a backup has a password; leave out “--password-file”") }
    guard !arguments.has(.keepKey) else { throw Stop(1, "\(quoted(arguments.operands[0])) is no backup, and only a backup has a key; leave out “--keep-key”") }
    let isInForeground = arguments.has(.foreground) || arguments.has(.debug)
    let plan = MountPlan(container: arguments.operands[0], mountpoint: arguments.operands[1], options: all, debug: arguments.has(.debug), isCalledByMount: false)
    guard !isInForeground else { return try plan.mountHere() }
    let code = try plan.mountInBackground()
    printIfVerbose("\(quoted(plan.container)) is mounted on \(quoted(plan.mountpoint))", arguments)
    return code
}

/// `mount.valise`, as mount(8) calls it.
func mountHelper(_ call: MountHelperCall) throws(Stop) -> Int32 {
    if let namespace = call.namespace {
        do throws(Errno) { try Descriptor.atPath(namespace, .read).enterMountNamespace() }
        catch { throw Stop(mountExitCode(error), "cannot work in the namespace \(quoted(namespace)): \(error)") }
    }
    if call.options.mayBeMissing, !isPermitted(F_OK, call.container), Errno.current == .noSuchEntry { return 0 }
    if NamedBackup.isMeant(call.container) {
        throw Stop(1, "\(quoted(call.container)) is the backup of a device, which mount(8) does not mount; try: valise mount \(shellWord(call.container)) \(shellWord(call.mountpoint))")
    }
    let plan = MountPlan(container: call.container, mountpoint: call.mountpoint, options: call.options, debug: false, isCalledByMount: true)
    if call.isFake { _ = try plan.checked() } else { _ = try plan.mountInBackground() }
    if call.isVerbose { printOut("valise: \(quoted(call.container)) \(call.isFake ? "could be" : "is") mounted on \(quoted(call.mountpoint))\n") }
    return 0
}

/// What is to be mounted where.
private struct MountPlan {
    let container: String
    let mountpoint: String
    let options: MountOptions
    let debug: Bool
    let isCalledByMount: Bool

    func mountHere() throws(Stop) -> Int32 {
        // What its caller left open is nothing for a process that gives up its rights.
        if options.isServedAsOwner || options.isSandboxed { closefrom(3) }
        let (service, lock) = try checked()
        service.useLog(try service.openLog())
        // systemd believes the process that it started, and takes the others' word only where the unit says so.
        var manager: ServiceManager? = ServiceManager()
        return try service.run(
            telling: { SystemLog.write($0, .warning) },
            beginning: { helper in if let stream = environment("JOURNAL_STREAM"), SystemLog.isJournal(stream) { service.logToJournal(by: helper) } },
            stopping: { helper in helper.tellManagerOfEnd() }
        ) { _ in
            lock?.release()
            manager?.tell("READY=1\nSTATUS=Serving \(service.status)")
            // A socket of datagrams would lead whoever has it to every service.
            manager = nil
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
        // A drive that is served as its owner has their rights on the way to the container, and a mountpoint of theirs.
        let byRoot = geteuid() == 0 && !options.isServedAsOwner
        let container = try checkedContainer(container, byRoot: byRoot)
        try NestedContainers.checkMounted(container, readOnly: options.readOnly)
        let user = try servingUser(of: container)
        let options = try privileged(options, container, isServedAsOwner: user != nil)
        let mountpoint = try foundMountpoint(mountpoint, byRoot: byRoot)
        let there = try clearDeadDrive(mountpoint)
        if let user { try checkMountpoint(mountpoint, of: user) }
        let showsApps = (try? AppsFolder(Descriptor.atPath(container, [.read, .folder]))) ?? nil != nil
        if showsApps, options.keyValues != nil { throw Stop(1, "\(quoted(container)) is a folder of several containers, and “kvs” names the settings of one; leave it out") }
        let service = Service(container: container, showsApps: showsApps, mountpoint: mountpoint, options: options, user: user, debug: debug)
        // To open an automount's folder is to ask for this very mount, which would wait for itself.
        // Whoever waits for it mounts one after another anyway.
        if there?.isAutomount == true { return (service, nil) }
        let lock = try MountpointLock(mountpoint)
        try checkMountpoint(mountpoint, container: container, options: options)
        return (service, lock)
    }

    /// Whom the process that serves the drive becomes; nil where it stays who it is.
    private func servingUser(of container: String) throws(Stop) -> SystemUser? {
        guard options.isServedAsOwner else { return nil }
        let owner = try owner(of: container)
        guard geteuid() == 0 else {
            guard owner == geteuid() else {
                throw Stop(1, "the container \(quoted(container)) belongs to \(userName(owner)), and only root can serve it as them; leave out “as=owner”")
            }
            return nil
        }
        guard owner != 0 else {
            throw Stop(1, "the container \(quoted(container)) belongs to root, so there is nobody else to serve it as; leave out “as=owner”, or give it to its user: chown -R USER \(shellWord(container))")
        }
        guard let user = SystemUser(owner) else {
            throw Stop(1, "the container \(quoted(container)) belongs to user \(owner), whom this system does not know, so it cannot be served as them; leave out “as=owner”, or give it to its user: chown -R USER \(shellWord(container))")
        }
        return user
    }

    /// The options with what root may ask for and gets.
    private func privileged(_ options: MountOptions, _ container: String, isServedAsOwner: Bool) throws(Stop) -> MountOptions {
        var options = options
        let privileges = MountPrivileges(isCalledByMount: isCalledByMount, isRoot: geteuid() == 0, isServedAsOwner: isServedAsOwner, missing: missingPrivileges(of: container))
        do throws(UsageFault) {
            for sentence in try privileges.grant(&options) { printError(sentence) }
        } catch { throw Stop(error) }
        return options
    }
}
