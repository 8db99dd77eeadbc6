import Containers
import Glibc
import LinuxFiles

/// A drive of a folder of containers (`AppsFolder`): at its top a folder for each app, by the app's name, and in it what a drive of that container
/// shows, with versions, deleted documents and a lock of its own. Between two of them nothing is renamed, as between file systems.
///
/// What lies in a container is asked of its own `Drive`. Here are the top, what its folders are called, and the status page.
public final class AppsDrive: Sendable {
    let options: DriveOptions
    let folder: OpenFile
    public let path: String
    private let opening: AppSlot.Opening
    private let began: @Sendable (Drive) -> Void
    let mount = MountFacts()
    private let listener = Latest<(any KernelListener)?>(nil)

    private struct Table {
        var slots: [AppSlot] = []
        var numbers: [Name: Int] = [:]
        /// What there was when somebody last looked, and when that was.
        var apps: [AppsFolder.App] = []
        var lookedAt: Int64?
        var isClosed = false
        /// What is open at the top.
        var handles = AppsHandles()
    }

    private let table = Locked(Table())

    /// A look at the folder is right for so long, in milliseconds.
    private static let lasting: Int64 = 500

    /// `folder` is one of containers. `opening` opens one of them, to be shown in a folder of the drive; `began` is called when it answers.
    public init(
        _ folder: OpenFile, path: String, options: DriveOptions, opening: @escaping @Sendable (AppsFolder.App) throws(Failure) -> Drive,
        began: @escaping @Sendable (Drive) -> Void
    ) {
        (self.folder, self.path, self.options, self.opening, self.began) = (folder, path, options, opening, began)
    }

    // MARK: From the mount to its end

    public func mounted(at path: String) { mount.setPath(path) }
    public func setSandbox(_ state: SandboxState) { mount.setSandbox(state) }
    public func setLog(_ path: String) { mount.setLog(path) }

    /// Ends all work. After the last request.
    public func close(waitingForClaims patience: Int64) {
        table.withLock { $0.isClosed = true }
        let drives = slots.compactMap(\.opened)
        for drive in drives { drive.endCoordination(waiting: patience) }
        for drive in drives { drive.close() }
    }

    func withHandles<Value: Sendable>(_ body: (inout AppsHandles) -> Value) -> Value { table.withLock { body(&$0.handles) } }

    var slots: [AppSlot] { table.withLock { $0.slots } }

    // MARK: What there is

    /// The apps whose folders are there now.
    func apps() throws(Errno) -> [AppsFolder.App] {
        let now = Monotonic.milliseconds
        if let known = table.withLock({ table in table.lookedAt.flatMap { now - $0 < Self.lasting ? table.apps : nil } }) { return known }
        let found = try AppsFolder(folder.descriptor)?.apps ?? []
        table.withLock { ($0.apps, $0.lookedAt) = (found, now) }
        return found
    }

    func slot(of app: AppsFolder.App) throws(Errno) -> AppSlot {
        let opening = opening
        return try table.withLock { (table) throws(Errno) in
            if let known = table.numbers[app.folder] { return table.slots[known] }
            guard table.slots.count < AppNumber.most else { throw .noSpace }
            let slot = AppSlot(AppNumber(rawValue: UInt64(table.slots.count + 1)), folder: app.folder, opening: opening)
            table.numbers[app.folder] = table.slots.count
            table.slots.append(slot)
            return slot
        }
    }

    /// That of a node or a handle that the kernel was told of.
    func slot(_ number: AppNumber) throws(Errno) -> AppSlot {
        try table.withLock { (table) throws(Errno) in
            guard number != .drive, Int(number.rawValue) <= table.slots.count else { throw .stale }
            return table.slots[Int(number.rawValue) - 1]
        }
    }

    /// The drive of a container, which is opened for that.
    func drive(_ slot: AppSlot) throws(Errno) -> Drive {
        if let opened = slot.opened { return opened }
        guard !table.withLock({ $0.isClosed }) else { throw .stale }
        guard let app = try apps().first(where: { $0.folder == slot.folder }) else { throw .noSuchEntry }
        return try slot.drive(app) { drive in
            if let means = mount.kernelMeans { drive.setKernelMeans(means) }
            drive.setSandbox(mount.sandbox)
            if let log = mount.log { drive.setLog(log) }
            drive.setListener(listener.value.map { AppListener($0, for: slot.number) })
            drive.mounted(at: mount.path == "/" ? "/\(app.name)" : "\(mount.path)/\(app.name)")
            began(drive)
        }
    }

    /// What was opened already, and has a node or a handle that the kernel knows.
    func opened(_ number: AppNumber) throws(Errno) -> Drive {
        guard let drive = try slot(number).opened else { throw .stale }
        return drive
    }
}

// MARK: What the kernel says of the mount

extension AppsDrive {
    public func setListener(_ new: (any KernelListener)?) {
        listener.set(new)
        for slot in slots { slot.opened?.setListener(new.map { AppListener($0, for: slot.number) }) }
    }

    public func setKernelMeans(_ means: KernelMeans) { mount.setKernelMeans(means) }

    public func endEchoing() { for slot in slots { slot.opened?.endEchoing() } }

    public func count(_ kind: RequestKind, at node: NodeID) {
        let number = AppNumber(node)
        guard number != .drive else { return }
        (try? opened(number))?.count(kind, at: number.inner(node))
    }

    public func explained(_ error: Errno) -> Errno { error }
}
