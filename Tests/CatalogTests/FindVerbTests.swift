import Foundation
import MountTesting
import Testing

/// `valise find`, as people and scripts call it.
@Suite(.waiting) struct FindVerbTests {
    private func cache(_ container: TemporaryContainer) -> [String: String] { ["XDG_CACHE_HOME": container.beside("cache")] }

    @Test func answersAreForPeopleAndPrograms() throws {
        let container = try TemporaryContainer("bookmark Swift https://swift.org\ntext Notes 'milk and eggs'\nfile \"odd\\nname\" x")
        try shell("printf y > \"$1\"/$'odd \\xff'", container.path).good()
        func find(_ words: String...) throws -> Ended { try Program([Places.valise, "find"] + words, environment: cache(container)).wait() }
        #expect(try find("milk", container.path).good().lines == [container.stored("Notes.stedoc")])
        #expect(try find("name BEGINSWITH 'odd'", "--sort", "name", container.path).good().lines == [container.stored("odd\\nname"), container.stored("odd \u{FFFD}")])
        let zero = Program.bytes(of: try Program([Places.valise, "find", "-0", "--sort=-name", "name BEGINSWITH 'odd'", container.path], environment: cache(container)))
        #expect(zero == Data((container.stored("odd ")).utf8) + [0xFF, 0] + Data((container.stored("odd\nname") + "\0").utf8))
        let json = try find("--json", "kind == 'bookmark'", container.path).good()
        let object = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect(object["name"] as? String == "Swift.url" && object["url"] as? String == "https://swift.org" && object["kind"] as? String == "bookmark")
        #expect(try find("nothing at all", container.path).good().output.isEmpty)
        // The container is as it was.
        #expect(!FileManager.default.fileExists(atPath: container.stored(".valise")))
        let mode = try FileManager.default.attributesOfItem(atPath: container.beside("cache/valise"))[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test func mistakesHaveACaret() throws {
        let container = try TemporaryContainer("text Notes one")
        let ended = try run(Places.valise, "find", "name LIEK 'x'", container.path, environment: cache(container))
        #expect(ended.code == 2 && ended.output.isEmpty)
        #expect(ended.errors == "valise: “LIEK” is not understood: here comes an operator; did you mean LIKE?\n  name LIEK 'x'\n       ^\n")
        for words in [["--scope", "none", "x"], ["--sort", "path", "x"], ["--limit", "-1", "x"], ["--limit", "many", "x"], ["(x"]] {
            #expect(try Program([Places.valise, "find"] + words + [container.path], environment: cache(container)).wait().code == 2, "\(words)")
        }
        #expect(try run(Places.valise, "find", "x", container.stored("none"), environment: cache(container)).code == 1)
    }

    @Test func whatLiesTooDeepIsTold() throws {
        let container = try TemporaryContainer("text Notes one")
        try FileManager.default.createDirectory(atPath: container.stored(Array(repeating: "d", count: 260).joined(separator: "/")), withIntermediateDirectories: true)
        let ended = try run(Places.valise, "find", "TRUEPREDICATE", container.path, environment: cache(container)).good()
        #expect(ended.lines == [container.stored("Notes.stedoc")])
        #expect(ended.errors.contains("Folders that lie in more than 256 others were not looked into."))
    }

    @Test func aClosedPipeEndsItQuietly() throws {
        let container = try TemporaryContainer("texts 600 a")
        let ended = try shell("\"$1\" find TRUEPREDICATE \"$2\" | head -n 1; echo ${PIPESTATUS[0]}", Places.valise, container.path, environment: cache(container)).good()
        #expect(ended.lines.count == 2 && ["0", "141"].contains(ended.lines.last) && ended.errors.isEmpty)
        // And the catalog is whole.
        #expect(try run(Places.valise, "find", "TRUEPREDICATE", container.path, environment: cache(container)).good().lines.count == 600)
    }

    /// Also to a user who may have no notices, or no watches.
    @Test(arguments: [nil, "max_inotify_instances", "max_inotify_watches"]) func changesAreTold(limit: String?) throws {
        let container = try TemporaryContainer("text Notes one\nphoto Cat png")
        let words = [Places.valise, "find", "--live", "kind == 'text'", container.path]
        let program = try Program(Program.limited(by: limit, words), environment: cache(container))
        defer { program.end() }
        #expect(eventually { program.output == "+ \(container.stored("Notes.stedoc"))\n= 1\n" })
        try container.add("text Second two")
        #expect(eventually { program.output.contains("+ \(container.stored("Second.stedoc"))\n") })
        unlink(container.stored("Notes.stedoc"))
        // What was written into the second one a moment after it came may be told after this.
        #expect(eventually { program.output.contains("- \(container.stored("Notes.stedoc"))\n") })
        kill(program.process, SIGINT)
        #expect(try program.wait().code == 0)
    }

    /// There may be nothing to write for days. Also of a drive that answers.
    @Test(arguments: [false, true]) func itEndsWithItsReader(onDrive: Bool) throws {
        let container = try TemporaryContainer("text Notes one")
        func check(_ place: String) throws {
            let line = "\"$1\" find --live \"kind == 'text'\" \"$2\" | sed '/^=/q'; echo ${PIPESTATUS[0]}"
            #expect(try shell(line, Places.valise, place, environment: cache(container)).good().lines.suffix(2) == ["= 1", "0"])
        }
        if onDrive { try withDrive(container) { drive in try check(drive.mountpoint) } } else { try check(container.path) }
    }

    /// Also while it reads what is there.
    @Test func itEndsWhenItIsToldTo() throws {
        let container = try TemporaryContainer("folder Many")
        for number in 0..<5000 { #expect(FileManager.default.createFile(atPath: container.stored("Many/\(number)"), contents: nil)) }
        let program = try Program([Places.valise, "find", "--live", "TRUEPREDICATE", container.path], environment: cache(container))
        defer { program.end() }
        #expect(eventually { program.output.contains("+ ") })
        kill(program.process, SIGINT)
        let ended = try program.wait()
        #expect(ended.code == 0 && ended.errors.isEmpty && ended.output.hasSuffix("\n"))
    }
}

/// The same on a drive, whose names count.
@Suite(.mounting) struct FindOnDriveTests {
    @Test func pathsAreThoseOnTheDrive() throws {
        let container = try TemporaryContainer(
            "bookmark Swift https://a.org stored=Bookmark_Swift-1772355901.000000\nbookmark Swift https://b.org stored=Bookmark_Swift-1772355902.000000\nphoto Sub/Cat png\nfile notes.md x")
        let cache = ["XDG_CACHE_HOME": container.beside("cache")]
        func find(_ words: String...) throws -> [String] { try Program([Places.valise, "find"] + words, environment: cache).wait().good().lines.sorted() }
        try withDrive(container, options: "link=webloc") { drive in
            let names = ["Sub/Cat.png", "Swift 1.webloc", "Swift.webloc", "notes.md"].map { drive.path($0) }
            #expect(try find("TRUEPREDICATE", drive.mountpoint) == names)
            // Who names the container means the drive that shows it.
            #expect(try find("TRUEPREDICATE", container.path) == names)
            #expect(try find("TRUEPREDICATE", drive.path("Sub")) == [drive.path("Sub/Cat.png")])
            #expect(try find("url CONTAINS 'b.org'", drive.mountpoint) == [drive.path("Swift 1.webloc")])
            // It keeps its name on the drive, which a new listing would call otherwise.
            try FileManager.default.removeItem(atPath: drive.path("Swift.webloc"))
            #expect(try find("url CONTAINS 'b.org'", drive.mountpoint) == [drive.path("Swift 1.webloc")])
        }
    }

    /// The drive's process tells what changes, by the names that the drive has.
    @Test func changesAreToldByTheDrive() throws {
        let container = try TemporaryContainer("text Notes one\nphoto Sub/Cat png\ntext Other two")
        let cache = ["XDG_CACHE_HOME": container.beside("cache")]
        try withDrive(container) { drive in
            let programs = try (0..<40).map { number in
                try Program([Places.valise, "find", "--live", number == 0 ? "kind == 'text'" : "name == 'Renamed \(number).txt'", drive.mountpoint], environment: cache)
            }
            defer { for program in programs { program.end() } }
            let first = programs[0]
            #expect(eventually { first.output.hasSuffix("= 2\n") })
            #expect(first.output.split(separator: "\n").sorted() == ["+ \(drive.path("Notes.txt"))", "+ \(drive.path("Other.txt"))", "= 2"])
            for program in programs.dropFirst() { #expect(eventually { program.output == "= 0\n" }) }
            rename(drive.path("Notes.txt"), drive.path("Renamed 1.txt"))
            #expect(eventually { first.output.contains("- \(drive.path("Notes.txt"))\n+ \(drive.path("Renamed 1.txt"))\n") })
            #expect(eventually { programs[1].output == "= 0\n+ \(drive.path("Renamed 1.txt"))\n" })
            // Also what others do in the container.
            rename(container.stored("Renamed 1.stedoc"), container.stored("Renamed 39.stedoc"))
            #expect(eventually { programs[39].output == "= 0\n+ \(drive.path("Renamed 39.txt"))\n" })
            #expect(eventually { programs[1].output.hasSuffix("- \(drive.path("Renamed 1.txt"))\n") })
            // None of them had a catalog of its own.
            #expect(!FileManager.default.fileExists(atPath: container.beside("cache/valise")))
            for program in programs.dropFirst(2) { kill(program.process, SIGKILL) }
            kill(first.process, SIGINT)
            #expect(try first.wait().code == 0)
            // Nobody is told any more who does not hear it.
            try "x".write(toFile: drive.path("Renamed 2.txt"), atomically: false, encoding: .utf8)
            kill(programs[1].process, SIGTERM)
            #expect(try programs[1].wait().code == 0)
            #expect(try eventually { try run("cat", drive.path(".valise/status")).good().output.contains("\"searches\":0") })
        }
    }

    /// A conflict that comes and goes beside a document changes nothing in it, and is told all the same: of who decides on the drive, in the container,
    /// and of what a sync tool lays beside it.
    @Test(arguments: [true, false]) func conflictsAreTold(onDrive: Bool) throws {
        let container = try TemporaryContainer("text Notes one\ntext Synced one\nphoto Cat png")
        let cache = ["XDG_CACHE_HOME": container.beside("cache")]
        func inConflict(_ drive: MountedDrive) throws {
            // What an app wrote meanwhile is newer, and stays: the other side is beside it.
            try run("python3", "-c", """
                import os, sys, time
                file = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
                os.write(file, b" and two")
                time.sleep(0.1)
                with open(sys.argv[2], "w") as other: other.write("other")
                os.close(file)
                """, drive.path("Notes.txt"), container.stored("Notes.stedoc")).good()
        }
        func follow(_ place: String, _ path: (String) -> String, _ begin: () throws -> Void) throws {
            let programs = try ["conflict == TRUE", "TRUEPREDICATE"].map { try Program([Places.valise, "find", "--live", $0, place], environment: cache) }
            defer { for program in programs { program.end() } }
            let (conflicts, all) = (programs[0], programs[1])
            // What was said of it last: a copy that is still written is told of more than once.
            func isFound(_ path: String) -> Bool { conflicts.output.split(separator: "\n").last { $0.hasSuffix(" " + path) }.map { !$0.hasPrefix("-") } ?? false }
            func wasFound(_ path: String) -> Bool { conflicts.output.contains(" \(path)\n") && !isFound(path) }
            #expect(eventually { all.output.hasSuffix("= 3\n") && conflicts.output.contains("= ") })
            try begin()
            #expect(eventually { isFound(path("Notes")) }, "\(conflicts.output)")
            // Later than what was written a moment ago is looked at once more.
            usleep(2_500_000)
            let before = all.output.count
            try run(Places.valise, "resolve", "--current", path("Notes")).good()
            #expect(eventually { wasFound(path("Notes")) }, "\(conflicts.output)")
            #expect(eventually { all.output.dropFirst(before).contains("~ \(path("Notes"))\n") }, "\(all.output.dropFirst(before))")
            #expect(try run(Places.valise, "conflicts", place).good().output == "")
            // What is a document's own is as it was.
            #expect(try shell("getfattr -d \"$1\" 2>&1 | grep -v valise.saved | grep -c user.", container.stored("Notes.stedoc")).output == "0\n")

            try shell("cp Synced.stedoc Synced.sync-conflict-20261121-232733-ABCDEFG.stedoc && printf theirs >>Synced.sync-conflict-20261121-232733-ABCDEFG.stedoc", in: container.path).good()
            #expect(eventually { isFound(path("Synced")) }, "\(conflicts.output)")
            try run(Places.valise, "resolve", "--current", path("Synced")).good()
            #expect(eventually { wasFound(path("Synced")) }, "\(conflicts.output)")
            try shell("cp -r Cat.ptk ../whole.ptk && mv ../whole.ptk 'Cat (conflicted copy 2026-11-21 232733).ptk'", in: container.path).good()
            #expect(eventually { isFound(onDrive ? place + "/Cat.png" : container.stored("Cat.ptk")) }, "\(conflicts.output)")
        }
        try withDrive(container) { drive in
            if onDrive { try follow(drive.mountpoint, { drive.path($0 + ".txt") }) { try inConflict(drive) } } else { try inConflict(drive) }
        }
        if !onDrive { try follow(container.path, { container.stored($0 + ".stedoc") }) {} }
    }

    /// Who hears nothing more, because the drive has ended, is told that.
    @Test func theEndOfTheDriveIsTold() throws {
        let container = try TemporaryContainer("text Notes one")
        let cache = ["XDG_CACHE_HOME": container.beside("cache")]
        var program: Program?
        try withDrive(container) { drive in
            program = try Program([Places.valise, "find", "--live", "kind == 'text'", drive.mountpoint], environment: cache)
            #expect(eventually { program?.output.hasSuffix("= 1\n") == true })
        }
        let ended = try #require(try program?.wait())
        #expect(ended.code == 1 && ended.errors.contains("the drive has ended meanwhile"))
    }

    /// More than is sorted in memory: the drive may write nowhere but beside its container's documents.
    @Test func manyAreSortedByTheDrive() throws {
        let container = try TemporaryContainer("folder Many"), names = (0..<6000).map { "\(100_000 - $0) \(String(repeating: "y", count: 200))" }
        for name in names { #expect(FileManager.default.createFile(atPath: container.stored("Many/\(name)"), contents: nil)) }
        try withDrive(container) { drive in
            let found = try Program([Places.valise, "find", "--sort", "name", "name ENDSWITH 'y'", drive.mountpoint], environment: ["XDG_CACHE_HOME": container.beside("cache")]).wait().good()
            #expect(found.lines == names.sorted().map { drive.path("Many/\($0)") })
            #expect(!FileManager.default.fileExists(atPath: container.beside("cache/valise")))
            let page = try run("cat", drive.path(".valise/status")).good().output
            #expect(page.contains("\"inMemory\":false") && !page.contains("made anew"))
        }
    }

    /// A catalog names what is in a folder as a listing does, whatever collides.
    @Test func namesAreThoseOfAListing() throws {
        var lines = ["file Swift.url plain", "folder 'Cat.png'"]
        for index in 0..<6 { lines.append("bookmark Swift https://\(index).org stored=Bookmark_Swift-177235590\(9 - index).000000") }
        lines += ["bookmark 'Swift 1' https://x.org", "bookmark a/b https://y.org", "photo Cat png", "text Notes x", "file Notes.txt y", "file 'Notes 1.txt' z"]
        let container = try TemporaryContainer(lines.joined(separator: "\n"))
        let found = try run(Places.valise, "find", "--json", "TRUEPREDICATE", container.path, environment: ["XDG_CACHE_HOME": container.beside("cache")]).good()
        let names = try found.lines.map { line in try #require((JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["name"] as? String) }
        try withDrive(container) { drive in
            let listed = try FileManager.default.contentsOfDirectory(atPath: drive.mountpoint).filter { $0 != "Cat.png" || names.contains($0) }
            #expect(names.sorted() == listed.sorted())
        }
    }
}

extension Program {
    fileprivate static func bytes(of program: Program) -> Data {
        _ = try? program.wait()
        return program.outputBytes
    }
}
