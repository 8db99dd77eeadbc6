import Foundation
import Predicates
import RandomPredicates
import Testing

/// The table of predicates: what it says, what Valise says, and what an evaluator in Python says that shares nothing with it.
@Suite struct PredicateTableTests {
    static let now = Moment(seconds: 1_772_712_000)

    @Test func eachPredicateHoldsForWhatTheTableSays() throws {
        let rows = try Self.rows()
        let items = try SampleItem.all()
        #expect(rows.count > 200)
        for row in rows {
            let predicate = try? Predicate(row.predicate, now: Self.now)
            let found = predicate.map { predicate in items.filter { predicate.holds($0.value) }.map(\.id).joined() }
            #expect(found == row.expected, "\(row.predicate)")
        }
    }

    @Test func anotherEvaluatorSaysTheSame() throws {
        let rows = try Self.rows()
        let answers = try PythonEvaluator.answers(to: rows.map(\.predicate))
        #expect(answers.count == rows.count)
        for (row, answer) in zip(rows, answers) { #expect(answer == row.expected, "\(row.predicate)") }
    }

    @Test func randomPredicatesAreJudgedAlike() throws {
        var makers = RandomPredicates(seed: 16)
        let predicates = (0..<1500).map { _ in makers.next() }
        let items = try SampleItem.all()
        let answers = try PythonEvaluator.answers(to: predicates)
        #expect(answers.count == predicates.count)
        for (text, answer) in zip(predicates, answers) {
            let predicate = try? Predicate(text, now: Self.now)
            #expect(predicate.map { predicate in items.filter { predicate.holds($0.value) }.map(\.id).joined() } == answer, "\(text)")
        }
    }

    private static func rows() throws -> [(expected: String?, predicate: String)] {
        try String(contentsOfFile: SampleItem.path("predicates.txt"), encoding: .utf8).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t", maxSplits: 1)
            guard fields.count == 2 else { return nil }
            return (fields[0] == "?" ? nil : fields[0] == "-" ? "" : String(fields[0]), String(fields[1]))
        }
    }
}

/// An item of items.json.
struct SampleItem {
    let id: String
    private let values: [Attribute: Value]

    static func path(_ name: String) -> String { URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(name).path }

    static func all() throws -> [SampleItem] {
        let found = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path("items.json")))) as? [[String: Any]]
        return try #require(found).map { try SampleItem($0) }
    }

    private init(_ object: [String: Any]) throws {
        id = try #require(object["id"] as? String)
        var values: [Attribute: Value] = [:]
        for attribute in Attribute.allCases {
            switch attribute.sort {
            case .flag: values[attribute] = .flag(object[attribute.rawValue] as? Bool ?? false)
            case .text: values[attribute] = (object[attribute.rawValue] as? String).map { .text($0) }
            case .number: values[attribute] = (object[attribute.rawValue] as? Int).map { .number(Double($0)) }
            case .date: values[attribute] = (object[attribute.rawValue] as? String).flatMap { Moment(Array($0.utf8)) }.map { .date($0) }
            }
        }
        self.values = values
    }

    func value(_ attribute: Attribute) -> Value { values[attribute] ?? .missing }
}

enum PythonEvaluator {
    static func answers(to predicates: [String]) throws -> [String?] {
        let items = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: SampleItem.path("items.json"))))
        let question = try JSONSerialization.data(withJSONObject: ["now": "2026-03-05T12:00:00Z", "items": items, "predicates": predicates])
        let process = Process(), input = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString), output = Pipe()
        try question.write(to: input)
        defer { try? FileManager.default.removeItem(at: input) }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", SampleItem.path("evaluate.py")]
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = output
        try process.run()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let lists = try #require(JSONSerialization.jsonObject(with: answer) as? [Any])
        return lists.map { ($0 as? [String])?.joined() }
    }
}
