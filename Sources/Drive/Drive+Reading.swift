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

        init(_ item: Item) {
            self.init(status: item.status, document: item.document.map { ($0.kind, $0.naturalName) }, fault: item.fault)
        }
    }

    /// A listed entry: a name, by its place in the table, and what the listing read of its node.
    struct Listed {
        let entry: UInt32
        let name: Name
        let generation: UInt32
        let attributes: Attributes
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
        // Taken before the entries are read: what changes meanwhile is noticed the next time.
        let stamp = FolderStamp(try place.descriptor.status())
        let role = tree.withLock { $0[folder].role }
        var entries: [FolderReader.Entry] = []
        var reader = try FolderReader(place.descriptor)
        while let entry = try reader.next() {
            if folder == Tree.root, entry.name == Hidden.state { continue }
            entries.append(entry)
        }
        let itemRole: Role = role == .originalFolder ? .original : .plain
        let found = try inPieces(of: entries) { (entry) throws(Errno) -> Found? in
            if !everything, isKnown(entry, in: folder) { return Found(name: entry.name, number: entry.number, facts: nil) }
            do throws(Errno) {
                let item = try readItem(entry.name, as: itemRole, type: entry.type, in: place)
                if let document = item.document { container.note(document.reading, of: document.kind) }
                return Found(name: entry.name, number: entry.number, facts: Facts(item))
            } catch {
                // Gone between the folder's word and ours; anything else concerns the whole folder.
                guard error == .noSuchEntry else { throw error }
                return nil
            }
        }
        let here = try partReplaced(found, in: folder)
        let (listed, changes) = tree.withLock { tree in
            var changes: [Change] = []
            let entries = tree.merge(here, into: folder, changes: &changes)
            tree.folders[folder]?.read = stamp
            var listed: [Listed] = []
            guard everything else { return (listed, changes) }
            listed.reserveCapacity(entries.count)
            for (found, entry) in zip(here, entries) {
                guard let entry, let status = found.facts?.status, tree.documents[entry]?.draft == nil else { continue }
                listed.append(self.listed(entry, status, in: tree))
            }
            return (listed, changes)
        }
        tell(changes)
        guard everything else { return [] }
        // A draft is shown as it is, and asked when no table is held.
        let drafts = tree.withLock { $0.drafts(in: folder) }.compactMap { id, draft in (try? draft.status()).map { (id, $0) } }
        guard !drafts.isEmpty else { return listed }
        return listed + tree.withLock { tree in drafts.map { self.listed($0.0, $0.1, in: tree) } }
    }

    private func listed(_ entry: UInt32, _ status: FileStatus, in tree: borrowing Tree) -> Listed {
        let id = tree.node(of: entry)
        return Listed(entry: entry, name: tree[entry].shown, generation: tree[id].generation, attributes: present(status, as: id))
    }

    /// So many entries are worth another processor.
    private static let pieceSize = 128

    /// Does the same to all entries, on all processors where there are many, and keeps their order.
    private func inPieces(
        of entries: [FolderReader.Entry], _ body: @Sendable (FolderReader.Entry) throws(Errno) -> Found?
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
        if pieces > 1 { DispatchQueue.concurrentPerform(iterations: pieces, execute: work) } else if pieces == 1 { work(0) }
        var all: [Found] = []
        all.reserveCapacity(entries.count)
        for case let result? in results.withLock({ $0 }) { all += try result.get() }
        return all
    }

    private func isKnown(_ entry: FolderReader.Entry, in folder: UInt32) -> Bool {
        tree.withLock { tree in
            guard let id = tree.entry(stored: entry.name, of: folder) else { return false }
            return tree[id].number == entry.number
        }
    }
}
