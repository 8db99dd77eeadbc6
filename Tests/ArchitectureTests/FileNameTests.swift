import Foundation
import MountTesting
import Testing

/// Every file that the pages for those who carry on name is there, and it is clear which one is meant.
@Suite struct FileNameTests {
    private static let pages = ["docs/ARCHITECTURE.md", "docs/PORTING.md", "CONTRIBUTING.md"]

    @Test(arguments: pages)
    func whatAPageNamesIsThere(name: String) throws {
        let page = try Page(name)
        var folders: Set<String> = []
        for file in Repository.files { folders.insert((file as NSString).deletingLastPathComponent) }
        let tops: Set = ["Sources", "Module", "Tests", "Benchmarks", "Examples", "Packaging", "Window", "docs", ".ci"]
        var count = 0
        for found in try Pattern(#"[\w.+/-]+"#).all(in: page.text) {
            var word = found[0]
            if word.hasPrefix("./") { word.removeFirst(2) }
            while let last = word.last, "./".contains(last) { word.removeLast() }
            if word.contains("/"), tops.contains(String(word.prefix { $0 != "/" })) {
                count += 1
                if !folders.contains(word), !Repository.files.contains(word) { Issue.record("\(name) names “\(word)”, which is not there") }
            } else if word.contains("."), ["swift", "c", "h", "md", "sh", "py"].contains((word as NSString).pathExtension) {
                count += 1
                let meant = Repository.file(called: word)
                #expect(meant.count == 1, "\(name) names “\(word)”, which is \(meant.isEmpty ? "not there" : meant.joined(separator: " and "))")
            }
        }
        #expect(count > 5)
    }

    /// The words have one meaning each, and are few enough to be learned.
    @Test func theWordsAreFew() throws {
        let words = try Page.architecture().table("word").map { $0[0] }
        #expect(words.count <= 25 && Set(words).count == words.count)
    }

    /// The walks of the page name files that a request enters, as `entered_files.py` has counted it, and those are no more than they were. The numbers may
    /// become lower, and never higher.
    @Test(arguments: [("A read", "reading", 36), ("A save", "saving", 83), ("A rename", "renaming", 92)])
    func aWalkIsAsItWasCounted(heading: String, request: String, most: Int) throws {
        var entered: [String] = [], current = ""
        for line in try Repository.text("Tests/Support/entered_files.txt").split(separator: "\n") {
            if line.hasPrefix(" ") {
                if current == request { entered.append(line.trimmingCharacters(in: .whitespaces)) }
            } else {
                current = String(line.prefix { $0 != ":" })
            }
        }
        #expect((10...most).contains(entered.count), "\(request) enters \(entered.count) files")
        let names = Set(entered.map { ($0 as NSString).lastPathComponent })
        for name in names { #expect(!Repository.file(called: name).isEmpty, "\(name) was entered and is not there: count again") }
        let walk = try Page.architecture().section(heading).joined(separator: "\n")
        let steps = try Pattern(#"^\d+\. `([\w+/]+\.swift)`: "#).all(in: walk).map { $0[1] }
        #expect(steps.count >= 4)
        for step in steps { #expect(names.contains(step), "“\(heading)” names \(step), which \(request) does not enter") }
    }

    /// What comments name, too: a file that was renamed is looked for in vain.
    @Test func whatCommentsNameIsThere() throws {
        let comment = try Pattern(#"//.*$"#), file = try Pattern(#"\b([A-Z][\w+]*\.(?:swift|md|c))\b"#)
        let names = Set(Repository.files.map { ($0 as NSString).lastPathComponent })
        for path in Repository.files where ["Sources", "Module", "Examples", "Tests", "Window"].contains(path.prefix { $0 != "/" }) && ["swift", "c", "h"].contains((path as NSString).pathExtension) {
            for comment in try comment.all(in: Repository.text(path)) {
                for word in file.all(in: comment[0]) where !names.contains(word[1]) { Issue.record("\(path) names “\(word[1])”, which is not there") }
            }
        }
    }
}
