import Foundation
import Testing

/// What people read has the words that a Linux user would use; those that were replaced once do not come back.
@Suite struct PlainWordTests {
    private static let replaced = [
        #"(?<![.])\b[Mm]end(s|ed|ing)?\b(?!\()"#: "fix, repair", #"\b[Ww]hat (a document|documents|it|they) (was|were) before\b"#: "earlier versions",
        #"\bwhat documents were\b"#: "earlier versions", #"kept by promise"#: "advisory", #"needs more than that"#: "missing VERSION",
        #"is one too many"#: "unexpected operand", #"were not kept"#: "not shown", #"[Ii]t answers:"#: "exit status",
        #"called wrongly"#: "a usage error", #"is now what it was then"#: "has that content already", #"who mounts drives has to"#: "no drive can be mounted without that",
    ]

    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The page by itself, and of Swift the strings without what is put into them.
    private static func read(_ path: String) throws -> [String] {
        let lines = try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8).components(separatedBy: "\n")
        guard path.hasSuffix(".swift") else { return lines.map { $0.replacingOccurrences(of: "`mend`", with: "").replacingOccurrences(of: #""mend""#, with: "") } }
        let strings = try NSRegularExpression(pattern: #""((?:\\.|[^"\\])*)""#)
        return lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.map { line in
            let plain = line.replacingOccurrences(of: #"\\\([^()]*(\([^()]*\)[^()]*)*\)"#, with: "", options: .regularExpression)
            let found = strings.matches(in: plain, range: NSRange(plain.startIndex..., in: plain))
            // A key of the answers for programs is a word of its own.
            return found.compactMap { Range($0.range(at: 1), in: plain).map { String(plain[$0]) } }.filter { $0 != "mend" }.joined(separator: " ")
        }
    }

    @Test func theyStayReplaced() throws {
        var pages = ["README.md", "CONTRIBUTING.md", "mount-helper.sh"]
        for folder in ["docs", "Packaging", "Sources", "Examples/Windows", "Window"] {
            for case let path as String in FileManager.default.enumerator(atPath: Self.package.appendingPathComponent(folder).path) ?? .init()
            where ["md", "1", "8", "swift", "service", "desktop", "ui"].contains((path as NSString).pathExtension) && !path.hasPrefix("reference/") && !path.contains(".build/") { pages.append("\(folder)/\(path)") }
        }
        #expect(pages.count > 400)
        let patterns = try Self.replaced.map { (try NSRegularExpression(pattern: $0.key), $0.value) }
        for page in pages {
            for (number, line) in try Self.read(page).enumerated() {
                for (pattern, word) in patterns where pattern.firstMatch(in: line, range: NSRange(line.startIndex..., in: line)) != nil {
                    Issue.record("\(page):\(number + 1) has a word for which there is “\(word)”: \(line)")
                }
            }
        }
    }
}
