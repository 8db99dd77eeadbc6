import Foundation
import LinuxFiles
import MountTesting
import Testing

/// Every lock, lane, queue and thread of the sources is in the tables of docs/ARCHITECTURE.md, and every row there is in the sources.
@Suite struct LockTableTests {
    /// A lock, by its file and name.
    private struct Lock: Hashable, CustomStringConvertible {
        let file: String
        let name: String
        var description: String { "\(file) \(name)" }
    }

    /// A lock less is worth more than a lock with a row.
    private static let most = 77

    private let page: Page
    private let sources: [String]

    init() throws {
        page = try Page.architecture()
        sources = Repository.swiftFiles(in: "Sources")
    }

    /// The file that a cell names, by its path.
    private func path(_ name: String) throws -> String {
        let meant = Repository.file(called: name)
        guard meant.count == 1 else { throw Failed("“\(name)” in docs/ARCHITECTURE.md is \(meant.isEmpty ? "no file" : meant.joined(separator: " and "))") }
        return meant[0]
    }

    private func paths(_ cell: String) throws -> Set<String> {
        try Set(Page.quoted(cell).filter { $0.contains(".") && !$0.hasPrefix("valise.") }.map(path))
    }

    private func lock(_ cell: String) throws -> Lock {
        let words = Page.quoted(cell)
        guard words.count == 2 else { throw Failed("“\(cell)” names no lock") }
        return Lock(file: try path(words[0]), name: words[1])
    }

    // MARK: Locks

    /// The locks of the sources, each with its rank.
    private func declared() throws -> [Lock: String] {
        let declaration = try Pattern(#"\b(?:let|var) (\w+)(?:: Locked<| *= *Locked *[<(])(.*)$"#), making = try Pattern(#"\bLocked(?:<.*?>)?\("#)
        let rank = try Pattern(#", \.(\w+)\)\s*$"#)
        var found: [Lock: String] = [:]
        for path in sources where !path.hasSuffix("/Locks/Locked.swift") {
            let code = try Repository.code(path), declarations = declaration.all(in: code)
            for lock in declarations {
                // Where it is made: here, or in an initializer.
                let made = try making.isIn(lock[0]) ? lock[0] : Pattern(#"\b\#(lock[1]) = Locked\(.*$"#).all(in: code).first?[0] ?? ""
                found[Lock(file: path, name: lock[1])] = rank.all(in: made).first?[1] ?? "leaf"
            }
            #expect(making.all(in: code).count == declarations.count, "\(path): a lock is made that has no name here")
        }
        return found
    }

    @Test func eachLockIsInTheTables() throws {
        var written: [Lock: String] = [:]
        for row in try page.table("rank") where row[0] != "leaf" { written[try lock(row[2])] = row[0] }
        for row in try page.table("leaf") { written[try lock(row[0])] = "leaf" }
        let declared = try declared()
        #expect(declared.count > 30)
        #expect(declared.count <= Self.most, "what is new may be a value that is handed on, or one of the types that have a lock for all: see CONTRIBUTING.md")
        for (lock, rank) in declared { #expect(written[lock] == rank, "\(lock) has the rank \(rank), and in docs/ARCHITECTURE.md \(written[lock] ?? "no row")") }
        for lock in written.keys { #expect(declared[lock] != nil, "docs/ARCHITECTURE.md has \(lock), which there is not") }
    }

    @Test func theRanksAreInTheirOrder() throws {
        let rows = try page.table("rank")
        #expect(rows.map { $0[0] } == LockRank.allCases.map { "\($0)" })
        #expect(rows.map { $0[1] } == LockRank.allCases.map { $0.isTurn ? "turn" : "table" })
    }

    /// A bare mutex has no rank, and nobody would see it taken in a wrong order.
    @Test func noLockIsWithoutARank() throws {
        let bare = try Pattern(#"^.*(\bMutex\b|\bpthread_(mutex|rwlock|spin)\w*|\bos_unfair_lock|\bNS(Recursive)?Lock\b).*$"#)
        for path in sources where path != "Sources/LinuxFiles/Locks/Locked.swift" {
            for line in try bare.all(in: Repository.code(path)) { Issue.record("\(path): \(line[0])") }
        }
    }

    // MARK: Lanes

    @Test func whoClaimsLanesIsInTheTable() throws {
        let written = try page.table("kind").map { try paths($0[2]) }
        #expect(written.count == 4)
        let claiming = try files(in: sources, with: #"\bcoordinator\.(read|write|later)\("#)
        expectSame(claiming, written[1...].reduce(into: Set()) { $0.formUnion($1) })
    }

    /// What a comment says of lanes is checked on entry, and not only believed.
    @Test func whatNeedsALaneChecksIt() throws {
        let said = try Pattern(#"^ *///.*(?:\bIn (?:its|the [\w' ]+?) lanes?\b|, in the lanes of).*\n(?: *(?:///|@).*\n)*( *(?:\w+ )*func \w+)"#)
        let checked = try Pattern(#"coordinator\.check(?:Writing|Reading)\("#)
        var count = 0
        for path in sources where path.hasPrefix("Sources/Drive/") {
            let text = try Repository.text(path)
            for found in said.all(in: text) {
                count += 1
                let body = text[(try #require(text.range(of: found[1]))).lowerBound...].components(separatedBy: "\n").prefix(12).joined(separator: "\n")
                if !checked.isIn(body) { Issue.record("\(path): “\(found[1])” says which lane it needs, and does not check it") }
            }
        }
        #expect(count >= 10)
    }

    // MARK: Queues and threads

    /// The files whose code has something.
    private func files(in all: [String], with pattern: String) throws -> Set<String> {
        let pattern = try Pattern(pattern)
        return try Set(all.filter { pattern.isIn(try Repository.code($0)) })
    }

    private func expectSame(_ there: Set<String>, _ written: Set<String>, at place: SourceLocation = #_sourceLocation) {
        for name in there.subtracting(written) { Issue.record("\(name) is not in its table of docs/ARCHITECTURE.md", sourceLocation: place) }
        for name in written.subtracting(there) { Issue.record("docs/ARCHITECTURE.md has \(name), which is no such thing", sourceLocation: place) }
    }

    private var sourcesAndC: [String] { sources + Repository.files.filter { $0.hasPrefix("Module/") && $0.hasSuffix(".c") } }

    @Test func eachQueueIsInTheTable() throws {
        let label = try Pattern(#"DispatchQueue\(label: "([^"]*)"|\blabel: String = "([^"]*)""#), queue = try Pattern(#"\bDispatchQueue\((?!label: (?:"|label,)).*$"#)
        var declared: Set<Lock> = []
        for path in sources {
            let code = try Repository.code(path, quotes: true)
            for found in label.all(in: code) { declared.insert(Lock(file: path, name: found[1] + found[2])) }
            for found in queue.all(in: code) { Issue.record("\(path): a queue without a label: \(found[0])") }
        }
        let rows = try page.table("queue")
        let written = try rows.filter { $0[0].hasPrefix("`") }.map { Lock(file: try path(Page.quoted($0[1])[0]), name: Page.quoted($0[0])[0]) }
        expectSame(Set(declared.map(\.description)), Set(written.map(\.description)))
        let system = try files(in: sources, with: #"\bDispatchQueue\.(global|main|concurrentPerform)"#)
        expectSame(system, try Set(rows.filter { $0[0] == "the system's" }.flatMap { try paths($0[1]) }))
    }

    @Test func eachThreadIsInTheTable() throws {
        var written: Set = ["Sources/LinuxFiles/Threads/BackgroundThread.swift"]
        for row in try page.table("thread") { written.formUnion(try paths(row[1])) }
        let started = try files(in: sourcesAndC, with: #"\bBackgroundThread\.start|\bpthread_create\(|\bThread\(|\bTask *(?:\.detached)? *[({]"#)
        expectSame(started, written)
    }

    @Test func eachProcessIsInTheTable() throws {
        var written: Set<String> = []
        for row in try page.table("process") { written.formUnion(try paths(row[1])) }
        let started = try files(in: sourcesAndC, with: #"\b(?:fork|vfork|clone|posix_spawnp?)\("#)
        expectSame(started, written)
    }
}
