import Foundation
import MountTesting
import SeededNumbers
import Testing

/// Searches where something is in their way, and results that are hard to write down.
@Suite(.long) struct HardSearchTests {
    private func find(_ words: [String], _ container: TemporaryContainer) throws -> Program {
        try Program([Places.valise, "find"] + words + [container.path], environment: ["XDG_CACHE_HOME": container.beside("cache")])
    }

    /// Names of every kind come as they are, and programs of others understand them.
    @Test func namesOfEveryKind() throws {
        let container = try TemporaryContainer("text 'Café' x\nbookmark 'a \"b\" \\\\ c' https://example.org/%20?a=b&c=\"d\"")
        var names: [[UInt8]] = [
            "-n", "--json", "a b", " begin", "end ", "*", "?", "[a]", "'", "\"", "\\", "`x`", "$HOME", "$(x)", "a\tb", "a\nb", "a\rb", "\u{1}\u{1B}[31m", "\u{7F}", "日本語", "e\u{301}", "é",
            "👩‍👩‍👧", "\u{202E}txt.exe", "\u{FFFD}", "\u{FEFF}x", "%00", "&amp;", "{\"path\": 1}", "a.url", "Notes.txt", "#", ";", "|", "~", "...", String(repeating: "x", count: 255), String(repeating: "ü", count: 127),
        ].map { Array($0.utf8) }
        names += [[0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80, 0x0A, 0x22, 0x5C]]
        for name in names {
            let path = (Array(container.path.utf8) + [0x2F] + name).map { CChar(bitPattern: $0) } + [0]
            let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
            try #require(file >= 0, "\(name)")
            close(file)
        }
        let there = try Self.sorted(Program(["find", container.path, "-type", "f", "-print0"]))
        #expect(there.count == names.count + 2)
        #expect(try Self.sorted(find(["-0", "hidden IN {TRUE, FALSE}"], container)) == there)
        // JSON by Python's reader: a path that is no text has its bytes beside it.
        let json = try find(["--json", "hidden IN {TRUE, FALSE}"], container)
        #expect(try json.wait().code == 0)
        let script = """
            import json, sys
            for line in sys.stdin.buffer:
                found = json.loads(line)
                sys.stdout.buffer.write((bytes.fromhex(found["bytes"]) if "bytes" in found else found["path"].encode()) + b"\\0")
            """
        #expect(try Self.sorted(Program(["python3", "-c", script], input: json.outputBytes)) == there)
        // For people: one line each, and no sign that a terminal would obey.
        let lines = try find(["hidden IN {TRUE, FALSE}"], container).wait().good().output
        #expect(lines.split(separator: "\n").count == there.count)
        #expect(lines.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0x202E })
    }

    private static func sorted(_ program: Program) throws -> [Data] {
        let ended = try program.wait()
        #expect(ended.code == 0 && ended.errors.isEmpty, "\(ended.errors)")
        return program.outputBytes.split(separator: 0).map { Data($0) }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Who reads the answer has seen enough: it ends by the signal that other tools end by, says nothing, and looks at no more items.
    @Test(arguments: [["TRUEPREDICATE"], ["--json", "TRUEPREDICATE"], ["-0", "kind == 'text'"], ["--sort", "size", "TRUEPREDICATE"]])
    func nobodyReadsTheRest(_ words: [String]) throws {
        let container = try TemporaryContainer("texts 6000 a")
        #expect(try find(["FALSEPREDICATE"], container).wait().good().output.isEmpty)
        let trace = container.beside("trace")
        let line = "strace -f -o \"$1\" -e trace=newfstatat,statx \"${@:2}\" | head -c 40; exit ${PIPESTATUS[0]}"
        let ended = try Program(["bash", "-c", line, "bash", trace, Places.valise, "find"] + words + [container.path], environment: ["XDG_CACHE_HOME": container.beside("cache")]).wait()
        #expect(ended.code == 141 && ended.errors.isEmpty, "\(ended.code) \(ended.errors)")
        let looks = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n").count { $0.contains(".stedoc\"") }
        // Those that a pipe holds, or, where they are sorted, all of them once.
        #expect(looks < (words[0] == "--sort" ? 7000 : 3000), "\(looks)")
    }

    /// The catalog is taken away, cut or replaced again and again while several search.
    @Test func theCatalogIsTakenAway() throws {
        let container = try TemporaryContainer("texts 900 a\nfolder Sub\ntexts 300 Sub/b\nbookmark Swift https://swift.org")
        let cache = container.beside("cache/valise")
        var numbers = SeededNumbers(seed: 4)
        for round in 0..<12 {
            let programs = try ["TRUEPREDICATE", "name BEGINSWITH 'b'", "swift"].map { try find([$0], container) }
            for _ in 0..<4 {
                let files = ((try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []).sorted()
                let file = cache + "/" + (files.randomElement(using: &numbers) ?? "none")
                switch Int.random(in: 0..<5, using: &numbers) {
                case 0: try? FileManager.default.removeItem(atPath: cache)
                case 1, 2: try? FileManager.default.removeItem(atPath: file)
                case 3: truncate(file, off_t(Int.random(in: 0..<100_000, using: &numbers)))
                default:
                    try? FileManager.default.removeItem(atPath: file)
                    symlink("/dev/full", file)
                }
                usleep(UInt32.random(in: 0...40_000, using: &numbers))
            }
            for (program, count) in zip(programs, [1201, 300, 1]) {
                let ended = try program.wait()
                #expect(ended.code == 0 && ended.errors.isEmpty, "round \(round): \(ended)")
                #expect(Set(ended.lines).count == count && ended.lines.count == count, "round \(round)")
            }
        }
    }

    /// There is no room for a catalog, or not for all of it.
    @Test(.enabled(if: geteuid() == 0, "only root may mount a disk of that size"), arguments: [4, 100, 400, 1000])
    func theDiskIsFull(_ kilobytes: Int) throws {
        let container = try TemporaryContainer("texts 2500 a")
        let disk = container.beside("disk")
        mkdir(disk, 0o755)
        for predicate in ["TRUEPREDICATE", "name CONTAINS '.txt'", "name BEGINSWITH 'a'"] {
            let line = "mount -t tmpfs -o size=$1k none \"$2\" && XDG_CACHE_HOME=$2 exec \"$3\" find \"$4\" \"$5\""
            let ended = try Program(["unshare", "-m", "bash", "-c", line, "bash", "\(kilobytes)", disk, Places.valise, predicate, container.path]).wait()
            #expect(ended.code == 0 && ended.errors.isEmpty && ended.lines.count == 2500, "\(predicate): \(ended.code) \(ended.errors) \(ended.lines.count)")
        }
    }
}
