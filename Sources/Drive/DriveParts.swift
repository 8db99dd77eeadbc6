import Containers
import Coordination
import Glibc
import LinuxFiles

/// The parts of a drive, in the order of who knows whom: each is given those above it, and knows none below it.
struct DriveParts: Sendable {
    let container: Container
    let workshop: Workshop?
    let options: DriveOptions
    /// With whose rights programs are served.
    let rights: CallerRights
    let tree: Tree
    let handles = OpenHandles()
    let coordinator = DocumentCoordinator()
    let mount = MountFacts()
    /// Who is looking again for what led elsewhere.
    let nameRetries = NameRetries()
    let testPoints = TestPoints<TestPoint>()
    let temporaryFiles = TemporaryFiles()
    let presence: ContainerPresence
    let noticed: NoticedChanges
    let top: TopStatus
    let echoThread: EchoThread?
    let thumbnailQueue: ThumbnailQueue?

    let feed = ChangeFeed()

    let watching: OutsideNotices
    let catalog: DriveCatalog
    let searches: Searches
    let knownNames: KnownNames
    let askedSearches: AskedSearches
    let claims: ExternalClaims
    let readers: DocumentReaders
    let thinning: VersionThinning
    let kernel: KernelMemory
    let shown: ShownAttributes
    let cachedAccess: CachedAccessChecks
    let setIDs: SetIDBits
    let accesses: AccessNotes
    let status: StatusPage
    let moves: MovesUnderWay
    let places: Places
    let nameless: NamelessFiles
    let items: NodeItems
    let thumbnails: ThumbnailMaking
    let removed: AwayDocuments
    let returned: ReturnedDocuments
    let plainVersions: PlainFileVersions
    let folderItems: FolderItemRemovals
    let kept: PlainFilesKept
    let access: AccessChecks
    let replaced: ReplacedFiles
    let saved: SavedDocuments
    let equivalentNames: EquivalentNames
    let late: LateWatches
    let folders: FolderContents
    let moved: MovedItems
    let writing: DraftWriting
    let kinds: KindChanges
    let newKinds: NewKinds
    let attributes: NodeAttributes
    let documents: OpenDocuments
    let outside: OutsideChanges
    let changes: FolderChanges
    let lateThumbnails: MissedThumbnails
    let mirror: MirroredRights
    let names: NameLookup
    let thumbnailFolders: ThumbnailFolders
    let plainDrafts: DraftsAsPlainFiles
    let lost: DraftsInLostFolders
    let unwritten: UnwrittenDrafts
    let waiting: WaitingDrafts
    let saving: DraftSaving
    let adoption: PlainFilesAsDocuments
    let closing: FileClosing
    let synchronizing: FileSynchronizing
    let decisions: VersionDecisions
    let appSaves: AppSaves
    let adopted: AdoptedItems
    let growing: GrowingPackages
    let versions: VersionFolders
    let deleted: DeletedFolders
    let undeleting: Undeleting
    let making: EntryMaking
    let replacing: ReplacedByRenaming
    let packages: PackageFolders
    let packageRenaming: PackageRenaming
    let folderMoving: FolderMoving
    let renamedSaves: SavesByRenaming
    let fileMoving: PlainFileMoving
    let plainDocuments: DocumentsAsPlainFiles
    let documentMoving: DocumentMoving
    let exchanging: NameExchanging
    let beside: BesideFiles
    let renaming: Renaming
    let recovered: RecoveredDrafts
    let keyValues: KeyValueFiles
    let savedSearches: SavedSearches
    let keyValueFolder: SmallFileFolder
    let savedSearchFolder: SmallFileFolder
    let keyValueEcho: KeyValueEcho
    let visible: VisibleResults
    let searchFolders: SearchFolders
    let own: ControlNamespaces
    let control: ControlFolder
    let echo: WatcherEcho
    let extended: ExtendedAttributes
    let documentOpening: DocumentOpening
    let plainOpening: PlainFileOpening
    let opening: FileOpening
    let removing: EntryRemoval
    let listings: FolderListings
    let setting: AttributeSetting
    let extendedSetting: ExtendedAttributeSetting

    init(
        _ container: Container, _ options: DriveOptions, _ workshop: Workshop?, _ counts: RequestCounts, _ drafts: [RecoveredDraft],
        _ thumbnailQueue: ThumbnailQueue?
    ) {
        (self.container, self.workshop, self.options, self.thumbnailQueue) = (container, workshop, options, thumbnailQueue)
        tree = Tree(container.kinds)
        rights = CallerRights(options, as: geteuid(), store: container.documents.descriptor)
        presence = ContainerPresence(container)
        noticed = NoticedChanges(options.changes, container.documents.descriptor)
        top = TopStatus(container.documents, mayNotAnswer: noticed.means == .poll)
        // On a drive that is read-only the kernel lets nobody do anything.
        echoThread = options.readOnly || options.changes == .off ? nil : EchoThread()
        tree.setTops(container.documents, originals: container.base)

        watching = OutsideNotices(tree: tree, container: container, presence: presence, noticed: noticed, feed: feed)
        catalog = DriveCatalog(
            tree: tree, container: container, workshop: workshop, noticed: noticed, watching: watching, feed: feed, counts: counts)
        searches = Searches(catalog: catalog)
        knownNames = KnownNames(tree: tree, options: options, catalog: catalog)
        askedSearches = AskedSearches(tree: tree, container: container, catalog: catalog, searches: searches)
        claims = ExternalClaims(tree: tree, options: options)
        readers = DocumentReaders(tree: tree, workshop: workshop, options: options)
        thinning = VersionThinning(tree: tree, coordinator: coordinator, workshop: workshop, options: options, counts: counts)
        kernel = KernelMemory(tree: tree, noticed: noticed, echoes: echoThread)
        shown = ShownAttributes(tree: tree, options: options, rights: rights, noticed: noticed, mount: mount)
        cachedAccess = CachedAccessChecks(tree: tree, rights: rights, kernel: kernel)
        setIDs = SetIDBits(kernel: kernel, rights: rights)
        accesses = AccessNotes(tree: tree, kernel: kernel, options: options)
        status = StatusPage(
            tree: tree, handles: handles, workshop: workshop, container: container, options: options, rights: rights,
            presence: presence, top: top, noticed: noticed, counts: counts, mount: mount, claims: claims, catalog: catalog, feed: feed)
        moves = MovesUnderWay()
        places = Places(tree: tree, rights: rights, moves: moves, cachedAccess: cachedAccess)
        nameless = NamelessFiles(tree: tree, handles: handles, coordinator: coordinator, workshop: workshop, places: places)
        items = NodeItems(
            tree: tree, container: container, options: options, moves: moves, presence: presence, top: top, places: places,
            watching: watching)
        thumbnails = ThumbnailMaking(
            tree: tree, coordinator: coordinator, workshop: workshop, container: container, queue: thumbnailQueue,
            kernel: kernel, places: places)
        removed = AwayDocuments(tree: tree, coordinator: coordinator, workshop: workshop, places: places, thinning: thinning)
        returned = ReturnedDocuments(tree: tree, coordinator: coordinator, workshop: workshop, removed: removed)
        plainVersions = PlainFileVersions(
            tree: tree, handles: handles, coordinator: coordinator, workshop: workshop, container: container, places: places, options: options,
            mount: mount, thinning: thinning)
        folderItems = FolderItemRemovals(
            container: container, workshop: workshop, options: options, temporaryFiles: temporaryFiles, coordinator: coordinator)
        kept = PlainFilesKept(
            tree: tree, workshop: workshop, temporaryFiles: temporaryFiles, options: options, thinning: thinning, versions: plainVersions,
            folderItems: folderItems)
        access = AccessChecks(
            tree: tree, nameless: nameless, rights: rights, moves: moves, cachedAccess: cachedAccess, places: places, items: items)
        replaced = ReplacedFiles(tree: tree, handles: handles, coordinator: coordinator, kernel: kernel, items: items)
        saved = SavedDocuments(
            tree: tree, workshop: workshop, container: container, options: options, kernel: kernel, readers: readers,
            thumbnails: thumbnails, thinning: thinning, coordinator: coordinator, claims: claims, noticed: noticed,
            returned: returned, replaced: replaced)
        equivalentNames = EquivalentNames(tree: tree, kernel: kernel, places: places)
        late = LateWatches(tree: tree, coordinator: coordinator, noticed: noticed, places: places, feed: feed)
        folders = FolderContents(
            tree: tree, coordinator: coordinator, container: container, options: options, workshop: workshop, noticed: noticed,
            feed: feed, testPoints: testPoints, kernel: kernel, places: places, shown: shown, watching: watching, items: items,
            replaced: replaced, removed: removed, claims: claims, known: knownNames, late: late)
        moved = MovedItems(
            tree: tree, container: container, noticed: noticed, watching: watching, folders: folders, coordinator: coordinator, workshop: workshop,
            places: places, kernel: kernel)
        writing = DraftWriting(
            tree: tree, handles: handles, coordinator: coordinator, workshop: workshop, container: container,
            testPoints: testPoints, places: places, nameless: nameless, removed: removed, readers: readers, setIDs: setIDs, kernel: kernel,
            moved: moved, accesses: accesses, versions: plainVersions)
        kinds = KindChanges(
            tree: tree, handles: handles, workshop: workshop, kernel: kernel, readers: readers, saved: saved,
            coordinator: coordinator, container: container, removed: removed)
        newKinds = NewKinds(tree: tree, container: container, options: options)
        attributes = NodeAttributes(
            tree: tree, nameless: nameless, rights: rights, kernel: kernel, shown: shown, items: items, replaced: replaced, claims: claims)
        documents = OpenDocuments(
            tree: tree, handles: handles, container: container, kernel: kernel, places: places, replaced: replaced,
            access: access, coordinator: coordinator, claims: claims, accesses: accesses)
        outside = OutsideChanges(
            tree: tree, coordinator: coordinator, noticed: noticed, kernel: kernel, places: places, watching: watching,
            folders: folders, feed: feed)
        changes = FolderChanges(
            tree: tree, coordinator: coordinator, container: container, feed: feed, places: places, shown: shown,
            folders: folders, equivalentNames: equivalentNames, access: access, newKinds: newKinds)
        lateThumbnails = MissedThumbnails(
            tree: tree, workshop: workshop, container: container, queue: thumbnailQueue, folders: folders,
            thumbnails: thumbnails)
        mirror = MirroredRights(tree: tree, shown: shown, folders: folders, attributes: attributes)
        names = NameLookup(
            tree: tree, rights: rights, watching: watching, folders: folders, equivalentNames: equivalentNames, access: access,
            attributes: attributes)
        thumbnailFolders = ThumbnailFolders(
            tree: tree, handles: handles, coordinator: coordinator, rights: rights, places: places, shown: shown,
            folders: folders, nodes: attributes, mirror: mirror)
        plainDrafts = DraftsAsPlainFiles(
            tree: tree, coordinator: coordinator, workshop: workshop, removed: removed, saved: saved, kinds: kinds,
            versions: plainVersions)
        lost = DraftsInLostFolders(tree: tree, coordinator: coordinator, workshop: workshop, saved: saved, kernel: kernel)
        unwritten = UnwrittenDrafts(tree: tree, coordinator: coordinator, workshop: workshop, places: places, saved: saved)
        waiting = WaitingDrafts(
            tree: tree, coordinator: coordinator, workshop: workshop, changes: changes, claims: claims, saved: saved,
            lost: lost, plainDrafts: plainDrafts)
        saving = DraftSaving(
            tree: tree, coordinator: coordinator, workshop: workshop, places: places, removed: removed, changes: changes,
            claims: claims, saved: saved, lost: lost, waiting: waiting)
        adoption = PlainFilesAsDocuments(
            tree: tree, handles: handles, coordinator: coordinator, changes: changes, removed: removed, returned: returned,
            kinds: kinds, newKinds: newKinds)
        closing = FileClosing(
            tree: tree, handles: handles, kernel: kernel, claims: claims, saving: saving, waiting: waiting,
            unwritten: unwritten, adoption: adoption, versions: plainVersions)
        synchronizing = FileSynchronizing(
            tree: tree, handles: handles, coordinator: coordinator, workshop: workshop, places: places, saving: saving,
            waiting: waiting)
        decisions = VersionDecisions(
            tree: tree, handles: handles, coordinator: coordinator, workshop: workshop, container: container, options: options, kernel: kernel,
            places: places, folders: folders, saved: saved, thumbnails: thumbnails, thinning: thinning, changes: changes)
        appSaves = AppSaves(
            tree: tree, handles: handles, coordinator: coordinator, workshop: workshop, kernel: kernel, folders: folders, saved: saved,
            thumbnails: thumbnails, thinning: thinning, changes: changes)
        adopted = AdoptedItems(
            tree: tree, handles: handles, coordinator: coordinator, workshop: workshop, container: container,
            kernel: kernel, moves: moves,
            folders: folders, changes: changes, saved: saved, appSaves: appSaves)
        growing = GrowingPackages(
            tree: tree, coordinator: coordinator, workshop: workshop, container: container, options: options, kernel: kernel, moves: moves, places: places,
            folders: folders, changes: changes, removed: removed, returned: returned, claims: claims, appSaves: appSaves, thinning: thinning)
        versions = VersionFolders(
            tree: tree, container: container, rights: rights, places: places, shown: shown, folders: folders,
            documents: documents, mirror: mirror)
        deleted = DeletedFolders(
            tree: tree, workshop: workshop, container: container, rights: rights, shown: shown, documents: documents, mirror: mirror)
        undeleting = Undeleting(
            tree: tree, workshop: workshop, kernel: kernel, removed: removed, folders: folders, changes: changes, thinning: thinning,
            deleted: deleted, counts: counts)
        making = EntryMaking(
            tree: tree, workshop: workshop, options: options, rights: rights, places: places, removed: removed,
            changes: changes, access: access, newKinds: newKinds, documents: documents, readers: readers,
            temporaryFiles: temporaryFiles, kept: kept, claims: claims, returned: returned, folderItems: folderItems)
        replacing = ReplacedByRenaming(
            tree: tree, coordinator: coordinator, workshop: workshop, removed: removed, nameless: nameless, saving: saving,
            kinds: kinds, kept: kept, temporaryFiles: temporaryFiles, versions: plainVersions)
        packages = PackageFolders(
            tree: tree, workshop: workshop, container: container, folders: folders, changes: changes, saved: saved,
            saving: saving, plainDrafts: plainDrafts, kinds: kinds)
        packageRenaming = PackageRenaming(
            tree: tree, coordinator: coordinator, workshop: workshop, container: container, moves: moves, folders: folders,
            kernel: kernel)
        folderMoving = FolderMoving(
            tree: tree, workshop: workshop, moves: moves, removed: removed, packages: packageRenaming,
            folderItems: folderItems)
        renamedSaves = SavesByRenaming(
            tree: tree, coordinator: coordinator, moves: moves, removed: removed, nameless: nameless, kinds: kinds,
            replacing: replacing)
        fileMoving = PlainFileMoving(
            tree: tree, coordinator: coordinator, workshop: workshop, moves: moves, removed: removed, returned: returned,
            replacing: replacing, saves: renamedSaves)
        plainDocuments = DocumentsAsPlainFiles(
            tree: tree, handles: handles, workshop: workshop, container: container, removed: removed, saved: saved,
            kinds: kinds, temporaryFiles: temporaryFiles, replacing: replacing)
        documentMoving = DocumentMoving(
            tree: tree, coordinator: coordinator, workshop: workshop, moves: moves, removed: removed, saved: saved,
            saving: saving, kinds: kinds, plainDrafts: plainDrafts, plainDocuments: plainDocuments, replacing: replacing,
            packages: packageRenaming)
        exchanging = NameExchanging(
            tree: tree, coordinator: coordinator, workshop: workshop, moves: moves, testPoints: testPoints,
            removed: removed, saved: saved, saving: saving, plainDrafts: plainDrafts, kinds: kinds, newKinds: newKinds)
        beside = BesideFiles(tree: tree, coordinator: coordinator, workshop: workshop)
        renaming = Renaming(
            tree: tree, equivalentNames: equivalentNames, changes: changes, claims: claims, access: access,
            newKinds: newKinds, replacing: replacing, packages: packages, exchanging: exchanging,
            folderMoving: folderMoving, fileMoving: fileMoving, documentMoving: documentMoving,
            beside: beside)
        recovered = RecoveredDrafts(
            drafts, tree: tree, folders: folders, saving: saving, waiting: waiting, workshop: workshop)
        keyValues = KeyValueFiles(options.keyValues, container: container, rights: rights)
        savedSearches = SavedSearches(container: container, rights: rights)
        keyValueFolder = SmallFileFolder(keyValues, tree: tree, handles: handles, rights: rights, shown: shown)
        savedSearchFolder = SmallFileFolder(savedSearches, tree: tree, handles: handles, rights: rights, shown: shown)
        keyValueEcho = KeyValueEcho(files: keyValues, folder: keyValueFolder, kernel: kernel, options: options, noticed: noticed)
        visible = VisibleResults(container: container, rights: rights)
        searchFolders = SearchFolders(
            searches: searches, saved: savedSearches, visible: visible, tree: tree, handles: handles, shown: shown, kernel: kernel)
        own = ControlNamespaces(keyValues: keyValueFolder, search: searchFolders, searches: savedSearchFolder)
        control = ControlFolder(
            tree: tree, options: options, shown: shown, attributes: attributes, versions: versions, deleted: deleted, own: own,
            keyValueEcho: keyValueEcho)
        echo = WatcherEcho(
            tree: tree, options: options, thread: echoThread, mount: mount, noticed: noticed, kernel: kernel, shown: shown, names: names,
            own: own, control: control)
        extended = ExtendedAttributes(
            tree: tree, rights: rights, cachedAccess: cachedAccess, items: items, access: access, versions: versions, decisions: decisions,
            plainVersions: plainVersions, options: options)
        documentOpening = DocumentOpening(
            options: options, documents: documents, readers: readers, writing: writing, accesses: accesses)
        plainOpening = PlainFileOpening(
            tree: tree, nameless: nameless, options: options, rights: rights, moves: moves, kernel: kernel, places: places,
            access: access, documents: documents, accesses: accesses, versions: plainVersions)
        opening = FileOpening(
            tree: tree, coordinator: coordinator, claims: claims, documentOpening: documentOpening,
            plainOpening: plainOpening, closing: closing)
        removing = EntryRemoval(
            tree: tree, coordinator: coordinator, workshop: workshop, rights: rights, equivalentNames: equivalentNames, removed: removed,
            nameless: nameless, changes: changes, access: access, claims: claims, saving: saving, waiting: waiting, kept: kept,
            folderItems: folderItems, newKinds: newKinds, thinning: thinning, options: options, beside: beside)
        listings = FolderListings(
            tree: tree, handles: handles, places: places, shown: shown, folders: folders, access: access, versions: versions,
            deleted: deleted, control: control, accesses: accesses)
        setting = AttributeSetting(
            tree: tree, handles: handles, coordinator: coordinator, workshop: workshop, options: options, rights: rights,
            cachedAccess: cachedAccess, kernel: kernel, places: places, items: items, access: access, documents: documents, readers: readers,
            setIDs: setIDs, writing: writing, saving: saving, moved: moved, claims: claims, versions: plainVersions)
        extendedSetting = ExtendedAttributeSetting(
            tree: tree, rights: rights, access: access, kernel: kernel, extended: extended, setting: setting)
    }
}
