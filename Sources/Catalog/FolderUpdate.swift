import Containers
import LinuxFiles

/// Which items of a folder are other ones than the catalog knew.
struct FolderNews {
    var changed: [Int64] = []
    var removed: [Int64] = []
    var newFolders: [Int64] = []
    var goneFolders: [Int64] = []
    /// The folder was never looked at before.
    var isFirst = false
    /// Items, and the folder itself, that changed so shortly ago that they have to be looked at once more.
    var unsettled: [Name] = []
    var isUnsettled = false

    var isEmpty: Bool { changed.isEmpty && removed.isEmpty && newFolders.isEmpty && goneFolders.isEmpty }
}

/// Brings one folder of a catalog up to date. A folder that is as it was is not read: only its items are looked at, with a call each.
struct FolderUpdate {
    let items: ItemTable
    let container: Container
    let folder: CatalogFolder
    let path: [Name]
    let place: OpenFile
    /// Called now and then, between two transactions.
    var pause: () throws(DatabaseFault) -> Void = {}

    private static let batch = 4000
    private static let batchBytes = 8 << 20

    /// The whole folder.
    func all(_ table: inout FolderTable) throws(DatabaseFault) -> FolderNews {
        guard let status = try? place.descriptor.status() else { return FolderNews() }
        // Taken before the names are read: what changes meanwhile is seen the next time.
        let stamp = ItemStamp.of(folder: status)
        var news = FolderNews()
        news.isFirst = folder.stamp == 0
        let known = try items.known(in: folder.id)
        var reading = Batch(self)
        if folder.stamp != 0, folder.stamp == stamp.compared {
            try lookAtItems(known, &reading, &table, &news)
        } else {
            var rest = Dictionary(known.map { ($0.stored, $0) }) { first, _ in first }
            var folders: Set<Name> = [], fault: DatabaseFault?
            reading.keptNames = try? container.keptNames(in: path)
            do throws(Errno) {
                var entries = try FolderReader(untraced: place.descriptor)
                while let entry = try entries.next() {
                    guard isOurs(entry.name) else { continue }
                    let item = rest.removeValue(forKey: entry.name)
                    if let item, isAsItWas(item) { continue }
                    do throws(DatabaseFault) {
                        if try read(entry.name, item, isFolder: entry.type == .folder, &reading, &news) { folders.insert(entry.name) }
                    } catch {
                        fault = error
                        break
                    }
                }
            } catch { return news }
            if let fault { throw fault }
            try readRenamed(&reading, &news)
            for item in rest.values { reading.gone.append(item.id) }
            try reading.write(&news)
            try follow(folders, &table, &news)
        }
        try reading.write(&news)
        news.isUnsettled = stamp.settled == 0
        try finish(stamp.settled, &table, &news)
        return news
    }

    /// Some of its names, of which somebody says that they changed.
    func some(_ names: [Name], _ table: inout FolderTable) throws(DatabaseFault) -> FolderNews {
        var news = FolderNews()
        var reading = Batch(self)
        for name in names where isOurs(name) {
            let known = try items.known(name, in: folder.id)
            if let known, isAsItWas(known) { continue }
            let isFolder = try read(name, known, isFolder: false, &reading, &news)
            let child = table.children(of: folder.id)[name]
            if isFolder, child == nil { try add(name, &table, &news) }
            if !isFolder, let child { try remove(child, &table, &news) }
        }
        try reading.write(&news)
        try giveNames(&table, &news, isKnown: true)
        return news
    }

    private func isOurs(_ name: Name) -> Bool {
        guard folder.parent == 0 else { return true }
        if Hidden.isState(name) { return false }
        return folder.scope == .documents || name.bytes != Array("Documents".utf8)
    }

    private func isAsItWas(_ item: ItemTable.Known) -> Bool {
        guard item.stamp != 0, let found = try? ItemStamp.of(item.stored, in: place.descriptor, container.reader) else { return false }
        return found.stamp.compared == item.stamp
    }

    /// The same names as before. A package may have become a folder by what is in it, and a folder a package.
    private func lookAtItems(_ known: [ItemTable.Known], _ reading: inout Batch, _ table: inout FolderTable, _ news: inout FolderNews) throws(DatabaseFault) {
        for (index, item) in known.enumerated() {
            if index % Self.batch == Self.batch - 1 { try pause() }
            guard !isAsItWas(item) else { continue }
            if try read(item.stored, item, isFolder: false, &reading, &news) { try add(item.stored, &table, &news) }
        }
        for (name, child) in table.children(of: folder.id) where folder.scope == .documents && container.reader.candidate(for: name, isFolder: true) != nil {
            if try !read(name, nil, isFolder: false, &reading, &news), !news.newFolders.contains(child) { try remove(child, &table, &news) }
        }
    }

    /// Reads an item, to be written down with others; whether it is a plain folder.
    private func read(_ name: Name, _ known: ItemTable.Known?, isFolder: Bool, _ reading: inout Batch, _ news: inout FolderNews) throws(DatabaseFault) -> Bool {
        // Nothing is asked of a folder that no kind may be.
        if isFolder, known == nil, folder.scope == .data || container.reader.candidate(for: name, isFolder: true) == nil { return true }
        let kept = folder.scope == .documents ? reading.keptName(of: name) : nil
        guard let found = (try? ItemReading.read(name, in: place, container.reader, asDocument: folder.scope == .documents, kept: kept)) ?? nil else {
            if let known { reading.gone.append(known.id) }
            return false
        }
        switch found {
        case .folder:
            if let known { reading.gone.append(known.id) }
            return true
        case .item(let item):
            if item.stamp == 0 { news.unsettled.append(name) }
            reading.items.append((item, known?.id))
            reading.bytes += 500 + (item.text?.count ?? 0)
            if reading.items.count >= Self.batch || reading.bytes > Self.batchBytes { try reading.write(&news) }
            return false
        }
    }

    /// Those whose kept name is another one than when the reading of the folder began.
    private func readRenamed(_ reading: inout Batch, _ news: inout FolderNews) throws(DatabaseFault) {
        guard let before = reading.keptNames, let now = try? container.keptNames(in: path), before != now else { return }
        reading.keptNames = now
        try reading.write(&news)
        for name in Set(before.keys).union(now.keys) where before[name] != now[name] {
            if let known = try items.known(name, in: folder.id) { _ = try read(name, known, isFolder: false, &reading, &news) }
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

        init(_ update: FolderUpdate) { self.update = update }

        func keptName(of name: Name) -> Name? { keptNames.map { $0[name] } ?? (try? update.container.keptName(of: name, in: update.path)) ?? nil }

        mutating func write(_ news: inout FolderNews) throws(DatabaseFault) {
            guard !items.isEmpty || !gone.isEmpty else { return }
            let (items, gone) = (items, gone)
            (self.items, self.gone, bytes) = ([], [], 0)
            var changed: [Int64] = []
            try update.items.database.transaction { () throws(DatabaseFault) in
                for id in gone { try update.items.remove(id) }
                for (item, known) in items { changed.append(try update.items.put(item, in: update.folder, as: known)) }
            }
            news.changed += changed
            news.removed += gone
            try update.pause()
        }
    }

    private func follow(_ found: Set<Name>, _ table: inout FolderTable, _ news: inout FolderNews) throws(DatabaseFault) {
        let known = table.children(of: folder.id)
        for (name, id) in known where !found.contains(name) { try remove(id, &table, &news) }
        for name in found where known[name] == nil { try add(name, &table, &news) }
    }

    private func add(_ name: Name, _ table: inout FolderTable, _ news: inout FolderNews) throws(DatabaseFault) {
        guard path.count < FolderTable.deepest else { return }
        let isHidden = folder.isHidden || ItemTable.isHidden(name)
        try items.database.run(
            "INSERT INTO folders(parent, stored, scope, hidden, stamp) VALUES(?,?,?,?,0)", .integer(folder.id), .text(name.bytes), .integer(folder.scope.rawValue),
            .integer(isHidden ? 1 : 0))
        let id = items.database.lastRow
        table.add(CatalogFolder(id: id, parent: folder.id, name: name, scope: folder.scope, isHidden: isHidden, stamp: 0))
        news.newFolders.append(id)
    }

    private func remove(_ id: Int64, _ table: inout FolderTable, _ news: inout FolderNews) throws(DatabaseFault) {
        let tree = table.tree(under: id)
        var gone: [Int64] = []
        try items.database.transaction { () throws(DatabaseFault) in
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
        try giveNames(&table, &news, isKnown: false)
        guard stamp != folder.stamp else { return }
        // Last: one whose reading was cut off is read again.
        try items.database.run("UPDATE folders SET stamp=? WHERE id=?", .integer(stamp), .integer(folder.id))
        table.setStamp(stamp, of: folder.id)
    }

    /// Few items that have names that nobody else wants keep everybody else's.
    private func giveNames(_ table: inout FolderTable, _ news: inout FolderNews, isKnown: Bool) throws(DatabaseFault) {
        guard !news.isEmpty, folder.scope == .documents else { return }
        let naming = FolderNaming(items: items, folder: folder), subfolders = table.children(of: folder.id)
        if isKnown, news.changed.count + news.removed.count < 100, try !naming.hasNumbers() {
            var areAlone = true
            for id in news.changed where areAlone {
                guard let stored = try storedName(of: id) else { continue }
                areAlone = try naming.isAlone(id, stored, subfolders: subfolders)
            }
            if areAlone { return }
        }
        var renamed: [Int64] = []
        try items.database.transaction { () throws(DatabaseFault) in renamed = try naming.give(subfolders: subfolders) }
        let already = Set(news.changed)
        news.changed += renamed.filter { !already.contains($0) }
    }

    private func storedName(of id: Int64) throws(DatabaseFault) -> Name? {
        let row = try items.database.statement("SELECT stored FROM items WHERE id=?")
        defer { row.reset() }
        try row.bind([.integer(id)])
        return try row.step() ? Name(row.text(0)) : nil
    }
}
