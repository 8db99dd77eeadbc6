import Containers
import LinuxFiles
import Testing

/// What the entries of a folder are called.
@Suite struct ListedNamesTests {
    private func given(_ entries: [(stored: String, natural: String?)], besides others: Set<String> = []) throws -> [String] {
        let entries = try entries.map { ListedNames.Entry(stored: try #require(Name($0.stored)), natural: try $0.natural.map { try #require(Name($0)) }) }
        return ListedNames.given(to: entries) { others.contains($0.description) }.map(\.description)
    }

    @Test func whoeverIsFirstHasTheName() throws {
        #expect(try given([("c", "A.url"), ("a", "A.url"), ("b", "A.url")]) == ["A 2.url", "A.url", "A 1.url"])
        // A plain file has its own, and who was there before keeps what it has.
        #expect(try given([("A.url", nil), ("a", "A.url")]) == ["A.url", "A 1.url"])
        #expect(try given([("b", "A.url"), ("a", "A.url")], besides: ["A.url", "A 2.url"]) == ["A 3.url", "A 1.url"])
        // A name with a number may be another's own.
        #expect(try given([("a", "A.url"), ("b", "A.url"), ("c", "A 1.url")]) == ["A.url", "A 2.url", "A 1.url"])
    }

    /// Of very many with one name, each is asked about once.
    @Test func manyOfOneName() throws {
        let entries = try (0..<5000).map { ListedNames.Entry(stored: try #require(Name("Bookmark \(10_000 + $0)")), natural: Name(constant: "Same.url")) }
        var asked = 0
        let names = ListedNames.given(to: entries) { _ in
            asked += 1
            return false
        }
        #expect(names.first?.description == "Same.url" && names.last?.description == "Same 4999.url" && Set(names).count == 5000)
        #expect(asked <= 10_000)
    }
}
