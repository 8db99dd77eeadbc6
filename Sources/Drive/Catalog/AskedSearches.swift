import Catalog
import Containers
import Coordination
import LinuxFiles
import Predicates
import Synchronization

/// Searches of other programs: each is answered by a thread of its own, which reads the catalog beside the one that keeps it. Those that go on are
/// answered as the catalog follows the container.
final class AskedSearches: Sendable {
    private let tree: Tree
    private let container: Container
    private let catalog: DriveCatalog
    private let searches: Searches
    private let running = Atomic(0)
    private let live = LiveAnswers()

    private static let most = 64, mostFollowed = 100_000
    /// So often who waits hears how far it is.
    private static let telling: Int64 = 200
    /// When the catalog has not got any further for so long, whoever asks looks for themselves.
    private static let patience: Int64 = 60_000

    init(tree: Tree, container: Container, catalog: DriveCatalog, searches: Searches) {
        (self.tree, self.container, self.catalog, self.searches) = (tree, container, catalog, searches)
    }

    func answer(_ request: SearchRequest, _ answer: sending SearchAnswer) {
        guard beginOne() else { return answer.end(.tryAgain, "too many searches at once") }
        let handed = OnItsWay(answer)
        BackgroundThread.start { [self] in
            defer { running.wrappingSubtract(1, ordering: .relaxed) }
            guard let answer = handed.take() else { return }
            guard !request.isLive else { return follow(request, answer) }
            do throws(Failure) {
                try search(request, answer)
                answer.end(nil, catalog.state.withLock { $0.isCut } ? Catalog.cutSentence : "")
            } catch { answer.end(error.errno, error.sentence) }
        }
    }

    /// False where there are as many as there may be.
    private func beginOne() -> Bool {
        var count = running.load(ordering: .relaxed)
        while count < Self.most {
            let (isCounted, now) = running.compareExchange(expected: count, desired: count + 1, ordering: .relaxed)
            if isCounted { return true }
            count = now
        }
        return false
    }

    private func search(_ request: SearchRequest, _ answer: SearchAnswer) throws(Failure) {
        let query = try query(of: request)
        try waitTillKnown(answer)
        guard let reader = newReader() else { throw Failure(.notSupported, "there is no catalog to be read") }
        try reader.search(query, of: container) { found in
            answer.add(.found, shown(found))
            return answer.isWanted
        }
    }

    /// A reader of the catalog's file; nil while there is none.
    private func newReader() -> CatalogReader? { catalog.state.withLock { $0.readable }.flatMap { CatalogReader($0, container.kinds) } }

    private func follow(_ request: SearchRequest, _ answer: sending SearchAnswer) {
        var query: CatalogQuery
        do throws(Failure) { query = try self.query(of: request) } catch { return answer.end(error.errno, error.sentence) }
        guard !hasVeryMany(query) else { return answer.end(.notSupported, "it finds too much to be followed by the drive") }
        query.most = 2 * Self.mostFollowed
        let telling = LiveTelling()
        guard let line = live.begin(answer, ended: { telling.end() }) else { return }
        let search = searches.begin(query) { change in line.add(telling.words(of: change)) }
        telling.begin(search)
    }

    /// The results of a search that goes on are kept by the drive. Whoever wants very many keeps them.
    private func hasVeryMany(_ query: CatalogQuery) -> Bool {
        guard let reader = newReader() else { return false }
        var few = query, count = 0
        (few.sort, few.limit) = ([], Self.mostFollowed + 1)
        try? reader.search(few, of: container) { _ in
            count += 1
            return true
        }
        return count > Self.mostFollowed
    }

    /// All that changed before is in the catalog. The first one that is asked has the container gone through.
    private func waitTillKnown(_ answer: SearchAnswer) throws(Failure) {
        let nothing: CatalogQuery
        do throws(PredicateFault) { nothing = CatalogQuery(try Predicate("FALSEPREDICATE", now: Moment(nanoseconds: 0))) } catch { throw Failure(.invalid, error.description) }
        let all = searches.begin(nothing)
        defer { all.end() }
        var last = 0, deadline = Monotonic.milliseconds + Self.patience
        while !all.results(waiting: Self.telling).isWhole {
            let (isEnding, items) = catalog.state.withLock { ($0.isEnding, $0.items) }
            guard answer.isWanted, !isEnding else { throw Failure(.tryAgain, "the drive is about to end") }
            if items != last { (last, deadline) = (items, Monotonic.milliseconds + Self.patience) }
            guard Monotonic.milliseconds < deadline else { throw Failure(.timedOut, "the catalog does not get any further") }
            answer.add(.progress, stride(from: 0, to: 64, by: 8).map { UInt8(truncatingIfNeeded: items >> $0) })
        }
    }

    private func query(of request: SearchRequest) throws(Failure) -> CatalogQuery {
        var query: CatalogQuery
        do throws(PredicateFault) {
            query = CatalogQuery(try Predicate(typed: String(decoding: request.predicate, as: UTF8.self), now: Moment(Timestamp.now)))
        } catch { throw Failure(.invalid, error.description) }
        query.scopes = Set([(1, CatalogScope.documents), (2, .data)].filter { request.scopes & $0.0 != 0 }.map(\.1))
        query.folder = request.folder.split(separator: UInt8(ascii: "/")).compactMap { Name($0) }
        query.limit = Int(exactly: request.limit)
        for word in request.sort.split(separator: UInt8(ascii: ",")) {
            let name = String(decoding: word, as: UTF8.self), isDescending = name.hasPrefix("-")
            guard let attribute = Attribute(named: String(name.drop { $0 == "-" })), let key = CatalogQuery.SortKey(attribute, isDescending: isDescending)
            else { throw Failure(.invalid, "nothing is sorted by “\(name)”") }
            query.sort.append(key)
        }
        if query.predicate.attributes.contains(.draft) {
            query.drafts = tree.withLock { tree in
                Set(tree.documents.filter { $0.value.draft != nil }.map { Array(tree.shownPath(of: $0.key).utf8) })
            }
        }
        return query
    }

    /// The result's fields, under the name and path that the drive shows.
    private func shown(_ found: FoundItem) -> [UInt8] {
        guard found.scope == .documents else { return found.bytes(called: found.item.shown, in: found.folder) }
        let known = tree.shownNames(ofStored: found.folder + [found.item.stored])
        let path = known + (found.folder.map(\.composed) + [found.item.shown]).dropFirst(known.count)
        return found.bytes(called: path.last ?? found.item.shown, in: Array(path.dropLast()))
    }
}

/// What is said of one search that goes on.
private final class LiveTelling: Sendable {
    private struct State {
        var search: Search?
        var isEnded = false
        var isWhole = false
    }

    private let state = Locked(State())

    func begin(_ search: Search) {
        let isEnded = state.withLock { state in
            state.search = search
            return state.isEnded
        }
        if isEnded { search.end() }
    }

    /// The program that searched has gone: the search ends.
    func end() {
        let search = state.withLock { state in
            defer { (state.search, state.isEnded) = (nil, true) }
            return state.search
        }
        search?.end()
    }

    func words(of change: SearchChange) -> [(word: SearchWord, fields: [UInt8])] {
        let isGathered = state.withLock { state in
            defer { state.isWhole = change.isWhole }
            return change.isWhole && !state.isWhole
        }
        let items = [(SearchWord.removed, change.removed), (.changed, change.changed), (.found, change.added)]
        return items.flatMap { word, results in results.map { (word, $0.bytes) } } + (isGathered ? [(.gathered, [])] : [])
    }
}

extension SearchResult {
    /// The result's fields, under the name and path that the drive shows.
    fileprivate var bytes: [UInt8] {
        found.scope == .documents ? found.bytes(called: path.last ?? found.item.shown, in: Array(path.dropLast())) : found.bytes(called: found.item.shown, in: found.folder)
    }
}

/// An answer on its way to the thread that gives it.
private final class OnItsWay: Sendable {
    private let answer: TakenOnce<SearchAnswer>

    init(_ answer: sending SearchAnswer) { self.answer = TakenOnce(answer) }

    func take() -> SearchAnswer? { answer.take() }
}
