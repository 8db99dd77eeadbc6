import Catalog
import LinuxFiles
import Predicates

/// One folder with the results of a search, as it is held.
final class SearchFolder: Sendable {
    /// One of those who see less than all, as far as that depends on who they are.
    struct Viewer: Hashable, Sendable {
        let user: UInt32
        let group: UInt32

        init(_ caller: Caller) { (user, group) = (caller.user, caller.group) }
    }

    private struct View {
        let edition: UInt64
        let until: Int64
        let results: [Name: SearchResult]
    }

    private struct State {
        var names = ResultNames()
        var edition: UInt64 = 0
        /// Somebody saw what was found, before all was.
        var isShown = false
        var views: [Viewer: View] = [:]

        mutating func follow(_ change: SearchChange) -> (came: [Name], went: [Name]) {
            edition += 1
            let went = change.removed.compactMap { names.remove($0) }
            let came = (change.added + change.changed).compactMap { names.put($0) }
            return (came, went)
        }
    }

    private final class Results: Sendable {
        let table = Locked(State())
    }

    /// What is looked for, as it was written.
    let text: String
    /// Whose it is; nil where it is for those who may see all.
    let viewer: SearchViewer?
    /// Why the predicate cannot be searched for; nil where it can.
    let fault: PredicateFault?
    private let results = Results()
    private let search: Search?
    /// Until then who looks waits for the end of the first look at everything.
    private let deadline = Monotonic.milliseconds + 5000

    /// One thread looks through the container for all who search. A search that takes more, and for long more than its share, is not gone on with: a
    /// second of a processor's time is about fifty million.
    private let budget = MatchBudget(150_000_000)

    /// A folder shows so many results and leaves out the rest.
    static let most = 100_000

    private static let mostViews = 64
    /// The names that somebody sees stay the same for so long, or for so many times what it took to find them out.
    private static let viewing: Int64 = 1000, share: Int64 = 20

    /// `begin` has it looked for, among what `admits` lets through. `isShown`: it takes the place of one that somebody saw. `heard` is told which names came and went since somebody could see them.
    init(
        _ text: String, isShown: Bool, viewer: SearchViewer? = nil, admits: (@Sendable () -> CatalogQuery.Admission)? = nil,
        begin: (CatalogQuery, @escaping @Sendable (SearchChange) -> Void) -> Search,
        heard: @escaping @Sendable (_ came: [Name], _ went: [Name]) -> Void
    ) {
        (self.text, self.viewer) = (text, viewer)
        results.table.withLock { $0.isShown = isShown }
        do throws(PredicateFault) {
            var query = CatalogQuery(try Predicate(typed: text, now: Moment(Timestamp.now)))
            query.most = Self.most
            query.admits = admits
            query.budget = budget
            fault = nil
            search = begin(query) { [results] change in
                let (came, went, isNews) = results.table.withLock { state in
                    let (came, went) = state.follow(change)
                    return (came, went, state.isShown || change.isWhole)
                }
                if isNews, !(came.isEmpty && went.isEmpty) { heard(came, went) }
            }
        } catch { (fault, search) = (error, nil) }
    }

    func end() {
        budget.end()
        search?.end()
    }

    // MARK: What was found

    /// All of it, or as much as there is after a while.
    func all() -> [Name: SearchResult] {
        wait()
        return results.table.withLock { $0.names.results }
    }

    func result(_ name: Name) -> SearchResult? {
        wait()
        return results.table.withLock { $0.names.results[name] }
    }

    /// What somebody sees who may not see all of it: no name tells that there is more. `isVisible` is asked of each; not each time, so
    /// whoever gets one of them has to ask once more.
    func seen(by viewer: Viewer, anew: Bool, _ isVisible: (SearchResult) -> Bool) -> [Name: SearchResult] {
        wait()
        let begin = Monotonic.milliseconds
        let (all, edition, known) = results.table.withLock { ($0.names.results, $0.edition, $0.views[viewer]) }
        if !anew, let known, known.edition == edition, begin < known.until { return known.results }
        var names = ResultNames()
        for result in all.values.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) where isVisible(result) { _ = names.put(result) }
        let end = Monotonic.milliseconds, view = View(edition: edition, until: end + max(Self.viewing, (end - begin) * Self.share), results: names.results)
        results.table.withLock { state in
            if state.views.count >= Self.mostViews { state.views = [:] }
            state.views[viewer] = view
        }
        return view.results
    }

    private func wait() {
        guard let search else { return }
        search.waitUntilWhole(milliseconds: max(deadline - Monotonic.milliseconds, 0))
        results.table.withLock { $0.isShown = true }
    }

    /// What somebody may have seen.
    var seen: [Name] { results.table.withLock { $0.isShown ? Array($0.names.results.keys) : [] } }

    /// Why not all was looked through. `isCut`: some folders lie too deep.
    func excess(isCut: Bool) -> String? {
        if budget.wasSpent { return "This takes too long to compare, and not everything was looked at: a simpler pattern finds more." }
        return isCut ? Catalog.cutSentence : nil
    }

    var count: Int { results.table.withLock { $0.names.results.count } }

    func progress(isCut: Bool) -> String {
        if budget.wasSpent { return "cut" }
        if !(search?.isWhole ?? true) { return "searching" }
        return count < Self.most && !isCut ? "whole" : "cut"
    }
}
