import Containers
import Coordination
import LinuxFiles
import Thumbnails

/// The tree that a user sees: each call is one question of the kernel's, answered as a value or thrown as an errno.
///
/// Synchronous: a caller is a thread that may wait. No FUSE here: `FuseBridge` decodes, calls one method and replies. This is the
/// front: it owns no table, puts the parts together and says which one is asked (`Drive+Requests.swift`).
public final class Drive: ServedTree {
    public static let version = "1.1.0"

    public let counts = RequestCounts()
    public let container: Container
    /// Whom the coordination server asks about what is open here.
    public var presenter: any ItemPresenter { openDocumentPresenter }

    let parts: DriveParts
    private let openDocumentPresenter: OpenDocumentPresenter

    /// A drive without a workshop is read-only. `recovered` are the drafts that it goes on showing.
    public init(
        container: Container, options: DriveOptions, workshop: Workshop? = nil, recovered: [RecoveredDraft] = [],
        thumbnails: ThumbnailWorker? = nil
    ) {
        self.container = container
        var options = options
        options.readOnly = workshop == nil
        parts = DriveParts(container, options, workshop, counts, recovered, thumbnails.map(ThumbnailQueue.init))
        openDocumentPresenter = OpenDocumentPresenter(
            tree: parts.tree, coordinator: parts.coordinator, kernel: parts.kernel, folders: parts.folders, saving: parts.saving, decisions: parts.decisions,
            appSaves: parts.appSaves, adopted: parts.adopted, undeleting: parts.undeleting, thinning: parts.thinning,
            asked: parts.askedSearches,
            workshop: workshop, mount: parts.mount, container: container, top: parts.top)
    }

    // MARK: From the mount to its end

    @inline(__always)
    public func count(_ kind: RequestKind, at node: NodeID) { counts.add(kind, at: node) }

    /// The kernel's ear, once there is one, and until the session ends.
    public func setListener(_ listener: (any KernelListener)?) { parts.kernel.setListener(listener) }

    /// The drive was mounted: what the status page says of it.
    public func mounted(at path: String) {
        parts.mount.setPath(path)
        // Not before: a large folder is read by several threads, and the process gives up its rights while it has one.
        parts.recovered.show()
        parts.echo.start()
        parts.outside.start { [saving = parts.saving, waiting = parts.waiting] in waiting.addLost(savedBy: saving) }
        parts.thinning.order(afterChange: false)
        parts.catalog.driveAnswers()
    }

    /// Whoever serves the claims of other programs, until the drive ends.
    public func setCoordination(_ server: CoordinationServer?) { parts.claims.connect(server) }

    /// Who has claims is waited for, so many milliseconds at most, and nobody is served any more.
    public func endCoordination(waiting patience: Int64) {
        parts.claims.server?.stop(waiting: patience)
        parts.claims.connect(nil)
    }

    /// The process gave up its rights: what the status page says of it.
    public func setSandbox(_ state: SandboxState) { parts.mount.setSandbox(state) }

    /// The kernel has greeted the drive: what the status page says of that.
    public func setKernelMeans(_ means: KernelMeans) { parts.mount.setKernelMeans(means) }

    /// Its messages go into a file: what the status page says of it.
    public func setLog(_ path: String) { parts.mount.setLog(path) }

    /// Photos that an earlier drive left without thumbnails get theirs.
    public func makeMissedThumbnails() { parts.lateThumbnails.make() }

    /// The folder of the key-value store, where that is not the container's.
    public var settingsFolder: OpenFile? { parts.keyValues.ownFolder }

    /// What a request is answered that failed so: the container itself may be gone.
    public func explained(_ error: Errno) -> Errno { parts.presence.explained(error) }

    /// Before the drive is unmounted: those who watch it hear no more, for telling them keeps it in use.
    public func endEchoing() { parts.echo.end() }

    /// Ends all work. After the last request.
    public func close() {
        parts.catalog.stop()
        parts.outside.stop()
        parts.echo.end()
        parts.keyValueEcho.end()
        parts.keyValueFolder.close()
        parts.savedSearchFolder.close()
        parts.coordinator.drain()
        parts.growing.settleAll()
        parts.saving.saveEverything()
        // What was deleted just now takes room as well.
        parts.removed.forgetAll()
        parts.thinning.thinWhatIsOwed()
        parts.thumbnailQueue?.close()
        parts.coordinator.drain()
        parts.removed.forgetAll()
    }
}
