import LinuxFiles
import Transactions

/// The parts of a workshop, in the order of who knows whom: each is given those above it, and knows none below it.
struct WorkshopParts: Sendable {
    let container: Container
    /// Valise's own folder in the container, in which all the others are.
    let own: OpenFile
    let policy: VersionPolicy
    /// What can be done where the container lies.
    let store: Store
    let journal: Journal
    let testPoints = TestPoints<PlanMoment>()

    let staging: Staging
    let attributes: FileAttributes
    let names: NameKeeping
    let records: DeletedRecords
    let versions: VersionKeeping
    let folders: ContainerFolders
    let plans: PlanExecution
    let drafts: StagedDrafts
    let flat: FlatSaving
    let saving: DocumentSaving
    let deleted: DeletedKeeping
    let folderItems: FolderItemKeeping
    let plainKeeping: PlainFileKeeping
    let folderVersions: FolderItemVersions
    let staged: StagedSaving
    let thumbnails: PhotoThumbnails
    let removal: ItemRemoval
    let plain: PlainFileMaking
    let draftKeeping: DraftKeeping
    let renaming: DocumentRenaming
    let exchanging: ItemExchanging
    let restoring: VersionRestoring
    let early: EarlyRemovals
    let thinning: VersionRemoval
    let thinningDeleted: DeletedRemoval
    let thinningKept: KeptThinning
    let adopting: Adopting
    let many: ManyItems
    let kinds: ContainerKinds
    let changes: ChangeExecution
    let finishing: PlanFinishing
    let recovery: Recovery

    /// The folders are open; nil where nothing was ever kept in them and nothing is to be.
    init(
        _ container: Container, _ policy: VersionPolicy, keepsFiles: Bool, _ deletedPolicy: DeletedPolicy, _ journal: Journal, own: OpenFile,
        stagingFolder: OpenFile, versionFolder: OpenFile?, deletedFolder: OpenFile?, keepsNames: Bool
    ) {
        (self.container, self.policy, self.journal, self.own) = (container, policy, journal, own)
        store = Store.tried(in: stagingFolder.descriptor)

        staging = Staging(folder: stagingFolder, store: store, journal: journal)
        attributes = FileAttributes(store: store)
        names = NameKeeping(container: container, own: own, staging: staging, isUsed: keepsNames)
        records = DeletedRecords(container: container, policy: deletedPolicy, folder: deletedFolder)
        versions = VersionKeeping(
            container: container, staging: staging, folder: versionFolder, store: store, policy: policy, attributes: attributes,
            records: records)
        folders = ContainerFolders(
            container: container, staging: staging, versionFolder: versionFolder, deletedFolder: deletedFolder, store: store, names: names,
            versions: versions)
        plans = PlanExecution(
            folders: folders, staging: staging, store: store, journal: journal, attributes: attributes, testPoints: testPoints)
        drafts = StagedDrafts(staging: staging, store: store, policy: policy, journal: journal)
        flat = FlatSaving(
            staging: staging, store: store, policy: policy, attributes: attributes, names: names, versions: versions, plans: plans)
        saving = DocumentSaving(
            container: container, staging: staging, journal: journal, policy: policy, attributes: attributes, names: names,
            versions: versions, plans: plans, drafts: drafts, flat: flat)
        deleted = DeletedKeeping(
            container: container, staging: staging, store: store, records: records, versions: versions, names: names, plans: plans)
        folderItems = FolderItemKeeping(store: store, attributes: attributes, records: records, deleted: deleted)
        plainKeeping = PlainFileKeeping(
            container: container, staging: staging, policy: policy, records: records, versions: versions, plans: plans, deleted: deleted)
        folderVersions = FolderItemVersions(
            container: container, staging: staging, policy: policy, attributes: attributes, records: records, versions: versions, plans: plans,
            deleted: deleted)
        staged = StagedSaving(
            container: container, staging: staging, policy: policy, keepsFiles: keepsFiles, attributes: attributes, versions: versions, plans: plans,
            deleted: deleted)
        thumbnails = PhotoThumbnails(container: container, staging: staging, attributes: attributes)
        removal = ItemRemoval(
            staging: staging, names: names, versions: versions, records: records, plans: plans, deleted: deleted, drafts: drafts)
        plain = PlainFileMaking(
            staging: staging, attributes: attributes, names: names, records: records, plans: plans, drafts: drafts)
        draftKeeping = DraftKeeping(staging: staging, records: records, plain: plain)
        renaming = DocumentRenaming(
            container: container, staging: staging, attributes: attributes, names: names, records: records,
            versions: versions, plans: plans, drafts: drafts)
        exchanging = ItemExchanging(
            container: container, staging: staging, store: store, names: names, versions: versions, plans: plans,
            drafts: drafts,
            saving: saving, plain: plain, renaming: renaming)
        restoring = VersionRestoring(
            container: container, staging: staging, versions: versions, plans: plans, drafts: drafts, saving: saving,
            folderItems: folderVersions)
        early = EarlyRemovals()
        thinning = VersionRemoval(container: container, staging: staging, policy: policy, versions: versions, early: early)
        thinningDeleted = DeletedRemoval(keeping: deleted, early: early)
        thinningKept = KeptThinning(
            container: container, policy: policy, deletedPolicy: deletedPolicy, versions: thinning, deleted: thinningDeleted, early: early)
        // Weakly, because they were given the part with the versions themselves.
        versions.makeRoom { [weak thinning, weak thinningDeleted] in thinningDeleted?.giveUp() == true || thinning?.giveUp(alsoNewest: false) == true }
        adopting = Adopting(
            container: container, staging: staging, store: store, staged: staged, renaming: renaming,
            exchanging: exchanging,
            deleted: deleted, versions: versions, plans: plans)
        many = ManyItems(container: container, staging: staging, staged: staged, plans: plans, removal: removal)
        kinds = ContainerKinds(state: container.state, own: own, container.kinds)
        changes = ChangeExecution(
            saving: saving, staged: staged, adopting: adopting, renaming: renaming, exchanging: exchanging, plain: plain, draftKeeping: draftKeeping,
            removal: removal, deleted: deleted, restoring: restoring, names: names, versions: thinning, thinning: thinningKept, thumbnails: thumbnails, many: many,
            kinds: kinds, keeping: versions, plainKeeping: plainKeeping, folderItems: folderItems,
            folderVersions: folderVersions)
        finishing = PlanFinishing(container: container, staging: staging, folders: folders, plans: plans)
        recovery = Recovery(
            container: container, own: own, staging: staging, journal: journal, records: records, finishing: finishing, drafts: drafts,
            deleted: deleted, changes: changes)
    }
}
