import Containers
import Databases
import LinuxFiles
import Predicates

/// An index of a container's items, and the searches in it.
///
/// It can be deleted at any time, and is believed only as far as a look at an item or its folder confirms it. Whoever has it is alone
/// with it: one thread, or one queue. What does not work is not answered by less: a file that is damaged or cannot be written is given
/// up for a new one, or for one in memory.
public final class Catalog {
    let container: Container
    private let about: [UInt8]
    private var file: CatalogFile
    private var table: FolderTable
    private var watch: ContainerWatch?
    private var repeated = RepeatedWalk()
    /// What was noticed went before it the last time.
    private var isRepeatedDue = false
    /// Who notices changes in place of `watch`.
    var watcher: (any FolderWatching)?
    /// Called now and then, so that what is long does not keep others waiting; whoever waits long writes down before (`writeDown`).
    /// It hears how many items were looked at since, and answers whether to go on. A few names are looked at to the end all the same.
    public var pause: ((Int) -> Bool)?
    /// Somebody waits for it: then the disk is asked for much at once. It is the faster for that, and the slower for others.
    public var isHurried = true
    /// Nobody asks it anything but one query, which is told of each item once: indexes would be of use to nobody. Set before anything is looked at.
    public var isForOneQuery = false
    /// What is written in items is read. Not for a query that does not ask for it.
    public var readsTexts = true
    /// Folders that were looked at without anybody being told what is new there, because that was broken off.
    var unreported: Set<Int64> = []
    /// Folders that came and went while a look was broken off.
    private var unheard: [Int64: FolderNews] = [:]
    /// Folders with others in them that lie too deep to be looked into.
    private var cut: Set<Int64> = []
    /// The folders that were opened on the way to the last one, while the container is gone through.
    private var places: [CatalogScope: FolderChain] = [:]
    /// How many folders were opened for looks at them.
    private(set) var opens = 0

    /// Folders that lie in more others are not looked into. Whoever makes folders in each other for ever costs others no more than that.
    public static let deepest = 256

    /// Not all was looked into, because some folders lie too deep.
    public var isCut: Bool { !cut.isEmpty }

    /// For people, where a search is cut by that.
    public static let cutSentence = "Folders that lie in more than \(deepest) others were not looked into."
    /// Called when all that is known was handed on, and now and then while it reads what it does not know yet, with the number of items.
    public var progress: ((Int) -> Void)?
    private var itemsRead = 0
    /// Who wants to have the items of a large folder before all of it is read. Their names on the drive may be others by then.
    var early: ((_ items: [Int64], _ folders: FolderTable) throws(DatabaseFault) -> Void)?

    /// What does not work is a failure, and whoever has it makes a new one in its place: for one that is alone with its file.
    public var isGivenUp = false

    public init(of container: Container, in place: CatalogPlace) throws(Failure) {
        self.container = container
        about = Array("\(container.path)\n\(container.reader.options.word)".utf8)
        do throws(DatabaseFault) {
            let opened: CatalogFile
            do throws(DatabaseFault) { opened = try CatalogFile.open(place, about: about, container.kinds) } catch { opened = try CatalogFile.open(.memory, about: about, container.kinds) }
            (file, table) = try Self.tabled(opened, container, place, about)
        } catch { throw Failure(.inputOutput, "no catalog can be made: \(error.sentence)") }
    }

    private static func tabled(_ opened: CatalogFile, _ container: Container, _ place: CatalogPlace, _ about: [UInt8]) throws(DatabaseFault) -> (CatalogFile, FolderTable) {
        do throws(DatabaseFault) { return (opened, try FolderTable(opened.database, hasData: container.hasDocumentsFolder)) } catch {
            if error.kind == .damaged { opened.discard() }
            let other = try CatalogFile.open(error.kind == .damaged ? place : .memory, about: about, container.kinds)
            return (other, try FolderTable(other.database, hasData: container.hasDocumentsFolder))
        }
    }

    /// A catalog of one's own, in memory, with all that one in a file knows to begin with: for who goes on for long, while others need
    /// the file.
    public convenience init(of container: Container, apartFrom place: CatalogPlace) throws(Failure) {
        try self.init(of: container, in: .memory)
        guard case .file = place else { return }
        do throws(DatabaseFault) {
            let known = try CatalogFile.open(place, about: about, container.kinds)
            try file.database.copy(from: known.database)
            known.close()
            table = try FolderTable(file.database, hasData: container.hasDocumentsFolder)
        } catch {
            // Makes a catalog in memory, which begins empty.
            do throws(DatabaseFault) { try replaceFile(after: error) } catch { throw Failure(.inputOutput, "no catalog can be made: \(error.sentence)") }
        }
    }

    public var isInMemory: Bool { file.isInMemory }

    /// Whether the file has not the name any more that it was opened by.
    public var isReplaced: Bool { file.isReplaced }

    /// Whether any item that it knows is a document.
    public var hasDocuments: Bool { ((try? file.database.integer("SELECT 1 FROM items WHERE kind>0 LIMIT 1")) ?? nil) != nil }

    /// How many items it knows.
    public var count: Int { Int(((try? file.database.integer("SELECT count(*) FROM items")) ?? nil) ?? 0) }

    /// What was read till now is there after a restart, and for all who look.
    public func writeDown() { try? file.database.writeDown() }

    /// What has to be done now and then, and waits for the disk: when nobody waits for news. With `much` that there is to be done, it cannot wait.
    public func tidyUp(ifMuch much: Bool = false) { file.database.carryOver(above: much ? 10_000 : 1000) }

    /// What drives have found of packages' parts. Without it, it is found again.
    package func learnSums(into sums: PartSums) { try? KeptSums(database: file.database).learn(into: sums) }

    /// Keeps that for the next drive.
    package func keep(_ sums: [PartSums.Found]) { if !sums.isEmpty, !isInMemory { try? KeptSums(database: file.database).keep(sums) } }

    /// Leaves the file for the next one to believe.
    public func close() { file.close() }

    // MARK: Searching

    /// Looks for items, and hands each on as soon as it is found; `found` answers whether to go on. What is known already comes first,
    /// as far as a look at each item confirms it; then the container is gone through for what changed.
    public func search(_ query: CatalogQuery, found: (FoundItem) -> Bool) throws(Failure) {
        var seen: Set<SeenItem> = []
        var left = query.limit ?? Int.max
        func hand(_ item: FoundItem) -> Bool {
            guard left > 0 else { return false }
            guard seen.insert(SeenItem(item)).inserted else { return true }
            left -= 1
            return found(item) && left > 0
        }
        guard left > 0 else { return }
        try lasting { () throws(DatabaseFault) in
            let search = newRun(query)
            if query.sort.isEmpty, try !search.run(.everything, table, isConfirmed: false, hand) { return }
            var goesOn = true
            try bringUpToDate(query.scopes) { (folder, news) throws(DatabaseFault) in
                let isWhole = search.stale.contains(folder) || news.changed.count > 500
                guard query.sort.isEmpty, isWhole || !news.changed.isEmpty else { return true }
                goesOn = try search.run(isWhole ? .folder(folder) : .items(news.changed), table, isConfirmed: true, hand)
                return goesOn
            }
            if !query.sort.isEmpty { _ = try search.run(.everything, table, isConfirmed: true, hand) }
        }
    }

    /// How many items there are of each value of an attribute.
    public func counts(of attribute: Attribute, _ query: CatalogQuery) throws(Failure) -> [(value: Value, count: Int)] {
        var counts: [Value: Int] = [:], order: [Value] = []
        try search(query) { found in
            let value = found.item.value(attribute, SearchRun.surroundings)
            if counts.updateValue((counts[value] ?? 0) + 1, forKey: value) == nil { order.append(value) }
            return true
        }
        return order.map { ($0, counts[$0] ?? 0) }
    }

    var folders: FolderTable { table }

    func newRun(_ query: CatalogQuery) -> SearchRun { newRun(query, table) }
    /// Of folders that are being brought up to date.
    func newRun(_ query: CatalogQuery, _ folders: FolderTable) -> SearchRun { SearchRun(query, items, container, folders) }

    var items: ItemTable { ItemTable(database: file.database, kinds: container.kinds, keepsWords: !isForOneQuery) }

    /// Does it again in a new file where this one is damaged, and in memory where there is no room for one.
    func lasting(_ body: () throws(DatabaseFault) -> Void) throws(Failure) {
        for _ in 0..<3 {
            do throws(DatabaseFault) { return try body() } catch {
                if isGivenUp {
                    if error.kind == .damaged { file.discard() }
                    throw Failure(error.kind == .damaged ? .inputOutput : error.kind == .busy ? .tryAgain : .noSpace, error.sentence)
                }
                do throws(DatabaseFault) { try replaceFile(after: error) } catch { throw Failure(.inputOutput, "the catalog cannot be made anew: \(error.sentence)") }
            }
        }
        throw Failure(.inputOutput, "the catalog of “\(container.path)” cannot be read or made anew")
    }

    private func replaceFile(after fault: DatabaseFault) throws(DatabaseFault) {
        if fault.kind == .damaged { file.discard() }
        // Another process may have it by now, so this one has its own.
        file = try CatalogFile.open(.memory, about: about, container.kinds)
        table = try FolderTable(file.database, hasData: container.hasDocumentsFolder)
        (unheard, cut) = ([:], [])
    }

    /// What is new there is in the catalog, and no news when they are looked at again.
    public func takeUnreported() -> Set<Int64> {
        defer { unreported = [] }
        return unreported
    }

    // MARK: Bringing it up to date

    /// Goes through the container: folders that are as they were are not read. `each` hears what changed in a folder, and answers
    /// whether to go on.
    func bringUpToDate(_ scopes: Set<CatalogScope>, each: (Int64, FolderNews) throws(DatabaseFault) -> Bool) throws(DatabaseFault) {
        itemsRead = 0
        progress?(0)
        forgetPlaces()
        defer { forgetPlaces() }
        for scope in scopes.sorted(by: { $0.rawValue < $1.rawValue }) {
            guard let start = table.tops[scope] else { continue }
            guard try goThrough(from: start, each) else { return }
        }
        repeated = RepeatedWalk()
        try addIndexes()
    }

    /// All was gone through.
    func addIndexes() throws(DatabaseFault) { if !isForOneQuery { try CatalogSchema.addIndexes(to: file.database) } }

    /// Goes through all folders from this one on; answers whether it came to the end.
    @discardableResult private func goThrough(from start: Int64, _ each: (Int64, FolderNews) throws(DatabaseFault) -> Bool) throws(DatabaseFault) -> Bool {
        var pending = [start]
        while let id = pending.popLast() {
            guard let news = try look(at: id, nil) else { continue }
            itemsRead += news.changed.count
            progress?(itemsRead)
            guard try each(id, news) else { return false }
            file.database.carryOver()
            pending += table.children(of: id).values
        }
        return true
    }

    /// One folder, all of it or some of its names; nil where it is not there.
    private func look(at id: Int64, _ names: [Name]?) throws(DatabaseFault) -> FolderNews? {
        guard let folder = table[id], let path = table.path(of: id), let place = place(of: folder, path) else { return nil }
        var update = FolderUpdate(
            items: items, container: container, folder: folder, path: path, place: place,
            hasDocuments: table.hasDocuments(in: id, container.kinds), helpers: isHurried ? 8 : 3)
        update.readsTexts = readsTexts
        if let pause { update.pause = { (looked) throws(DatabaseFault) in if !pause(looked), names == nil { throw DatabaseFault(.busy, "it was broken off") } } }
        if let early, names == nil { update.written = { [table] (items) throws(DatabaseFault) in try early(items, table) } }
        unreported.insert(id)
        if let watcher = watch ?? watcher {
            watcher.watch(place, of: id, package: nil)
            update.willLook = { [self] name in watchPackage(name, of: id, place, watcher) }
        }
        var news = FolderNews()
        do throws(DatabaseFault) {
            if let names { try update.some(names, &table, &news) } else { try update.all(&table, &news) }
            // Without a stamp its names are read by each look at all of it, also by the first one after a restart.
            if news.isCut { try setStamp(0, of: id) }
            try file.database.writeDown()
        } catch {
            // What was read till then is known.
            if error.kind == .busy { try file.database.writeDown() }
            keep(unheard: news, of: id)
            throw error
        }
        if let before = unheard.removeValue(forKey: id) { news.add(unheard: before) }
        if news.isCut { cut.insert(id) } else if names == nil { cut.remove(id) }
        cut.subtract(news.goneFolders)
        return news
    }

    /// From its parent, where that is open.
    func place(of folder: CatalogFolder, _ path: [Name]) -> OpenFile? {
        let chain = places[folder.scope] ?? FolderChain(from: folder.scope == .documents ? container.documents : container.base)
        places[folder.scope] = chain
        let before = chain.opens
        defer { opens += chain.opens - before }
        return try? chain.folder(at: path)
    }

    /// What has changed since is opened anew: before a look at what was noticed, and when a walk through all begins or ends.
    public func forgetPlaces() { places = [:] }

    // MARK: Watching it

    /// From now on what changes is noticed, after a look at everything.
    func startWatching(most: Int = .max) throws(Errno) { if watch == nil { watch = try ContainerWatch(most: most) } }

    func stopWatching() { watch = nil }

    var interruption: (@Sendable () -> Void)? { watch?.interruption }

    /// Before it is read: what comes into it meanwhile is noticed.
    private func watchPackage(_ name: Name, of folder: Int64, _ place: OpenFile, _ watcher: any FolderWatching) {
        watcher.watch(name, in: folder, place)
        guard container.reader.kinds.isOwnPackage(name), let package = try? place.descriptor.open(name, [.path, .folder]) else { return }
        PackageParts.eachFolder(in: OpenFile(package)) { watcher.watch($0, of: folder, package: name) }
    }

    /// What is in a folder decides whether it is a package: `cp -r` makes it first, and fills it then. The folder that it is in looks at it again,
    /// and into it; nil for any other one.
    private func lookAgain(atPackage folder: Int64) throws(DatabaseFault) -> [FolderChange]? {
        guard let folder = table[folder], let name = folder.name, container.reader.mayBePackage(name), table.hasDocuments(in: folder.parent, container.kinds) else {
            return nil
        }
        return try look(again: [name], in: folder.parent)
    }

    /// Waits until something changed, or the time is over, and says what. Where not all can be watched it answers sooner, perhaps that nothing did.
    func nextChanges(milliseconds: Int64) throws(DatabaseFault) -> [FolderChange] {
        guard let watch else { return [] }
        watch.wait(milliseconds: watch.isShort ? min(milliseconds, repeated.rest) : milliseconds)
        let changes = try noticedChanges(watch), isNews = changes.contains { !$0.isEmpty }
        // What is noticed comes first, and what is not noticed not last for ever.
        defer { isRepeatedDue = isNews && !isRepeatedDue }
        guard watch.isShort, !isNews || isRepeatedDue else { return changes }
        do throws(DatabaseFault) { return changes + (try goOn(&repeated, watch)) } catch {
            for change in changes { keep(unheard: change.news, of: change.folder) }
            throw error
        }
    }

    private func noticedChanges(_ watch: ContainerWatch) throws(DatabaseFault) -> [FolderChange] {
        defer { forgetPlaces() }
        var noticed = watch.take(), changes = try look(at: noticed, watch)
        // The kernel tells of the other half of a move before it lets anybody look for what has left: that was done now.
        for _ in 0..<Self.mostHalves where noticed.isInMove {
            noticed = watch.take()
            changes += try look(at: noticed, watch)
        }
        return changes
    }

    /// Who moves one thing after another keeps nobody waiting for ever.
    private static let mostHalves = 8

    private func look(at noticed: ContainerWatch.News, _ watch: ContainerWatch) throws(DatabaseFault) -> [FolderChange] {
        forgetPlaces()
        var changes: [FolderChange] = []
        if noticed.isLost {
            try bringUpToDate([.documents, .data]) { (folder, news) throws(DatabaseFault) in
                if !news.isEmpty { changes.append(try change(folder, news)) }
                return true
            }
            return changes
        }
        for (folder, names) in noticed.names.sorted(by: { $0.key < $1.key }) { changes += try look(again: names.sorted(), in: folder) }
        return changes
    }

    /// What became of these names in a folder, and what is in the folders that are new there.
    func look(again names: [Name], in folder: Int64) throws(DatabaseFault) -> [FolderChange] {
        if let changes = try lookAgain(atPackage: folder) { return changes }
        guard let news = try look(at: folder, names) else { return [] }
        return try withFolders(news.newFolders + news.otherFolders, after: try change(folder, news))
    }

    /// The change of a folder, and those of folders in it. Where that is broken off, nobody has heard of the first one either.
    private func withFolders(_ folders: [Int64], after change: FolderChange) throws(DatabaseFault) -> [FolderChange] {
        var changes = [change]
        do throws(DatabaseFault) { for folder in folders { changes += try look(into: folder) } } catch {
            keep(unheard: change.news, of: change.folder)
            throw error
        }
        return changes
    }

    private func keep(unheard news: FolderNews, of folder: Int64) {
        var all = unheard[folder] ?? FolderNews()
        all.add(unheard: news)
        unheard[folder] = all.isEmpty && all.otherFolders.isEmpty ? nil : all
    }

    /// All of a folder, and the folders that are new there.
    func lookAtAllAndInto(_ folder: Int64) throws(DatabaseFault) -> [FolderChange] {
        if let changes = try lookAgain(atPackage: folder) { return changes }
        guard let change = try lookAtAll(of: folder).first else { return [] }
        return try withFolders(change.news.newFolders, after: change)
    }

    /// A folder that is new, with all in it.
    func look(into folder: Int64) throws(DatabaseFault) -> [FolderChange] {
        var changes: [FolderChange] = []
        try goThrough(from: folder) { (folder, news) throws(DatabaseFault) in
            changes.append(try change(folder, news, isWhole: true))
            return true
        }
        return changes
    }

    func lookAtAll(of folder: Int64) throws(DatabaseFault) -> [FolderChange] {
        guard let news = try look(at: folder, nil) else { return [] }
        return [try change(folder, news, isWhole: true)]
    }

    func setStamp(_ stamp: Int64, of folder: Int64) throws(DatabaseFault) {
        guard let known = table[folder], known.stamp != stamp, !cut.contains(folder) else { return }
        try file.database.run("UPDATE folders SET stamp=? WHERE id=?", .integer(stamp), .integer(folder))
        table.setStamp(stamp, of: folder)
    }

    private func change(_ folder: Int64, _ news: FolderNews, isWhole: Bool = false) throws(DatabaseFault) -> FolderChange {
        FolderChange(folder: folder, news: news, isWhole: isWhole, items: news.changed.count > 500 ? nil : try items.rows(news.changed))
    }
}

/// An item that was handed on: it is not handed on a second time.
private struct SeenItem: Hashable {
    private let first: Int
    private let second: Int

    init(_ found: FoundItem) {
        var hasher = Hasher()
        hasher.combine(found.scope)
        hasher.combine(found.folder)
        hasher.combine(found.item.stored)
        first = hasher.finalize()
        hasher = Hasher()
        hasher.combine(first)
        hasher.combine(found.item.stored)
        hasher.combine(found.folder)
        second = hasher.finalize()
    }
}
