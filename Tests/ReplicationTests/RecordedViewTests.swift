import DeviceWorlds
import Foundation
import Hashes
import Replication
import Testing

/// What another program makes of the same facts: the model of these rules in Python, written before this one, on a dozen random histories.
@Suite struct RecordedViewTests {
    private struct Case {
        var facts: [Fact] = []
        /// Item, folder, name, content and conflicts, each.
        var seen: Set<[String]> = []
    }

    /// A mark in whose order the words are, and from which they can be read again.
    private static func mark(_ word: String) -> Mark {
        let bytes = Array(word.utf8.prefix(16)) + Array(repeating: 0, count: max(0, 16 - word.utf8.count))
        func number(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
        return Mark(high: number(bytes[..<8]), low: number(bytes[8...]))
    }

    private static func word(_ mark: Mark) -> String {
        let bytes = [mark.high, mark.low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - $0 * 8)) } }
        return String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
    }

    private static func item(_ word: String) -> ItemID? { word == "-" ? nil : ItemID(mark(word)) }
    private static func list(_ word: String) -> [String] { word == "-" ? [] : word.components(separatedBy: ",") }

    private static func cases() throws -> [Case] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("views.txt")
        var cases: [Case] = []
        for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") where !line.isEmpty {
            let words = line.components(separatedBy: " ")
            func say(_ statement: Fact.Statement) throws {
                cases[cases.count - 1].facts.append(Fact(id: FactID(mark(words[1])), rank: try #require(Int64(words[3])), device: .none, statement))
            }
            switch words[0] {
            case "case": cases.append(Case())
            case "v":
                let digest = words[4] == "-" ? nil : RandomHistory.digest(of: words[4])
                try say(.version(Version(of: ItemID(mark(words[2])), digest: digest, parents: list(words[5]).map { FactID(mark($0)) })))
            case "p":
                let place = Location(of: ItemID(mark(words[2])), folder: item(words[4]), name: ItemName(Array(words[5].utf8)), kind: words[6] == "folder" ? .folder : .document, former: item(words[7]))
                try say(.place(place))
            case "s": cases[cases.count - 1].facts.append(Fact(id: FactID(mark(words[1] + words[2])), rank: 0, device: .none, .same(ItemID(mark(words[1])), ItemID(mark(words[2])))))
            default: cases[cases.count - 1].seen.insert(Array(words.dropFirst()))
            }
        }
        return cases
    }

    @Test func bothSeeTheSame() throws {
        let cases = try Self.cases()
        #expect(cases.count == 12 && cases.contains { $0.seen.contains { $0[4] != "-" } } && cases.contains { $0.seen.contains { $0[2].contains("_") } })
        let words = Dictionary(uniqueKeysWithValues: [".", "d", "e", "f", "g"].map { (RandomHistory.digest(of: $0), $0) })
        for (number, recorded) in cases.enumerated() {
            let facts = Facts(recorded.facts), view = View(of: facts)
            func content(_ version: FactID) -> String { facts.versions[version]?.digest.flatMap { words[$0] } ?? "" }
            let seen = view.items.filter(\.value.isThere).map { id, item in
                [
                    Self.word(id.mark), item.folder.map { Self.word($0.mark) } ?? "-", (item.name?.description ?? "").replacingOccurrences(of: " ", with: "_"),
                    item.current.map(content) ?? "-", item.conflicts.isEmpty ? "-" : item.conflicts.map(content).sorted().joined(separator: ","),
                ]
            }
            #expect(Set(seen) == recorded.seen, "history \(number)")
        }
    }
}
