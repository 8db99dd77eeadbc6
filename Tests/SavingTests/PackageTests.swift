import Foundation
import MountTesting
import Testing

/// Packages of other apps on a drive that creates all kinds of documents: what is in them stays as it is, however it comes and whatever is
/// written there.
@Suite(.mounting) struct PackageTests {
    /// What a package may have in it: each is called as a document would be, on a drive or in a container.
    private static let packages = """
        mkdir -p Letter.mellel/Data Letter.mellel/Sunset.ptk Note.mellel Trip.ulysses/assets
        printf '\\377\\330\\377\\340rest' | tee Letter.mellel/preview.jpg Letter.mellel/Data/Cat.jpg Note.mellel/Dog.jpeg Trip.ulysses/assets/sea.jpg >/dev/null
        printf words | tee Letter.mellel/text.txt Letter.mellel/Old.stedoc Trip.ulysses/text.txt Note.mellel/TXT.rtf >/dev/null
        printf '[InternetShortcut]\\nURL=https://www.swift.org/\\n' | tee Letter.mellel/Data/site.url Trip.ulysses/a.url >/dev/null
        printf data >Letter.mellel/Sunset.ptk/photo.data; printf '{}' >Trip.ulysses/info.json
        """

    private static let copies = [
        "cp -r \"$1\"/* .", "cp -a \"$1\"/* .", "tar -C \"$1\" -c . | tar x", "rsync -a \"$1\"/ .", "rsync -a --inplace \"$1\"/ .",
        "rsync -a --delay-updates \"$1\"/ .", "cp -r \"$1\" \"$1.moved\" && mv \"$1.moved\"/* .",
        "(cd \"$1\" && python3 -c 'import shutil; shutil.make_archive(\"../all\", \"zip\")') && python3 -m zipfile -e \"$1/../all.zip\" .",
        "python3 -c 'import shutil, sys; shutil.copytree(sys.argv[1], \".\", dirs_exist_ok=True)' \"$1\"",
        "cd \"$1\" && find . -type d -exec mkdir -p \"$OLDPWD/{}\" \\; && find . -type f -exec install -m 644 {} \"$OLDPWD/{}\" \\;",
        "for one in \"$1\"/*; do mkdir tmp; cp -r \"$one\"/. tmp; mv tmp \"${one##*/}\"; done",
        "cp -r \"$1\"/* . && cp -r \"$1\"/* . && rsync -a --checksum --ignore-times \"$1\"/ .",
    ]

    @Test(arguments: copies) func aPackageComesAsItIs(copying: String) throws {
        let container = try TemporaryContainer(), source = container.beside("source")
        mkdir(source, 0o755)
        try shell(Self.packages, in: source).good()
        try withDrive(container, options: "rw,create=bookmark+photo+text") { drive in
            let copied = try shell(copying, source, in: drive.mountpoint)
            // Built under a passing name, a folder that is called as a photo is may not be made.
            if copied.code != 0 { #expect(copying.contains("tmp") && copied.errors.contains("Sunset.ptk"), "\(copied.errors)") }
            let apart = copying.contains("tmp") ? "-x Sunset.ptk" : ""
            try shell("diff -r \(apart) \"$1\" .", source, in: drive.mountpoint).good()
            try shell("diff -r -x .valise \(apart) \"$1\" \"$2\"", source, container.path).good()
        }
        // The next drive shows no document either.
        try withDrive(container, options: "rw,create=bookmark+photo+text") { drive in
            try shell("diff -r \(copying.contains("tmp") ? "-x Sunset.ptk" : "") \"$1\" .", source, in: drive.mountpoint).good()
            #expect(try shell("valise=$1; for kind in bookmark photo text; do \"$valise\" find \"kind == '$kind'\" .; done", Places.valise, in: drive.mountpoint).output == "")
        }
        let checked = try valise("check", container.path)
        #expect(!checked.output.contains("damaged") && !checked.output.contains("photo"), "\(checked.output)")
    }

    /// The files of a container, and the photos.
    private func items(_ container: TemporaryContainer) throws -> [String] {
        Set(try container.storedFiles().map { $0.hasPrefix("Letter.") ? $0 : $0.replacing(/\.ptk\/.*/, with: ".ptk") }).sorted()
    }

    private static let writings = [
        "printf NEW >text.txt", "printf NEW >>text.txt", ": >text.txt; printf NEW >>text.txt", "sed -i s/words/NEW/ text.txt", "perl -pi -e s/words/NEW/ text.txt",
        "cp \"$1\" text.txt", "cp --remove-destination \"$1\" text.txt", "mv \"$1\" text.txt", "cp \"$1\" other.txt && mv other.txt text.txt",
        "cp \"$1\" .text.tmp && mv .text.tmp text.txt", "mv text.txt text.txt~ && cp \"$1\" text.txt && rm text.txt~", "rm text.txt; cat \"$1\" >text.txt",
        "ln text.txt text.bak && cp \"$1\" new && mv new text.txt && rm text.bak", "rsync \"$1\" text.txt", "rsync --inplace \"$1\" text.txt",
        "install -m 644 \"$1\" text.txt", "dd if=\"$1\" of=text.txt status=none", "vim -es -N -u NONE -i NONE -c '%s/words/NEW/' -c wq text.txt",
        "truncate -s 0 text.txt && printf NEW | tee -a text.txt >/dev/null",
        "python3 -c 'import ctypes; open(\"new\", \"w\").write(\"NEW\"); ctypes.CDLL(None).renameat2(-100, b\"new\", -100, b\"text.txt\", 2)'; rm new",
        "python3 -c 'import os; d = os.open(\".\", os.O_TMPFILE | os.O_RDWR); os.write(d, b\"NEW\"); os.unlink(\"text.txt\"); import ctypes; ctypes.CDLL(None).linkat(-100, b\"/proc/self/fd/%d\" % d, -100, b\"text.txt\", 0x400)'",
    ]

    /// Of a package that nobody knows, too: a plain file that was found stays one.
    @Test(arguments: writings, ["Letter.mellel", "q.scrap"]) func aPartIsWritten(writing: String, package: String) throws {
        let container = try TemporaryContainer("text Notes one\nfile \(package)/text.txt words\nfile \(package)/other.dat data"), new = container.beside("new")
        try withDrive(container, options: "rw,create=bookmark+photo+text") { drive in
            try Data("NEW".utf8).write(to: URL(fileURLWithPath: new))
            try shell(writing, new, in: drive.path(package)).good()
            let lines = try shell("ls -A; cat text.txt", in: drive.path(package)).good().lines
            #expect(lines.map { $0.replacing("words", with: "") } == ["other.dat", "text.txt", "NEW"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: container.stored(package)).sorted() == ["other.dat", "text.txt"])
            // Once more, when it is the drive's own.
            try shell("printf again >text.txt", in: drive.path(package)).good()
            #expect(try container.bytes("\(package)/text.txt") == Data("again".utf8))
        }
    }

    @Test func newPartsAndPartsThatGoAndCome() throws {
        let container = try TemporaryContainer("photo Cat png\nbookmark Swift https://www.swift.org/\ntext Notes one\nfolder Letter.MELLEL/Data\nfile Letter.MELLEL/preview.png x")
        try withDrive(container, options: "rw,create=bookmark+photo+text") { drive in
            try shell("cp Cat.png Letter.MELLEL/new.png; echo part >Letter.MELLEL/Data/part.txt; mkdir Letter.MELLEL/One.ptk", in: drive.mountpoint).good()
            // A document that goes there is the file that it looks like, and comes out as a document.
            try shell("cp Cat.png Letter.MELLEL/preview.png; mv Swift.url Letter.MELLEL; mv Letter.MELLEL/new.png Kitten.png", in: drive.mountpoint).good()
            #expect(try items(container) == ["Cat.ptk", "Kitten.ptk", "Letter.MELLEL/Data/part.txt", "Letter.MELLEL/Swift.url", "Letter.MELLEL/preview.png", "Notes.stedoc"])
            #expect(FileManager.default.fileExists(atPath: container.stored("Letter.MELLEL/One.ptk")))
            #expect(try container.bytes("Letter.MELLEL/preview.png") == Data(contentsOf: URL(fileURLWithPath: drive.path("Cat.png"))))
            #expect(try drive.text("Letter.MELLEL/Swift.url").contains("https://www.swift.org/"))
            // Two that change places.
            try shell("python3 -c 'import ctypes; ctypes.CDLL(None).renameat2(-100, b\"Notes.txt\", -100, b\"Letter.MELLEL/Data/part.txt\", 2)'", in: drive.mountpoint).good()
            #expect(try container.bytes("Letter.MELLEL/Data/part.txt") == Data("one".utf8))
            #expect(try drive.text("Notes.txt") == "part\n")
        }
    }

    /// A program fills a package under a passing name.
    @Test func aFolderBecomesAPackageAndCeasesToBeOne() throws {
        let container = try TemporaryContainer("bookmark Old https://old.example/\nfolder Empty\nfile q.scrap/text.txt found")
        try withDrive(container, options: "rw,create=bookmark+photo+text") { drive in
            try shell("mkdir -p tmp/in; printf words >tmp/text.txt; printf '[InternetShortcut]\\nURL=https://www.swift.org/\\n' >tmp/in/a.url; printf 'no link' >tmp/in/b.url; mv Old.url tmp", in: drive.mountpoint).good()
            let shown = try shell("cd tmp && grep -r --exclude=Old.url . .", in: drive.mountpoint).good().lines.sorted()
            #expect(FileManager.default.fileExists(atPath: container.stored("tmp/text.stedoc")))
            try shell("exec 3<tmp/text.txt; mv tmp Trip.ulysses; cat <&3; ls Trip.ulysses", in: drive.mountpoint).good()
            #expect(try shell("cd Trip.ulysses && grep -r --exclude='Bookmark_*' . .", in: drive.mountpoint).good().lines.sorted() == shown)
            #expect(try shell("cd \"$1\" && grep -r --exclude='Bookmark_*' . .", container.stored("Trip.ulysses")).good().lines.sorted() == shown)
            // The one that was there before lies there as it is.
            let lying = try shell("ls Trip.ulysses", in: drive.mountpoint).good().lines.sorted()
            #expect(lying.first?.hasPrefix("Bookmark_Old-") == true, "\(lying)")
            #expect(try container.deleted() == [])
            try shell("printf more >Trip.ulysses/text.txt", in: drive.mountpoint).good()
            #expect(try container.bytes("Trip.ulysses/text.txt") == Data("more".utf8))
            // A folder again, in which the files stay what they are, and new ones are documents.
            try shell("mv Trip.ulysses Trip && printf less >Trip/text.txt && printf new >Trip/new.txt && ls Trip", in: drive.mountpoint).good()
            let names = try FileManager.default.contentsOfDirectory(atPath: container.stored("Trip")).sorted()
            #expect(names.dropFirst() == ["in", "new.stedoc", "text.txt"], "\(names)")
            #expect(try drive.text("Trip/Old.url").contains("https://old.example/"))
            try shell("mv Trip Trip.key", in: drive.mountpoint).good()
            #expect(try shell("ls Trip.key", in: drive.mountpoint).good().lines.sorted().dropFirst() == ["in", "new.txt", "text.txt"])
            try Data("made".utf8).write(to: URL(fileURLWithPath: container.stored("Trip.key/late.stedoc")))
            #expect(eventually { FileManager.default.fileExists(atPath: drive.path("Trip.key/late.stedoc")) })
            try shell("mv Trip.key Trip", in: drive.mountpoint).good()
            #expect(try shell("ls Trip", in: drive.mountpoint).good().lines.contains("late.txt"))
        }
    }

    /// What another program renames in the container is seen as it is then.
    @Test func aFolderBecomesAPackageBesideTheDrive() throws {
        let container = try TemporaryContainer("text Notes/one first\nphoto Notes/Cat png")
        try withDrive(container, options: "rw") { drive in
            #expect(try shell("ls Notes", in: drive.mountpoint).lines.sorted() == ["Cat.png", "one.txt"])
            try shell("mv Notes Notes.pages", in: container.path).good()
            #expect(try eventually { try shell("ls Notes.pages", in: drive.mountpoint).lines.contains("one.stedoc") })
            try shell("mv Notes.pages Notes", in: container.path).good()
            #expect(try eventually { try shell("ls Notes", in: drive.mountpoint).lines.sorted() == ["Cat.png", "one.txt"] })
        }
    }

    /// What was made on this drive and did not fit is new while the drive is mounted; what is found is not.
    @Test func whatNeverFittedIsNew() throws {
        let container = try TemporaryContainer("text Notes one"), link = "printf '[InternetShortcut]\\nURL=https://www.swift.org/\\n'"
        try withDrive(container, options: "rw,create=bookmark+photo+text") { drive in
            try shell("touch a.url b.url; printf half >c.url; printf half >d.dat; mv d.dat d.url", in: drive.mountpoint).good()
            try shell("for name in a c d; do \(link) >$name.url; done", in: drive.mountpoint).good()
            let stored = try container.storedFiles()
            #expect(stored.count { $0.hasPrefix("Bookmark_") } == 3 && stored.contains("b.url"), "\(stored)")
        }
        try withDrive(container, options: "rw,create=bookmark+photo+text") { drive in
            try shell("\(link) >b.url", in: drive.mountpoint).good()
            #expect(try container.storedFiles().contains("b.url"))
            #expect(try valise("info", drive.path("b.url")).output.contains("plain"))
            // Under another name it is one, as every file whose content fits.
            try shell("mv b.url e.url", in: drive.mountpoint).good()
            let stored = try container.storedFiles()
            #expect(stored.count { $0.hasPrefix("Bookmark_") } == 4, "\(stored)")
        }
    }

    @Test func importAndExportLeavePackagesAlone() throws {
        let container = try TemporaryContainer("text Notes one"), source = container.beside("source")
        mkdir(source, 0o755)
        try run("mkdir", "-m", "700", container.path + "/.valise").good()
        try shell(Self.packages + "\nprintf '\\377\\330\\377\\340rest' >Cat.jpg", in: source).good()
        let imported = try valise("import", source, container.path).good()
        #expect(try items(container) == ["Cat.ptk", "Notes.stedoc"])
        #expect(imported.errors.contains("Letter.mellel: a package of an app stays whole: cp -r"), "\(imported.output)\(imported.errors)")
        let refused = try valise("import", source + "/Letter.mellel", container.path)
        #expect(refused.code == 1 && refused.errors.contains("package"), "\(refused.errors)")
        try shell("cp -r \"$1\"/*.mellel \"$2\"", source, container.path).good()
        #expect(try valise("import", source, container.path + "/Letter.mellel").code == 1)
        try valise("export", "-q", "--folder", container.beside("out"), container.path).good()
        try shell("diff -r \"$1/Letter.mellel\" \"$2/Letter.mellel\"", source, container.beside("out")).good()
        #expect(try valise("check", container.path).output.contains("1 photo"))
        #expect(try valise("info", container.path + "/Letter.mellel/Old.stedoc").output.contains("plain"))
        #expect(try valise("find", "kind == 'text'", container.path).good().lines.count == 1)
    }
}
