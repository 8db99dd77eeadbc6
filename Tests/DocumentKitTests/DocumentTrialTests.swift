import DocumentKit
import Foundation
import KeyValueStore
import MountTesting
import Testing

/// A document's life, from outside: a process that drives one, and what it prints.
@Suite(.waiting, .timeLimit(.minutes(40))) struct DocumentTrialTests {
    private static let program = Places.built + "/DocumentTrial"

    private final class Folder {
        let folder: MountTesting.TemporaryFolder
        let file: String

        init(_ script: DocumentScript) throws {
            folder = try MountTesting.TemporaryFolder()
            let home = folder.path + "/home"
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
            if script.isInContainer { mkdir(home + "/.valise", 0o700) }
            file = home + (script.isInContainer ? "/a.stedoc" : "/a.txt")
            if let before = script.before { try Data(before.utf8).write(to: URL(fileURLWithPath: file)) }
        }
    }

    @Test(arguments: DocumentScript.all)
    func itDoesAsItIsWritten(script: DocumentScript) throws {
        let home = try Folder(script)
        let ended = try Program([Self.program, home.file] + script.steps.split(separator: " ").map(String.init)).wait().good()
        let trace = ended.lines.filter { !script.isWithOthers || !($0.hasPrefix("state ") || $0 == "disable" || $0 == "enable") }
        #expect(trace == script.trace, "\(script.sentence)")
    }

    @Test func thereAreEnough() { #expect(DocumentScript.all.count >= 40 && Set(DocumentScript.all.map(\.name)).count == DocumentScript.all.count) }

    /// Told to end, it saves what is not saved, and ends as it would have.
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func whatIsTypedIsSavedAtTheEnd(signal: Int32) throws {
        let home = try Folder(DocumentScript.all[0])
        let program = try Program([Self.program, home.file, "open", "edit:two", "unsaved", "until:never"])
        #expect(eventually { program.output.contains("unsaved true") })
        kill(program.process, signal)
        #expect(try program.wait().code == 128 + signal)
        #expect(try String(contentsOfFile: home.file, encoding: .utf8) == "two")
    }

    /// So are its settings, which wait in memory for a moment, also where it ends by itself. Nobody serves the main queue of this one.
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, 0], [1, 600])
    func settingsAreWrittenAtTheEnd(signal: Int32, count: Int) throws {
        let container = try TemporaryContainer("text Notes one")
        let ended = try Program([Self.program, "settings", container.path, "\(count)", "\(signal)"]).wait()
        #expect(ended.code == (signal == 0 ? 0 : 128 + signal))
        #expect(try KeyValueFile(container: container.path).read().contents.keys.count == count)
    }

    /// However many keys are set in one turn, the store is read and written a few times. Counted, for times wobble.
    @Test(.disabled(if: !FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"), "there is no strace here"))
    func manySettingsAreWrittenTogether() throws {
        let container = try TemporaryContainer("text Notes one"), log = container.beside("calls")
        let traced = ["/usr/bin/strace", "-f", "--seccomp-bpf", "-o", log, "-e", "trace=openat,openat2,renameat,renameat2"]
        let ended = try Program(traced + [Self.program, "settings", container.path, "1024"]).wait().good()
        #expect(ended.output == "synchronize true 1024\n")
        let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").filter { $0.contains("KeyValueStore") }
        // Two turns; where the computer is busy one of them may be written in pieces.
        #expect(calls.count { $0.contains("rename") } >= 2)
        #expect(calls.count < 100, "\(calls.count) calls")
    }

    /// The thread that calls reads and writes no file of the document's.
    @Test(.disabled(if: !FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"), "there is no strace here"))
    func theCallersThreadTouchesNoFile() throws {
        let home = try Folder(DocumentScript.all[0]), log = home.folder.path + "/strace"
        let calls = "trace=open,openat,openat2,read,pread64,write,pwrite64,rename,renameat,renameat2,link,linkat,unlink,unlinkat,fsync,fdatasync,mkdirat,newfstatat,statx"
        try run("/usr/bin/strace", "-f", "-y", "-o", log, "-e", calls, Self.program, home.file, "open", "edit:two", "save", "edit:three", "autosave", "revert", "close").good()
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n"), caller = try #require(lines.first?.prefix { $0 != " " })
        let touching = lines.filter { $0.contains(home.folder.path + "/home") && !$0.contains("execve") }
        #expect(touching.count > 20)
        for line in touching where line.hasPrefix(caller + " ") { Issue.record("\(line)") }
        #expect(try String(contentsOfFile: home.file, encoding: .utf8) == "three")
    }
}

/// However a program serves its main queue, its documents are opened and closed, and whoever awaits that goes on.
@Suite(.waiting, .timeLimit(.minutes(40))) struct MainQueueTests {
    @Test(arguments: [nil, "dispatch", "runloop", "poll"], ["1", "16"])
    func documentsAreAwaited(loop: String?, atATime: String) throws {
        let container = try TemporaryContainer((0..<40).map { "bookmark Item\($0) https://www.example.org" }.joined(separator: "\n"))
        mkdir(container.stored(".valise"), 0o700)
        let environment = ["XDG_CONFIG_HOME": container.beside("config")].merging(loop.map { ["LOOP": $0] } ?? [:]) { $1 }
        let ended = try Program([Places.built + "/DocumentSpeed", "bookmarks", container.path, atATime], environment: environment).wait().good()
        #expect(ended.output.hasSuffix(" 40\n"), "\(ended.output)\(ended.errors)")
    }
}

/// What it takes to open a document. Counted, for times wobble.
@Suite(.waiting, .timeLimit(.minutes(40))) struct OpeningCallsTests {
    /// Calls that look at or open something, of a process that opens and closes so many documents one after the other.
    private func calls(_ kind: String, _ count: Int) throws -> Int {
        let container = try TemporaryContainer((0..<count).map { "\(kind) Item\($0) \(kind == "photo" ? "png" : "https://www.example.org")" }.joined(separator: "\n")), log = container.beside("calls")
        mkdir(container.stored(".valise"), 0o700)
        // A folder that changed a moment ago is looked at again each time.
        usleep(50_000)
        let ended = try Program(
            ["/usr/bin/strace", "-f", "--seccomp-bpf", "-o", log, "-e", "trace=openat,openat2,newfstatat,statx,fstat,readlink,readlinkat,pread64,getdents64,poll", Places.built + "/DocumentSpeed", kind + "s", container.path, "1"],
            environment: ["XDG_CONFIG_HOME": container.beside("config")]
        ).wait().good()
        #expect(ended.output.split(separator: " ").last.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) } == "\(count)")
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count { $0.contains("(") && !$0.contains("resumed>") }
    }

    /// Of a bookmark: the container is what it was (2), it is no container by itself (1), there are no versions and no copies (2), and its
    /// file (4). Of a photo: its folder, and what is in that. The first ones take some more.
    @Test(.disabled(if: !FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"), "there is no strace here"), arguments: [("bookmark", 12), ("photo", 19)])
    func eachDocumentTakesFew(kind: String, most: Int) throws {
        let few = try calls(kind, 20), many = try calls(kind, 120)
        #expect(many - few <= most * 100, "\(Double(many - few) / 100) calls for a \(kind)")
    }
}

/// An app with an open document, beside a drive.
@Suite(.mounting, .timeLimit(.minutes(40))) struct OpenDocumentOnDriveTests {
    private static let program = Places.built + "/DocumentTrial"
    private func contents(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    /// A program that reads the drive gets what was typed: the app is asked before. Two processes, and the kernel between them.
    @Test func whoReadsTheDriveGetsWhatWasTyped() throws {
        let container = try TemporaryContainer("text Notes one")
        let stored = container.path + "/" + (try #require(container.items.first?.stored))
        try withDrive(container) { drive in
            let app = try Program([Self.program, stored, "open", "edit:typed", "unsaved", "until:never"])
            defer { app.end() }
            #expect(eventually { app.output.contains("unsaved true") })
            #expect(contents(stored) == "one")
            #expect(try run("cat", drive.path("Notes.txt")).good().output == "typed")
            #expect(contents(stored) == "typed" && app.output.contains("contents typed"))
            // And what is written on the drive, the app has.
            try shell("printf 'from the drive' >\"$1\"", drive.path("Notes.txt")).good()
            #expect(eventually { app.output.contains("load from the drive") })
            // What it replaced is there.
            #expect(try FileManager.default.contentsOfDirectory(atPath: drive.path(".valise/versions/Notes.txt")).count >= 2)
        }
    }

    /// Whoever used it on the drive is done: what is typed from then on is not lost.
    @Test func editingIsEnabledAgainOnceADriveHasWritten() throws {
        let container = try TemporaryContainer("text Notes one")
        let stored = container.path + "/" + (try #require(container.items.first?.stored))
        try withDrive(container) { drive in
            let app = try Program([Self.program, stored, "open", "until:never"])
            defer { app.end() }
            #expect(eventually { app.output.contains("open true") })
            func isEnabled(after count: Int) -> Bool {
                let lines = app.output.split(separator: "\n")
                return lines.count { $0 == "disable" } >= count && lines.last { $0 == "enable" || $0 == "disable" } == "enable" && lines.last { $0.hasPrefix("state ") } == "state normal"
            }
            try shell("printf theirs >\"$1\"", drive.path("Notes.txt")).good()
            #expect(eventually { app.output.contains("load theirs") && isEnabled(after: 1) }, "\(app.output)")
            let disabled = app.output.split(separator: "\n").count { $0 == "disable" }
            try run("mv", drive.path("Notes.txt"), drive.path("List.txt")).good()
            #expect(eventually { isEnabled(after: disabled + 1) }, "\(app.output)")
        }
    }

    /// An app with an unsaved document, whose file it moves by itself or is moved for it: it closes that, and nothing is unsaved.
    private func expectFollowing(_ words: [String], _ move: (from: String, to: String)?) throws {
        let app = try Program([Self.program] + words)
        defer { app.end() }
        if let move {
            #expect(eventually { app.output.contains("unsaved true") })
            try FileManager.default.moveItem(atPath: move.from, toPath: move.to)
        }
        #expect(eventually { app.hasEnded })
        #expect(app.output.contains("close true") && app.output.hasSuffix("unsaved false\n") && !app.output.contains("not List"), "\(app.output)")
    }

    /// The app moves its open document by itself, or somebody else does: what was typed goes along, and what the document was.
    @Test(arguments: [true, false]) func whatIsMovedWithoutAWordIsFollowed(byTheApp: Bool) throws {
        let container = try TemporaryContainer("text Notes one")
        let stored = container.path + "/" + (try #require(container.items.first?.stored)), moved = container.path + "/List.stedoc"
        try withDrive(container) { drive in
            let steps = ["open", "edit:two", "save", "edit:typed", byTheApp ? "rename:List.stedoc" : "unsaved", "until:List.stedoc", "state", "unsaved", "close", "unsaved"]
            try expectFollowing([stored] + steps, byTheApp ? nil : (stored, moved))
            #expect(contents(moved) == "typed" && contents(stored) == nil)
            #expect(eventually { (try? FileManager.default.contentsOfDirectory(atPath: drive.path(".valise/versions/List.txt")).count) ?? 0 >= 2 })
            #expect(try run(Places.valise, "versions", drive.path("List.txt")).good().output.split(separator: "\n").count >= 2)
        }
    }

    /// The same by its name on the drive, where it moves it itself or somebody does in the container.
    @Test(arguments: [true, false]) func whatIsMovedIsFollowedOnTheDrive(byTheApp: Bool) throws {
        let container = try TemporaryContainer("text Notes one")
        let stored = container.path + "/" + (try #require(container.items.first?.stored)), moved = container.path + "/List.stedoc"
        try withDrive(container) { drive in
            let steps = ["open", "edit:typed", byTheApp ? "rename:List.txt" : "unsaved", "until:List.txt", "close", "unsaved"]
            try expectFollowing([drive.path("Notes.txt")] + steps, byTheApp ? nil : (stored, moved))
            #expect(eventually { contents(moved) == "typed" } && contents(stored) == nil)
        }
    }

    /// Also where nobody has it open.
    @Test func versionsFollowARenameThatADriveNotices() throws {
        let container = try TemporaryContainer("text Notes one")
        let stored = container.path + "/" + (try #require(container.items.first?.stored))
        try withDrive(container) { drive in
            try shell("printf two >\"$1\"", drive.path("Notes.txt")).good()
            #expect(contents(drive.path("Notes.txt")) == "two")
            try FileManager.default.moveItem(atPath: stored, toPath: container.path + "/List.stedoc")
            #expect(eventually { contents(drive.path("List.txt")) == "two" })
            #expect(eventually { (try? run(Places.valise, "versions", drive.path("List.txt")).output.split(separator: "\n").count) ?? 0 >= 2 })
        }
    }

    /// A file of no known kind that a shell writes on the drive, while the app is too busy to be asked: both sides are there.
    /// Where the drive keeps no versions of files, the app's save is refused.
    @Test(arguments: [true, false], [true, false])
    func whatWasNotSeenOnTheDriveIsNotWrittenOver(onDrive: Bool, keepsFiles: Bool) throws {
        let container = try TemporaryContainer("text Notes one"), stored = container.path + "/conf.md"
        try Data("one".utf8).write(to: URL(fileURLWithPath: stored))
        try withDrive(container, options: keepsFiles ? nil : "files=off") { drive in
            let steps = ["open", "edit:mine", "refuse:haste", "save", "unsaved", "state"]
            let app = try Program([Self.program, onDrive ? drive.path("conf.md") : stored] + steps)
            defer { app.end() }
            #expect(eventually { app.output.contains("contents mine") })
            try shell("printf theirs >\"$1\"", drive.path("conf.md")).good()
            #expect(eventually { app.hasEnded })
            guard keepsFiles else {
                #expect(app.output.contains("save false") && app.output.contains("unsaved true"), "\(app.output)")
                return #expect(contents(stored) == "theirs")
            }
            #expect(app.output.contains("save true") && app.output.contains("is inConflict"), "\(app.output)")
            #expect(contents(drive.path("conf.md")) == "mine")
            let conflict = try shell("cat .valise/versions/conf.md/*conflict.md", in: drive.mountpoint).good()
            #expect(conflict.output == "theirs")
        }
    }

    /// An app that is busy for longer than anybody waits writes what it has where the document is by then.
    @Test func whatIsMovedWhileTheAppIsBusyIsWrittenThere() throws {
        let container = try TemporaryContainer("text Notes one")
        let stored = container.path + "/" + (try #require(container.items.first?.stored))
        try withDrive(container) { drive in
            let app = try Program([Self.program, stored, "open", "edit:mine", "refuse:haste", "save", "name", "close"])
            defer { app.end() }
            #expect(eventually { app.output.contains("contents mine") })
            try run("mv", drive.path("Notes.txt"), drive.path("List.txt")).good()
            #expect(eventually { app.hasEnded })
            #expect(app.output.contains("save true") && app.output.contains("name List.stedoc"), "\(app.output)")
            #expect(contents(container.path + "/List.stedoc") == "mine" && contents(stored) == nil)
        }
    }

    /// Whoever asks, whoever is done and the drive that notices it do not each tell it.
    @Test func whatHappensBesideADriveIsToldOnce() throws {
        let container = try TemporaryContainer("text Notes one\ntext Other two")
        try withDrive(container) { _ in
            let folder = URL(fileURLWithPath: container.path, isDirectory: true), notes = folder.appendingPathComponent("Notes.stedoc"), list = folder.appendingPathComponent("List.stedoc")
            let own = SpokenPresenter(notes), around = SpokenPresenter(folder), coordinator = NSFileCoordinator(filePresenter: nil)
            defer { for presenter in [own, around] { presenter.end() } }
            coordinator.coordinate(writingItemAt: notes, options: .forMoving, writingItemAt: list, options: .forReplacing, error: nil) { from, to in
                try? FileManager.default.moveItem(at: from, to: to)
                usleep(300_000)
                coordinator.item(at: from, didMoveTo: to)
            }
            #expect(eventually { own.said.has("moved List.stedoc") && around.said.has("moved Notes.stedoc List.stedoc") })
            coordinator.coordinate(writingItemAt: list, options: .forDeleting, error: nil) { url in
                try? FileManager.default.removeItem(at: url)
                usleep(300_000)
            }
            #expect(eventually { own.said.has("deleted") && around.said.has("deleted List.stedoc") })
            usleep(1_500_000)
            for (said, words) in [(own.said, ["moved List.stedoc", "deleted"]), (around.said, ["moved Notes.stedoc List.stedoc", "deleted List.stedoc"])] {
                let told = said.all.filter { $0.hasPrefix("moved") || $0.hasPrefix("deleted") }
                #expect(told == words, "\(said.all)")
            }
        }
    }

    /// What is added on the drive comes behind what the app has just saved, although the kernel has not asked how long that is.
    @Test func whatIsAppendedComesBehindWhatAnAppSaved() throws {
        let container = try TemporaryContainer("text Notes one")
        let stored = container.path + "/" + (try #require(container.items.first?.stored))
        try withDrive(container) { drive in
            let shown = drive.path("Notes.txt")
            for (edit, whole) in [("longer", "longer+"), ("s", "s+")] {
                #expect(contents(shown) != nil)
                try run(Self.program, stored, "open", "edit:\(edit)", "save", "close").good()
                let file = try OpenedFile(shown, O_WRONLY | O_APPEND)
                try file.write("+")
                try file.close()
                #expect(contents(stored) == whole && contents(shown) == whole)
            }
        }
    }

    /// By its name on the drive it is the same document.
    @Test func aDocumentOnADriveIsTheSameItem() throws {
        let container = try TemporaryContainer("text Notes one")
        let stored = container.path + "/" + (try #require(container.items.first?.stored))
        try withDrive(container) { drive in
            let shown = try Program([Self.program, drive.path("Notes.txt"), "open", "edit:typed", "unsaved", "until:other", "text", "edit:three", "close"])
            defer { shown.end() }
            #expect(eventually { shown.output.contains("unsaved true") })
            try run(Self.program, stored, "open", "text", "edit:other", "close").good()
            #expect(eventually { shown.hasEnded })
            #expect(shown.output.contains("text other") && shown.output.contains("close true"), "\(shown.output)")
            #expect(eventually { contents(stored) == "three" })
        }
    }

    /// The app has the lock, and a drive is mounted; it is unmounted, and the app goes on.
    @Test func aDriveComesAndGoes() throws {
        let container = try TemporaryContainer("text Notes one")
        // Valise was used there before: until then a folder that nobody has named is no container.
        mkdir(container.path + "/.valise", 0o700)
        let stored = container.path + "/" + (try #require(container.items.first?.stored))
        let steps = ["open", "edit:1", "save", "until:2", "edit:3", "save", "until:4", "edit:5", "save", "close"]
        let app = try Program([Self.program, stored] + steps)
        defer { app.end() }
        #expect(eventually { app.output.contains("save true") })
        try withDrive(container) { drive in
            #expect(try run("cat", drive.path("Notes.txt")).good().output == "1")
            try shell("printf 2 >\"$1\"", drive.path("Notes.txt")).good()
            #expect(eventually { contents(drive.path("Notes.txt")) == "3" }, "\(app.output)")
        }
        let other = try run(Self.program, stored, "open", "text", "edit:4", "close").good()
        #expect(other.output.contains("text 3"))
        #expect(try app.wait().output.hasSuffix("close true\n"))
        #expect(contents(stored) == "5")
    }

    /// A drive that ends between saving for an app and saying so. What lies there then is the app's own: neither when it tries again nor when it saves
    /// later is that taken for somebody else's change.
    @Test(arguments: ["Trip.notebook", "conf.md", "Notes.stedoc"]) func whatADriveSavedLastIsTheAppsOwn(name: String) throws {
        let container = try TemporaryContainer("text Notes one"), stored = container.path + "/" + name, ending = container.beside("ending")
        let isNotebook = name.hasSuffix(".notebook"), library = try preloaded("ending_renames.c", beside: container)
        if name == "conf.md" { try Data("one".utf8).write(to: URL(fileURLWithPath: stored)) }
        let told = ToldNotebook(beside: container), say = told.say
        defer { told.end() }
        try withDrive(container, options: "nosandbox", environment: ["LD_PRELOAD": library, "ENDING": ending, "ENDING_AT": isNotebook ? "text.md" : name]) { drive in
            _ = FileManager.default.createFile(atPath: ending, contents: nil)
            let steps = [stored, "open", "edit:two", "save", "edit:three", "save", "close"]
            let app = isNotebook ? try told.program(stored) : try Program([Self.program] + steps)
            defer { app.end() }
            if isNotebook {
                #expect(eventually { app.output.contains("open true") })
                say("type\nsave\n")
            }
            #expect(try drive.waitForEnd() == 137)
            if isNotebook { say("type\nsave\ntype\nend\n") }
            #expect(try app.wait().code == 0, "\(app.output)\(app.errors)")
            #expect(!app.output.contains("false") && !app.output.contains("failed"), "\(app.output)")
        }
        #expect(contents(isNotebook ? stored + "/text.md" : stored) == (isNotebook ? "- app.1\n- app.2\n- app.3\n" : "three"))
        #expect(try run(Places.valise, "conflicts", container.path).output == "")
    }

    /// Whoever has a document open on the drive and writes on after an app has saved it: both texts stay whole, and one of them waits as a conflict.
    @Test(arguments: ["w", "r+", "a"]) func whoWritesOnAfterAnAppSavedMixesNothing(mode: String) throws {
        let container = try TemporaryContainer("text Notes one"), stored = container.path + "/" + (try #require(container.items.first?.stored))
        try withDrive(container) { drive in
            try run("python3", "-c", """
                import subprocess, sys
                drive, mode, *app = sys.argv[1:]
                with open(drive, mode) as file:
                    file.write("A" * 2000)
                    file.flush()
                    subprocess.run(app, check=True, stdout=subprocess.DEVNULL)
                    file.write("B" * 20)
                """, drive.path("Notes.txt"), mode, Self.program, stored, "open", "edit:theirs", "save", "close").good()
            let mine = (mode == "a" ? "one" : "") + String(repeating: "A", count: 2000) + String(repeating: "B", count: 20)
            #expect(try run(Places.valise, "conflicts", drive.mountpoint).good().output.contains("Notes.txt"))
            let versions = try FileManager.default.contentsOfDirectory(atPath: drive.path(".valise/versions/Notes.txt")).map { contents(drive.path(".valise/versions/Notes.txt/" + $0)) }
            let all = versions + [contents(drive.path("Notes.txt"))]
            #expect(all.contains(mine) && all.contains("theirs") && all.allSatisfy { $0?.contains("\0") == false }, "\(all)")
        }
    }

    /// Into what another program has written in its place, whoever has it open writes on, as in a plain folder; what that program wrote is a version.
    @Test func whoWritesOnAfterSomebodyWroteInItsPlaceIsNotRefused() throws {
        let container = try TemporaryContainer("text Notes one\nfile plain one"), stored = container.path + "/" + (try #require(container.items.first { $0.stored.contains("Notes") }?.stored))
        let script = "exec 3>\"$1\"; echo shellpart >&3; sleep 0.2; echo direct >\"$2\"; sleep 0.3; echo more >&3; exec 3>&-"
        try withDrive(container) { drive in
            try shell(script, drive.path("Notes.txt"), stored).good()
            try shell(script, container.path + "/plain", container.path + "/plain").good()
            #expect(contents(drive.path("Notes.txt")) == contents(container.path + "/plain") && contents(stored)?.hasPrefix("direct\n") == true)
            let kept = drive.path(".valise/versions/Notes.txt")
            #expect(try FileManager.default.contentsOfDirectory(atPath: kept).contains { contents(kept + "/" + $0) == "direct\n" })
        }
    }

    /// What is deleted on the drive comes back with what an app had not saved.
    @Test func whatIsDeletedIsSavedBefore() throws {
        let container = try TemporaryContainer("text Notes one"), stored = container.path + "/" + (try #require(container.items.first?.stored))
        try withDrive(container) { drive in
            let app = try Program([Self.program, stored, "open", "delay:1000", "edit:typed", "unsaved", "until:closed"])
            defer { app.end() }
            #expect(eventually { app.output.contains("unsaved true") })
            try run("rm", drive.path("Notes.txt")).good()
            #expect(eventually { app.hasEnded })
            try run(Places.valise, "undelete", drive.path("Notes.txt")).good()
            #expect(contents(drive.path("Notes.txt")) == "typed")
        }
    }

    /// `sed -i` writes a part beside the one that it replaces, and an app that reads the package just then has read
    /// that, too. It is gone a moment later,
    /// and with it is no text of the app's: what it saves is saved, without that part.
    @Test(arguments: [true, false], [true, false]) func aPartThatWasThereForAMomentStopsNoSave(appOnDrive: Bool, shellOnDrive: Bool) throws {
        let container = try TemporaryContainer("text Notes one")
        mkdir(container.path + "/.valise", 0o700)
        let told = ToldNotebook(beside: container), say = told.say
        defer { told.end() }
        try withDrive(container) { drive in
            let notebook = (appOnDrive ? drive.mountpoint : container.path) + "/Trip.notebook"
            let other = (shellOnDrive ? drive.mountpoint : container.path) + "/Trip.notebook"
            let app = try told.program(notebook)
            defer { app.end() }
            #expect(eventually { app.output.contains("open true") })
            say("type\nsave\n")
            #expect(eventually { app.output.contains("kept 1") && contents(other + "/text.md") == "- app.1\n" })
            // As sed does it, with time to read between the two; and a folder of parts.
            try shell("(cat text.md; echo theirs) >sedXy12; mkdir more; echo 1 >more/a; echo 2 >text.new; mv text.new text.md", in: other).good()
            #expect(eventually { contents(notebook + "/sedXy12") != nil && contents(notebook + "/text.md") == "2\n" })
            say("reopen\n")
            #expect(eventually { app.output.components(separatedBy: "open true").count == 3 })
            say("type\n")
            // What the app saves between two of the removals has the folder no more, or, where it began before them, still.
            try shell("mv sedXy12 text.md; until rm -rf more 2>/dev/null; do sleep 0.1; done", in: other).good()
            say("save\ntype\nend\n")
            #expect(try app.wait().code == 0, "\(app.output)\(app.errors)")
            #expect(!app.output.contains("failed") && !app.output.contains("error"), "\(app.output)")
            let parts = try FileManager.default.subpathsOfDirectory(atPath: container.path + "/Trip.notebook").sorted()
            #expect(parts == ["info", "text.md"], "\(app.output)")
            // Each line is in the text, or in a side or version of it: that of the app before it heard of sed's, too.
            let all = try shell("grep -rha -e '^- app' -e '^theirs' Trip.notebook .valise/versions", in: container.path).good().output
            for line in ["- app.1", "theirs", "- app.2", "- app.3"] { #expect(all.contains(line + "\n"), "\(line): \(all)") }
            #expect(contents(notebook + "/text.md")?.hasSuffix("- app.3\n") == true)
        }
    }

    /// What a shell writes into a package that an app has open is what the app has, and no reason to refuse its next save.
    @Test(arguments: [true, false], [
        "echo theirs >>text.md", "sed -i '$a theirs' text.md", "cp text.md text && rm text.md && echo theirs >>text && mv text text.md",
        "cp text.md ../text && echo theirs >>../text && rm text.md && sleep 0.3 && mv ../text text.md",
    ])
    func aPackageIsReadAgainWhenAPartChanges(onDrive: Bool, change: String) throws {
        let container = try TemporaryContainer("text Notes one"), stored = container.path + "/Trip.notebook"
        mkdir(container.path + "/.valise", 0o700)
        let told = ToldNotebook(beside: container), say = told.say
        defer { told.end() }
        try withDrive(container) { drive in
            let app = try told.program(stored)
            defer { app.end() }
            #expect(eventually { app.output.contains("open true") })
            say("type\nsave\n")
            #expect(eventually { app.output.contains("kept 1") })
            try shell(change, in: onDrive ? drive.path("Trip.notebook") : stored).good()
            #expect(eventually {
                say("text\n")
                usleep(100_000)
                return app.output.contains("text 2 ")
            })
            say("type\nend\n")
            #expect(try app.wait().code == 0, "\(app.output)\(app.errors)")
            #expect(contents(stored + "/text.md") == "- app.1\ntheirs\n- app.2\n")
        }
    }
}

/// An app that has a package open, and does what it is told, a line at a time.
private final class ToldNotebook {
    private let words: String, input: Int32

    init(beside container: TemporaryContainer) {
        words = container.beside("words")
        mkfifo(words, 0o600)
        input = open(words, O_RDWR | O_CLOEXEC)
    }

    /// Nothing more is said.
    func end() { close(input) }

    func program(_ notebook: String) throws -> Program {
        try Program(["sh", "-c", "exec \"$1\" \"$2\" app <\"$3\"", "sh", Places.built + "/NotebookTrial", notebook, words])
    }

    func say(_ line: String) { _ = line.withCString { write(input, $0, strlen($0)) } }
}
