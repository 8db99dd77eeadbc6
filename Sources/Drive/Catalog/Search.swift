import Catalog
import Containers
import Dispatch
import LinuxFiles

/// An item that was found, with its names as the drive shows them.
struct SearchResult: Hashable, Sendable {
    /// As shown, from the drive's top on.
    let path: [Name]
    /// As stored, from the top of the documents on.
    let folder: [Name]
    let stored: Name
    /// The kind of the document; nil for a plain file.
    let kind: KindID?
    let size: Int64
    let found: FoundItem

    static func == (one: SearchResult, other: SearchResult) -> Bool { one.stored == other.stored && one.path == other.path && one.folder == other.folder }

    func hash(into hasher: inout Hasher) {
        hasher.combine(folder)
        hasher.combine(stored)
    }

    init(_ found: FoundItem, shownAs path: [Name]) {
        (self.found, self.path, folder, stored) = (found, path, found.folder, found.item.stored)
        (kind, size) = (found.item.kind.document, found.item.size)
    }
}

/// What a change was for the results of a search. One that is shown elsewhere now is removed and added.
struct SearchChange: Sendable {
    /// Grows with each change of the results.
    let number: UInt64
    var added: [SearchResult] = []
    var changed: [SearchResult] = []
    var removed: [SearchResult] = []
    /// All of the container was looked through.
    let isWhole: Bool
}

struct SearchResults: Sendable {
    let number: UInt64
    let isWhole: Bool
    /// The results, by their shown paths.
    let items: [SearchResult]
}

/// A search that goes on until its end: its results as they are now.
final class Search: Sendable {
    private struct Place: Hashable {
        let folder: [Name]
        let stored: Name
    }

    private struct State {
        var number: UInt64 = 0
        var isWhole = false
        var isEnded = false
        var items: [Place: SearchResult] = [:]
    }

    let query: CatalogQuery
    private let state = Locked(State())
    private let changed: @Sendable (SearchChange) -> Void
    /// Entered until it is whole, or ended.
    private let gathering = DispatchGroup()
    private let ending: @Sendable (Search) -> Void

    init(_ query: CatalogQuery, _ changed: @escaping @Sendable (SearchChange) -> Void, ending: @escaping @Sendable (Search) -> Void) {
        (self.query, self.changed, self.ending) = (query, changed, ending)
        gathering.enter()
    }

    /// What was found till now. Waits for all of it, no longer than so long; in no lane.
    func results(waiting milliseconds: Int64) -> SearchResults {
        waitUntilWhole(milliseconds: milliseconds)
        let (number, isWhole, items) = state.withLock { ($0.number, $0.isWhole, Array($0.items.values)) }
        return SearchResults(number: number, isWhole: isWhole, items: items.sorted { $0.path.lexicographicallyPrecedes($1.path) })
    }

    /// Until all was looked through, no longer than so long; in no lane.
    func waitUntilWhole(milliseconds: Int64) { if milliseconds > 0 { _ = gathering.wait(timeout: .now() + .milliseconds(Int(clamping: milliseconds))) } }

    /// From now on nothing is told, and the results stay as they are.
    func end() {
        let wasThere = state.withLock { state in
            defer { state.isEnded = true }
            return (isEnded: state.isEnded, isWhole: state.isWhole)
        }
        if !wasThere.isEnded, !wasThere.isWhole { gathering.leave() }
        if !wasThere.isEnded { ending(self) }
    }

    var isWhole: Bool { state.withLock { $0.isWhole || $0.isEnded } }

    var isEnded: Bool { state.withLock { $0.isEnded } }

    // MARK: For the one who looks for it

    /// `isAll`: what is not among `there` is none any more.
    func follow(there: [SearchResult], gone: [FoundItem], isWhole: Bool, isAll: Bool = false) {
        let (change, wasWhole): (SearchChange?, Bool) = state.withLock { state in
            guard !state.isEnded else { return (nil, true) }
            let wasWhole = state.isWhole
            state.isWhole = state.isWhole || isWhole
            var change = SearchChange(number: state.number + 1, isWhole: state.isWhole)
            for item in gone { if let old = state.items.removeValue(forKey: Place(folder: item.folder, stored: item.item.stored)) { change.removed.append(old) } }
            for result in there {
                let old = state.items.updateValue(result, forKey: Place(folder: result.folder, stored: result.stored))
                if let old, old.path == result.path {
                    // What is said once more, because all is, is no news.
                    if !isAll || !result.found.isStill(old.found) { change.changed.append(result) }
                } else {
                    if let old { change.removed.append(old) }
                    change.added.append(result)
                }
            }
            if isAll {
                let present = Set(there.map { Place(folder: $0.folder, stored: $0.stored) })
                for (place, old) in state.items where !present.contains(place) {
                    state.items[place] = nil
                    change.removed.append(old)
                }
            }
            guard state.isWhole != wasWhole || !(change.added.isEmpty && change.changed.isEmpty && change.removed.isEmpty) else { return (nil, wasWhole) }
            state.number += 1
            return (change, wasWhole)
        }
        guard let change else { return }
        changed(change)
        if change.isWhole, !wasWhole { gathering.leave() }
    }
}
