import Catalog
import Containers
import Coordination
import Documents
import Glibc
import LinuxFiles
import Predicates
import Shell

/// `valise find`: which items a predicate holds for.
func findVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let (text, place) = split(arguments.operands), query = try FindQuery(text, arguments)
    let found = try SearchedPlace.all(place)
    let places = found.places.compactMap(\.container)
    try query.checkKinds(in: places)
    guard !arguments.has(.live) || places.count < 2 else { throw Stop(2, "with --live, name one drive or container") }
    guard !arguments.has(.live) || found.places.count == places.count else { throw Stop(2, "what is in a backup does not change: leave out --live") }
    // Who reads the answer may have seen enough: that ends the search, and the catalog is closed as always.
    signal(SIGPIPE, SIG_IGN)
    for place in found.places {
        let answer = FoundLines(place, isJSON: arguments.has(.json), endsWithZero: arguments.has(.null), isLive: arguments.has(.live))
        switch place {
        case .container(let place): try arguments.has(.live) ? follow(query, place, answer) : find(query, place, answer)
        case .backup(let search): try search.run(query.query, answer)
        }
        guard answer.isWanted else {
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
            return 1
        }
    }
    return found.code
}

/// What is looked for, and where. Words need no quotes around all of them: the last one is a place where there is such a thing.
private func split(_ operands: [String]) -> (text: String, place: String?) {
    guard operands.count > 1, let last = operands.last else { return (operands.first ?? "", nil) }
    let before = operands.dropLast().joined(separator: " "), isPlace = last.contains("/") || isThere(last)
    // Behind a predicate only a place can stand, which is missing then.
    let isWord = !isPlace && (operands.count > 2 || Predicate.isWords(typed: before, now: Moment(Timestamp.now)))
    return isWord ? (before + " " + last, nil) : (before, last)
}

private func opened(_ place: FindPlace) throws(Stop) -> Catalog {
    do throws(Failure) { return try Catalog(of: place.container, in: place.catalogPlace) } catch { throw Stop(1, error.sentence) }
}

private func find(_ query: FindQuery, _ place: FindPlace, _ answer: FoundLines) throws(Stop) {
    let progress = Progress("items looked at")
    answer.namesAreShown = true
    var cut: String?
    if try DriveSearch.find(query.request(in: place), in: place, progress: progress, cut: { cut = $0 }, found: { answer.add($0) }) {
        progress.end()
        answer.flush()
        if let cut { printError(cut) }
        return
    }
    answer.namesAreShown = false
    let catalog = try opened(place)
    catalog.progress = {
        // What is known already is not kept from whoever waits for it.
        answer.flush()
        progress.show($0)
    }
    defer { catalog.close() }
    do throws(Failure) { try catalog.search(query.query(in: place)) { answer.add($0) } } catch { throw Stop(1, error.sentence) }
    progress.end()
    answer.flush()
    if catalog.isCut { printError(Catalog.cutSentence) }
    if answer.count == 0, let doubt = place.doubt, !catalog.hasDocuments { throw Stop(1, doubt + ", and there is no document in it") }
}

private func follow(_ query: FindQuery, _ place: FindPlace, _ answer: FoundLines) throws(Stop) {
    answer.namesAreShown = true
    StopWish.endWithReader()
    if try DriveSearch.follow(query.request(in: place, isLive: true), in: place, answer) { return }
    answer.namesAreShown = false
    StopWish.listen()
    do throws(Failure) {
        // Its own: it goes on for long, and other searches need the file.
        let catalog = try Catalog(of: place.container, apartFrom: place.catalogPlace)
        let live = try LiveQuery(query.query(in: place), in: catalog)
        live.isWanted = { answer.isWanted && !StopWish.isThere }
        try live.gather { _ = answer.add($0) }
        if !StopWish.isThere { answer.gathered() }
        while answer.isWanted, !StopWish.isThere {
            let update = try live.next(milliseconds: 60_000)
            answer.add(update)
        }
    } catch { if !StopWish.isThere { throw Stop(1, error.sentence) } }
}

/// What is looked for, as it was typed.
private struct FindQuery {
    private(set) var query: CatalogQuery
    private let text: String
    private let sort: String

    init(_ text: String, _ arguments: Arguments) throws(Stop) {
        self.text = text
        sort = arguments.values(of: .sort).last ?? ""
        do throws(PredicateFault) { query = CatalogQuery(try Predicate(typed: text, now: Moment(Timestamp.now))) } catch {
            throw Stop(2, ([error.description] + error.lines(of: text).map { "  " + $0 }).joined(separator: "\n"))
        }
        if let scope = arguments.values(of: .scope).last { query.scopes = try Self.scopes(scope) }
        if let keys = arguments.values(of: .sort).last { query.sort = try Self.keys(keys) }
        if let limit = arguments.values(of: .limit).last {
            guard let number = Int(limit), number >= 0 else { throw Stop(2, "\(quoted(limit)) is no number of results") }
            query.limit = number
        }
    }

    /// A kind that there is not is a slip of who typed it: nothing would be found, and nobody would know why.
    func checkKinds(in places: [FindPlace]) throws(Stop) {
        var kinds = KindRegistry.shipped.all.map(\.name)
        let registries = places.map(\.container.kinds) + [.shipped]
        let known = registries.flatMap { $0.all.map(\.name) + $0.folders.map(\.name) }
        for kind in known where !kinds.contains(kind) { kinds.append(kind) }
        kinds.append("plain")
        for comparison in query.predicate.comparisons where [.equal, .notEqual, .among].contains(comparison.operator) {
            guard [comparison.left, comparison.right].contains(.attribute(.kind)) else { continue }
            for case .text(let bytes) in comparison.left.values + comparison.right.values {
                let kind = String(decoding: bytes, as: UTF8.self)
                guard !kinds.contains(kind), !kinds.contains(kind.lowercased()) || comparison.folding.isEmpty else { continue }
                let near = nearestWord(to: kind.lowercased(), in: kinds).map { "; did you mean '\($0)'?" }
                throw Stop(2, "there is no kind \(quoted(kind))" + (near ?? ": there are \(kinds.joined(separator: ", "))"))
            }
        }
    }

    private static func scopes(_ word: String) throws(Stop) -> Set<CatalogScope> {
        switch word {
        case "documents": [.documents]
        case "data": [.data]
        case "all": [.documents, .data]
        default: throw Stop(2, "\(quoted(word)) is no scope: there are documents, data and all; a folder is named behind the predicate")
        }
    }

    private static func keys(_ words: String) throws(Stop) -> [CatalogQuery.SortKey] {
        var keys: [CatalogQuery.SortKey] = []
        for word in words.split(separator: ",") {
            let name = word.hasPrefix("-") ? word.dropFirst() : word
            guard let attribute = Attribute(named: String(name)), let key = CatalogQuery.SortKey(attribute, isDescending: word.hasPrefix("-")) else {
                throw Stop(2, "nothing is sorted by \(quoted(String(name))); there are: \(CatalogQuery.SortKey.attributes.map(\.rawValue).joined(separator: ", "))")
            }
            keys.append(key)
        }
        return keys
    }

    /// The same for a drive's process.
    func request(in place: FindPlace, isLive: Bool = false) -> SearchRequest {
        let scopes = query.scopes.reduce(UInt8(0)) { $0 | ($1 == .documents ? 1 : 2) }
        return SearchRequest(
            predicate: Array(text.utf8), folder: Array(place.folder.map(\.bytes).joined(separator: [UInt8(ascii: "/")])), scopes: scopes, sort: Array(sort.utf8),
            limit: query.limit.flatMap { UInt64(exactly: $0) } ?? .max, isLive: isLive)
    }

    func query(in place: FindPlace) -> CatalogQuery {
        var query = query
        query.folder = place.folder
        if query.predicate.attributes.contains(.draft) { query.drafts = place.drafts }
        return query
    }
}
