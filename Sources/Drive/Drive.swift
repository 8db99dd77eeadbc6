import Containers
import Coordination
import Glibc
import LinuxFiles
import Synchronization
import Thumbnails

/// The tree that a user sees: each call is one question of the kernel's, answered as a value or thrown as an errno.
///
/// Synchronous: a caller is a thread that may wait. No FUSE here: `FuseBridge` decodes, calls one
/// method and replies. The methods are in the `Drive+` files, by topic.
///
/// Lock order: a folder's lane, a document's lane, the lookout's turn, then one of the tables (`tree`, `handles`, `kernel`,
/// the lookout's news). No table is held while another is taken, during I/O, or while the kernel is told something.
public final class Drive: Sendable {
    public let counts = RequestCounts()
    public let container: Container
    let options: DriveOptions
    /// With whose rights programs are served.
    let rights: CallerRights
    let coordinator = DocumentCoordinator()
    let tree = Mutex(Tree())
    let handles = Mutex(HandleTable())
    /// Documents whose names went away a moment ago.
    let away = Mutex<[AwayKey: Remembered]>([:])
    /// The states of thumbnails that the kernel has cached, and where those lie that it asked for, by photo.
    let thumbnailStamps = Mutex<[NodeID: ContentStamp]>([:])
    let thumbnailPlaces = Mutex<[UInt32: ThumbnailPlace]>([:])
    /// Documents whose drafts wait for room.
    let waiting = Mutex(WaitingDrafts())
    /// Names that are being moved.
    let moves = Moves()
    /// Who is looking again for what led elsewhere.
    let secondLooks = SecondLooks()
    let top: TopStatus
    /// What programs have read.
    let readings = Mutex(Readings())
    let thinnings = Mutex(Thinnings())
    /// What changes the container; nil on a drive that is read-only.
    let workshop: Workshop?
    /// How changes are seen that other programs make.
    let lookout: Lookout
    /// What lets those hear of these changes who watch the drive; nil where nothing changes or nothing can be said.
    let herald: Herald?
    /// What makes thumbnails; nil where nothing does.
    let thumbnails: ThumbnailQueue?
    private let kernel = Mutex<(any KernelNotices)?>(nil)
    private let mountpoint = Mutex("")
    /// Where other programs claim items; nil on a drive that is read-only.
    let others = Mutex<CoordinationServer?>(nil)
    let since = Timestamp.now
    /// Whether the container is still where it was.
    let presence: Presence
    let interludes = Interludes<Interlude>()
    private let sandbox = Mutex(SandboxState.none)

    /// Drafts of earlier drives that are not shown yet.
    private let recovered: Mutex<[RecoveredDraft]>

    /// A drive without a workshop is read-only. `recovered` are the drafts that it goes on showing.
    public init(
        container: Container, options: DriveOptions, workshop: Workshop? = nil, recovered: [RecoveredDraft] = [],
        thumbnails: ThumbnailWorker? = nil
    ) {
        self.container = container
        self.workshop = workshop
        self.thumbnails = thumbnails.map(ThumbnailQueue.init)
        var options = options
        options.readOnly = workshop == nil
        self.options = options
        rights = CallerRights(options, as: geteuid())
        presence = Presence(container)
        lookout = Lookout(options.changes, container.documents.descriptor)
        top = TopStatus(container.documents, mayNotAnswer: lookout.means == .poll)
        // On a drive that is read-only the kernel lets nobody do anything.
        herald = options.readOnly || options.changes == .off ? nil : Herald()
        tree.withLock { tree in
            tree.folders[Tree.root]?.place = container.documents
            tree.folders[Tree.originals]?.place = container.base
        }
        self.recovered = Mutex(recovered)
    }

    /// The kernel's ear, once there is one, and until the session ends.
    public func setNotices(_ notices: (any KernelNotices)?) { kernel.withLock { $0 = notices } }

    var notices: (any KernelNotices)? { kernel.withLock { $0 } }

    /// The drive was mounted: what the status page says of it.
    public func mounted(at path: String) {
        mountpoint.withLock { $0 = path }
        // Not before: a large folder is read by several threads, and the process gives up its rights while it has one.
        let drafts = recovered.withLock { recovered in
            defer { recovered = [] }
            return recovered
        }
        for draft in drafts { show(draft) }
        startAnnouncing()
        startLookingOut()
        orderThinning(afterSave: false)
    }

    /// What a request is answered that failed so: the container itself may be gone.
    public func explained(_ error: Errno) -> Errno { presence.explained(error) }

    var mountedAt: String { mountpoint.withLock { $0 } }

    /// The process gave up its rights: what the status page says of it.
    public func setSandbox(_ state: SandboxState) { sandbox.withLock { $0 = state } }

    var sandboxState: SandboxState { sandbox.withLock { $0 } }

    /// Ends all work. After the last request.
    public func close() {
        lookout.stop()
        endAnnouncing()
        coordinator.drain()
        saveEverything()
        thinWhatIsOwed()
        thumbnails?.close()
        forgetAllAway()
    }
}

/// A moment between two steps of a drive, at which somebody else may come in.
enum Interlude {
    /// A folder's entries were read, and not compared with what is open.
    case entriesRead
    /// A draft is in staging and in the journal, and its document does not have it yet.
    case draftBegun
    /// Two items have changed places, and the tree does not know it.
    case exchanged
}

/// How a drive shows its container.
public struct DriveOptions: Sendable {
    public var readOnly = true
    /// All that is shown belongs to this user and group, where given.
    public var owner: UInt32?
    public var group: UInt32?
    /// Permissions that nothing on the drive has.
    public var umask: UInt32?
    /// Access control lists go through.
    public var accessLists = false
    public var changes = SeeingChanges.watch
    /// Other users may use it, too.
    public var isShared = false
    /// What saves replace is kept, with both sides of what two changed at once.
    public var keepsVersions = false
    /// Who watches a file system, as far as that can be told: for a process that may not look itself.
    public var watched: @Sendable (DeviceNumber) -> Set<UInt64>? = { Watchers.inodes(on: $0) }

    public init() {}
}

/// What keeps the process that serves a drive from doing anything else.
public enum SandboxState: Sendable {
    case none
    /// System calls and capabilities; and files, where the kernel has the means.
    case sealed(files: Bool)
}

/// How a drive sees what other programs change in its container.
public enum SeeingChanges: String, CaseIterable, Sendable {
    /// The kernel tells.
    case watch
    /// It looks again for each question, and the kernel's own memory is short.
    case poll
    /// Nobody else changes anything.
    case off
}
