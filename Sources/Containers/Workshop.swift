import Documents
import LinuxFiles

/// Where a container's changes are made: the one writer of a container, with what it has under way.
///
/// Everything is prepared in `.valise/staging`, on the same file system, and put in place by renames. What takes more
/// than one rename is written into the journal first, and finished at the next opening if it was interrupted.
/// This is the front: it owns nothing but the lock, and says which part does it (`WorkshopParts.swift`).
public final class Workshop: Sendable {
    public let container: Container
    let parts: WorkshopParts
    /// Held as long as this process lives: nobody else writes.
    private let lock: ContainerLock
    /// What can be done where the container lies.
    public var store: Store { parts.store }

    private init(_ parts: WorkshopParts, _ lock: ContainerLock) { (container, self.parts, self.lock) = (parts.container, parts, lock) }

    /// Becomes the container's one writer. `purpose` is what another one is told that comes
    /// while this one is here: "mounted on /home/ann/Valise".
    public static func open(
        in container: Container, purpose: String, versions policy: VersionPolicy = .off, deleted deletedPolicy: DeletedPolicy = .off
    ) throws(Failure) -> Workshop {
        try open(in: container, holding: ContainerLock.take(in: container, purpose: purpose), versions: policy, deleted: deletedPolicy)
    }

    /// The same for who is the one writer already.
    public static func open(
        in container: Container, holding lock: ContainerLock, versions policy: VersionPolicy, deleted deletedPolicy: DeletedPolicy
    ) throws(Failure) -> Workshop {
        do throws(StateFault) {
            let own = container.state, state = try own.made()
            let staging = try own.madeFolder(Container.stagingName, in: state)
            let versions = policy.keeps ? try own.madeFolder(Container.versionsName, in: state) : try own.folder(Container.versionsName, in: state)
            let deleted = try deletedFolder(of: own, in: state, deletedPolicy)
            let names = try own.folder(Container.namesName, in: state)
            let records = try own.madeFolder(Container.journalName, in: state)
            let journal: Journal
            let file = try own.file(Journal.fileName, [.readWrite, .create], in: records, at: [Container.journalName])
            do throws(Errno) { journal = try Journal(file, in: records) } catch { throw .failed(error) }
            let parts = WorkshopParts(
                container, policy, deletedPolicy, journal, own: state, stagingFolder: staging, versionFolder: versions, deletedFolder: deleted,
                keepsNames: names != nil)
            do throws(Errno) { try parts.records.load() } catch { throw .failed(error) }
            if let sentence = OwnersState(of: container)?.sentence(for: container) { parts.recovery.warn(sentence) }
            return Workshop(parts, lock)
        } catch {
            throw ContainerLock.failure(error, container)
        }
    }

    /// A store that is full serves what is there.
    private static func deletedFolder(of own: StateFolder, in state: OpenFile, _ policy: DeletedPolicy) throws(StateFault) -> OpenFile? {
        do throws(StateFault) {
            return policy.keeps ? try own.madeFolder(Container.deletedName, in: state) : try own.folder(Container.deletedName, in: state)
        } catch {
            guard error.errno.isFull else { throw error }
            return nil
        }
    }

    // MARK: What an earlier process left

    /// Finishes what was begun, and answers the drafts that cannot be saved yet. Before anything else is done in the container.
    public func recover() throws(Failure) -> [RecoveredDraft] { try parts.recovery.recover() }

    /// What whoever mounts is to be told, in sentences: each once.
    public func takeWarnings() -> [String] { parts.recovery.takeWarnings() }

    /// Whether a name was ever kept in the container.
    public var keepsNames: Bool { parts.names.areKept }

    // MARK: Drafts

    public func newDraft(
        _ kind: KindID, at address: Address, mode: UInt32, base: Base? = nil, from stamp: BaseStamp? = nil,
        owner: (user: UInt32, group: UInt32)? = nil
    ) throws(Errno) -> Draft {
        try parts.drafts.newDraft(kind, at: address, mode: mode, base: base, from: stamp, owner: owner)
    }

    public func draft(
        of opened: ItemReader.Opened, at address: Address, stored: Name, keepingContent: Bool, from stamp: BaseStamp? = nil
    ) throws(Errno) -> Draft {
        try parts.drafts.draft(of: opened, at: address, stored: stored, keepingContent: keepingContent, from: stamp)
    }

    public func draft(_ kind: KindID, ofContent file: borrowing Descriptor, from stamp: BaseStamp? = nil) throws(Errno) -> Draft {
        try parts.drafts.draft(kind, ofContent: file, from: stamp)
    }

    public func scratch(_ kind: KindID) throws(Errno) -> Draft { try parts.drafts.scratch(kind) }
    public func record(_ draft: Draft, at address: Address, base: Base?) throws(Errno) { try parts.drafts.record(draft, at: address, base: base) }
    public func noteWholeness(of draft: Draft) { parts.drafts.noteWholeness(of: draft) }
    public func synchronizePlace(of draft: Draft) throws(Errno) { try parts.drafts.synchronizePlace(of: draft) }
    public func discard(_ draft: Draft) { parts.drafts.discard(draft) }

    // MARK: Saving

    public func save(
        _ draft: Draft, at address: Address, over base: Base?, removing: [(path: [Name], name: Name)] = [], ending: Draft? = nil,
        durably: Bool = false
    ) throws(SaveFault) -> Name {
        let stored = try parts.saving.save(draft, at: address, over: base, removing: removing, ending: ending, durably: durably)
        if case .away(let item) = base { parts.deleted.cameBack(item, at: address.path, as: stored) }
        return stored
    }

    /// Puts what an app has written whole into an item's place: a path from the documents on.
    public func save(_ item: StagedItem, at path: [Name]) throws(SaveFault) -> StagedOutcome { try parts.staged.save(item, at: path) }

    public func synchronize(_ stored: Name, _ kind: KindID, in folder: OpenFile) throws(Errno) {
        try parts.saving.synchronize(stored, kind, in: folder)
    }

    /// Waits until all that was put in place is on the store.
    public func synchronize() throws(Errno) { try parts.staging.synchronize() }

    // MARK: Thumbnails

    public func stageThumbnail(_ png: [UInt8], for photo: ItemReader.Opened) throws(Errno) -> StagedThumbnail? {
        try parts.thumbnails.stageThumbnail(png, for: photo)
    }

    public func lacksThumbnail(_ stored: Name, in folder: borrowing Descriptor) -> Bool { parts.thumbnails.lacksThumbnail(stored, in: folder) }

    public func put(_ staged: StagedThumbnail, into stored: Name, in folder: borrowing Descriptor) throws(Errno) {
        try parts.thumbnails.put(staged, into: stored, in: folder)
    }

    public func discard(_ staged: StagedThumbnail) { parts.thumbnails.discard(staged) }

    // MARK: Other names, other places, or none

    public func putAway(_ stored: Name, _ kind: KindID, from address: Address, ending draft: Draft? = nil) throws(Errno) -> AwayItem {
        try parts.removal.putAway(stored, kind, from: address, ending: draft)
    }

    public func remove(_ stored: Name, from address: Address) throws(Errno) { try parts.removal.remove(stored, from: address) }
    /// The name of what was put away did not come back.
    public func keep(_ item: AwayItem) { parts.removal.keep(item) }
    public func drop(_ item: AwayItem) { parts.removal.drop(item) }
    public func isThere(_ item: AwayItem) -> Bool { parts.removal.isThere(item) }
    /// What was removed without a plan has no name any more.
    public func forgetName(of stored: Name, in path: [Name]) { parts.names.forgetName(of: stored, in: path) }

    public func rename(
        _ stored: Name, _ kind: KindID, from old: Address, to new: Address, replacing: ReplacedDocument?, removing: Name? = nil,
        draft: Draft? = nil, copies: [Name] = []
    ) throws(SaveFault) -> (stored: Name, away: AwayItem?) {
        try parts.renaming.rename(stored, kind, from: old, to: new, replacing: replacing, removing: removing, draft: draft, copies: copies)
    }

    public func rename(_ place: DraftPlace, replacing: ReplacedDocument?, removing: Name? = nil) throws(Errno) -> AwayItem? {
        try parts.renaming.rename(place, replacing: replacing, removing: removing)
    }

    public func move(
        _ stored: Name, from old: Address, to new: Address, as name: Name, replacing: ReplacedDocument? = nil, removing: Name? = nil,
        drafts: [DraftPlace] = []
    ) throws(Errno) -> AwayItem? {
        try parts.renaming.move(stored, from: old, to: new, as: name, replacing: replacing, removing: removing, drafts: drafts)
    }

    /// The versions of what somebody else has moved go along.
    public func follow(_ old: [Name], to new: [Name]) throws(Errno) { try parts.renaming.follow(old, to: new) }

    public func exchange(
        _ first: ExchangeParty, _ second: ExchangeParty, drafts: [DraftPlace] = []
    ) throws(SaveFault) -> (ExchangeResult, ExchangeResult) {
        try parts.exchanging.exchange(first, second, drafts: drafts)
    }

    public func haveFollowers(_ parties: [ExchangeParty]) throws(Errno) -> Bool { try parts.exchanging.haveFollowers(parties) }

    public func turnPlain(
        _ opened: ItemReader.Opened, _ stored: Name, from old: Address, to new: Address, as plainName: Name, replacing: ReplacedDocument?,
        removing: Name? = nil
    ) throws(Errno) -> (AwayItem, AwayItem?) {
        try parts.plain.turnPlain(opened, stored, from: old, to: new, as: plainName, replacing: replacing, removing: removing)
    }

    /// Makes a draft that is no document a plain file: what was written stays what it is. Its name must be free.
    public func release(_ draft: Draft, asPlain name: Name, at address: Address) throws(Errno) {
        _ = try parts.plain.release(draft, asPlain: name, at: address, over: nil)
    }

    public func release(
        _ draft: Draft, asPlain name: Name, at address: Address, over outdated: OutdatedDocument?
    ) throws(Errno) -> (AwayItem?, AwayItem?) {
        try parts.plain.release(draft, asPlain: name, at: address, over: outdated)
    }

    /// Keeps what is written in a draft that is given up, as a plain file that was deleted.
    public func keepDeleted(_ draft: Draft, from address: Address) throws(Errno) { try parts.plain.keepDeleted(draft, from: address) }

    /// The same before something gives the draft up. If that fails, it was never deleted.
    public func keepingDeleted(_ draft: Draft, from address: Address, _ body: () throws(Errno) -> Void) throws(Errno) {
        try parts.plain.keepingDeleted(draft, from: address, body)
    }

    // MARK: Versions

    public func carryOut(_ decision: VersionDecision, on document: DocumentPlace, shown: Name) throws(SaveFault) {
        try parts.restoring.carryOut(decision, on: document, shown: shown)
    }

    public func carryOut(_ decision: VersionDecision, on path: [Name]) throws(SaveFault) {
        switch decision {
        case .purgeVersions(let moment): do throws(Errno) { try purgeVersions(at: path, before: moment) } catch { throw .failed(error) }
        case .undelete(let numbers): try parts.deleted.undelete(numbers)
        case .purge(let numbers): try parts.deleted.purge(numbers)
        default: try parts.restoring.carryOut(decision, on: path)
        }
    }

    public func restore(_ id: VersionID, of document: DocumentPlace, shown: Name) throws(SaveFault) {
        try parts.restoring.restore(id, of: document, shown: shown)
    }

    public func resolve(_ document: DocumentPlace, shown: Name, _ decision: ConflictDecision) throws(SaveFault) {
        try parts.restoring.resolve(document, shown: shown, decision)
    }

    @discardableResult
    public func thinVersions() throws(Errno) -> Int { try parts.thinning.thinVersions(besides: parts.thinningDeleted.thin()) }
    public func purgeVersions(at path: [Name], before moment: Int64?) throws(Errno) { try parts.thinning.purge(at: path, before: moment) }
    public func giveUpVersions() -> Bool { parts.thinning.giveUp(alsoNewest: true) }
    /// How often a document was saved and there was no room to keep what it was.
    public var lostVersions: Int { parts.versions.lostVersions }

    // MARK: What was deleted

    public var deletedItems: [DeletedItem] { parts.records.items }
    public func deletedItem(_ number: UInt64) -> DeletedItem? { parts.records.item(number) }
    /// Another number whenever something was deleted or came back.
    public var deletedEdition: UInt64 { parts.records.edition }
    /// A folder in which something was deleted, as it was then.
    public func deletedFolder(at path: [Name]) -> DeletedFolder? { parts.records.folder(at: path) }
    public func takeAway(plain stored: Name, from address: Address) throws(Errno) -> DeletedItem? {
        try parts.deleted.takeAway(plain: stored, from: address)
    }

    public func hold(plain stored: Name, in address: Address) throws(Errno) -> DeletedItem? {
        try parts.deleted.hold(plain: stored, in: address)
    }

    public func makeFolder(at path: [Name]) throws(Errno) -> OpenFile { try parts.deleted.makeFolder(at: path) }

    public func bringBack(_ item: DeletedItem, to folder: OpenFile, at path: [Name], as stored: Name, shown: Name) throws(Errno) {
        try parts.deleted.bringBack(item, to: folder, at: path, as: stored, shown: shown)
    }

    public func freeStoredName(of item: DeletedItem, shown: Name, in folder: OpenFile) throws(Errno) -> Name {
        try parts.deleted.freeStoredName(of: item, shown: shown, in: folder)
    }

    public func purge(_ item: DeletedItem) throws(Errno) { try parts.deleted.purge(item) }
    public func giveUpDeleted() -> Bool { parts.thinningDeleted.giveUp() }
    /// How often something was deleted and there was no room to keep it.
    public var unkept: Int { parts.records.unkept }
}
