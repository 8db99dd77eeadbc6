import Foundation
import MountTesting
import Testing

/// Documents that several have open: all see what one writes, whatever becomes of the name.
@Suite(.mounting) struct OpenDocumentTests {
    @Test func allSeeTheDraft() throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            let reader = try OpenedFile(drive.path("Page.url"))
            let writer = try OpenedFile(drive.path("Page.url"), O_WRONLY | O_TRUNC)
            try writer.write("[Inter")
            #expect(try reader.text() == "[Inter")
            #expect(try drive.text("Page.url") == "[Inter")
            #expect(try drive.status(of: "Page.url").st_size == 6)
            let listed = try run("ls", "-l", drive.path("Page.url")).good().output
            #expect(listed.contains(" 6 "))
            try writer.write("netShortcut]\nURL=https://two.example/\n")
            try writer.close()
            #expect(try reader.text() == link("https://two.example/"))
        }
    }

    /// What a program has written and not closed yet is what is deleted, if it fits; what was there before is a version of it. What does not fit is
    /// beside it.
    @Test(arguments: [
        ("Notes.txt", "open(n, 'wb', 0)", "mine", "mine", ""), ("Notes.txt", "open(n, 'ab', 0)", " mine", "old mine", ""),
        ("Page.url", "open(n, 'wb', 0)", "[InternetShortcut]\nURL=https://new.example/\n", "[InternetShortcut]\nURL=https://new.example/\n", ""),
        ("Page.url", "open(n, 'wb', 0)", "nonsense", "old.example", "nonsense"), ("Notes.txt", "open(n, 'wb', 0)", "", "old", ""),
    ]) func whatIsWrittenIsDeleted(name: String, opening: String, written: String, result: String, beside: String) throws {
        let container = try appDocuments()
        try Data("old".utf8).write(to: URL(fileURLWithPath: container.stored("Notes.stedoc")))
        try withDrive(container, options: "rw") { drive in
            let line = "import os, sys; n = sys.argv[1]; f = \(opening); f.write(sys.argv[2].encode()); os.remove(n); f.close()"
            try run("python3", "-c", line, name, written, in: drive.mountpoint).good()
            #expect(try !drive.files().contains(name))
            if !beside.isEmpty { #expect(try shell("cat .valise/deleted/*/\"${1%.*}\"*", name, in: drive.mountpoint).good().output.contains(beside)) }
            // Of two that had the name, the document is the later one.
            try valise("undelete", "-q", drive.path(name)).good()
            let back = try drive.text(name)
            #expect(beside.isEmpty && name == "Notes.txt" ? back == result : back.contains(result), "\(back)")
            let versions = try shell("cat .valise/versions/\"$1\"/*", name, in: drive.mountpoint).output
            #expect(versions.contains("old") == (beside.isEmpty && !written.isEmpty), "\(versions)")
        }
    }

    /// Without versions nothing is saved over what would be gone then.
    @Test func whatWasSavedIsDeletedWhereNoVersionsAreKept() throws {
        let container = try TemporaryContainer("text Notes old")
        try withDrive(container, options: "rw,versions=off") { drive in
            try run("python3", "-c", "import os; f = open('Notes.txt', 'wb', 0); f.write(b'mi'); os.remove('Notes.txt'); f.close()", in: drive.mountpoint).good()
            try valise("undelete", "-q", drive.path("Notes.txt")).good()
            #expect(try drive.text("Notes.txt") == "old")
            #expect(try shell("cat .valise/deleted/*/Notes*", in: drive.mountpoint).output.contains("mi"))
        }
    }

    /// A rename that is refused saves nothing of what would have been replaced.
    @Test(arguments: ["junk.dat", "cat.jpg"], ["Notes.txt", "Page.url"]) func whatIsNotReplacedStaysUnsaved(file: String, name: String) throws {
        let container = try appDocuments()
        try Data("old".utf8).write(to: URL(fileURLWithPath: container.stored("Notes.stedoc")))
        try withDrive(container, options: "rw") { drive in
            let stored = container.stored(name == "Notes.txt" ? "Notes.stedoc" : "Bookmark_Page-1700000000.123456")
            try Data([0xFF, 0xFE, 0x00, 0xFF]).write(to: URL(fileURLWithPath: drive.path("junk.dat")))
            // In one process, since whatever it starts closes a copy of the file.
            let ended = try run("python3", "-c", """
                import os, sys
                name, other, stored = sys.argv[1:]
                before, versions = open(stored, "rb").read(), ".valise/versions/" + name
                f = open(name, "wb", 0)
                f.write(b"[InternetShortcut]\\nURL=https://new.example/\\n")
                try: os.rename(other, name)
                except OSError as error: print(error.errno)
                print(open(stored, "rb").read() == before, os.listdir(versions) if os.path.isdir(versions) else [])
                f.close()
                """, name, file, stored, in: drive.mountpoint).good()
            #expect(ended.output == "\(EMEDIUMTYPE)\nTrue []\n")
            #expect(try drive.text(name).contains("new.example"))
        }
    }

    /// So it is where another file takes its name: it becomes a version.
    @Test(arguments: ["os.rename('other.dat', n)", "os.rename('Other.txt', n)"]) func whatIsWrittenIsAVersion(renaming: String) throws {
        let container = try TemporaryContainer("text Notes old\ntext Other other\nfile other.dat other")
        try withDrive(container, options: "rw") { drive in
            let line = "import os; n = 'Notes.txt'; f = open(n, 'wb', 0); f.write(b'mine'); \(renaming); f.close()"
            try run("python3", "-c", line, in: drive.mountpoint).good()
            #expect(try drive.text("Notes.txt") == "other")
            #expect(try shell("cat .valise/versions/Notes.txt/*", in: drive.mountpoint).good().output == "oldmine")
        }
    }

    @Test func deletedWhileOpen() throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            let photo = try drive.get("cat.jpg")
            for name in ["Page.url", "cat.jpg"] {
                let file = try OpenedFile(drive.path(name), O_RDWR), reader = try OpenedFile(drive.path(name))
                let before = try reader.content()
                try drive.remove(name)
                #expect(try reader.content() == before)
                try reader.setModified(1_000_000_000)
                try reader.setMode(0o640)
                #expect(try file.status().st_mtim.tv_sec == 1_000_000_000 && file.status().st_mode & 0o777 == 0o640)
                try file.write("X", at: 0)
                #expect(try reader.content() == Data("X".utf8) + before.dropFirst())
                #expect(try file.status().st_nlink == 0)
                try file.setMode(0o600)
                try file.truncate(to: 1)
                #expect(try file.status().st_nlink == 0)
                try file.synchronize()
                #expect(try reader.text() == "X")
                try file.close()
            }
            // One that never was more than a draft.
            let new = try OpenedFile(drive.path("new.jpg"), O_RDWR | O_CREAT)
            try new.write(photo)
            try drive.remove("new.jpg")
            #expect(try new.content() == photo)
            try new.close()
            #expect(try drive.files() == [])
            #expect(try container.storedFiles() == [])
        }
    }

    @Test func replacedWhileOpen() throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            let before = try drive.text("Page.url")
            let reader = try OpenedFile(drive.path("Page.url"))
            let writer = try OpenedFile(drive.path("Page.url"), O_RDWR)
            try writer.write(";", at: 0)
            try drive.put("new", link("https://two.example/"))
            try drive.rename("new", "Page.url")
            #expect(try reader.text() == ";" + before.dropFirst())
            try writer.write("late", at: 0)
            try writer.close()
            #expect(try drive.text("Page.url") == link("https://two.example/"))
            #expect(try container.archive("Bookmark_Page-1700000000.123456")["Bookmark URL"] == "https://two.example/")
            #expect(try container.staged() == [])
        }
    }

    /// Cutting a document when it is opened is a change of it, whether anything is written then or not.
    @Test func whatIsCutIsChanged() throws {
        let container = try TemporaryContainer("text note hello")
        try withDrive(container, options: "rw") { drive in
            for _ in 1...2 {
                try run("touch", "-d", "@1000000000", drive.path("note.txt")).good()
                try OpenedFile(drive.path("note.txt"), O_WRONLY | O_TRUNC).close()
                #expect(try drive.status(of: "note.txt").st_mtim.tv_sec > 1_000_000_000)
            }
            #expect(try container.bytes("note.stedoc") == Data())
        }
    }

    @Test func twoWriters() throws {
        let container = try TemporaryContainer()
        try withDrive(container, options: "rw") { drive in
            try drive.put("note.txt", "")
            let one = try OpenedFile(drive.path("note.txt"), O_RDWR), other = try OpenedFile(drive.path("note.txt"), O_RDWR)
            try one.write("aaaa", at: 0)
            try other.write("bb", at: 1)
            try one.close()
            #expect(try drive.text("note.txt") == "abba")
            try other.write("c", at: 3)
            #expect(try drive.text("note.txt") == "abbc")
            try other.close()
            #expect(try container.bytes("note.stedoc") == Data("abbc".utf8))
        }
    }

    @Test func manyAppend() throws {
        let container = try TemporaryContainer()
        try withDrive(container, options: "rw") { drive in
            try shell("for i in 1 2 3 4; do (for j in $(seq 50); do echo line; done >> log.txt) & done; wait", in: drive.mountpoint).good()
            #expect(try drive.text("log.txt") == String(repeating: "line\n", count: 200))
        }
    }

    /// A shell's redirection is one open file for all its programs; each of them closes a copy.
    @Test func copiesOfADescriptor() throws {
        let container = try TemporaryContainer()
        try withDrive(container, options: "rw") { drive in
            let file = try OpenedFile(drive.path("Page.url"), O_WRONLY | O_CREAT), copy = try file.duplicate()
            try file.write("[InternetShortcut]\n")
            try file.close()
            try copy.write("URL=https://one.example/\n")
            try copy.close()
            #expect(try container.onlyBookmark()["Bookmark URL"] == "https://one.example/")
        }
    }

    @Test func mappedFiles() throws {
        let container = try TemporaryContainer("text note hello")
        try withDrive(container, options: "rw") { drive in
            let file = try OpenedFile(drive.path("note.txt"), O_RDWR)
            try file.mapped(5) { $0[1] = UInt8(ascii: "a") }
            try file.close()
            #expect(try drive.text("note.txt") == "hallo")
            #expect(try container.bytes("note.stedoc") == Data("hallo".utf8))
        }
    }

    @Test func rangesHolesAndRoom() throws {
        let container = try TemporaryContainer()
        try withDrive(container, options: "rw") { drive in
            let bytes = image(20_000)
            let file = try OpenedFile(drive.path("cat.jpg"), O_RDWR | O_CREAT)
            try file.allocate(bytes.count)
            try file.write(bytes, at: 0)
            try file.close()
            #expect(try container.archive("cat.ptk/photo.data")["Photo"] == digest(bytes))
            // A document is data from end to end.
            let reader = try OpenedFile(drive.path("cat.jpg"))
            let data = Int32(3), hole = Int32(4)
            #expect(try reader.seek(to: 5, data) == 5)
            #expect(try reader.seek(to: 5, hole) == bytes.count)
            // cp copies ranges, and --sparse makes holes.
            try run("cp", "--sparse=always", "cat.jpg", "dog.jpg", in: drive.mountpoint).good()
            #expect(try drive.get("dog.jpg") == bytes)
            try run("fallocate", "--punch-hole", "-o", "4096", "-l", "4096", drive.path("dog.jpg")).good()
            var punched = bytes
            punched.replaceSubrange(4096..<8192, with: Data(count: 4096))
            #expect(try container.archive("dog.ptk/photo.data")["Photo"] == digest(punched))
            #expect(try drive.get("dog.jpg") == punched)
        }
    }

    /// What was written when the drive died is there again: whole as a document, or else as it is.
    @Test func killedWhileTheyWrite() throws {
        let container = try TemporaryContainer()
        let bytes = image(5000)
        try withDrive(container, options: "rw") { drive in
            var files: [OpenedFile] = []
            for (name, content) in [("Page.url", Data(link("https://one.example/").utf8)), ("cat.jpg", bytes), ("bad.jpg", Data("bad".utf8))] {
                let file = try OpenedFile(drive.path(name), O_WRONLY | O_CREAT)
                try file.write(content)
                files.append(file)
            }
            try drive.kill()
            for file in files { #expect(throws: Refused.self) { try file.close() } }
        }
        try withDrive(container, options: "rw") { drive in
            let files = try drive.files()
            #expect(files == ["Page.url", "bad.jpg", "cat.jpg"])
            #expect(try drive.get("cat.jpg") == bytes)
            #expect(try drive.text("bad.jpg") == "bad")
            #expect(try container.onlyBookmark()["Bookmark URL"] == "https://one.example/")
            #expect(drive.fact("kind", of: "cat.jpg") == "photo")
            #expect(try container.staged() == [])
        }
    }

    /// What one copy of a descriptor saved by being closed, fsync of the other one has on the store, with the folder that it is in.
    @Test(.enabled(if: geteuid() == 0 && access("/usr/bin/strace", X_OK) == 0, "a process is traced by root, with strace"))
    func syncedAfterACopyWasClosed() throws {
        let container = try TemporaryContainer("bookmark Old https://old.example/\ntext Notes one\nphoto Sunset png\nfolder Album")
        try withDrive(container) { drive in
            let log = container.beside("calls")
            for (name, content, parts) in [
                ("Page.url", Data(link("https://one.example/").utf8), ["/Album/Bookmark_Page-"]), ("List.txt", Data("Bread".utf8), ["/Album/List.stedoc>"]),
                ("cat.jpg", image(5000), ["/Album/cat.ptk/photo.data>", "/Album/cat.ptk/photo.metadata>", "/Album/cat.ptk>"]),
            ] {
                let file = try OpenedFile(drive.path("Album/" + name), O_WRONLY | O_CREAT), copy = try file.duplicate()
                try file.write(content)
                try copy.close()
                let tracer = try Program(["strace", "-f", "-y", "-e", "trace=fsync,fdatasync", "-o", log, "-p", "\(drive.process)"])
                #expect(eventually { tracer.errors.contains("attached") })
                try file.synchronize()
                tracer.end()
                let calls = try String(contentsOfFile: log, encoding: .utf8)
                for place in parts + ["/Album>"] { #expect(calls.contains(place), "\(name): \(calls)") }
            }
        }
    }

    /// Whatever many programs do to the same documents at once: these are there then, and nothing else is.
    @Test(arguments: [1, 2, 3]) func manyAtOnce(seed: Int) throws {
        let container = try TemporaryContainer("photo Sunset jpeg\nbookmark Page https://old.example/\ntext Notes one")
        try withDrive(container) { drive in
            let said = try run("python3", Places.support("hammer.py"), drive.mountpoint, "\(seed)", "150").good().output
            #expect(said == "", "seed \(seed)")
            // What a program was about to rename or remove when the name was gone is its own.
            try shell("rm -rf .own* *~ Album", in: drive.mountpoint).good()
            #expect(try drive.files() == ["Notes.txt", "Page.url", "Sunset.jpg"], "seed \(seed)")
        }
        #expect(try container.staged() == [], "seed \(seed)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: container.path).count == 4, "seed \(seed)")
        try valise("check", container.path).good()
    }

    /// The same while apps replace, delete and put back these documents in the container: whatever is there then can be read,
    /// and what is not saved is shown, by this drive or the next.
    @Test(arguments: [1, 2]) func manyOnBothSides(seed: Int) throws {
        func description(_ side: Int) -> String { "photo Sunset jpeg size=\(side)0000\nbookmark Page https://side\(side).example/ stored=Bookmark_Page-\(side)\ntext Notes \(side)" }
        let container = try TemporaryContainer(description(1)), templates = try (2...4).map { try TemporaryContainer(description($0)) }
        // What looks half-written is waited for, and for a moment "busy".
        func readAll(_ drive: MountedDrive) throws {
            for name in try drive.files() { #expect(eventually { (try? drive.get(name)) != nil }, "seed \(seed): \(name)") }
        }
        func drafts(of drive: MountedDrive) throws -> [String] { try drive.files().filter { drive.fact("state", of: $0) == "draft" } }
        let shown = try withDrive(container) { drive in
            let beside = container.beside("outside")
            mkdir(beside, 0o755)
            let apps = try Program(["python3", Places.support("hammer_outside.py"), container.path, beside, "\(seed)"] + templates.map(\.path))
            let said = try run("python3", Places.support("hammer.py"), drive.mountpoint, "\(seed)", "100").good().output
            #expect(said == "", "seed \(seed)")
            try Data().write(to: URL(fileURLWithPath: beside + "/end"))
            #expect(try apps.wait().good().output == "", "seed \(seed)")
            try readAll(drive)
            return try drafts(of: drive)
        }
        let staged = try container.staged()
        #expect(staged.count == shown.count, "seed \(seed): \(staged) of \(shown)")
        try withDrive(container) { drive in
            try readAll(drive)
            for name in try drafts(of: drive) { try drive.remove(name) }
        }
        #expect(try container.staged() == [], "seed \(seed)")
        try valise("check", container.path).good()
    }
}
