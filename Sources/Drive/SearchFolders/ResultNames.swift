import Containers
import LinuxFiles

/// The names of results in one folder: each has its document's, or where several are called alike, that with a number: “Notes 1.txt”.
/// A name stays for as long as its result is one.
struct ResultNames: Sendable {
    /// Where a result lies in the container.
    private struct Place: Hashable {
        let folder: [Name]
        let stored: Name

        init(_ result: SearchResult) { (folder, stored) = (result.folder, result.stored) }
    }

    private struct Given {
        let name: Name
        /// The document's, and the number after it; 0 for none.
        let own: Name
        let number: Int
    }

    private(set) var results: [Name: SearchResult] = [:]
    private var given: [Place: Given] = [:]
    /// The names with lower numbers are taken.
    private var next: [Name: Int] = [:]

    /// The name, if it has one only now.
    mutating func put(_ result: SearchResult) -> Name? {
        let place = Place(result)
        if let known = given[place] {
            results[known.name] = result
            return nil
        }
        guard let own = result.path.last, let (name, number) = freeName(own) else { return nil }
        given[place] = Given(name: name, own: own, number: number)
        results[name] = result
        return name
    }

    /// Forgets a result, and answers the name that it had.
    mutating func remove(_ result: SearchResult) -> Name? {
        guard let old = given.removeValue(forKey: Place(result)) else { return nil }
        results[old.name] = nil
        if let first = next[old.own] { next[old.own] = min(first, max(old.number, 1)) }
        return old.name
    }

    private mutating func freeName(_ own: Name) -> (Name, Int)? {
        if results[own] == nil { return (own, 0) }
        guard let free = ShownName.free(own, from: next[own] ?? 1, { results[$0] != nil }) else { return nil }
        next[own] = free.number + 1
        return free
    }
}
