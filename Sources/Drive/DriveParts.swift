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
    let tree: TreeTable
    let handles = OpenHandles()
    let coordinator = DocumentCoordinator()
    let mount = MountFacts()
    let moves = Moves()
    /// Who is looking again for what led elsewhere.
    let secondLooks = SecondLooks()
    let testPoints = TestPoints<TestPoint>()
    let passing = PassingFiles()
    let presence: Presence
    let noticed: NoticedChanges
    let top: TopStatus
    let echoThread: EchoThread?
    let thumbnailQueue: ThumbnailQueue?

    let feed = ChangeFeed()

    let watching: ChangeWatch
    let catalog: DriveCatalog
    let searches: Searches
    let knownNames: KnownNames
    let askedSearches: AskedSearches
    let claims: ExternalClaims
    let readers: DocumentReaders
    let thinning: VersionThinning
    let kernel: KernelMemory
    let shown: ShownAttributes
    let reading: ContentReading
    let cachedAccess: CachedAccessChecks
    let setIDs: SetIDBits
    let accesses: AccessNotes
    let status: StatusPage
    let places: Places
    let items: NodeItems
    let thumbnails: ThumbnailMaking
    let removed: RemovedDocuments
    let returned: ReturnedDocuments
    let kept: PlainFilesKept
    let access: AccessChecks
    let saved: SavedDocuments
    let replaced: ReplacedFiles
    let namesAlike: NamesAlike
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
    let lateThumbnails: LateThumbnails
    let mirror: MirroredRights
    let names: NameLookup
    let thumbnailFolders: ThumbnailFolders
    let saving: DraftSaving
    let decisions: VersionDecisions
    let appSaves: AppSaves
    let versions: VersionFolders
    let deleted: DeletedFolders
    let undeleting: Undeleting
    let making: EntryMaking
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
    let opening: FileOpening
    let removing: EntryRemoval
    let listings: FolderListings
    let setting: AttributeSetting

    init(
        _ container: Container, _ options: DriveOptions, _ workshop: Workshop?, _ counts: RequestCounts, _ drafts: [RecoveredDraft],
        _ thumbnailQueue: ThumbnailQueue?
    ) {
        (self.container, self.workshop, self.options, self.thumbnailQueue) = (container, workshop, options, thumbnailQueue)
        tree = TreeTable(container.kinds)
        rights = CallerRights(options, as: geteuid(), store: container.documents.descriptor)
        presence = Presence(container)
        noticed = NoticedChanges(options.changes, container.documents.descriptor)
        top = TopStatus(container.documents, mayNotAnswer: noticed.means == .poll)
        // On a drive that is read-only the kernel lets nobody do anything.
        echoThread = options.readOnly || options.changes == .off ? nil : EchoThread()
        tree.setTops(container.documents, originals: container.base)

        watching = ChangeWatch(tree: tree, container: container, presence: presence, noticed: noticed, feed: feed)
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
        reading = ContentReading(handles: handles)
        cachedAccess = CachedAccessChecks(tree: tree, rights: rights, kernel: kernel)
        setIDs = SetIDBits(kernel: kernel, rights: rights)
        accesses = AccessNotes(tree: tree, kernel: kernel, options: options)
        status = StatusPage(
            tree: tree, handles: handles, workshop: workshop, container: container, options: options, rights: rights,
            presence: presence, top: top, noticed: noticed, counts: counts, mount: mount, claims: claims, catalog: catalog, feed: feed)
        places = Places(tree: tree, rights: rights, moves: moves, cachedAccess: cachedAccess)
        items = NodeItems(
            tree: tree, container: container, options: options, moves: moves, presence: presence, top: top, places: places,
            watching: watching)
        thumbnails = ThumbnailMaking(
            tree: tree, coordinator: coordinator, workshop: workshop, container: container, queue: thumbnailQueue,
            kernel: kernel, places: places)
        removed = RemovedDocuments(tree: tree, coordinator: coordinator, workshop: workshop, places: places, thinning: thinning)
        returned = ReturnedDocuments(tree: tree, coordinator: coordinator, workshop: workshop, removed: removed)
        kept = PlainFilesKept(tree: tree, workshop: workshop, passing: passing, options: options, thinning: thinning)
        access = AccessChecks(
            tree: tree, handles: handles, rights: rights, moves: moves, cachedAccess: cachedAccess, places: places, items: items)
        saved = SavedDocuments(
            tree: tree, workshop: workshop, container: container, options: options, kernel: kernel, readers: readers,
            thumbnails: thumbnails, thinning: thinning, coordinator: coordinator, claims: claims, noticed: noticed,
            returned: returned)
        replaced = ReplacedFiles(tree: tree, handles: handles, coordinator: coordinator, kernel: kernel, items: items)
        namesAlike = NamesAlike(tree: tree, kernel: kernel, places: places)
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
            testPoints: testPoints, places: places, removed: removed, reading: reading, readers: readers, setIDs: setIDs, kernel: kernel,
            moved: moved, accesses: accesses)
        kinds = KindChanges(
            tree: tree, handles: handles, workshop: workshop, kernel: kernel, readers: readers, saved: saved,
            coordinator: coordinator, container: container, removed: removed)
        newKinds = NewKinds(tree: tree, container: container, options: options)
        attributes = NodeAttributes(
            tree: tree, handles: handles, rights: rights, kernel: kernel, shown: shown, items: items, replaced: replaced, claims: claims)
        documents = OpenDocuments(
            tree: tree, handles: handles, container: container, kernel: kernel, places: places, replaced: replaced,
            access: access, coordinator: coordinator, claims: claims, accesses: accesses)
        outside = OutsideChanges(
            tree: tree, coordinator: coordinator, noticed: noticed, kernel: kernel, places: places, watching: watching,
            folders: folders, feed: feed)
        changes = FolderChanges(
            tree: tree, coordinator: coordinator, container: container, options: options, feed: feed, places: places, shown: shown,
            folders: folders, namesAlike: namesAlike, access: access, newKinds: newKinds, counts: counts)
        lateThumbnails = LateThumbnails(
            tree: tree, workshop: workshop, container: container, queue: thumbnailQueue, folders: folders,
            thumbnails: thumbnails)
        mirror = MirroredRights(tree: tree, shown: shown, folders: folders, attributes: attributes)
        names = NameLookup(
            tree: tree, rights: rights, watching: watching, folders: folders, namesAlike: namesAlike, access: access,
            attributes: attributes)
        thumbnailFolders = ThumbnailFolders(
            tree: tree, handles: handles, coordinator: coordinator, rights: rights, places: places, shown: shown,
            folders: folders, nodes: attributes, mirror: mirror)
        saving = DraftSaving(
            tree: tree, handles: handles, coordinator: coordinator, workshop: workshop, places: places, removed: removed,
            changes: changes, claims: claims, saved: saved, kernel: kernel, kinds: kinds, newKinds: newKinds,
            returned: returned)
        decisions = VersionDecisions(
            tree: tree, coordinator: coordinator, workshop: workshop, container: container, options: options, kernel: kernel,
            places: places, folders: folders, saved: saved, thumbnails: thumbnails, thinning: thinning, changes: changes)
        appSaves = AppSaves(
            tree: tree, coordinator: coordinator, workshop: workshop, kernel: kernel, folders: folders, saved: saved,
            thumbnails: thumbnails, thinning: thinning, changes: changes)
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
            passing: passing, kept: kept, claims: claims, returned: returned)
        renaming = Renaming(
            tree: tree, handles: handles, coordinator: coordinator, workshop: workshop, container: container, rights: rights,
            moves: moves, testPoints: testPoints, places: places, namesAlike: namesAlike, removed: removed, changes: changes,
            access: access, claims: claims, saved: saved, saving: saving, kinds: kinds, newKinds: newKinds, folders: folders, passing: passing,
            kept: kept, returned: returned)
        recovered = RecoveredDrafts(drafts, tree: tree, folders: folders, saving: saving, workshop: workshop)
        keyValues = KeyValueFiles(options.keyValues, container: container, rights: rights)
        savedSearches = SavedSearches(container: container, rights: rights)
        keyValueFolder = SmallFileFolder(keyValues, tree: tree, handles: handles, options: options, rights: rights, shown: shown)
        savedSearchFolder = SmallFileFolder(savedSearches, tree: tree, handles: handles, options: options, rights: rights, shown: shown)
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
            options: options)
        opening = FileOpening(
            tree: tree, handles: handles, coordinator: coordinator, options: options, rights: rights, moves: moves,
            kernel: kernel, places: places, access: access, claims: claims, documents: documents, readers: readers,
            writing: writing, saving: saving, accesses: accesses)
        removing = EntryRemoval(
            tree: tree, coordinator: coordinator, workshop: workshop, rights: rights, namesAlike: namesAlike, removed: removed,
            changes: changes, access: access, claims: claims, saving: saving, kept: kept,
            newKinds: newKinds, thinning: thinning, options: options)
        listings = FolderListings(
            tree: tree, handles: handles, places: places, shown: shown, folders: folders, access: access, versions: versions,
            deleted: deleted, control: control, accesses: accesses)
        setting = AttributeSetting(
            tree: tree, handles: handles, coordinator: coordinator, workshop: workshop, options: options, rights: rights,
            cachedAccess: cachedAccess, kernel: kernel, places: places, items: items, access: access, documents: documents, readers: readers,
            setIDs: setIDs, writing: writing, saving: saving, extended: extended, moved: moved, claims: claims)
    }
}
