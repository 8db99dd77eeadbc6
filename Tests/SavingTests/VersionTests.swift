import Foundation
import MountTesting
import Testing

/// What documents were, on real drives: kept without a copy, and back again byte for byte.
@Suite(.mounting) struct VersionTests {
    /// In one process, a program reads a document, an app saves it ("app"), and the program writes what it has made of it.
    private static let afterAnApp = [
        "open(n).read(); app(); open(n, 'w').write('mine')",
        "f = open(n); f.read(); app(); open(n, 'w').write('mine')",
        "open(n).read(); app(); os.truncate(n, 0); open(n, 'a').write('mine')",
        "f = open(n, 'r+'); f.read(); app(); f.seek(0); f.truncate(); f.write('mine')",
        "f = open(n, 'r+'); f.read(); app(); f.truncate(0); f.seek(0); f.write('mine')",
        "f = open(n, 'r+'); f.read(); app(); f.seek(0); f.write('mine'); f.truncate()",
        "f = open(n, 'r+'); app(); f.truncate(0); f.write('mine')",
        "f = open(n, 'w'); app(); f.write('mine')",
        "open(n).read(); app(); open(n + '~', 'w').write('mine'); os.rename(n + '~', n)",
    ]

    /// Under the name that one knows it by, also while another one has that by now.
    @Test(arguments: [true, false]) func whatIsGoneIsCalledAsItWasShown(isDeletedOutside: Bool) throws {
        let container = try TemporaryContainer("bookmark Page https://one.example/\nphoto Cat png\ntext Notes one")
        try withDrive(container, options: "rw,deleted=off") { drive in
            try shell("sed -i s/one/two/ Page.url Notes.txt; truncate -s 200 Cat.png", in: drive.mountpoint).good()
            if isDeletedOutside { try shell("rm -r *", in: container.path).good() } else { try shell("rm *", in: drive.mountpoint).good() }
            #expect(try eventually { try drive.files().isEmpty })
            let gone = try run("ls", drive.path(".valise/versions")).good().lines
            #expect(gone == ["Cat.png", "Notes.txt", "Page.url"], "\(gone)")
            #expect(try shell("cat .valise/versions/Notes.txt/*; cat .valise/versions/Notes.stedoc/*", in: drive.mountpoint).good().output == "oneone")
            guard isDeletedOutside else { return }
            // Where it has its item's name, it is that one, and otherwise beside it.
            try drive.put("Page.url", Data(link("https://new.example/").utf8))
            #expect(try shell("ls .valise/versions; grep -h one.example .valise/versions/*/*.url", in: drive.mountpoint).good().lines == ["Cat.png", "Notes.txt", "Page 1.url", "URL=https://one.example/"])
        }
    }

    /// Where nobody saw what became of a folder, what was in it is found under the name that it had.
    @Test func whatWasInAFolderThatIsGoneIsFound() throws {
        let container = try TemporaryContainer("folder Trip/Rome\ntext Trip/Notes one\ntext Trip/Rome/Plan one")
        try withDrive(container, options: "rw") { drive in
            for name in ["Trip/Notes.txt", "Trip/Rome/Plan.txt"] { try drive.put(name, "two") }
        }
        try shell("mv Trip Journey", in: container.path).good()
        try withDrive(container) { drive in
            let seen = try shell("cd .valise/versions; ls . Trip Trip/Rome; cat Trip/Notes.txt/* Trip/Rome/Plan.txt/*", in: drive.mountpoint).good()
            #expect(seen.output == ".:\nTrip\n\nTrip:\nNotes.txt\nRome\n\nTrip/Rome:\nPlan.txt\noneone", "\(seen)")
        }
    }

    /// The versions of what is in a folder go along with it, also where it is not the drive that renames it.
    @Test(arguments: [true, false]) func versionsFollowAFolder(isLookedAt: Bool) throws {
        let container = try TemporaryContainer("folder Trip/Rome\ntext Trip/Notes one\ntext Trip/Rome/Plan one")
        try withDrive(container, options: "rw") { drive in
            for name in ["Trip/Notes.txt", "Trip/Rome/Plan.txt"] { try drive.put(name, "two") }
            if isLookedAt { try shell("ls -lR . >/dev/null", in: drive.mountpoint).good() }
            try shell("mv Trip Journey", in: container.path).good()
            #expect(eventually { access(drive.path("Journey/Notes.txt"), F_OK) == 0 })
            let seen = try shell("cat .valise/versions/Journey/Notes.txt/* .valise/versions/Journey/Rome/Plan.txt/*; ls .valise/versions", in: drive.mountpoint).good()
            #expect(seen.output == "oneoneJourney\n", "\(seen)")
        }
    }

    /// Nor are they left behind where something else than the drive moves it into another folder, and on from there.
    @Test(arguments: ["mv Notes.stedoc Trip Other", "mv Notes.stedoc Other; mv Other/Notes.stedoc Trip/Rome; mv Trip/Rome .", "mv Trip Other; mv Notes.stedoc Other/Trip", "mv Trip Journey; mv Notes.stedoc Journey"])
    func versionsFollowIntoAnotherFolder(line: String) throws {
        let container = try TemporaryContainer("folder Trip/Rome\nfolder Other\ntext Notes one\ntext Trip/Plan one")
        try withDrive(container, options: "rw") { drive in
            for name in ["Notes.txt", "Trip/Plan.txt"] { try drive.put(name, "two") }
            try shell("ls -lR . >/dev/null", in: drive.mountpoint).good()
            try shell(line + "; true", in: container.path)
            for name in ["Notes", "Plan"] {
                let place = try run("find", container.path, "-path", container.path + "/.valise", "-prune", "-o", "-name", name + ".stedoc", "-printf", "%P").good().output.replacing(".stedoc", with: ".txt")
                try #require(place.contains("/") || name == "Plan")
                #expect(eventually { (try? shell("cat .valise/versions/\"$1\"/*", place, in: drive.mountpoint).output) == "one" }, "\(place)")
            }
            #expect(try shell("find .valise/versions -type f | wc -l", in: drive.mountpoint).output == "2\n")
        }
    }

    /// Nor where somebody sees that the folder has gone before the drive has looked where it is, and something comes into it just then.
    @Test func versionsFollowIntoAFolderThatIsOnItsWay() throws {
        let container = try TemporaryContainer("folder Trip\nfolder Other\ntext Notes one")
        try withDrive(container, options: "rw") { drive in
            try drive.put("Notes.txt", "two")
            try shell("ls -lR . >/dev/null", in: drive.mountpoint).good()
            #expect(rename(container.stored("Trip"), container.stored("Other/Trip")) == 0)
            #expect(access(drive.path("nothing"), F_OK) == -1)
            #expect(rename(container.stored("Notes.stedoc"), container.stored("Other/Trip/Notes.stedoc")) == 0)
            #expect(eventually { (try? shell("cat .valise/versions/Other/Trip/Notes.txt/*", in: drive.mountpoint).output) == "one" })
            #expect(try shell("find .valise/versions -type f | wc -l", in: drive.mountpoint).output == "1\n")
        }
    }

    /// Whether the drive has noticed the app's save by then or not.
    @Test(arguments: afterAnApp, [false, true]) func whatAnAppSavedMeanwhileIsAConflict(program: String, isNoticed: Bool) throws {
        let container = try TemporaryContainer("text Notes old")
        try withDrive(container) { drive in
            let app = "def app():\n  s = sys.argv[1]; open(s + '~', 'w').write('of the app'); os.rename(s + '~', s)\n"
            // Of what is open for writing, the drive goes on showing what that is.
            let seen = program.contains("'r+'") || program.hasPrefix("f = open(n, 'w')") ? "time.sleep(0.3)" : "while os.stat(n).st_size != 10: time.sleep(0.01)"
            let wait = isNoticed ? "  \(seen)\n" : ""
            try run("python3", "-c", "import os, sys, time\nn = 'Notes.txt'\n" + app + wait + program, container.stored("Notes.stedoc"), in: drive.mountpoint).good()
            eventually { (try? drive.text("Notes.txt")) == "mine" }
            #expect(try drive.text("Notes.txt") == "mine")
            let conflicts = try valise("conflicts", drive.mountpoint).good().lines
            #expect(conflicts.count { $0.hasSuffix("conflict") } == 1, "\(conflicts)")
            #expect(try shell("cat .valise/versions/Notes.txt/*conflict.txt", in: drive.mountpoint).good().output == "of the app")
        }
    }

    /// What it has read through what it has open, and an app has written anew in the same file since.
    private static let afterAnAppInPlace = [
        ("f = open(n, 'r+'); f.read(); app(); f.seek(0); f.write('mine'); f.truncate()", "mine"),
        ("f = open(n, 'r+'); f.read(); app(); f.seek(0, 2); f.write('mine')", "oldmine"),
        ("f = open(n, 'r+b', 0); f.read(); app(); os.pwrite(f.fileno(), b'X', 1)", "oXd"),
        ("f = open(n, 'r+'); f.read(); app(); os.truncate(f.fileno(), 2); f.close()", "ol"),
        ("f = open(n, 'r+b', 0); f.read(); f.write(b'er'); os.close(os.dup(f.fileno())); app(); f.write(b' mine')", "older mine"),
        // What it has seen is another one's draft, which is saved then.
        ("c = open(n, 'wb', 0); c.write(b'see'); f = open(n, 'r+b', 0); f.read(); c.close(); app(); f.write(b'n')", "seen"),
        // The one that has seen what the app wrote is another one.
        ("f = open(n, 'r+b', 0); f.read(); app(); g = open(n, 'r+b', 0); g.close(); f.write(b'er')", "older"),
    ]

    @Test(arguments: afterAnAppInPlace, [false, true]) func whatAnAppRewroteInPlaceIsAConflict(program: (line: String, result: String), isCached: Bool) throws {
        let container = try TemporaryContainer("text Notes old")
        try withDrive(container) { drive in
            // What others have read before, the kernel has.
            if isCached { #expect(try drive.text("Notes.txt") == "old") }
            let app = "def app(): open(sys.argv[1], 'w').write('of the app')\n"
            try run("python3", "-c", "import os, sys\nn = 'Notes.txt'\n" + app + program.line, container.stored("Notes.stedoc"), in: drive.mountpoint).good()
            eventually { (try? drive.text("Notes.txt")) == program.result }
            #expect(try drive.text("Notes.txt") == program.result)
            #expect(try shell("cat .valise/versions/Notes.txt/*conflict.txt", in: drive.mountpoint).good().output == "of the app")
        }
    }

    /// It only adds to what there is, or sets its time.
    @Test(arguments: [
        ("f = open(n, 'ab', 0); app(); f.write(b's')", "of the apps"),
        ("f = open(n, 'a+b', 0); app(); f.write(b's')", "of the apps"),
        ("f = open(n, 'r+b', 0); f.read(); os.utime(n, (5, 5)); f.write(b'er')", "older"),
        // It reads what the app wrote, through what it had open or opens then, whatever others have open.
        ("f = open(n, 'r+b', 0); app('new'); f.read(); f.write(b'er')", "newer"),
        ("o = open(n, 'r+b', 0); o.read(); app('new'); f = open(n, 'r+b', 0); f.read(); f.write(b'er')", "newer"),
    ]) func whatGoesOnFromTheAppsIsNone(program: (line: String, result: String)) throws {
        let container = try TemporaryContainer("text Notes old")
        try withDrive(container) { drive in
            let app = "def app(text='of the app'): open(sys.argv[1], 'w').write(text)\n"
            try run("python3", "-c", "import os, sys, time\nn = 'Notes.txt'\n" + app + program.line, container.stored("Notes.stedoc"), in: drive.mountpoint).good()
            eventually { (try? drive.text("Notes.txt")) == program.result }
            #expect(try drive.text("Notes.txt") == program.result)
            #expect(try valise("conflicts", drive.mountpoint).good().output == "")
        }
    }

    /// What is the same is no change, and no version, whoever writes it and however: over itself, through another file, and under the item's name.
    @Test(arguments: [
        "cat Notes.txt >copy && cat copy >Notes.txt", "cp Notes.txt new && touch -d @5 new && mv new Notes.txt",
        "cat Notes.txt >copy && cat copy >Notes.stedoc", "cat Notes.txt >copy && rm Notes.txt && cat copy >Notes.txt",
        "mkdir from && cat Notes.txt >from/Notes.txt && touch -d @5 from/Notes.txt && rsync -a from/ .",
    ]) func theSameTextIsNoVersion(program: String) throws {
        let container = try TemporaryContainer("text Notes words")
        try withDrive(container) { drive in
            try shell(program, in: drive.mountpoint).good()
            let versions = try run("find", drive.path(".valise/versions"), "-type", "f").good().output
            #expect(try versions.isEmpty && drive.text("Notes.txt") == "words", "\(versions)")
        }
    }

    private static let count = 10

    /// Ten contents one after the other, and what the first version of each is called then.
    private func write(_ file: String, on drive: MountedDrive, _ contents: [Data]) throws {
        for content in contents { try drive.put(file, content) }
    }

    private func versions(of file: String, on drive: MountedDrive) throws -> [String] {
        try run("ls", drive.path(".valise/versions/" + file)).good().lines
    }

    private func content(of file: String, on drive: MountedDrive) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: drive.path(file))) }

    /// What a program has read under a name is nothing to another document that gets the name.
    @Test(arguments: [
        "echo one >a.txt; echo two >b.txt; mv a.txt b.txt; read x <b.txt; mv b.txt c.txt; echo three >b.txt",
        "echo 0 >b.txt; echo 1 >p.txt; mv p.txt b.txt; echo 2 >b.txt; mv b.txt p.txt; echo three >b.txt",
    ]) func namesThatAreUsedAgainMakeNoConflict(program: String) throws {
        let container = try TemporaryContainer()
        try withDrive(container) { drive in
            try shell(program, in: drive.mountpoint).good()
            let conflicts = try valise("conflicts", drive.mountpoint).good().output
            #expect(try drive.text("b.txt") == "three\n" && conflicts.isEmpty, "\(conflicts)")
        }
    }

    @Test(arguments: ["Page.url", "Sunset.jpg"]) func eachComesBackThroughCopying(file: String) throws {
        try restoring(file) { drive, version in
            try run("cp", drive.path(".valise/versions/\(file)/\(version)"), drive.path(file)).good()
        }
    }

    @Test(arguments: ["Page.url", "Sunset.jpg"]) func eachComesBackThroughTheCommand(file: String) throws {
        try restoring(file) { drive, version in
            let id = version.prefix { $0 != "." } + "." + version.dropFirst(version.prefix { $0 != "." }.count + 1).prefix { $0 != "." }
            try valise("restore", drive.path(file), String(id)).good()
        }
    }

    private func restoring(_ file: String, _ restore: (MountedDrive, String) throws -> Void) throws {
        let container = try TemporaryContainer("bookmark Page https://old.example/\nphoto Sunset jpeg size=20000")
        let contents = (1...Self.count).map { number in
            file.hasSuffix(".url") ? Data("; version \(number)\n[InternetShortcut]\nURL=https://example.org/\(number)\n".utf8) : image(20_000 + number, seed: UInt8(number))
        }
        try withDrive(container) { drive in
            let first = try content(of: file, on: drive)
            try write(file, on: drive, contents)
            let all = try versions(of: file, on: drive)
            #expect(all.count == Self.count)
            for (version, wanted) in zip(all, [first] + contents) {
                #expect(try content(of: ".valise/versions/\(file)/\(version)", on: drive) == wanted)
                let before = try content(of: file, on: drive)
                try restore(drive, version)
                #expect(try content(of: file, on: drive) == wanted, "\(version)")
                // What was there is a version now: it can be undone.
                let newest = try #require(try versions(of: file, on: drive).last)
                #expect(try content(of: ".valise/versions/\(file)/\(newest)", on: drive) == before)
            }
            #expect(try run("ls", drive.mountpoint).output == "Page.url\nSunset.jpg\n")
        }
        #expect(try container.staged() == [])
    }

    @Test func nothingIsCopied() throws {
        let container = try TemporaryContainer("photo Sunset jpeg size=3000000")
        func number(_ path: String) throws -> String { try run("stat", "-c", "%i %h", path).good().output }
        try withDrive(container) { drive in
            let before = try number(container.stored("Sunset.ptk/photo.data"))
            try image(10).write(to: URL(fileURLWithPath: drive.path("Sunset.jpg")))
            let kept = try run("find", container.stored(".valise/versions"), "-name", "photo.data").good().lines
            #expect(kept.count == 1)
            // The same file under another name, its only one.
            #expect(try number(kept[0]) == before)
            #expect(try number(container.stored("Sunset.ptk/photo.data")) != before)
        }
    }

    /// A drive that is there for one save only leaves no more versions than others do; one that saves nothing touches none.
    @Test(arguments: [("true", 12), ("echo two >Notes.txt", 10)]) func theyAreThinnedWhenTheDriveEnds(doing: String, left: Int) throws {
        let container = try TemporaryContainer("text Notes one")
        let shelf = container.stored(".valise/versions/Notes.stedoc")
        try FileManager.default.createDirectory(atPath: shelf, withIntermediateDirectories: true)
        // Of one hour, long ago.
        for number in 10..<22 { try Data("old".utf8).write(to: URL(fileURLWithPath: "\(shelf)/2020-01-01T00-\(number)-00.000000Z@here")) }
        try withDrive(container) { drive in try shell(doing, in: drive.mountpoint).good() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: shelf).count == left)
    }

    /// What gave way to another document is a version of that, and its last name is that one's: also when that goes.
    @Test(arguments: [
        "rm Notes.txt; \"$1\" undelete Notes.txt", "rm Notes.txt; echo three >Notes.txt", "mv Notes.txt Notes.txt~; echo three >Notes.txt; rm Notes.txt~",
        "rm Notes.txt; echo three >new; mv new Notes.txt", "mkdir F; mv Notes.txt F; rm -r F; \"$1\" undelete F/Notes.txt; mv F/Notes.txt ."
    ], ["deleted=30", "deleted=off"]) func whatGaveWayLeavesTheVersions(doing: String, option: String) throws {
        let container = try TemporaryContainer("text Notes one\ntext Other two")
        guard option != "deleted=off" || !doing.contains("undelete") else { return }
        try withDrive(container, options: "rw,\(option)") { drive in
            try shell("mv Other.txt Notes.txt; \(doing)", Places.valise, in: drive.mountpoint).good()
            #expect(try shell("cat .valise/versions/Notes.txt/*", in: drive.mountpoint).good().output.hasPrefix("one"))
        }
    }

    @Test func documentsTakeTheirVersionsAlong() throws {
        let container = try TemporaryContainer("photo Sunset jpeg\ntext Notes one")
        try withDrive(container) { drive in
            try shell("""
                cp Sunset.jpg old.jpeg~; printf '\\377\\330\\377\\340 new' >Sunset.jpg; echo two >Notes.txt
                mkdir -p A/B C && mv Sunset.jpg A/B/Dusk.jpg && mv Notes.txt A/List.txt && mv A C && mv C/A C/D
                cmp old.jpeg~ .valise/versions/C/D/B/Dusk.jpg/* && test "$(cat .valise/versions/C/D/List.txt/*)" = one
                test "$(ls .valise/versions)" = C && rm old.jpeg~
                """, in: drive.mountpoint).good()
            // A program that writes a document beside the old one and renames it over that.
            try shell("printf '\\377\\330\\377\\340 newer' >C/new.jpg && mv C/new.jpg C/D/B/Dusk.jpg && ls .valise/versions/C/D/B/Dusk.jpg | wc -l", in: drive.mountpoint).good()
            #expect(try versions(of: "C/D/B/Dusk.jpg", on: drive).count == 2)
            // The versions of what is deleted go with it: at the latest when the drive does.
            try shell("rm -r C", in: drive.mountpoint).good()
        }
        #expect(try run("find", container.stored(".valise/versions"), "-type", "f").good().output == "")
    }
}

    /// The next drive calls both as this one does, and so does one in whose folder the number is taken.
    @Test(arguments: ["text Notes one\nfolder Other", "text Notes one\ntext 'Notes 1' two", "text Notes one\nfile 'Notes 1.txt' two"]) func bothStayWhatTheyAre(_ items: String) throws {
        let container = try TemporaryContainer(items)
        func all(_ drive: MountedDrive) throws -> String { try shell("grep . Notes*", in: drive.mountpoint).good().output }
        let said = try withDrive(container, options: "rw") { drive in
            // One process: a program that starts meanwhile, of another test too, would close a copy of the file.
            try run(
                "python3", "-c", """
                    import os, sys
                    with open(sys.argv[1], "r+b", 0) as file:
                        file.write(b"mine")
                        with open(sys.argv[2] + "/new", "xb") as theirs: theirs.write(b"theirs")
                        os.replace(sys.argv[2] + "/new", sys.argv[2] + "/Notes.stedoc")
                    """, drive.path("Notes.txt"), container.path).good()
            #expect(try valise("conflicts", drive.mountpoint).output.contains("Notes.txt"))
            try valise("resolve", drive.path("Notes.txt"), "--both").good()
            let said = try all(drive)
            #expect(said.contains("mine") && said.contains("theirs"))
            return said
        }
        try withDrive(container) { drive throws in #expect(try all(drive) == said) }
    }

/// Two that change a document at once.
@Suite(.mounting) struct ConflictTests {
    /// Each saves in its own way: into the file, or into a new one after the old one was renamed away.
    @Test(arguments: ["", "-c 'set backup bsk='"]) func vimAndAnApp(options: String) throws {
        let container = try TemporaryContainer("bookmark Page https://old.example/")
        let item = try container.storedFiles()[0]
        try withDrive(container) { drive in
            // Vim has it open while the app writes, and asks whether it is to write all the same.
            let line = "python3 \"$1\" y/n y vim -N -u NONE -i NONE \(options) -c '%s,old.example,mine.example,' -c \"call system('python3 $2 $3 https://theirs.example/')\" -c 'w!' -c 'q!' Page.url"
            try shell(
                line, Places.support("type_into.py"), Places.support("change_bookmark.py"), container.stored(item), in: drive.mountpoint,
                environment: ["HOME": container.beside("")]).good()
            #expect(try run("cat", drive.path("Page.url")).good().output.contains("mine.example"))
            let conflicts = try valise("conflicts", drive.mountpoint).good()
            #expect(conflicts.lines.count == 5 && conflicts.lines[0] == drive.path("Page.url") && conflicts.lines[3].hasSuffix("conflict"))
            #expect(try shell("cat .valise/versions/Page.url/*conflict.url", in: drive.mountpoint).good().output.contains("theirs.example"))
            #expect(try run("getfattr", "--only-values", "-n", "user.valise.conflict", drive.path("Page.url")).code == 0)
            // Settled for theirs, with the container's own path.
            let version = String(try #require(conflicts.lines.dropLast().last).split(separator: " ")[0])
            try valise("resolve", container.stored(item), version).good()
            #expect(try run("cat", drive.path("Page.url")).good().output.contains("theirs.example"))
            #expect(try valise("conflicts", drive.mountpoint).good().output == "")
            #expect(try shell("cat .valise/versions/Page.url/*", in: drive.mountpoint).good().output.contains("mine.example"))
        }
    }

    @Test func theNewerOneWins() throws {
        let container = try TemporaryContainer("photo Cat png")
        try withDrive(container) { drive in
            // What is written is older than what the app makes of it meanwhile.
            try shell("""
                cp Cat.png "$CONTAINER/../old.png"
                python3 - <<'END'
                import os, shutil, time
                f = open("Cat.png", "r+b"); f.seek(0, 2); f.write(b"mine"); f.flush()
                path, later = os.environ["CONTAINER"] + "/Cat.ptk/photo.data", time.time() + 60
                shutil.copy(path, path + "~"); os.utime(path + "~", (later, later)); os.rename(path + "~", path)
                f.close()
                END
                cmp Cat.png "$CONTAINER/../old.png"
                """, in: drive.mountpoint, environment: ["CONTAINER": container.path]).good()
            #expect(try shell("tail -c 4 .valise/versions/Cat.png/*conflict.png", in: drive.mountpoint).good().output == "mine")
            // Times that a program gives to what it writes are no change by somebody else.
            try shell("cp -p Cat.png \"$1\" && cp -p \"$1\" Cat.png && rsync -a --inplace -I \"$1\" Cat.png", container.beside("copy.png"), in: drive.mountpoint).good()
            // Nor are those that it gets after it was read and before it is saved.
            try shell(
                "python3 -c 'import os; os.close(os.open(\"Cat.png\", os.O_RDONLY)); os.utime(\"Cat.png\", (5, 5)); open(\"Cat.png\", \"wb\").write(open(\"'$1'\", \"rb\").read())'",
                container.beside("copy.png"), in: drive.mountpoint).good()
            #expect(try valise("conflicts", drive.mountpoint).good().lines.count { $0.hasSuffix("conflict") } == 1)
            try valise("resolve", drive.path("Cat.png"), "--current").good()
            #expect(try valise("conflicts", drive.mountpoint).good().output == "")
        }
    }

    @Test func copiesInsideAndBesidePackages() throws {
        let description = "photo Cat png\npart Cat.ptk/keep x\nphoto Other png size=900 stored=\"Cat (Anna's conflicted copy 2026-11-21).ptk\""
        let container = try TemporaryContainer(description)
        try shell("cp '\(container.stored("Cat (Anna's conflicted copy 2026-11-21).ptk/photo.data"))' '\(container.stored("Cat.ptk/photo 2.data"))'".replacingOccurrences(of: "Anna's", with: "Anna'\\''s")).good()
        try withDrive(container) { drive in
            #expect(try run("ls", drive.mountpoint).output == "Cat.png\n")
            let before = try run("sha256sum", drive.path("Cat.png")).good().output
            #expect(try run("ls", drive.path(".valise/versions/Cat.png")).good().lines.count == 2)
            try valise("resolve", drive.path("Cat.png"), "--current").good()
            #expect(try run("sha256sum", drive.path("Cat.png")).good().output == before)
            // Nothing is lost: both are versions.
            #expect(try run("ls", drive.path(".valise/versions/Cat.png")).good().lines.count == 2)
            #expect(try run("ls", "-A", container.path).good().output == ".valise\nCat.ptk\n")
            #expect(try run("ls", container.stored("Cat.ptk")).good().output == "keep\nphoto.data\nphoto.metadata\n")
        }
    }

    @Test func aCopyWithoutItsOriginalIsADocument() throws {
        let container = try TemporaryContainer("text Notes.sync-conflict-20261121-232733-ABCDEFG theirs\ntext Notes mine")
        try withDrive(container) { drive in
            #expect(try run("ls", drive.mountpoint).output == "Notes.txt\n")
            try run("rm", drive.path("Notes.txt")).good()
            #expect(try run("ls", drive.mountpoint).output == "Notes.sync-conflict-20261121-232733-ABCDEFG.txt\n")
            #expect(try run("cat", drive.path("Notes.sync-conflict-20261121-232733-ABCDEFG.txt")).output == "theirs")
        }
    }

    /// They are a renamed document's as they were the old one's, wherever it goes.
    @Test func copiesFollowTheirDocument() throws {
        let container = try TemporaryContainer("""
            photo Cat png
            photo Cat.sync-conflict-20261121-232733-ABCDEFG png size=5000
            text Notes mine
            text "Notes (conflicted copy 2026-11-21 232733)" theirs
            bookmark Swift https://mine.example/ stored=Bookmark_Swift-1772355901.000001
            bookmark Swift https://theirs.example/ "stored=Bookmark_Swift-1772355901.000001 2"
            """)
        try withDrive(container) { drive in
            func conflicts() throws -> [String] {
                try valise("conflicts", drive.mountpoint).good().lines.filter { !$0.hasPrefix(" ") }.map { String($0.dropFirst(drive.mountpoint.count + 1)) }
            }
            #expect(try conflicts() == ["Cat.png", "Notes.txt", "Swift.url"])
            try shell("mkdir A && mv Cat.png Dog.png && mv Notes.txt A/List.txt && mv Swift.url A && mv A B", in: drive.mountpoint).good()
            #expect(try conflicts() == ["B/List.txt", "B/Swift.url", "Dog.png"])
            #expect(try run("ls", "-R", drive.mountpoint).output == "\(drive.mountpoint):\nB\nDog.png\n\n\(drive.path("B")):\nList.txt\nSwift.url\n")
            #expect(try shell("cat .valise/versions/B/List.txt/*", in: drive.mountpoint).good().output == "theirs")
            #expect(try Set(FileManager.default.contentsOfDirectory(atPath: container.stored("B"))).contains("List (conflicted copy 2026-11-21 232733).stedoc"))
            for file in ["Dog.png", "B/List.txt", "B/Swift.url"] { try valise("resolve", drive.path(file), "--current").good() }
            #expect(try conflicts() == [])
            #expect(try run("ls", "-R", drive.mountpoint).output == "\(drive.mountpoint):\nB\nDog.png\n\n\(drive.path("B")):\nList.txt\nSwift.url\n")
        }
    }

    @Test func commandsWorkWithoutADrive() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container) { drive in try shell("echo two >Notes.txt", in: drive.mountpoint).good() }
        let told = try valise("versions", "--json", container.stored("Notes.stedoc")).good()
        #expect(told.output.contains("\"discardable\":true"))
        try valise("restore", container.stored("Notes.stedoc"), "1").good()
        #expect(try container.bytes("Notes.stedoc") == Data("one".utf8))
        let unknown = try valise("restore", container.stored("Notes.stedoc"), "1999")
        #expect(unknown.code == 1 && unknown.errors.contains("no version"))
        #expect(try valise("resolve", container.stored("Notes.stedoc"), "--current").errors.contains("no conflict"))
        #expect(try valise("versions", container.beside("drive")).code == 1)
    }
}
