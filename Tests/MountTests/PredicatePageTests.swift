import Foundation
import MountTesting
import Testing

/// Each example of searches in the manual page, typed as it stands there, and what it finds.
@Suite(.mounting) struct PredicatePageTests {
    private static let description = """
        bookmark Swift https://www.swift.org/
        bookmark 'Swift forums' https://forums.swift.org/c/development
        bookmark Swiss https://www.swiss.example/
        text Shopping 'my shopping list: Milk, eggs'
        text 'Café' 'coffee'
        text Both 'one'
        text Old/Letter 'long ago'
        photo IMG_0001 jpeg size=3000000
        photo Img_0002 png size=900
        photo Dark png size=900 stored=Dark.ptk
        file notes.md 'no milk'
        file .later.txt.icloud x
        """

    /// What each finds, by the end of its line. Those that find the same are one row.
    private static let expected: [(examples: [String], found: [String])] = [
        (["swift", "name BEGINSWITH 'Swift'", "url CONTAINS 'swift.org'"], ["Swift forums.url", "Swift.url"]),
        (["swift forums"], ["Swift forums.url"]),
        (["\"shopping list\" milk", "text CONTAINS[c] 'milk'"], ["Shopping.txt"]),
        (["name == 'Swift.url'"], ["Swift.url"]),
        (["name LIKE '*.jpg' OR name LIKE '*.png'"], ["Dark.png", "IMG_0001.jpg", "Img_0002.png"]),
        (["*.jpg", "name LIKE[c] 'img_????.jpg'", "kind == 'photo' AND size > 2 MB"], ["IMG_0001.jpg"]),
        (["name CONTAINS[cd] 'cafe'"], ["Café.txt"]),
        (["size BETWEEN {1 kB, 1 MB}"], []),
        (["changed > now - 7d"], all.filter { $0 != "Old/Letter.txt" }),
        (["changed < 2025-01-01"], ["Old/Letter.txt"]),
        (["created >= '2026-03-01T09:00:00Z'"], all),
        (["url MATCHES 'https?://[^/]*/'"], ["Swift.url", "Swiss.url"]),
        (["kind IN {'text', 'photo'} AND NOT path BEGINSWITH 'Old/'"], ["Both.txt", "Café.txt", "Dark.png", "IMG_0001.jpg", "Img_0002.png", "Shopping.txt"]),
        (["conflict == TRUE"], ["Both.txt"]),
        (["hidden == TRUE AND name ENDSWITH '.icloud'"], [".later.txt.icloud"]),
        (["kMDItemFSName LIKE '*.stedoc'"], ["Both.txt", "Café.txt", "Old/Letter.txt", "Shopping.txt"]),
    ]
    private static let all = [
        "Both.txt", "Café.txt", "Dark.png", "IMG_0001.jpg", "Img_0002.png", "Old/Letter.txt", "Shopping.txt", "Swift forums.url", "Swift.url", "Swiss.url", "notes.md",
    ]

    private static func examples() throws -> [String] {
        let page = try String(contentsOfFile: Places.inPackage("docs/valise.1"), encoding: .utf8)
        let section = try #require(page.components(separatedBy: ".SH PREDICATES\n").last?.components(separatedBy: ".SH ").first)
        return try #require(section.components(separatedBy: ".EX\n").last?.components(separatedBy: ".EE\n").first).split(separator: "\n").map { line in
            let text = line.replacing("\\-", with: "-")
            // Behind two blanks, or behind the quote where the line is long, somebody explains it.
            let end = text.range(of: "  ")?.lowerBound ?? text.range(of: "\" by ").map { text.index(after: $0.lowerBound) } ?? text.endIndex
            return String(text[..<end])
        }
    }

    @Test func examplesFindWhatTheySay() throws {
        let container = try TemporaryContainer(Self.description), home = try TemporaryFolder()
        try shell("touch -d 2020-01-01 Old/Letter.stedoc", in: container.path).good()
        symlink(container.path, home.path + "/Container")
        symlink(container.mountpoint, home.path + "/Drive")
        symlink(Places.valise, home.path + "/valise")
        let environment = ["HOME": home.path, "XDG_CACHE_HOME": container.beside("cache"), "PATH": home.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")]
        try withDrive(container) { drive in
            // Two sides change a document.
            let both = "import sys; f = open(sys.argv[1], 'w'); open(sys.argv[2], 'w').write('theirs\\n'); f.write('mine\\n')"
            try run("python3", "-c", both, drive.path("Both.txt"), container.stored("Both.stedoc")).good()
            let examples = try Self.examples()
            #expect(examples.count >= 20)
            var known: Set<String> = []
            for example in examples {
                // Other tests have drives too.
                var parts = example.split(separator: " | ", maxSplits: 1).map(String.init)
                if !parts[0].contains("~/") { parts[0] += " ~/Drive" }
                let line = parts.joined(separator: " | ")
                if example.contains("--live") {
                    try live(line, environment, drive)
                    continue
                }
                let ended = try shell(line, environment: environment).good()
                if let row = Self.expected.firstIndex(where: { $0.examples.contains { example.contains("find \"\($0)\"") || example.contains("find '\($0)'") || example == "valise find \($0)" } }) {
                    #expect(ended.lines.map { $0.replacing(drive.mountpoint + "/", with: "") }.sorted() == Self.expected[row].found, "\(example)")
                    known.formUnion(Self.expected[row].examples)
                } else if example.contains("--sort -size,name --limit 10") {
                    let names = ended.lines.map { $0.replacing(drive.mountpoint + "/", with: "") }
                    #expect(names.count == 10 && names.first == "IMG_0001.jpg", "\(names)")
                    #expect(Array(names[1...2]) == ["Dark.png", "Img_0002.png"], "\(names)")
                } else if example.contains("wc -l") {
                    #expect(ended.lines.last?.hasSuffix("total") == true && ended.lines.count == 5, "\(ended.lines)")
                } else {
                    Issue.record("nobody knows what this finds: \(example)")
                }
            }
            for row in Self.expected { for example in row.examples { #expect(known.contains(example), "not in the page: \(example)") } }
        }
    }

    private func live(_ line: String, _ environment: [String: String], _ drive: MountedDrive) throws {
        let program = try Program(["bash", "-c", "exec " + line], environment: environment)
        defer { program.end() }
        #expect(eventually { program.output.contains("\"gathered\"") }, "\(line)")
        #expect(program.output.split(separator: "\n").count == 4)
        kill(program.process, SIGINT)
        #expect(try program.wait().code == 0)
    }
}
