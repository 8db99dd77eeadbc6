import Documents
import Glibc
import LinuxFiles
import Transactions

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
        in container: Container, purpose: String, versions policy: VersionPolicy = .off, keepsFiles: Bool = true,
        deleted deletedPolicy: DeletedPolicy = .off
    ) throws(Failure) -> Workshop {
        let lock = try ContainerLock.take(in: container, purpose: purpose)
        return try open(in: container, holding: lock, versions: policy, keepsFiles: keepsFiles, deleted: deletedPolicy)
    }

    /// The same for who is the one writer already. `keepsFiles`: plain files have versions, as documents do.
    public static func open(
        in container: Container, holding lock: ContainerLock, versions policy: VersionPolicy, keepsFiles: Bool = true,
        deleted deletedPolicy: DeletedPolicy
    ) throws(Failure) -> Workshop {
        do throws(StateFault) {
            let own = container.state, state = try own.made()
            let staging = try own.madeFolder(Staging.folderName, in: state)
            let versions = policy.keeps ? try own.madeFolder(Container.versionsName, in: state) : try own.folder(Container.versionsName, in: state)
            let deleted = try deletedFolder(of: own, in: state, deletedPolicy)
            let names = try own.folder(Container.namesName, in: state)
            let records = try own.madeFolder(Container.journalName, in: state)
            let journal: Journal
            let file = try own.file(Journal.fileName, [.readWrite, .create], in: records, at: [Container.journalName])
            do throws(Errno) { journal = try Journal(file, in: records) } catch { throw .failed(error) }
            let parts = WorkshopParts(
                container, policy, keepsFiles: keepsFiles && policy.keeps, deletedPolicy, journal, own: state,
                stagingFolder: staging, versionFolder: versions, deletedFolder: deleted, keepsNames: names != nil)
            do throws(Errno) { try parts.records.load() } catch { throw .failed(error) }
            if let sentence = OwnersState(of: container.state)?.sentence(for: container) { parts.recovery.warn(sentence) }
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
            return try own.folder(Container.deletedName, in: state)
        }
    }

    // MARK: What an earlier process left

    /// Finishes what was begun, and answers the drafts that cannot be saved yet. Before anything else is done in the container.
    public func recover() throws(Failure) -> [RecoveredDraft] { try parts.recovery.recover() }

    /// What whoever mounts is to be told, in sentences: each once.
    public func takeWarnings() -> [String] { parts.recovery.takeWarnings() }

    /// The paths of new files that `recover` found unsaved and that are plain files now: they are as new as they were. Each is told once.
    public func takePlainFiles() -> [[Name]] { parts.recovery.takePlainFiles() }

    /// Whether what is replaced stays as a version.
    public var keepsVersions: Bool { parts.versions.keepsReplaced }

    /// Whether a name was ever kept in the container.
    public var keepsNames: Bool { parts.names.areKept }

    // MARK: Drafts

    public func newDraft(
        _ kind: KindID, at address: Address, mode: UInt32, base: Base? = nil, from stamp: BaseStamp? = nil,
        owner: (user: UInt32, group: UInt32)? = nil
    ) throws(Errno) -> Draft {
        try newDraftAsShown(kind, at: address, mode: mode, base: base, from: stamp, owner: owner).draft
    }

    /// The same with what a drive shows of it.
    public func newDraftAsShown(
        _ kind: KindID, at address: Address, mode: UInt32, base: Base? = nil, from stamp: BaseStamp? = nil,
        owner: (user: UInt32, group: UInt32)? = nil
    ) throws(Errno) -> (draft: Draft, status: FileStatus) {
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
    public func followAttributes(of draft: Draft) throws(Errno) { try parts.drafts.followAttributes(of: draft) }
    public func noteWholeness(of draft: Draft) { parts.drafts.noteWholeness(of: draft) }
    public func synchronizePlace(of draft: Draft) throws(Errno) { try parts.drafts.synchronizePlace(of: draft) }
    public func discard(_ draft: Draft) { parts.drafts.discard(draft) }

    // MARK: Changes

    /// The one door through which the container is changed. In the lanes of what the change is about.
    @discardableResult
    public func commit(_ change: Change) throws(SaveFault) -> Outcome { try parts.changes.commit(change) }

    /// The same for who says errors as a system call does. `unfit`: where content is not what its name says.
    @discardableResult
    public func commit(_ change: Change, unfit: Errno) throws(Errno) -> Outcome {
        do throws(SaveFault) { return try commit(change) } catch { throw error.errno(unfit: unfit) }
    }

    // MARK: On the store

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

    public func discard(_ staged: StagedThumbnail) { parts.thumbnails.discard(staged) }

    // MARK: Names, and what is gone

    public func isThere(_ item: AwayItem) -> Bool { parts.removal.isThere(item) }
    /// Whether there is something that follows when these change places.
    public func haveFollowers(_ parties: [ExchangeParty]) throws(Errno) -> Bool { try parts.exchanging.haveFollowers(parties) }

    /// Whether files can share their blocks where the container lies: it is tried.
    public var sharesBlocks: Bool { parts.versions.sharesBlocks }

    /// How often a document was saved and there was no room to keep what it was.
    public var lostVersions: Int { parts.versions.lostVersions }

    // MARK: What was deleted

    public var deletedItems: [DeletedItem] { parts.records.items }
    public func deletedItem(_ number: UInt64) -> DeletedItem? { parts.records.item(number) }
    /// What comes back with these: what lay beside them, and parts of folders that are one item.
    public func deletedParts(of items: [DeletedItem]) -> [DeletedItem] { parts.deleted.parts(of: items) }
    /// What was deleted of this stored name and is kept, the last one first, and no more than a few.
    public func deletedItems(called stored: Name, at path: [Name]) -> [DeletedItem] { parts.records.items(from: .item(stored, in: path)) }

    /// The document that a plain file was, if that is among the deleted and is not damaged. What the file of another owner says about itself is not
    /// believed: it would take out of the deleted what its owner may not read. None where a move is two steps: a crash between them would leave it twice.
    public func formerDocument(of file: borrowing Descriptor) throws(Errno) -> DeletedItem? {
        guard store.adding == .renaming, let former = try FormerDocument(of: file), let item = deletedItem(former.number), former.isThis(item),
            let kind = item.kind, let (folder, name) = try container.deletedPlace(of: item)
        else { return nil }
        let opened: ItemReader.Opened
        do throws(DocumentFault) { opened = try container.reader.open(name, as: kind, in: folder.descriptor, called: item.stored) } catch {
            if let errno = error.errno { throw errno }
            return nil
        }
        return [opened.item.status.owner, geteuid()].contains(try file.status().owner) ? item : nil
    }
    /// Another number whenever something was deleted or came back.
    public var deletedEdition: UInt64 { parts.records.edition }
    /// A folder in which something was deleted, as it was then.
    public func deletedFolder(at path: [Name]) -> DeletedFolder? { parts.records.folder(at: path) }

    public func freeStoredName(of item: DeletedItem, shown: Name, in folder: OpenFile) throws(Errno) -> Name {
        try parts.deleted.freeStoredName(of: item, shown: shown, in: folder)
    }

    /// Whether there is so much room, in bytes, when all that is kept is given up. Where that cannot be known, there may be.
    public func canMakeRoom(for wanted: Int64) -> Bool {
        guard let kept = try? (container.deletedRoom() + container.versionsRoom()).size, let store = try? container.base.descriptor.fileSystemStatus() else { return true }
        return wanted <= store.availableBytes.saturatingAdd(kept)
    }

    /// What of that, and of versions, went for good before its time, because there was no room.
    public var earlyRemovals: EarlyRemoval { parts.early.all }
    /// How often something was deleted and there was no room to keep it.
    public var unkept: Int { parts.records.unkept }
}

// What only reads a container has no workshop of it.
extension Workshop? {
    /// The one writer of the container, or the errno for a drive that does not write.
    package func required() throws(Errno) -> Workshop {
        guard let self else { throw .readOnly }
        return self
    }

    /// The same for who saves.
    package func required(orFault: Void) throws(SaveFault) -> Workshop {
        guard let self else { throw .failed(.readOnly) }
        return self
    }
}
