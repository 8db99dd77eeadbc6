import Containers
import Coordination
import Dispatch
import LinuxFiles
import Synchronization

// What is in a folder of the container, and what the tree makes of it.
extension Drive {
    /// An entry of a folder as it was found on the disk.
    struct Found: Sendable {
        let name: Name
        let number: UInt64
        /// nil where the entry was known and did not have to be read again.
        let facts: Facts?
        /// Its own, where it is a folder and watched.
        var watch: WatchID?
    }

    /// What the tree and a listing need of an item: of ten thousand at once, so no more than that.
    struct Facts: Sendable {
        let status: FileStatus
        let document: (kind: KindID, naturalName: Name)?
        let fault: String?

        init(status: FileStatus, document: (kind: KindID, naturalName: Name)?, fault: String?) {
            self.status = status
            self.document = document
            self.fault = fault
        }

        /// A copy that a sync tool left is not listed.
        var isCopy = false

        /// `kept` is the name that the document was given, where its item does not tell it.
        init(_ item: Item, called kept: Name? = nil, isCopy: Bool = false) {
            self.init(status: item.status, document: item.document.map { ($0.kind, $0.name(kept: kept)) }, fault: item.fault)
            self.isCopy = isCopy
        }
    }

    /// A listed entry: a name, by its place in the table, and what the listing read of its node.
    struct Listed {
        let entry: UInt32
        let name: Name
        let generation: UInt32
        let attributes: Attributes
        /// The state that the attributes belong to; nil for one that nobody is to remember.
        let stamp: ContentStamp?
    }

    /// Sees to it that the tree knows every name in a folder, at the cost of one call when nothing changed.
    func readNames(of folder: UInt32) throws(Errno) {
        guard tree.withLock({ $0.folders[folder] != nil }) else { throw .notDirectory }
        let place = try place(of: folder)
        if try isUpToDate(folder, place) { return }
        try coordinator.write(lane(folder)) { () throws(Errno) in try readNamesInLane(of: folder, place) }
    }

    func readNamesInLane(of folder: UInt32, _ place: OpenFile) throws(Errno) {
        if try isUpToDate(folder, place) { return }
        if try follow(folder, place) { return }
        _ = try read(folder, place, everything: false)
    }

    /// Reads a folder with all that a listing shows.
    func readListing(of folder: UInt32) throws(Errno) -> [Listed] {
        let place = try place(of: folder)
        return try coordinator.write(lane(folder)) { () throws(Errno) in
            try read(folder, place, everything: true)
        }
    }

    func forgetReading(of folder: UInt32) { tree.withLock { $0.folders[folder]?.read = nil } }

    func isUpToDate(_ folder: UInt32, _ place: OpenFile) throws(Errno) -> Bool {
        guard let read = tree.withLock({ $0.folders[folder]?.read }) else { return false }
        return read.isStill(try place.descriptor.status())
    }

    private func read(_ folder: UInt32, _ place: OpenFile, everything: Bool) throws(Errno) -> [Listed] {
        // From here on changes are noticed; those of before are read.
        let isWatched = watch(folder, place), losses = lookout.losses.load(ordering: .relaxed)
        // Taken before the entries are read: what changes meanwhile is noticed the next time.
        let stamp = FolderStamp(try place.descriptor.status())
        let role = tree.withLock { $0[folder].role }
        var entries: [FolderReader.Entry] = []
        var reader = try FolderReader(place.descriptor)
        while let entry = try reader.next() {
            if folder == Tree.root, Hidden.isState(entry.name) { continue }
            entries.append(entry)
        }
        let itemRole: Role = role == .originalFolder ? .original : .plain
        let keptNames = try keptNames(of: folder)
        let found = try inPieces(of: entries, place, isWatched) { (entry) throws(Errno) -> Found? in
            let known = knownNode(of: entry, in: folder)
            if !everything, known != nil { return Found(name: entry.name, number: entry.number, facts: nil) }
            do throws(Errno) {
                let isPlace = entry.type == .folder || entry.type == .unknown
                let watch = isWatched && isPlace && known?.watch ?? 0 == 0 ? watch(entry.name, in: folder, place) : nil
                let item = try readItem(entry.name, as: itemRole, type: entry.type, in: place)
                if let document = item.document { container.note(document.reading, of: document.kind) }
                return Found(name: entry.name, number: entry.number, facts: Facts(item, called: keptNames[entry.name]), watch: watch)
            } catch {
                // Gone between the folder's word and ours; anything else concerns the whole folder.
                guard error == .noSuchEntry else { throw error }
                return nil
            }
        }
        interludes.pass(.entriesRead)
        let here = try partReplaced(hideCopies(keepHalf(found, in: folder, place), in: folder, place), in: folder)
        let (listed, changes) = tree.withLock { tree in
            var changes: [Change] = []
            let entries = tree.merge(here, into: folder, changes: &changes)
            tree.folders[folder]?.read = stamp
            tree.folders[folder]?.isFollowed = isWatched
            for (found, entry) in zip(here, entries) {
                if let entry, let status = found.facts?.status, let change = tree.see(entry, status) { changes.append(change) }
            }
            // Before anybody is told how long to remember something.
            settleWatches(of: here, entries, in: &tree)
            var listed: [Listed] = []
            guard everything else { return (listed, changes) }
            listed.reserveCapacity(entries.count)
            for (found, entry) in zip(here, entries) {
                guard let entry, tree.documents[entry]?.draft == nil else { continue }
                listed.append(self.listed(entry, found.facts?.status, in: tree))
            }
            return (listed, changes)
        }
        lookout.met(here.compactMap(\.watch))
        dropUnneededWatches()
        dropWhatGaveWay()
        if losses != lookout.losses.load(ordering: .relaxed) { lookout.loseTrack(of: [folder]) }
        tell(changes, fromOutside: true)
        guard everything else { return [] }
        // A draft is shown as it is, and asked when no table is held.
        let drafts = tree.withLock { $0.drafts(in: folder) }.compactMap { id, draft in (try? draft.status()).map { (id, $0) } }
        guard !drafts.isEmpty else { return listed }
        return listed + tree.withLock { tree in drafts.map { self.listed($0.0, $0.1, in: tree) } }
    }

    /// The names that are kept of the documents in a folder.
    private func keptNames(of folder: UInt32) throws(Errno) -> [Name: Name] {
        guard let (top, path) = tree.withLock({ $0.storedPath(of: folder) }), top == Tree.root else { return [:] }
        return try container.keptNames(in: path)
    }

    /// The one that is kept of one of them.
    func keptName(of item: Item, in folder: UInt32) throws(Errno) -> Name? {
        guard item.document != nil, let path = tree.withLock({ $0.storedPath(of: folder)?.names }) else { return nil }
        return try container.keptName(of: item.name, in: path)
    }

    /// Without a status it is half-written: what the kernel remembers of it stays.
    private func listed(_ entry: UInt32, _ status: FileStatus?, in tree: borrowing Tree) -> Listed {
        let id = tree.node(of: entry)
        var attributes: Attributes
        if let status {
            attributes = present(status, as: id, in: tree)
        } else {
            attributes = fixedAttributes(of: Tree.status)
            attributes.node = NodeID(rawValue: UInt64(id))
        }
        return Listed(
            entry: entry, name: tree[entry].shown, generation: tree[id].generation, attributes: attributes,
            stamp: status == nil ? nil : tree[id].stamp)
    }

    /// So many entries are worth another processor.
    private static let pieceSize = 128

    /// Does the same to all entries, on all processors where there are many, and keeps their order.
    private func inPieces(
        of entries: [FolderReader.Entry], _ place: OpenFile, _ isWatched: Bool, _ body: @Sendable (FolderReader.Entry) throws(Errno) -> Found?
    ) throws(Errno) -> [Found] {
        let pieces = (entries.count + Self.pieceSize - 1) / Self.pieceSize
        let results = Mutex<[Result<[Found], Errno>?]>(Array(repeating: nil, count: pieces))
        @Sendable func work(_ piece: Int) {
            let range = piece * Self.pieceSize..<min((piece + 1) * Self.pieceSize, entries.count)
            var found: [Found] = []
            found.reserveCapacity(range.count)
            var failure: Errno?
            for entry in entries[range] where failure == nil {
                do throws(Errno) { if let item = try body(entry) { found.append(item) } } catch { failure = error }
            }
            let result: Result<[Found], Errno> = failure.map(Result.failure) ?? .success(found)
            results.withLock { $0[piece] = result }
        }
        @Sendable func watchingWork(_ piece: Int) { ChangeNotices.watchingMany(in: place.descriptor) { work(piece) } }
        if pieces > 1 {
            DispatchQueue.concurrentPerform(iterations: pieces, execute: isWatched ? watchingWork : work)
        } else if pieces == 1 {
            work(0)
        }
        var all: [Found] = []
        all.reserveCapacity(entries.count)
        for case let result? in results.withLock({ $0 }) { all += try result.get() }
        return all
    }

    private func knownNode(of entry: FolderReader.Entry, in folder: UInt32) -> Node? {
        tree.withLock { tree in
            // What a copy is depends on whether its original is there.
            guard let id = tree.entry(stored: entry.name, of: folder), tree[id].number == entry.number,
                !options.keepsVersions || Container.original(ofCopy: entry.name) == nil
            else { return nil }
            return tree[id]
        }
    }

    /// Documents that are being written stay what they were, and new ones wait until they are whole: see `Drive+Noticing.swift`.
    private func keepHalf(_ found: [Found], in folder: UInt32, _ place: OpenFile) -> [Found] {
        gather()
        guard lookout.hasNews(of: folder) else { return found }
        return found.compactMap { entry in
            guard let facts = entry.facts, let news = lookout.news(of: entry.name, in: folder), Lookout.isPatient(news),
                isHalf(facts, entry.name, in: folder, place, news)
            else { return entry }
            guard tree.withLock({ $0.entry(stored: entry.name, of: folder) != nil }) else { return nil }
            return Found(name: entry.name, number: entry.number, facts: nil)
        }
    }
}
