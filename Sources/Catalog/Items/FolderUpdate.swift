import Containers
import Databases
import LinuxFiles

/// Which items of a folder are other ones than the catalog knew.
struct FolderNews {
    var changed: [Int64] = []
    var removed: [Int64] = []
    var newFolders: [Int64] = []
    var goneFolders: [Int64] = []
    /// Folders that may be other ones than they were, under the names that they had.
    var otherFolders: [Int64] = []
    /// The folder was never looked at before.
    var isFirst = false
    /// Items, and the folder itself, that changed so shortly ago that they have to be looked at once more.
    var unsettled: [Name] = []
    var isUnsettled = false
    /// There are folders in it that lie too deep to be looked into.
    var isCut = false

    /// What a look at the folder found that was broken off before anybody heard of it. What changed is compared, and found by that.
    mutating func add(unheard: FolderNews) {
        removed += unheard.removed
        newFolders += unheard.newFolders.filter { !newFolders.contains($0) }
        goneFolders += unheard.goneFolders
        otherFolders += unheard.otherFolders.filter { !otherFolders.contains($0) }
    }

    var isEmpty: Bool { changed.isEmpty && removed.isEmpty && newFolders.isEmpty && goneFolders.isEmpty }
}

/// Brings one folder of a catalog up to date. A folder that is as it was is not read: only its items are looked at, with a call each.
struct FolderUpdate {
    let items: ItemTable
    let container: Container
    let folder: CatalogFolder
    let path: [Name]
    let place: OpenFile
    /// Whether its items may be documents: beside the documents' folder and in packages nothing is one.
    let hasDocuments: Bool
    let helpers: Int
    /// What is written in items is kept, too.
    var readsTexts = true
    /// Called now and then, with how many items were looked at since.
    var pause: (Int) throws(DatabaseFault) -> Void = { _ in }
    /// Called with each folder that may be a package, before it is looked at.
    var willLook: ((Name) -> Void)?
    /// Called with items that are known now, before the names of all are.
    var written: (([Int64]) throws(DatabaseFault) -> Void)?

    static let batch = 4000
    /// So many are written down together. Written oftener, most pages of an index are written again for each few items: names come in no order.
    private static let together = 8 * batch
    private static let batchBytes = 8 << 20
    /// So many are looked at ahead of what is written down.
    private static let ahead = 1000
    /// So many come first where somebody is told of them before all are known, and then twice as many each time.
    private static let early = 100

    /// The whole folder. What was found till it is broken off is in the news, too.
    func all(_ table: inout FolderTable, _ news: inout FolderNews) throws(DatabaseFault) {
        guard let status = try? place.descriptor.status() else { return }
        // Taken before the names are read: what changes meanwhile is seen the next time.
        let stamp = ItemStamp.of(folder: status)
        news.isFirst = folder.stamp == 0
        let known = try items.known(in: folder.id)
        var reading = Batch(self)
        if folder.stamp != 0, folder.stamp == stamp.compared {
            try lookAtItems(known, &reading, &table, &news)
        } else {
            var rest = Dictionary(known.map { ($0.stored, $0) }) { first, _ in first }
            var folders: Set<Name> = [], fault: DatabaseFault?
            reading.keptNames = try? container.keptNames(in: path)
            let work = SharedWork(helpers: helpers, look)
            var asked: [Asked] = [], share = work.begin([]), ahead = written == nil ? Self.ahead : Self.early
            // Those that were asked for before are read while more names come.
            func take() throws(DatabaseFault) {
                let before = share
                share = work.begin(asked)
                asked = []
                ahead = min(2 * ahead, Self.ahead)
                for (question, found) in before.answers() where try put(found, question, &reading, &news) { folders.insert(question.name) }
            }
            do throws(Errno) {
                var entries = try FolderReader(untraced: place.descriptor)
                while fault == nil, let entry = try entries.next() {
                    guard isOurs(entry.name) else { continue }
                    let item = rest.removeValue(forKey: entry.name)
                    // Nothing is asked of a folder that no kind may be.
                    if item == nil, entry.type == .folder, !mayBePackage(entry.name) {
                        folders.insert(entry.name)
                        continue
                    }
                    if entry.type == .folder || entry.type == .unknown { announce(entry.name) }
                    asked.append(Asked(name: entry.name, known: item, kept: reading.keptNames.map { $0[entry.name] }))
                    guard asked.count >= ahead else { continue }
                    do throws(DatabaseFault) { try take() } catch { fault = error }
                }
            } catch { return }
            if fault == nil { for _ in 0..<2 { try take() } }
            if let fault { throw fault }
            try readRenamed(&reading, &news)
            for item in rest.values { reading.gone.append(item.id) }
            try reading.write(&news)
            try follow(folders, &table, &news)
        }
        try reading.write(&news)
        news.isUnsettled = stamp.settled == 0
        try finish(stamp.settled, &table, &news)
    }

    /// Some of its names, of which somebody says that they changed.
    func some(_ names: [Name], _ table: inout FolderTable, _ news: inout FolderNews) throws(DatabaseFault) {
        var reading = Batch(self)
        var former: [FolderNaming.Former] = [], folders: [Name] = [], besides: [Int64] = []
        let naming = FolderNaming(items: items, folder: folder, keepsForms: !hasDocuments)
        for name in names where isOurs(name) {
            let known = try items.known(name, in: folder.id)
            announce(name)
            let asked = Asked(name: name, known: known), looked = look(asked)
            if case .asItWas = looked { continue }
            // A sync tool's copy that comes or goes ends or begins a conflict of the item that it is of.
            if let original = Container.copiedItem(by: name), let item = try items.known(original, in: folder.id) { besides.append(item.id) }
            if let known, let old = try naming.former(known.id) { former.append(old) }
            let isFolder = try put(looked, asked, &reading, &news)
            let child = table.children(of: folder.id)[name]
            if isFolder != (child != nil) { folders.append(name) }
            switch (isFolder, child) {
            case (true, nil): try add(name, &table, &news)
            // Removed and made anew, or another one was moved into its place: nothing of that is noticed in itself.
            case (true, let child?): news.otherFolders.append(child)
            case (false, let child?): try remove(child, &table, &news)
            case (false, nil): break
            }
        }
        try reading.write(&news)
        let subfolders = table.children(of: folder.id)
        var isAlone = former.count + news.changed.count + folders.count < 100
        if isAlone { isAlone = try !naming.hasCopies() }
        for old in former where isAlone { isAlone = try naming.isFree(old) }
        for name in folders where isAlone { isAlone = try naming.isFree(folder: name) }
        for id in news.changed where isAlone { isAlone = try naming.isAlone(id, subfolders: subfolders) }
        // Few whose names nobody else wants keep everybody else's.
        if !isAlone { try giveNames(table, &news) }
        let already = Set(news.changed + news.removed)
        news.changed += besides.filter { !already.contains($0) }
    }

    private func isOurs(_ name: Name) -> Bool {
        guard GrowingName.package(in: name) == nil else { return false }
        guard folder.parent == 0 else { return true }
        if Hidden.isState(name) { return false }
        return folder.scope == .documents || name.bytes != Array("Documents".utf8)
    }

    /// The same names as before. A package may have become a folder by what is in it, and a folder a package.
    private func lookAtItems(_ known: [ItemTable.Known], _ reading: inout Batch, _ table: inout FolderTable, _ news: inout FolderNews) throws(DatabaseFault) {
        let work = SharedWork(helpers: helpers, look)
        var share = work.begin([])
        for start in stride(from: 0, through: known.count, by: Self.ahead) {
            let before = share
            let next = known[start..<min(start + Self.ahead, known.count)]
            for item in next { announce(item.stored) }
            share = work.begin(next.map { Asked(name: $0.stored, known: $0) })
            for (question, found) in before.answers() where try put(found, question, &reading, &news) { try add(question.name, &table, &news) }
            if start % Self.batch == 0, start > 0 { try pause(Self.batch) }
        }
        for (question, found) in share.answers() where try put(found, question, &reading, &news) { try add(question.name, &table, &news) }
        for (name, child) in table.children(of: folder.id) where mayBePackage(name) {
            announce(name)
            let asked = Asked(name: name, known: nil)
            if try !put(look(asked), asked, &reading, &news), !news.newFolders.contains(child) { try remove(child, &table, &news) }
        }
    }

    private func mayBePackage(_ name: Name) -> Bool { hasDocuments && container.reader.mayBePackage(name) }

    private func announce(_ name: Name) { if let willLook, mayBePackage(name) { willLook(name) } }

    /// An item that is looked at.
    private struct Asked: Sendable {
        let name: Name
        let known: ItemTable.Known?
        /// The name that is kept of it; without an answer it is asked for.
        var kept: Name??
    }

    private enum Looked: Sendable {
        case asItWas
        case gone
        case found(ItemReading.Found)
    }

    /// Looks at an item, in any thread.
    private var look: @Sendable (Asked) -> Looked {
        { [place, container, path, readsTexts, asDocument = hasDocuments] asked in
            if let known = asked.known, known.stamp != 0, let found = (try? ItemStamp.of(asked.name, in: place.descriptor, container.reader)) ?? nil, found.stamp.compared == known.stamp {
                return .asItWas
            }
            let kept = asDocument ? asked.kept ?? (try? container.keptName(of: asked.name, in: path)) ?? nil : nil
            guard let found = (try? ItemReading.read(asked.name, in: place, container.reader, asDocument: asDocument, kept: kept, readsTexts: readsTexts)) ?? nil else { return .gone }
            return .found(found)
        }
    }

    /// What was seen, to be written down with others; whether it is a plain folder.
    private func put(_ looked: Looked, _ asked: Asked, _ reading: inout Batch, _ news: inout FolderNews) throws(DatabaseFault) -> Bool {
        switch looked {
        case .asItWas: return false
        case .gone:
            if let known = asked.known { reading.gone.append(known.id) }
            return false
        case .found(.folder):
            if let known = asked.known { reading.gone.append(known.id) }
            return true
        case .found(.item(let item)):
            if item.stamp == 0 { news.unsettled.append(asked.name) }
            reading.items.append((item, asked.known?.id))
            reading.bytes += 500 + (item.text?.count ?? 0)
            if reading.items.count >= reading.most || reading.bytes > Self.batchBytes { try reading.write(&news) }
            return false
        }
    }

    /// Those whose kept name is another one than when the reading of the folder began.
    private func readRenamed(_ reading: inout Batch, _ news: inout FolderNews) throws(DatabaseFault) {
        guard let before = reading.keptNames, let now = try? container.keptNames(in: path), before != now else { return }
        reading.keptNames = now
        try reading.write(&news)
        for name in Set(before.keys).union(now.keys) where before[name] != now[name] {
            guard let known = try items.known(name, in: folder.id) else { continue }
            // The item itself is as it was.
            let asked = Asked(name: name, known: ItemTable.Known(id: known.id, stored: name, stamp: 0), kept: now[name])
            _ = try put(look(asked), asked, &reading, &news)
        }
    }

    /// What was read and not written down yet.
    private struct Batch {
        let update: FolderUpdate
        /// All names that were kept for items of the folder when its reading began; without them each is asked for.
        var keptNames: [Name: Name]?
        var items: [(ItemReading, Int64?)] = []
        var gone: [Int64] = []
        var bytes = 0
        /// So many are written down together.
        private(set) var most: Int
        var notWrittenDown = 0

        init(_ update: FolderUpdate) {
            self.update = update
            most = update.written == nil ? FolderUpdate.batch : FolderUpdate.early
        }

        mutating func write(_ news: inout FolderNews) throws(DatabaseFault) {
            guard !items.isEmpty || !gone.isEmpty else { return }
            let (items, gone) = (items, gone)
            (self.items, self.gone, bytes) = ([], [], 0)
            most = min(2 * most, FolderUpdate.batch)
            var changed: [Int64] = []
            try update.items.database.together { () throws(DatabaseFault) in
                for id in gone { try update.items.remove(id) }
                for (item, known) in items { changed.append(try update.items.put(item, in: update.folder, as: known)) }
            }
            news.changed += changed
            news.removed += gone
            notWrittenDown += items.count + gone.count
            if notWrittenDown >= FolderUpdate.together {
                try update.items.database.writeDown()
                update.items.database.carryOver()
                notWrittenDown = 0
            }
            try update.written?(changed)
            try update.pause(items.count)
        }
    }

    private func follow(_ found: Set<Name>, _ table: inout FolderTable, _ news: inout FolderNews) throws(DatabaseFault) {
        let known = table.children(of: folder.id)
        for (name, id) in known where !found.contains(name) { try remove(id, &table, &news) }
        for name in found where known[name] == nil { try add(name, &table, &news) }
    }

    private func add(_ name: Name, _ table: inout FolderTable, _ news: inout FolderNews) throws(DatabaseFault) {
        guard path.count < FolderTable.deepest else { return news.isCut = true }
        let isHidden = folder.isHidden || ItemTable.isHidden(name)
        try items.database.together { () throws(DatabaseFault) in
            try items.database.run(
                "INSERT INTO folders(parent, stored, scope, hidden, stamp) VALUES(?,?,?,?,0)", .integer(folder.id), .text(name.bytes), .integer(folder.scope.rawValue),
                .integer(isHidden ? 1 : 0))
        }
        let id = items.database.lastRow
        table.add(CatalogFolder(id: id, parent: folder.id, name: name, scope: folder.scope, isHidden: isHidden, stamp: 0))
        news.newFolders.append(id)
    }

    private func remove(_ id: Int64, _ table: inout FolderTable, _ news: inout FolderNews) throws(DatabaseFault) {
        let tree = table.tree(under: id)
        var gone: [Int64] = []
        try items.database.together { () throws(DatabaseFault) in
            for folder in tree {
                for item in try items.known(in: folder) {
                    try items.remove(item.id)
                    gone.append(item.id)
                }
                try items.database.run("DELETE FROM folders WHERE id=?", .integer(folder))
            }
        }
        for folder in tree { table.remove(folder) }
        news.removed += gone
        news.goneFolders += tree
    }

    private func finish(_ stamp: Int64, _ table: inout FolderTable, _ news: inout FolderNews) throws(DatabaseFault) {
        try giveNames(table, &news)
        guard stamp != folder.stamp else { return }
        // Last: one whose reading was cut off is read again.
        try items.database.together { () throws(DatabaseFault) in try items.database.run("UPDATE folders SET stamp=? WHERE id=?", .integer(stamp), .integer(folder.id)) }
        table.setStamp(stamp, of: folder.id)
    }

    private func giveNames(_ table: FolderTable, _ news: inout FolderNews) throws(DatabaseFault) {
        guard !news.isEmpty, folder.scope == .documents else { return }
        let naming = FolderNaming(items: items, folder: folder, keepsForms: !hasDocuments), subfolders = table.children(of: folder.id)
        var renamed: [Int64] = []
        try items.database.together { () throws(DatabaseFault) in renamed = try naming.give(subfolders: subfolders) }
        let already = Set(news.changed)
        news.changed += renamed.filter { !already.contains($0) }
    }
}
