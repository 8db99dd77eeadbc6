import Catalog
import Containers
import Glibc
import LinuxFiles

/// What the catalog's thread does, and what only it has.
final class CatalogWork {
    private let part: DriveCatalog
    private var feed: ChangeFeed { part.feed }
    private var catalog: Catalog?
    private var walk: Catalog.Walk?
    private var searches: [FollowedSearch] = []

    private struct FollowedSearch {
        let search: Search
        var results: QueryResults
        /// What it has told is of another catalog, or not all yet: it says all of it when everything was gone through.
        var isBehind = true
    }

    /// What changed so shortly ago that it is looked at once more: items, and the folders themselves; and when.
    private var unsettled: [Int64: Set<Name>] = [:]
    private var settling: Int64 = 0
    /// How many items it knows is as it was when they were counted.
    private var isCounted = false
    private var countsAgain: Int64 = 0
    private let watch: FedWatch
    /// How often it had to be made anew.
    private var failures = 0
    private var requests: UInt64 = 0
    private var lastRequest = Monotonic.milliseconds
    private var lastWalk: Int64 = 0
    private var lastCheck: Int64 = 0
    private var lastRefill = Monotonic.milliseconds

    /// When nobody has asked anything for so long there is time to read what is not known, or to follow what changed.
    private static let idle: Int64 = 10_000, quiet: Int64 = 300
    /// Where nobody tells what changes, all of it is looked at so often for those who search.
    private static let looking: Int64 = 2000
    /// After so long a file that is written to has another time.
    private static let settled: Int64 = 2100
    private static let checking: Int64 = 1000
    /// The work that the searches' budgets gain, in steps a millisecond.
    private static let share: Int64 = 5000

    init(_ part: DriveCatalog) {
        self.part = part
        watch = FedWatch(part.noticed, part.feed)
    }

    /// As long as somebody searches, or as long as nobody does. Whether it is over, and not only the other thread's turn.
    func run(isAsked: Bool) -> Bool {
        while !isEnding {
            guard isAsked == isWanted else { return false }
            do throws(Failure) { try goOn() } catch { makeAnew(after: error) }
        }
        part.state.withLock { $0.readable = nil }
        part.reader.withLock { $0 = nil }
        keepSums()
        catalog?.close()
        return true
    }

    /// What reading packages as flat files has found out about their parts.
    private func keepSums() { if let catalog { catalog.keep(PartSums.known.takeFound()) } }

    private var isWanted: Bool { part.state.withLock { !$0.begun.isEmpty } || searches.contains { !$0.search.isEnded } }

    /// A file that need not be looked through before it is believed.
    func openWhatIsReady() {
        guard CatalogPlace.own(of: part.container, isWriter: part.workshop != nil).isSealed else { return }
        do throws(Failure) { _ = try opened(isAsked: false) } catch { makeAnew(after: error) }
    }

    private var isEnding: Bool { part.state.withLock { $0.isEnding } }

    private func goOn() throws(Failure) {
        searches.removeAll { $0.search.isEnded }
        refillBudgets()
        let begun = part.state.withLock { state in
            state.searches = searches.count + state.begun.count
            return state.begun.count
        }
        lookForRequests()
        guard let catalog = try opened(isAsked: begun > 0 || !searches.isEmpty) else { return feed.wait(milliseconds: 1000) }
        // Each is taken when there is a catalog for it: one that cannot be begun in this one is begun in the next.
        while let search = part.state.withLock({ $0.begun.isEmpty ? nil : $0.begun.removeFirst() }) { try begin(search, catalog) }
        catalog.isHurried = !searches.isEmpty
        catalog.tidyUp(ifMuch: true)
        if feed.hasChanges, !searches.isEmpty || isQuiet { return try follow(catalog) }
        if let walk, walk.isOver { end(walk) }
        if walk == nil, searches.contains(where: \.isBehind) { return complete() }
        if walk != nil, !searches.isEmpty || isIdle || part.state.withLock({ $0.stage == .reading }) && isQuiet { return try step(catalog) }
        if !unsettled.isEmpty, Monotonic.milliseconds >= settling { return try settle(catalog) }
        if isShort, !searches.isEmpty, Monotonic.milliseconds >= lastWalk + Self.looking { walk = catalog.newWalk() }
        catalog.tidyUp()
        keepSums()
        count(catalog)
        part.state.withLock { $0.isSettled = unsettled.isEmpty && walk == nil }
        feed.wait(milliseconds: pause)
    }

    /// When there is nothing else to do, and not after each change: it goes through an index, which may take a hundredth of the time.
    private func count(_ catalog: Catalog) {
        let begun = Monotonic.milliseconds
        guard !isCounted, walk == nil, begun >= countsAgain else { return }
        isCounted = true
        let count = catalog.count, now = Monotonic.milliseconds
        countsAgain = now + (now - begun) * 100
        part.state.withLock { $0.items = count }
    }

    /// A search that goes on may take a tenth of the time.
    private func refillBudgets() {
        let now = Monotonic.milliseconds
        guard now > lastRefill else { return }
        for followed in searches { followed.search.query.budget?.add(Int(clamping: (now - lastRefill) * Self.share)) }
        lastRefill = now
    }

    /// How long there is nothing to do, if nobody rings.
    private var pause: Int64 {
        if feed.hasChanges || isShort && !searches.isEmpty { return Self.quiet }
        if walk != nil { return 1000 }
        let next = min(unsettled.isEmpty ? Int64.max : settling, isCounted ? Int64.max : countsAgain)
        return next == .max ? 3_600_000 : max(next - Monotonic.milliseconds, 10)
    }

    // MARK: Who goes first

    private func lookForRequests() {
        let count = part.counts.total
        guard count != requests else { return }
        (requests, lastRequest) = (count, Monotonic.milliseconds)
    }

    private var isQuiet: Bool { Monotonic.milliseconds >= lastRequest + Self.quiet }
    private var isIdle: Bool { Monotonic.milliseconds >= lastRequest + Self.idle }

    /// Asked in the middle of a folder: whether to go on with it.
    private func goesOn(_ looked: Int) -> Bool {
        lookForRequests()
        part.state.withLock { if $0.stage == .reading { $0.items += looked } }
        if searches.isEmpty {
            // Nobody waits for it, so all others go first.
            if !isQuiet { catalog?.writeDown() }
            while !isQuiet, !isEnding, part.state.withLock({ $0.begun.isEmpty }) {
                usleep(50_000)
                lookForRequests()
            }
        }
        return part.state.withLock { !$0.isEnding && $0.begun.isEmpty }
    }

    // MARK: The file

    private var isShort: Bool { watch.isShort || part.noticed.notices == nil }

    private func opened(isAsked: Bool) throws(Failure) -> Catalog? {
        if let catalog {
            try checkFile(of: catalog)
            return catalog
        }
        defer { part.state.withLock { $0.isNew = false } }
        // In memory it is only for those who ask, and a new one is begun when there is time for it.
        let place = failures < 3 ? CatalogPlace.own(of: part.container, isWriter: part.workshop != nil) : .memory
        guard isAsked || place.isThere || place.isFile && isIdle else { return nil }
        feed.startFollowing()
        place.keepTemporaryFilesBeside()
        let opened = try Catalog(of: part.container, in: place)
        opened.isGivenUp = true
        opened.startFollowing(watch)
        opened.pause = { [unowned self] in goesOn($0) }
        catalog = opened
        walk = opened.newWalk()
        opened.learnSums(into: .known)
        // Who hears that it can be read finds it read.
        if !opened.isInMemory { part.reader.withLock { $0 = CatalogReader(place, part.container.kinds) } }
        part.state.withLock { state in
            state.isInMemory = opened.isInMemory
            state.readable = opened.isInMemory ? nil : place
            state.stage = .waiting
        }
        return opened
    }

    /// What is written into a file that has lost its name is for nobody after a restart.
    private func checkFile(of catalog: Catalog) throws(Failure) {
        guard Monotonic.milliseconds >= lastCheck + Self.checking else { return }
        lastCheck = Monotonic.milliseconds
        if catalog.isReplaced { throw Failure(.stale, "its file was removed, or another one put in its place") }
    }

    /// It can be deleted at any time, also by somebody else: there is nothing in it that is not in the container.
    private func makeAnew(after failure: Failure) {
        guard failure.errno != .tryAgain else { return }
        failures += 1
        catalog = nil
        (walk, unsettled) = (nil, [:])
        for index in searches.indices { (searches[index].results, searches[index].isBehind) = (QueryResults(searches[index].search.query), true) }
        part.reader.withLock { $0 = nil }
        part.state.withLock { state in
            (state.stage, state.readable) = (.waiting, nil)
            state.reason = "the catalog is made anew: \(failure.sentence)"
        }
        SystemLog.write("the catalog of “\(part.container.path)” is made anew: \(failure.sentence)")
        if failures > 3 { feed.wait(milliseconds: 60_000) }
    }

    // MARK: Going through the container

    private func step(_ catalog: Catalog) throws(Failure) {
        guard var walk else { return }
        part.state.withLock { $0.stage = .reading }
        if walk.isNew { part.state.withLock { $0.items = 0 } }
        do throws(Failure) {
            let changes = try catalog.step(&walk)
            self.walk = walk
            try report(changes, catalog)
        } catch {
            lookAgain(catalog)
            throw error
        }
    }

    /// It was broken off: what was read of these folders is in the catalog, and no news the next time.
    @discardableResult private func lookAgain(_ catalog: Catalog) -> Set<Int64> {
        let unreported = catalog.takeUnreported()
        for search in searches { for folder in unreported { search.results.lookAgain(at: folder) } }
        return unreported
    }

    private func end(_ walk: Catalog.Walk) {
        self.walk = nil
        catalog?.forgetPlaces()
        failures = 0
        lastWalk = Monotonic.milliseconds
        let count = catalog?.count ?? 0
        part.state.withLock { state in
            (state.stage, state.items) = (.whole, count)
            if !state.isInMemory { state.reason = nil }
        }
        // What was read is not needed any more, and was much perhaps.
        Memory.returnFree()
    }

    // MARK: What changed

    private func follow(_ catalog: Catalog) throws(Failure) {
        let changes = feed.take()
        // What is opened for one change is taken for the next one: what is moved meanwhile is noticed after these.
        catalog.forgetPlaces()
        defer { catalog.forgetPlaces() }
        if changes.isLost { walk = catalog.newWalk() }
        for (index, change) in changes.all.enumerated() {
            do throws(Failure) { try follow(change, changes.paths, catalog) } catch {
                feed.putBack(changes, from: index)
                for folder in lookAgain(catalog) { feed.add(nil, inKnown: folder) }
                throw error
            }
        }
    }

    private func follow(_ change: ChangeFeed.Change, _ paths: FolderPaths, _ catalog: Catalog) throws(Failure) {
        switch change.place {
        case .known(let folder): try report(catalog.look(again: change.names, at: folder), catalog)
        case .path(let number):
            let path = paths.names(of: number)
            guard let (folder, count) = catalog.nearest(path) else { return }
            // A folder that is new itself, or one in it.
            try report(catalog.look(again: count == path.count ? change.names : [path[count]], at: folder), catalog)
        }
    }

    private func report(_ changes: [FolderChange], _ catalog: Catalog) throws(Failure) {
        if !changes.isEmpty { isCounted = false }
        part.state.withLock { $0.isCut = catalog.isCut }
        for change in changes {
            if let (folder, names) = change.unsettled {
                unsettled[folder, default: []].formUnion(names)
                settling = Monotonic.milliseconds + Self.settled
            }
            for followed in searches {
                let update = try followed.results.take(change, in: catalog)
                guard !update.isEmpty else { continue }
                followed.search.follow(there: (update.added + update.changed).map(named), gone: update.removed, isWhole: false)
            }
        }
    }

    /// What was looked at too soon after its change is looked at once more, so that it need not be after a restart.
    private func settle(_ catalog: Catalog) throws(Failure) {
        let due = unsettled
        unsettled = [:]
        catalog.forgetPlaces()
        defer { catalog.forgetPlaces() }
        for (folder, names) in due {
            let status = catalog.place(of: folder).flatMap { try? $0.descriptor.status() }
            try report(catalog.look(again: names, at: folder), catalog)
            guard let status, !isShort, !status.isUnsettled, walk == nil else { continue }
            // All that was noticed before has to be in the catalog.
            part.watching.gather()
            guard !feed.hasChanges, !part.noticed.isBehind else {
                unsettled[folder] = []
                continue
            }
            try catalog.settle(folder, status)
        }
        settling = Monotonic.milliseconds + Self.settled
    }

    // MARK: Searches

    private func begin(_ search: Search, _ catalog: Catalog) throws(Failure) {
        let results = QueryResults(search.query)
        searches.append(FollowedSearch(search: search, results: results))
        if isShort, walk == nil { walk = catalog.newWalk() }
        try catalog.gather(results, isConfirmed: walk == nil)
        search.follow(there: results.all.map(named), gone: [], isWhole: false)
        part.watching.gather()
    }

    /// All was gone through: what changed before a search began is in its results as soon as the tree has followed that.
    private func complete() {
        guard !part.noticed.isBehind else { return feed.wait(milliseconds: 5) }
        guard !feed.hasChanges else { return }
        for index in searches.indices where searches[index].isBehind {
            searches[index].search.follow(there: searches[index].results.all.map(named), gone: [], isWhole: true, isAll: true)
            searches[index].isBehind = false
        }
    }

    /// With the names that the drive shows, as far as it knows the item.
    private func named(_ found: FoundItem) -> SearchResult {
        let names = part.tree.shownNames(ofStored: found.folder + [found.item.stored])
        return SearchResult(found, shownAs: names + (found.folder.map(\.composed) + [found.item.shown]).dropFirst(names.count))
    }
}

/// Has the drive's notices tell of what the catalog knows.
private final class FedWatch: FolderWatching {
    private let noticed: NoticedChanges
    private let feed: ChangeFeed
    /// There are no more watches, or enough.
    private(set) var isShort = false
    private var count = 0

    /// The kernel keeps about a kilobyte for each, and other programs need some.
    private static let most = 100_000

    init(_ noticed: NoticedChanges, _ feed: ChangeFeed) { (self.noticed, self.feed) = (noticed, feed) }

    /// Of what is watched already nobody knows here, so some are counted twice where the container is gone through again.
    private var hasRoom: Bool {
        count += 1
        return count <= Self.most
    }

    func watch(_ place: OpenFile, of folder: Int64, package: Name?) {
        guard hasRoom, let watch = noticed.watch(place.descriptor) else { return isShort = true }
        feed.watch(watch, of: folder, package: package)
    }

    func watch(_ package: Name, in folder: Int64, _ place: OpenFile) {
        guard hasRoom else { return isShort = true }
        guard let watch = noticed.watch(package, in: place.descriptor) else {
            if noticed.isFull.load(ordering: .relaxed) { isShort = true }
            return
        }
        feed.watch(watch, of: folder, package: package)
    }
}

extension Tree {
    /// What the names of a path are shown as, as far as the tree knows them.
    func shownNames(ofStored path: [Name]) -> [Name] {
        withLock { tree in
            var names: [Name] = [], current = NodeNumber.root
            for name in path {
                guard let entry = tree.entry(stored: name, of: current) else { break }
                names.append(tree[entry].shown)
                current = tree.node(of: entry)
            }
            return names
        }
    }
}
