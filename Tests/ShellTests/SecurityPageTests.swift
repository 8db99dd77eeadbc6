import Foundation
import Testing

/// docs/SECURITY.md promises things, each by the name of a suite that plays the attacker.
@Suite struct SecurityPageTests {
    @Test func eachPromiseHasItsTest() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: package.appendingPathComponent("docs/SECURITY.md"), encoding: .utf8)
        let tests = package.appendingPathComponent("Tests").path
        var sources = ""
        for case let path as String in FileManager.default.enumerator(atPath: tests) ?? .init() where path.hasSuffix(".swift") {
            sources += try String(contentsOfFile: tests + "/" + path, encoding: .utf8)
        }
        let rows = page.components(separatedBy: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| ---") && !$0.hasPrefix("| an attacker") }
        #expect(rows.count > 15)
        for row in rows {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(cells.count == 3, "\(row)")
            for name in cells.last?.components(separatedBy: ", ") ?? [] {
                let suite = name.split(separator: " ").first.map(String.init) ?? ""
                #expect(["struct", "class"].contains { sources.contains("\($0) \(suite)Tests") }, "\(row) names no suite: \(suite)")
            }
        }
    }
}
