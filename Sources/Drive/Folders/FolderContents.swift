import Containers
import Coordination
import Dispatch
import LinuxFiles

/// What is in a folder of the container, and what the tree makes of it.
final class FolderContents: Sendable {
    let tree: Tree
    let coordinator: DocumentCoordinator
    let container: Container
    let options: DriveOptions
    let workshop: Workshop?
    let noticed: NoticedChanges
    let feed: ChangeFeed
    let testPoints: TestPoints<TestPoint>
    let kernel: KernelMemory
    let places: Places
    let shown: ShownAttributes
    let watching: OutsideNotices
    let items: NodeItems
    let replaced: ReplacedFiles
    let removed: AwayDocuments
    let claims: ExternalClaims
    let known: KnownNames
    let late: LateWatches

    init(
        tree: Tree, coordinator: DocumentCoordinator, container: Container, options: DriveOptions, workshop: Workshop?,
        noticed: NoticedChanges, feed: ChangeFeed, testPoints: TestPoints<TestPoint>, kernel: KernelMemory, places: Places, shown: ShownAttributes,
        watching: OutsideNotices, items: NodeItems, replaced: ReplacedFiles, removed: AwayDocuments, claims: ExternalClaims, known: KnownNames, late: LateWatches
    ) {
        (self.claims, self.feed, self.known, self.late) = (claims, feed, known, late)
        (self.tree, self.coordinator, self.container, self.options) = (tree, coordinator, container, options)
        self.workshop = workshop
        (self.noticed, self.testPoints, self.kernel, self.places, self.shown) = (noticed, testPoints, kernel, places, shown)
        (self.watching, self.items, self.replaced, self.removed) = (watching, items, replaced, removed)
    }

    /// The entries of a folder, after copies were made the plain, unlisted files that they are. Nothing happens to them:
    /// whoever knows the name finds them, and if the document goes, they are shown. In the folder's lane.
    func hideCopies(_ found: [FoundEntry], in folder: NodeNumber, _ place: OpenFile) throws(Errno) -> [FoundEntry] {
        coordinator.checkWriting(LaneID(folder))
        guard options.keepsVersions else { return found }
        let candidates = found.indices.filter { found[$0].facts?.document != nil && Container.copiedItem(by: found[$0].name) != nil }
        tree.withLock { $0.folders[folder]?.hasCopies = !candidates.isEmpty }
        guard !candidates.isEmpty else { return found }
        var kinds: [Name: KindID] = [:]
        for entry in found {
            if let facts = entry.facts { kinds[entry.name] = facts.document?.kind }
            else { kinds[entry.name] = tree.kind(ofStored: entry.name, in: folder) }
        }
        var result = found
        for index in candidates {
            guard let original = Container.copiedItem(by: found[index].name), let kind = kinds[original], kind == found[index].facts?.document?.kind
            else { continue }
            let item = try container.reader.readOriginal(found[index].name, in: place.descriptor)
            result[index] = FoundEntry(name: found[index].name, number: found[index].number, facts: EntryFacts(item, isCopy: true), watch: found[index].watch)
        }
        return result
    }

    /// Sees to it that the tree knows every name in a folder, at the cost of one call when nothing changed.
    func readNames(of folder: NodeNumber) throws(Errno) {
        guard tree.withLock({ $0.folders[folder] != nil }) else { throw .notDirectory }
        let place = try places.place(of: folder)
        if try isUpToDate(folder, place.descriptor.status()) { return }
        // Where it lies may be another place by then: a package that grew is the document's.
        try coordinator.write(LaneID(folder)) { () throws(Errno) in try readNamesInLane(of: folder, places.place(of: folder)) }
    }

    func readNamesInLane(of folder: NodeNumber, _ place: OpenFile) throws(Errno) {
        coordinator.checkWriting(LaneID(folder))
        if try isUpToDate(folder, place.descriptor.status()) { return }
        if try follow(folder, place) { return }
        _ = try read(folder, place, everything: false)
    }

    /// Reads a folder with all that a listing shows. `isAccess`: for a program, and the store is to note it.
    func readListing(of folder: NodeNumber, isAccess: Bool = false) throws(Errno) -> [ListedEntry] {
        try coordinator.write(LaneID(folder)) { () throws(Errno) in
            try read(folder, places.place(of: folder), everything: true, isAccess: isAccess)
        }
    }

    /// `status` is the folder's, which is asked for only where its names were read before.
    func isUpToDate(_ folder: NodeNumber, _ status: @autoclosure () throws(Errno) -> FileStatus) throws(Errno) -> Bool {
        guard let read = tree.withLock({ $0.folders[folder]?.read }) else { return false }
        return read.isStill(try status())
    }

    func read(_ folder: NodeNumber, _ place: OpenFile, everything: Bool, isAccess: Bool = false) throws(Errno) -> [ListedEntry] {
        coordinator.checkWriting(LaneID(folder))
        // From here on changes are noticed; those of before are read.
        let isWatched = watching.watch(folder, place), losses = noticed.losses.load(ordering: .relaxed)
        // Taken before the entries are read: what changes meanwhile is noticed the next time.
        let stamp = FolderStamp(try place.descriptor.status())
        let found = try look(at: folder, place, isWatched, everything, isAccess)
        testPoints.pass(.entriesRead)
        let here = try replaced.separateReplaced(hideCopies(keepHalf(found, in: folder, place), in: folder, place), in: folder)
        let (listed, changes) = tree.withLock { tree in
            var changes: [KernelChange] = []
            let entries = tree.merge(here, into: folder, changes: &changes)
            tree.folders[folder]?.read = stamp
            tree.folders[folder]?.isFollowed = isWatched
            tree.folders[folder]?.isPartial = false
            for (found, entry) in zip(here, entries) {
                if let entry, let status = found.facts?.status, let change = tree.see(tree.node(of: entry), status) { changes.append(change) }
            }
            // Before anybody is told how long to remember something.
            watching.settleWatches(of: here, entries, in: &tree)
            if isWatched { watchLate(here, entries, in: tree) }
            var listed: [ListedEntry] = []
            guard everything else { return (listed, changes) }
            listed.reserveCapacity(entries.count)
            for (found, entry) in zip(here, entries) {
                guard let entry, tree.documents[tree.node(of: entry)]?.draft == nil else { continue }
                listed.append(self.listed(entry, found.facts?.status, called: shownName(of: entry, found, in: tree), in: tree))
            }
            return (listed, changes)
        }
        noticed.haveNodes(here.compactMap(\.watch))
        watching.dropUnneededWatches()
        removed.dropWhatGaveWay()
        removed.recordMovedDrafts()
        if losses != noticed.losses.load(ordering: .relaxed) { noticed.loseTrack(of: [folder]) }
        kernel.tell(changes, fromOutside: true)
        // Of a folder that is watched, the notices say what it is.
        if !isWatched, !changes.isEmpty { feed.add(nil, in: tree.cataloguedPath(of: folder)) }
        claims.tellPresenters(of: changes, in: folder)
        guard everything else { return [] }
        // A draft is shown as it is, and asked when no table is held.
        let drafts = tree.withLock { $0.drafts(in: folder) }.compactMap { id, draft in (try? draft.status()).map { (id, $0) } }
        guard !drafts.isEmpty else { return listed }
        return listed + tree.withLock { tree in drafts.map { (id, status) in self.listed(EntryNumber(of: id), status, called: tree[id].shown, in: tree) } }
    }

    /// The entries of a folder as they lie there. What is known of them besides is gone when it returns: of a large folder that is much.
    private func look(at folder: NodeNumber, _ place: OpenFile, _ isWatched: Bool, _ everything: Bool, _ isAccess: Bool) throws(Errno) -> [FoundEntry] {
        let role = tree[folder].role
        var entries: [FolderReader.Entry] = []
        // That the drive looks for a name is no reading of anybody's.
        var reader = isAccess ? try FolderReader(place.descriptor) : try FolderReader(untraced: place.descriptor)
        while let entry = try reader.next() {
            if folder == NodeNumber.root, Hidden.isState(entry.name) { continue }
            entries.append(entry)
        }
        let itemRole = items.role(ofItemsIn: folder)
        let keptNames = try keptNames(of: folder)
        let documents = role.showsOriginals || entries.count < Self.fewEntries ? nil : known.documents(in: folder)
        return try inPieces(of: entries, place, isWatched) { (index, entry) throws(Errno) -> FoundEntry? in
            let known = knownNode(of: entry, in: folder)
            if !everything, known != nil { return FoundEntry(name: entry.name, number: entry.number, facts: nil) }
            do throws(Errno) {
                let isPlace = entry.type == .folder || entry.type == .unknown
                let watch = isWatched && isPlace && known?.watch ?? 0 == 0 ? try watch(entry.name, in: folder, place) : nil
                // Some are read in any case: how they are spelled is how new ones will be.
                if index % Self.pieceSize > 0, keptNames[entry.name] == nil, let known = documents?.confirmed(entry.name, in: place.descriptor, container.reader) {
                    return FoundEntry(
                        name: entry.name, number: entry.number, facts: EntryFacts(status: known.status, document: (known.kind, known.natural), fault: nil), watch: watch)
                }
                let item = try items.readItem(entry.name, as: itemRole, type: entry.type, in: place)
                if let document = item.document { container.note(document.reading, of: document.kind) }
                // On an overlay of two file systems a folder has another number in the listing than it says itself.
                let number = item.document == nil ? item.status.identity.number : entry.number
                return FoundEntry(name: entry.name, number: number, facts: EntryFacts(item, called: keptNames[entry.name]), watch: watch)
            } catch {
                // Gone between the folder's word and ours; anything else concerns the whole folder.
                guard error == .noSuchEntry else { throw error }
                return nil
            }
        }
    }

    /// A large folder is watched later. A package is in one notice with its folder, and has few entries.
    func watch(_ name: Name, in folder: NodeNumber, _ place: OpenFile) throws(Errno) -> WatchID? {
        if container.reader.candidate(for: name, isFolder: true) == nil, late.isLarge(try place.descriptor.status(of: name)) { return nil }
        return watching.watch(name, in: folder, place)
    }

    func watchLate(_ found: [FoundEntry], _ entries: [EntryNumber?], in tree: borrowing NodeTable) {
        for (item, entry) in zip(found, entries) {
            guard let entry, item.watch == nil, let status = item.facts?.status, status.type == .folder, late.isLarge(status) else { continue }
            late.add(tree.node(of: entry))
        }
    }

    /// Whoever writes in the container knows that none was ever kept.
    private var mayKeepNames: Bool { workshop?.keepsNames ?? true }

    /// The names that are kept of the documents in a folder.
    private func keptNames(of folder: NodeNumber) throws(Errno) -> [Name: Name] {
        guard mayKeepNames, let (top, path) = tree.withLock({ $0.storedPath(of: folder) }), top == NodeNumber.root else { return [:] }
        return try container.keptNames(in: path)
    }

    /// The one that is kept of one of them.
    func keptName(of item: Item, in folder: NodeNumber) throws(Errno) -> Name? {
        guard mayKeepNames, item.document != nil, let path = tree.withLock({ $0.storedPath(of: folder) })?.names else { return nil }
        return try container.keptName(of: item.name, in: path)
    }

    /// Without a status it is half-written: what the kernel remembers of it stays.
    private func listed(_ entry: EntryNumber, _ status: FileStatus?, called name: Name, in tree: borrowing NodeTable) -> ListedEntry {
        let id = tree.node(of: entry)
        var attributes: Attributes
        if let status {
            attributes = shown.present(status, as: id, in: tree)
        } else {
            attributes = shown.fixedAttributes(of: NodeNumber.status)
            attributes.node = NodeID(id)
        }
        return ListedEntry(
            entry: entry, name: name, generation: tree[id].generation, attributes: attributes,
            stamp: status == nil ? nil : tree[id].stamp)
    }

    /// Most are shown under the name that they were found under, which need not be made once more.
    private func shownName(of entry: EntryNumber, _ found: FoundEntry, in tree: borrowing NodeTable) -> Name {
        let natural = found.facts?.document?.naturalName ?? found.name
        return tree[entry].names.isShown(natural) ? natural : tree[entry].shown
    }

    /// So many entries are worth another processor.
    private static let pieceSize = 128
    /// So few are read as quickly as they are looked for.
    private static let fewEntries = 32

    /// Does the same to all entries, on all processors where there are many, and keeps their order.
    private func inPieces(
        of entries: [FolderReader.Entry], _ place: OpenFile, _ isWatched: Bool, _ body: @Sendable (Int, FolderReader.Entry) throws(Errno) -> FoundEntry?
    ) throws(Errno) -> [FoundEntry] {
        let pieces = (entries.count + Self.pieceSize - 1) / Self.pieceSize
        let results = Locked<(counts: [Int], failure: Errno?)>((Array(repeating: 0, count: pieces), nil))
        // Of a large folder nothing is there twice: each piece goes where it will be.
        let all = unsafe [FoundEntry](unsafeUninitializedCapacity: entries.count) { slots, count in
            // SAFETY: each piece has slots of its own, and nobody reads them before all pieces are done.
            nonisolated(unsafe) let slots = unsafe slots
            @Sendable func work(_ piece: Int) {
                let start = piece * Self.pieceSize
                var found = 0
                do throws(Errno) {
                    for index in start..<min(start + Self.pieceSize, entries.count) {
                        guard let item = try body(index, entries[index]) else { continue }
                        unsafe slots.initializeElement(at: start + found, to: item)
                        found += 1
                    }
                } catch { results.withLock { $0.failure = error } }
                results.withLock { $0.counts[piece] = found }
            }
            @Sendable func watchingWork(_ piece: Int) { ChangeNotices.watchingMany(in: place.descriptor) { work(piece) } }
            if pieces > 1 {
                DispatchQueue.concurrentPerform(iterations: pieces, execute: isWatched ? watchingWork : work)
            } else if pieces == 1 {
                work(0)
            }
            for (piece, found) in results.withLock({ $0.counts }).enumerated() {
                let start = piece * Self.pieceSize
                if start > count { _ = unsafe slots[count...].moveInitialize(fromContentsOf: slots[start..<start + found]) }
                count += found
            }
        }
        if let failure = results.withLock({ $0.failure }) { throw failure }
        return all
    }

    private func knownNode(of entry: FolderReader.Entry, in folder: NodeNumber) -> Node? {
        tree.withLock { tree in
            // What a copy is depends on whether its original is there.
            guard let id = tree.entry(stored: entry.name, of: folder), tree[id].inode == entry.number,
                !options.keepsVersions || Container.copiedItem(by: entry.name) == nil
            else { return nil }
            return tree[id]
        }
    }

    /// Documents that are being written stay what they were, and new ones wait until they are whole: see `OutsideChanges.swift`.
    private func keepHalf(_ found: [FoundEntry], in folder: NodeNumber, _ place: OpenFile) -> [FoundEntry] {
        watching.gather()
        guard noticed.hasNews(of: folder) else { return found }
        return found.compactMap { entry in
            guard let facts = entry.facts, let news = noticed.news(of: entry.name, in: folder), NoticedChanges.isPatient(news),
                watching.isHalf(facts, entry.name, in: folder, place, news)
            else { return entry }
            guard tree.withLock({ $0.entry(stored: entry.name, of: folder) != nil }) else { return nil }
            return FoundEntry(name: entry.name, number: entry.number, facts: nil)
        }
    }

    func folderNode(at path: [Name]) throws(Errno) -> NodeNumber {
        var current = NodeNumber.root
        for name in path {
            try readNames(of: current)
            guard let next = tree.withLock({ $0.node(stored: name, of: current) }) else { throw .noSuchEntry }
            current = next
        }
        return current
    }
}

// One name in a folder that nobody has read, without reading it.
extension FolderContents {
    /// Sees to it that the tree knows a name in a folder, if there is such an entry; where the catalog cannot tell which, all of the folder.
    func readName(_ name: Name, of folder: NodeNumber) throws(Errno) {
        if try !findName(name, of: folder) { try readNames(of: folder) }
    }

    private func findName(_ name: Name, of folder: NodeNumber) throws(Errno) -> Bool {
        guard isUnread(folder) else { return false }
        let place = try places.place(of: folder), status = try place.descriptor.status()
        func find(_ name: Name) throws(Errno) -> Bool? {
            guard let stored = known.storedName(of: name, in: folder, status) else { return nil }
            return try findName(name, stored, of: folder, place, status)
        }
        if let isFound = try find(name) { return isFound }
        // In NFC, where it is asked for in another form.
        let composed = tree.composed(name, in: folder)
        if composed != name, let isFound = try find(composed) { return isFound }
        return false
    }

    private func findName(_ name: Name, _ stored: Name, of folder: NodeNumber, _ place: OpenFile, _ status: FileStatus) throws(Errno) -> Bool {
        if isThere(name, stored, in: folder) { return true }
        return try coordinator.write(LaneID(folder)) { () throws(Errno) in
            if noticed.hasNews(of: folder) { catchUp(folder, place) }
            guard isUnread(folder) else { return false }
            return try add(name, stored, to: folder, place, isLarge: late.isLarge(status))
        }
    }

    /// True also for a folder of which only some names are known.
    private func isUnread(_ folder: NodeNumber) -> Bool {
        tree.withLock { tree in
            guard let known = tree.folders[folder], known.read == nil, tree[folder].role == .folder else { return false }
            return known.isPartial || known.byShown.count == 0
        }
    }

    private func isThere(_ name: Name, _ stored: Name, in folder: NodeNumber) -> Bool {
        tree.withLock { tree in tree.entry(shown: name, of: folder).map { tree[$0].stored == stored && !tree[$0].isUnborn } ?? false }
    }

    /// An entry that the catalog knows is read, and has to be called so by itself. In the folder's lane.
    private func add(_ name: Name, _ stored: Name, to folder: NodeNumber, _ place: OpenFile, isLarge: Bool) throws(Errno) -> Bool {
        coordinator.checkWriting(LaneID(folder))
        guard Container.copiedItem(by: stored) == nil else { return false }
        // From here on changes are noticed; what changed before is seen in the folder's times. In a large folder they are noticed later, and the name is
        // looked at once more by then.
        let isLate = isLarge && tree.withLock { $0[folder].watch == 0 }, isWatched = !isLate && watching.watch(folder, place)
        if isLate { late.add(folder) } else {
            watching.gather()
            guard !noticed.hasNews(of: folder), known.storedName(of: name, in: folder, try place.descriptor.status()) == stored else { return false }
        }
        let entry: FileStatus, item: Item, watch: WatchID?
        do throws(Errno) {
            entry = try place.descriptor.status(of: stored)
            watch = isWatched && entry.type == .folder ? try self.watch(stored, in: folder, place) : nil
            item = try items.readItem(stored, as: items.role(ofItemsIn: folder), was: entry, in: place)
        } catch {
            guard error == .noSuchEntry else { throw error }
            return false
        }
        let facts = EntryFacts(item, called: try keptName(of: item, in: folder))
        guard facts.document?.naturalName ?? tree.composed(stored, in: folder) == name else { return false }
        if let document = item.document { container.note(document.reading, of: document.kind) }
        let found = [FoundEntry(name: stored, number: entry.identity.number, facts: facts, watch: watch)]
        tree.withLock { tree in
            var changes: [KernelChange] = []
            let entries = tree.merge(found, gone: [], into: folder, changes: &changes)
            tree.folders[folder]?.isPartial = true
            if let entry = entries.first ?? nil { _ = tree.see(tree.node(of: entry), item.status, isTold: false) }
            watching.settleWatches(of: found, entries, in: &tree)
            if isWatched { watchLate(found, entries, in: tree) }
        }
        noticed.haveNodes(found.compactMap(\.watch))
        watching.dropUnneededWatches()
        return isThere(name, stored, in: folder)
    }

    /// Something was noticed in a folder of which some names are known. If it is about another one, or one that may be called otherwise
    /// now, what the others are called matters: then all are read. In the folder's lane.
    func readUnread(_ folder: NodeNumber, _ place: OpenFile, _ found: [FoundEntry]) {
        coordinator.checkWriting(LaneID(folder))
        let isEnough = tree.withLock { tree in
            guard tree.folders[folder]?.isPartial == true else { return true }
            return found.allSatisfy { item in
                guard let entry = tree.entry(stored: item.name, of: folder) else { return false }
                return item.facts?.document.map { $0.naturalName == tree[entry].shown } ?? true
            }
        }
        if !isEnough { _ = try? read(folder, place, everything: false) }
    }
}
