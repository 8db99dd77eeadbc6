import Foundation
import MountTesting
import Testing

/// What programs change in plain files is kept, as of documents.
@Suite(.mounting) struct PlainFileVersionTests {
    private static let withPrograms = ["PATH": (Places.valise as NSString).deletingLastPathComponent + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")]

    /// A way to save `new` in a file that holds `old`.
    static let saves = [
        "echo new >f", "echo new >n; cp n f", "sed -i s/old/new/ f", "echo new >n; mv n f", "python3 -c \"f = open('f', 'r+b'); f.write(b'new')\"",
        "echo new | dd of=f conv=notrunc status=none", "truncate -s 0 f; echo new >>f", "rm f; echo new >f",
        "vim -es -u NONE -c s/old/new/ -c wq f", "vim -es -u NONE -c 'set backupcopy=no writebackup' -c s/old/new/ -c wq f",
        "vim -es -u NONE -c 'set backup backupcopy=no' -c s/old/new/ -c wq f", "vim -es -u NONE -c 'set nobackup nowritebackup' -c s/old/new/ -c wq f",
        "echo new >../new; touch -d 2001-01-01 ../new; rsync -a ../new f", "echo new >../new; touch -d 2001-01-01 ../new; rsync -a --inplace ../new f",
        "python3 -c \"import os; os.remove('f'); open('f', 'w').write('new\\n')\"",
        "python3 -c \"import os; os.rename('f', 'f.bak'); open('f', 'w').write('new\\n'); os.remove('f.bak')\"",
        "python3 -c \"import mmap; f = open('f', 'r+b'); m = mmap.mmap(f.fileno(), 0); m[0:3] = b'new'; m.flush()\"",
        "python3 -c \"import os; f = os.open('f', os.O_RDWR); os.ftruncate(f, 0); os.write(f, b'new\\n')\"",
        "python3 -c \"import os; f = os.open('f', os.O_RDWR); os.write(f, b'n'); os.write(f, b'e'); os.write(f, b'w')\"",
        "echo new >n; python3 -c \"import os; s = os.open('n', os.O_RDONLY); f = os.open('f', os.O_WRONLY); os.copy_file_range(s, f, 3)\"",
    ]

    /// Everything but a shell's `rm` keeps what was there, once, and the file goes on as it would in a plain folder.
    @Test(arguments: saves) func whatASaveReplacesIsAVersion(line: String) throws {
        let container = try TemporaryContainer("file f \"old\\n\"")
        try withDrive(container) { drive in
            let inode = try drive.status(of: "f").st_ino
            try shell(line, in: drive.mountpoint).good()
            #expect(try drive.text("f") == "new\n")
            // Another program than the one that took it away: it is among the deleted.
            #expect(try drive.kept("f") == (line.hasPrefix("rm ") ? [] : ["old\n"]))
            #expect(try drive.deleted() == (line.hasPrefix("rm ") ? 1 : 0))
            let replaces = ["mv ", "rm ", "sed", "vim", "os.re", "rsync -a ../"].contains(where: line.contains)
            if !replaces { #expect(try drive.status(of: "f").st_ino == inode, "it is the same file") }
        }
        #expect(try valise("check", container.path).good().output.contains("Nothing is wrong"))
        #expect(try container.staged() == [])
    }

    /// Under a name that a link's file has, as long as there is none in it: made on the drive, it is a plain file that may become a document. What a save
    /// replaces is a version, or among the deleted where nobody knows that it was a save.
    @Test(arguments: saves, ["html", "webloc", "png"]) func soIsItUnderADocumentsName(line: String, fileExtension: String) throws {
        let name = "f.\(fileExtension)", line = line.replacing(/\bf(?= [^=]|;|$|')/, with: name)
        let container = try TemporaryContainer("")
        try withDrive(container) { drive in
            try shell("echo old >\(name)", in: drive.mountpoint).good()
            try shell(line, in: drive.mountpoint).good()
            #expect(try drive.text(name) == "new\n")
            let kept = try shell("find .valise/versions .valise/deleted -type f -exec cat {} +", in: drive.mountpoint).output
            #expect(kept.contains("old"), "\(line)")
        }
    }

    /// What takes the name as a document is another thing than what had it.
    @Test func whatADocumentReplacesIsDeleted() throws {
        let container = try TemporaryContainer("")
        try withDrive(container) { drive in
            try shell("echo old >f.url; printf '[InternetShortcut]\nURL=https://www.swift.org/\n' >n; mv n f.url", in: drive.mountpoint).good()
            #expect(drive.fact("kind", of: "f.url") == "bookmark")
            #expect(try shell("cat .valise/deleted/*/f.url", in: drive.mountpoint).good().output == "old\n")
        }
    }

    /// What changes nothing that was there, and what is there for a moment.
    @Test(arguments: [
        "echo more >>f", "python3 -c \"f = open('f', 'a'); f.write('more')\"", "python3 -c \"f = open('f', 'r+b')\"", "truncate -s 100 f", "touch f", "chmod 600 f",
        "cp f n; cp n f", "cp f n; mv n f", "fallocate -l 8192 f", "echo more | dd of=f bs=1 seek=4 conv=notrunc status=none",
        ": >e; echo one >e", "python3 -c \"f = open('n', 'w'); f.write('1'); f.flush(); f.seek(0); f.write('2'); f.truncate(1)\"",
    ]) func whatLosesNothingMakesNoVersion(line: String) throws {
        let container = try TemporaryContainer("file f \"old\\n\"")
        try withDrive(container) { drive in
            try shell(line, in: drive.mountpoint).good()
            #expect(try shell("find .valise/versions -type f", in: drive.mountpoint).output == "")
        }
    }

    @Test(arguments: ["f~", ".f.swp", "f.tmp", "f.lock", "f.part", ".~lock.f#", "._f", ".DS_Store", "App.app/f"]) func whatPassesHasNone(name: String) throws {
        let container = try TemporaryContainer("folder App.app")
        try withDrive(container) { drive in
            try shell("echo one >\"$1\"; echo two >\"$1\"; echo three >n; mv n \"$1\"", name, in: drive.mountpoint).good()
            #expect(try shell("find .valise/versions -type f", in: drive.mountpoint).output == "")
            #expect(drive.fact("history", of: name)?.hasPrefix("none: ") == true)
        }
    }

    /// The first file was created by the drive and written by one program, and another one writes while it is not closed.
    @Test func whatIsNotClosedIsNoVersion() throws {
        let container = try TemporaryContainer("file f \"old\\n\"")
        try withDrive(container) { drive in
            // A program of its own: whenever this one starts another, that closes what this one has open.
            let one = try Program.writing("half", to: drive.path("f"))
            #expect(try drive.kept("f") == ["old\n"])
            try drive.put("f", "new")
            #expect(try drive.kept("f") == ["old\n"])
            one.end()
            try drive.put("f", "newer")
            #expect(try drive.kept("f") == ["old\n", "new"])
        }
    }

    /// Programs go on when `close` has returned, and the kernel tells the drive only later that a file is closed.
    @Test func whatAProgramHasClosedIsAVersion() throws {
        let container = try TemporaryContainer("")
        try withDrive(container) { drive in
            let one = try OpenedFile(drive.path("f"), O_RDWR | O_CREAT)
            try one.write("one", at: 0)
            // As when all of its descriptors are closed: the drive hears of the first.
            try one.duplicate().close()
            try drive.put("f", "two")
            #expect(try drive.kept("f") == ["one"])
            try one.close()
        }
    }

    // MARK: Databases, and what is written all the time

    @Test(arguments: ["delete", "wal", "truncate", "memory"]) func aDatabaseIsLeftAlone(mode: String) throws {
        let container = try TemporaryContainer()
        try withDrive(container) { drive in
            let said = try shell(
                """
                python3 - "$1" <<'END'
                import sqlite3, sys
                for count in range(2):
                    base = sqlite3.connect('base.db')
                    base.execute('pragma journal_mode=' + sys.argv[1])
                    base.execute('create table if not exists t(a)')
                    for number in range(25):
                        base.execute('insert into t values(?)', ('x' * 999,)); base.commit()
                    print(base.execute('pragma integrity_check').fetchall(), base.execute('select count(*) from t').fetchall())
                    base.close()
                END
                """, mode, in: drive.mountpoint).good()
            #expect(said.lines == ["[('ok',)] [(25,)]", "[('ok',)] [(50,)]"])
            #expect(try shell("find .valise/versions -type f", in: drive.mountpoint).output == "")
            #expect(try shell("valise info base.db | grep -c 'history .*SQLite'", in: drive.mountpoint, environment: Self.withPrograms).output == "1\n")
        }
    }

    @Test func whatIsSavedAllTheTimeIsLeftAlone() throws {
        let container = try TemporaryContainer("file f 0")
        try withDrive(container) { drive in
            for count in 1...10 { try drive.put("f", "\(count)") }
            #expect(try drive.kept("f") == ["0", "1", "2", "3", "4"])
            #expect(drive.fact("history", of: "f")?.contains("five times within a minute") == true)
            // Its versions stay, whatever saves it.
            try shell("echo 11 >n; mv n f; sed -i s/11/12/ f", in: drive.mountpoint).good()
            #expect(try drive.kept("f") == ["0", "1", "2", "3", "4"])
        }
        // For the rest of the mount.
        try withDrive(container) { drive in
            #expect(drive.fact("history", of: "f") == nil)
        }
    }

    @Test func aLockedFileIsLeftAlone() throws {
        let container = try TemporaryContainer("file f \"old\\n\"\nfile g \"old\\n\"")
        try withDrive(container) { drive in
            try shell("flock f bash -c 'echo new >f'; python3 -c \"import fcntl; f = open('g', 'r+'); fcntl.lockf(f, fcntl.LOCK_EX); f.write('new')\"", in: drive.mountpoint).good()
            #expect(try drive.kept("f") == [])
            #expect(try drive.kept("g") == [])
            try shell("echo newer >f; echo newer >g", in: drive.mountpoint).good()
            #expect(try drive.kept("f") == [])
            #expect(try drive.kept("g") == [])
            #expect(drive.fact("history", of: "f")?.contains("locked") == true)
        }
    }

    @Test func whatAProgramMapsIsKeptOnce() throws {
        let container = try TemporaryContainer("file f \"old\\n\"")
        try withDrive(container) { drive in
            for letter in ["a", "b", "c"] {
                try shell("python3 -c \"import mmap; f = open('f', 'r+b'); m = mmap.mmap(f.fileno(), 0); m[0:1] = b'$1'; m.flush()\"", letter, in: drive.mountpoint).good()
            }
            #expect(try drive.kept("f") == ["old\n"])
            #expect(drive.fact("history", of: "f")?.contains("mmap") == true)
        }
    }

    /// What is left alone loses nothing that was kept before, however it is written anew.
    @Test(arguments: [
        "python3 -c \"import os; os.remove('f'); open('f', 'w').write('new')\"", "echo new >../f; tar c -C .. f | tar x", "echo new >n; mv n f",
        "python3 -c \"import os; os.rename('f', 'f.bak'); open('f', 'w').write('new'); os.remove('f.bak')\"", "echo new >../f; install ../f f",
    ]) func whatIsLeftAloneKeepsItsVersions(line: String) throws {
        let container = try TemporaryContainer("file f \"old\\n\"")
        try withDrive(container) { drive in
            try shell("""
                python3 -c "import mmap; f = open('f', 'r+b'); m = mmap.mmap(f.fileno(), 0); m[0:1] = b'x'; m.flush()"
                """, in: drive.mountpoint).good()
            #expect(try drive.kept("f") == ["old\n"])
            try shell(line, in: drive.mountpoint).good()
            #expect(try drive.kept("f").contains("old\n"), "\(line)")
        }
    }

    @Test func aDiskImageAndALargeFileAreLeftAlone() throws {
        let container = try TemporaryContainer()
        try withDrive(container) { drive in
            try shell(
                """
                truncate -s 1M sparse; echo x | dd of=sparse conv=notrunc status=none
                echo y | dd of=sparse bs=4096 seek=2 conv=notrunc status=none
                head -c 20M /dev/urandom >large; cp large ../before; echo x | dd of=large conv=notrunc status=none
                """, in: drive.mountpoint).good()
            #expect(try drive.kept("sparse") == [])
            #expect(drive.fact("history", of: "sparse")?.contains("holes") == true)
            // A new file in its place costs nothing to keep.
            try shell("cp large ../before; echo small >n; mv n large; cmp .valise/versions/large/* ../before", in: drive.mountpoint).good()
        }
    }

    // MARK: Where they go

    @Test func versionsGoWithTheFile() throws {
        let container = try TemporaryContainer("file f \"old\\n\"\nfolder F\nfile g \"other\\n\"")
        try withDrive(container) { drive in
            try shell("echo new >f; mv f g2; mv g2 F/h; mv F Q", in: drive.mountpoint).good()
            #expect(try drive.kept("Q/h") == ["old\n"])
            #expect(try shell("ls .valise/versions", in: drive.mountpoint).output == "Q\n")
            try shell("rm Q/h; rmdir Q; valise undelete -q Q/h", in: drive.mountpoint, environment: Self.withPrograms).good()
            #expect(try drive.kept("Q/h") == ["old\n"])
            #expect(try drive.text("Q/h") == "new\n")
            // Two histories are not one: what had the name is deleted, with its own.
            try shell("echo another >g; mv Q/h g", in: drive.mountpoint).good()
            #expect(try drive.kept("g") == ["old\n"])
            #expect(try drive.text("g") == "new\n")
            #expect(try shell("valise deleted . | grep -c '1  g'", in: drive.mountpoint, environment: Self.withPrograms).output == "1\n")
            try shell("rm g; valise undelete -q 2; cat g", in: drive.mountpoint, environment: Self.withPrograms).good()
            #expect(try drive.kept("g") == ["other\n"])
            #expect(try drive.text("g") == "another\n")
        }
        #expect(try valise("check", container.path).good().output.contains("Nothing is wrong"))
    }

    /// Its old name is another file's then.
    @Test func theyGoWithAFileThatBecomesAText() throws {
        let container = try TemporaryContainer("file f.dat \"old\\n\"")
        try withDrive(container, options: "create=text") { drive in
            try shell("echo new >f.dat; mv f.dat f.txt; echo newer >f.txt; echo another >f.dat", in: drive.mountpoint).good()
            #expect(try drive.kept("f.txt") == ["old\n", "new\n"])
            #expect(try drive.kept("f.dat") == [])
        }
        #expect(try valise("check", container.path).good().output.contains("Nothing is wrong"))
    }

    /// The drive hears of it, as of documents.
    @Test func theyGoWithAFileThatOthersMove() throws {
        let container = try TemporaryContainer("folder F\nfile F/f \"old\\n\"")
        try withDrive(container) { drive in
            try drive.put("F/f", "new")
            try shell("ls -R . >/dev/null", in: drive.mountpoint).good()
            for (old, new) in [("F/f", "F/g"), ("F", "G"), ("G/g", "h")] {
                try shell("mv \(old) \(new)", in: container.path).good()
                let file = new == "G" ? "G/g" : new
                #expect(eventually { (try? drive.kept(file)) == ["old\n"] }, "\(new)")
            }
        }
    }

    /// Two that change places do so with what they were.
    @Test func theyGoWithFilesThatChangePlaces() throws {
        let container = try TemporaryContainer("file f \"old\\n\"\nfile g \"other\\n\"")
        try withDrive(container) { drive in
            try shell("echo new >f; echo another >g; python3 -c \"import ctypes; ctypes.CDLL(None).renameat2(-100, b'f', -100, b'g', 2)\"", in: drive.mountpoint).good()
            #expect(try drive.text("f") == "another\n")
            #expect(try drive.kept("f") == ["other\n"])
            #expect(try drive.kept("g") == ["old\n"])
        }
    }

    /// A name that is used again is another file.
    @Test(arguments: ["rw", "rw,deleted=off"]) func whatIsGoneLeavesNothingToItsName(options: String) throws {
        let container = try TemporaryContainer("file f \"old\\n\"")
        try withDrive(container, options: options) { drive in
            try shell("echo new >f; rm f", in: drive.mountpoint).good()
            try shell("sleep 0.1; echo another >f", in: drive.mountpoint).good()
            #expect(try drive.kept("f") == [])
        }
    }

    @Test func theyComeBack() throws {
        let container = try TemporaryContainer("file report.csv \"one\\n\"")
        let said = try withDrive(container) { drive in
            try shell(
                """
                echo two >report.csv; echo three >report.csv; valise versions report.csv | wc -l; valise diff report.csv | tail -2
                valise restore report.csv 2; cat report.csv .valise/versions/report.csv/*; ln report.csv other; valise restore report.csv 1; cat report.csv other
                echo four >other; cat .valise/versions/report.csv/*
                """, in: drive.mountpoint, environment: Self.withPrograms).good().lines
        }
        #expect(said == ["5", "-two", "+three", "one", "one", "two", "three", "three", "one", "one", "two", "three", "one"], "\(said)")
        // Where no drive is, too.
        #expect(try valise("versions", "-q", container.stored("report.csv")).good().lines.count == 4)
        try valise("restore", container.stored("report.csv"), "4").good()
        #expect(try String(contentsOfFile: container.stored("report.csv"), encoding: .utf8) == "one\n")
    }

    @Test func whatSomebodyWritesIsNotReplaced() throws {
        let container = try TemporaryContainer("file f \"one\\n\"")
        try withDrive(container) { drive in
            try drive.put("f", "two")
            let open = try OpenedFile(drive.path("f"), O_RDWR)
            let refused = try valise("restore", drive.path("f"), "1")
            #expect(refused.code == 1 && refused.errors.contains("close what writes it"))
            try open.close()
            try valise("restore", drive.path("f"), "1").good()
            #expect(try drive.text("f") == "one\n")
            #expect(try drive.kept("f") == ["one\n", "two"])
        }
    }

    /// A document that is damaged is a plain file, and has the versions that it had.
    @Test func whatIsDamagedComesBack() throws {
        let container = try TemporaryContainer("bookmark Page https://one.example/")
        try withDrive(container) { drive in try shell("sed -i s/one/two/ Page.url", in: drive.mountpoint).good() }
        let item = try shell("ls -d Bookmark_*; echo broken >Bookmark_*", in: container.path).good().lines[0]
        try withDrive(container) { drive in
            #expect(try shell("grep -h URL= .valise/versions/*/*", in: drive.mountpoint).good().output == "URL=https://one.example/\n")
            try valise("restore", drive.path(item), "1").good()
            #expect(eventually { (try? drive.text("Page.url").contains("one.example")) == true })
        }
    }

    // MARK: Options, and what is not to be kept

    @Test(arguments: ["rw,files=off", "rw,versions=off"]) func offKeepsNone(options: String) throws {
        let container = try TemporaryContainer("file f \"old\\n\"\nfile g \"old\\n\"")
        try withDrive(container, options: options) { drive in
            let before = try drive.status().requests
            try shell("echo new >f; sed -i s/old/new/ g", in: drive.mountpoint).good()
            #expect(!before.isEmpty)
            #expect(try drive.kept("f") == [])
            #expect(try drive.kept("g") == [])
            #expect(drive.fact("history", of: "f") == nil)
        }
    }

    /// What was kept before goes where its file goes.
    @Test func whatWasKeptStaysWhenItIsOff() throws {
        let container = try TemporaryContainer("file f \"old\\n\"")
        try withDrive(container) { drive in try drive.put("f", "new") }
        try withDrive(container, options: "rw,files=off") { drive in
            try shell("sed -i s/new/newer/ f; mv f g; echo newest >g", in: drive.mountpoint).good()
            #expect(try drive.kept("g") == ["old\n"])
        }
    }

    @Test func aReadOnlyDriveShowsThem() throws {
        let container = try TemporaryContainer("file f \"old\\n\"")
        try withDrive(container) { drive in try drive.put("f", "new") }
        try withDrive(container, options: "ro") { drive in
            let refused = try shell("echo x >f", in: drive.mountpoint)
            #expect(try drive.kept("f") == ["old\n"])
            #expect(refused.code != 0)
        }
    }

    /// A drive that is killed has kept what was there before the first byte of what a program wrote.
    @Test func aKilledDriveHasKeptWhatWas() throws {
        let container = try TemporaryContainer("file f \"old\\n\"\nfile g \"old\\n\"")
        try withDrive(container) { drive in
            let open = try OpenedFile(drive.path("f"), O_RDWR)
            try open.write("new", at: 0)
            try shell("echo new >n; mv n g", in: drive.mountpoint).good()
            try drive.kill()
        }
        try withDrive(container) { drive in
            for name in try drive.files() {
                #expect(try drive.text(name) == "new\n")
                #expect(try drive.kept(name) == ["old\n"])
            }
        }
        #expect(try container.staged() == [])
    }

    /// Only who may change a file has a version made of it.
    @Test(.enabled(if: geteuid() == 0, "only root may be several users")) func whoMayNotWriteMakesNone() throws {
        let container = try TemporaryContainer("file f \"old\\n\"")
        for path in [container.beside(""), container.mountpoint, container.path] { chmod(path, 0o755) }
        try withDrive(container, options: "allow_other") { drive in
            try shell("setpriv --reuid 65534 --regid 65534 --clear-groups bash -c 'echo x >f; truncate -s 0 f; echo y | dd of=f conv=notrunc status=none'; true", in: drive.mountpoint).good()
            #expect(try drive.text("f") == "old\n")
            #expect(try drive.kept("f") == [])
            try shell("chmod 666 f; setpriv --reuid 65534 --regid 65534 --clear-groups bash -c 'echo x >f'", in: drive.mountpoint).good()
            #expect(try drive.kept("f") == ["old\n"])
        }
    }

    /// Also one that its app keeps in other bytes.
    @Test(arguments: [("url", "[InternetShortcut]\nURL=https://a.example/\n"), ("txt", "one\n")])
    func whatBecomesADocumentTakesThemAlong(form: String, content: String) throws {
        let container = try TemporaryContainer("bookmark Swift https://www.swift.org/")
        try withDrive(container) { drive in
            let program = "cat >a.dat; echo two >b.dat; cat b.dat >a.dat; ls .valise/versions; cat .valise/versions/a.dat/* >a.dat; mv a.dat New.\(form); ls .valise/versions"
            let listed = try shell("printf '%s' \"$1\" | { \(program); }", content, in: drive.mountpoint).good().lines
            #expect(listed == ["a.dat", "New.\(form)"])
            #expect(try valise("info", drive.path("New.\(form)")).good().output.contains(form == "url" ? "bookmark" : "text"))
            let versions = try shell("ls .valise/versions/New.\(form) | grep -c '[.]\(form)$'; cat .valise/versions/New.\(form)/*", in: drive.mountpoint).good().lines
            #expect(versions.first == "2" && versions.contains("two"))
            if form == "url" {
                try valise("restore", drive.path("New.url"), "2").good()
                #expect(try shell("grep -c a.example New.url", in: drive.mountpoint).good().output == "1\n")
            }
        }
    }

    @Test(arguments: ["files=off,deleted=off", "deleted=off"]) func whatIsGoneHasNoneForTheNext(options: String) throws {
        let container = try TemporaryContainer("file a.csv one")
        try withDrive(container) { drive in try shell("echo two >a.csv; ls .valise/versions | grep -c a.csv", in: drive.mountpoint).good() }
        try withDrive(container, options: options) { drive in
            let listed = try shell("rm a.csv; echo three >a.csv; ls .valise/versions", in: drive.mountpoint).good().lines
            #expect(listed == [])
        }
    }
}


extension MountedDrive {
    /// What is kept of a file, the oldest first.
    fileprivate func kept(_ name: String) throws -> [String] {
        let folder = path(".valise/versions/" + name)
        return try (FileManager.default.fileExists(atPath: folder) ? FileManager.default.contentsOfDirectory(atPath: folder) : []).sorted().map {
            String(decoding: try OpenedFile(folder + "/" + $0).content(), as: UTF8.self)
        }
    }

    /// How many items are among the deleted.
    fileprivate func deleted() throws -> Int { try shell("find .valise/deleted -type f | wc -l", in: mountpoint).output.split(separator: "\n").first.flatMap { Int($0) } ?? -1 }
}
