import Containers
import Coordination
import Documents
import Drive
import FuseBridge
import Glibc
import KeyValueStore
import LinuxFiles
import Shell
import Thumbnails

/// A drive being served: from the opened container to the last request.
struct Service {
    let container: String
    /// It is a folder of containers, of which each is shown in a folder of its own.
    let showsApps: Bool
    let mountpoint: String
    let options: MountOptions
    /// Whom its process becomes; nil where it stays who it is.
    let user: SystemUser?
    let debug: Bool

    /// Serves until the drive is unmounted or a signal ends it, and answers the exit code.
    /// `beginning` is called before the container is opened, and `ready` once the drive answers; when it says false, nobody waits for the drive any more.
    /// `telling`: what whoever mounts is to know. `stopping` is called when it is to end, before what is open is saved.
    func run(telling: (String) -> Void, beginning: (DriveHelper) -> Void = { _ in }, stopping: @escaping @Sendable (DriveHelper) -> Void = { _ in }, ready: (DriveHelper) -> Bool) throws(Stop) -> Int32 {
        // Writes to a pipe that nobody reads are errors, not the end.
        signal(SIGPIPE, SIG_IGN)
        // Before the first thread, which would not inherit it.
        StopSignals.block()
        allowManyOpenFiles()
        Memory.returnWhenFree()
        // Before all else: it is to have nothing of what this process opens.
        let program = options.readOnly ? nil : ThumbnailProgram.find(), helper: DriveHelper
        let mount = user.map { OwnersMount(on: mountpoint, for: $0, sessionOptions()) }
        do throws(Errno) { helper = try DriveHelper(mountpoint: mountpoint, worker: program, mount: mount, user: user, status: status, makesDevices: makesDevices) } catch { throw Stop(2, "cannot start a process for the drive: \(error)") }
        // Before anything in the container is opened: what lies there is theirs to say.
        do throws(Sandbox.Fault) { try user?.become() } catch { throw Stop(2, "the process that serves the drive cannot become its container's owner: \(error.reason)") }
        PersonsKinds.read()
        beginning(helper)
        let shown: ShownTree, session: Session
        do throws(Failure) {
            shown = try openTree(helper, thumbnailer: program, telling)
            session = try Session.mount(shown.tree, on: mountpoint, options: sessionOptions(with: helper))
            if user == nil, geteuid() == 0 { helper.settleMount() }
        } catch { throw Stop(mountExitCode(error.errno), error.sentence) }
        var answered = false, fault: Sandbox.Fault?
        let code = session.run { guardian in
            // While there is one thread.
            do throws(Sandbox.Fault) { try seal(shown, top: session.top(), by: helper, guardian: guardian) } catch {
                fault = error
                return session.stop()
            }
            helper.start()
            if let log = options.log { shown.setLog(log) }
            shown.mounted(at: mountpoint)
            StopSignals.serve(lastly: helper.unmountWithoutWaiting) {
                stopping(helper)
                session.stop()
            }
            answered = true
            if !ready(helper) { session.stop() }
            shown.makeMissedThumbnails()
        }
        stopping(helper)
        shown.close()
        // Saving opens files, and none of them may have the number of the kernel's device.
        withExtendedLifetime(session) {}
        helper.end()
        if let fault { throw unsealed(fault) }
        return try ended(code, answered: answered)
    }

    private func seal(_ shown: ShownTree, top: OpenFile?, by helper: DriveHelper, guardian: Int32?) throws(Sandbox.Fault) {
        guard options.isSandboxed else { return }
        let sandbox = try DriveSandbox.enter(shown.base, top: top, settings: shown.settingsFolder, readOnly: options.readOnly, guardian: guardian)
        PlaceChange.ask(helper.change)
        shown.setSandbox(.sealed(files: sandbox.sealsFiles))
        if !sandbox.sealsFiles { SystemLog.write("this kernel has no Landlock, or too old a one: the drive and its thumbnail worker are sealed by other means alone") }
    }

    /// What is shown: a drive of the container, or of each container in the folder when somebody looks into it.
    private func openTree(_ helper: DriveHelper, thumbnailer program: String?, _ tell: (String) -> Void) throws(Failure) -> ShownTree {
        let worker = program.map { ThumbnailWorker(program: $0, starter: helper) }, showing = try showing(helper)
        if showing.isShared { ThreadRights.leaveGroups() }
        // Programs on the drive say which permissions a new file has; their own umask is taken from it before it is made.
        umask(0)
        for sentence in PersonsKinds.own.mistakes { tell(sentence) }
        let shown: ShownTree
        if showsApps {
            shown = ShownTree(try openFolder(), path: container, options: showing, isServed: !options.readOnly) { (app) throws(Failure) in
                try openDrive("\(container)/\(app.folder)", showing, worker) { SystemLog.write($0) }
            }
        } else {
            shown = ShownTree(try openDrive(container, showing, worker, tell), isServed: !options.readOnly)
        }
        if options.isSandboxed { helper.settle(on: shown.base, readOnly: options.readOnly) }
        return shown
    }

    private func openFolder() throws(Failure) -> OpenFile {
        let folder: OpenFile
        do throws(Errno) { folder = OpenFile(try Descriptor.atPath(container, [.path, .folder])) } catch {
            throw Failure(error, "cannot open the folder of containers \(quoted(container)): \(error)", cause: error)
        }
        try check(folder, at: container)
        return folder
    }

    private func check(_ folder: OpenFile, at container: String) throws(Failure) {
        // Its path had no links: one that leads elsewhere since then is another user's.
        guard geteuid() != 0 || (try? AbsolutePath.of(folder.descriptor)) == container else {
            throw Failure(.tooManySymbolicLinks, "the path of the container \(quoted(container)) leads elsewhere by now")
        }
        if let user, (try? folder.descriptor.status().owner) != user.number {
            throw Failure(.notPermitted, "the container \(quoted(container)) is not \(printable(user.name))'s any more")
        }
    }

    private func openDrive(
        _ container: String, _ showing: DriveOptions, _ worker: ThumbnailWorker?, _ tell: (String) -> Void
    ) throws(Failure) -> Drive {
        let opened = try Container.open(
            container, access: options.readOnly ? .read : .readWrite,
            options: ShowingOptions(linkForm: options.linkForm, packages: options.packages), creating: options.kinds,
            kinds: PersonsKinds.own.registry)
        for sentence in opened.kindMistakes { tell(sentence) }
        try check(opened.base, at: container)
        if let reason = opened.emptinessReason { tell(reason) }
        guard !options.readOnly else {
            if let sentence = LeftDrafts(in: opened).sentence { tell(sentence) }
            return Drive(container: opened, options: showing)
        }
        let workshop = try openWorkshop(in: opened)
        for shortcoming in workshop.store.shortcomings { SystemLog.write("the file system under “\(container)” \(shortcoming)") }
        let recovered = try workshop.recover()
        for notice in workshop.takeWarnings() { tell(notice) }
        return Drive(container: opened, options: showing, workshop: workshop, recovered: recovered, thumbnails: worker)
    }

    /// How it is shown.
    private func showing(_ helper: DriveHelper) throws(Failure) -> DriveOptions {
        var showing = DriveOptions()
        showing.readOnly = options.readOnly
        // The kernel notes no reading on such a mount; nor is it to be noted below.
        showing.keepsAccessTimes = options.readOnly || options.kernelOptions.contains("noatime")
        showing.changes = switch options.changes {
        case .watch: .watch
        case .poll: .poll
        case .off: .off
        }
        showing.keepsVersions = options.versions != .off
        showing.keepsFiles = options.keepsFiles && options.versions != .off
        if showing.keepsFiles, !options.readOnly { showing.locks = FileLocks() }
        showing.keepsDeleted = options.deletedDays != nil
        showing.owner = options.owner
        showing.group = options.group
        showing.umask = options.umask
        showing.accessLists = options.accessLists
        showing.isShared = options.allowsOthers
        // For tests.
        if let text = environment("VALISE_GROWING_SECONDS"), let seconds = Int32(text) { showing.growingPatience = Int64(seconds) * 1000 }
        showing.keyValues = try options.keyValues.map { (path) throws(Failure) in
            let file = try KeyValueFile(at: path)
            try file.checkIsStore()
            return file
        }
        if options.isSandboxed, geteuid() == 0 { showing.threadPage = helper.page(of:) }
        if makesDevices {
            showing.makeDevice = { (folder, name, mode, device, caller) throws(Errno) in
                try helper.makeDevice(in: folder, name, mode: mode, device: device, for: caller.thread)
            }
        }
        showing.watched = helper.watched(on:)
        return showing
    }

    /// What systemd is told of it.
    var status: String { "\(quoted(container)) on \(quoted(mountpoint))" }

    /// Devices on the drive are devices, and its process may not make any. A user may not either.
    private var makesDevices: Bool { options.kernelOptions.contains("dev") && options.isSandboxed && user == nil && geteuid() == 0 }

    private var policy: VersionPolicy {
        switch options.versions {
        case .off: .off
        case .all: .all
        case .share(let percent): .thinned(percent: percent)
        }
    }

    /// After `umount` has returned, the drive that is gone may still be letting go of the container, which takes its time on a store that is busy.
    /// A program that has the lock only to coordinate with others is asked for it.
    private func openWorkshop(in opened: Container) throws(Failure) -> Workshop {
        let began = Clock.now, request = LockRequest(for: opened)
        var ending: Int32?, isTold = false
        while true {
            do throws(Failure) {
                return try Workshop.open(
                    in: opened, purpose: "mounted on \(mountpoint)", versions: policy, keepsFiles: options.keepsFiles,
                    deleted: options.deletedDays.map(DeletedPolicy.days) ?? .off)
            } catch {
                let holder = ContainerLock.holder(of: opened) ?? ""
                let isMounted = (try? MountTable.now().drives.contains { holder.hasSuffix("mounted on \($0.mountpoint)") }) ?? true
                // One that exits is in no namespace any more, and has the lock for an instant still.
                ending = ContainerLock.processHere(in: opened) ?? ending
                let waited = Clock.now - began
                guard error.errno == .tryAgain, !isMounted, waited < (ending == nil ? 5000 : 30_000) else { throw error }
                if let ending, waited > 5000, !isTold {
                    isTold = true
                    printError("the drive that showed \(quoted(opened.path)) before is taken away and has not ended yet (process \(ending)); waiting for it, half a minute at most")
                }
                request.ask()
            }
            usleep(10_000)
        }
    }

    private func sessionOptions(with helper: DriveHelper) -> SessionOptions {
        var session = sessionOptions()
        session.unmount = helper.unmount(lazily:)
        if user != nil { (session.mount, session.mounted) = (helper.mount, helper.mounted) }
        return session
    }

    private func sessionOptions() -> SessionOptions {
        var session = mounting
        (session.showsApps, session.accessLists) = (showsApps, options.accessLists)
        return session
    }
}

/// A drive may hold many files open: as many as the system lets it.
private func allowManyOpenFiles() {
    var limit = rlimit()
    // SAFETY: both calls take the struct that they are given.
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
