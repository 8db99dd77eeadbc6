import Foundation
import MountTesting
import Testing

/// Programs that rename the old file away, or remove it, and write a new one: where that is not what the name says, the document is there
/// all the same, and what was written is its draft, as where it is written in place.
@Suite(.mounting) struct UnfitSaveTests {
    struct Way: Sendable, CustomTestStringConvertible {
        let name: String
        let file: String
        let line: String
        var leaves: [String] = []
        var testDescription: String { name }
    }

    static let ways = [
        Way(name: "vim", file: "Page.url", line: "mv Page.url Page.url~; cat \"$1\" >Page.url; rm Page.url~"),
        Way(name: "vim with a backup", file: "Page.url", line: "mv Page.url Page.url~; cat \"$1\" >Page.url", leaves: ["Page.url~"]),
        Way(name: "vim, synchronized", file: "Page.url", line: "mv Page.url Page.url~; dd if=\"$1\" of=Page.url conv=fsync status=none; rm Page.url~"),
        Way(name: "removed and written", file: "Page.url", line: "rm Page.url; cat \"$1\" >Page.url"),
        Way(name: "exiftool", file: "cat.jpg", line: "cp \"$1\" cat.jpg_exiftool_tmp; mv cat.jpg cat.jpg_original; mv cat.jpg_exiftool_tmp cat.jpg", leaves: ["cat.jpg_original"]),
        Way(name: "a photo written anew", file: "cat.jpg", line: "mv cat.jpg cat.jpg~; cp \"$1\" cat.jpg; rm cat.jpg~"),
        Way(name: "a text in Latin-1", file: "Notes.txt", line: "mv Notes.txt Notes.txt~; cat \"$1\" >Notes.txt; rm Notes.txt~"),
    ]

    private static let unfit = Data("caf\u{E9}\n".unicodeScalars.map { UInt8($0.value) })

    private func documents() throws -> TemporaryContainer {
        let container = try appDocuments()
        try Data("old words\n".utf8).write(to: URL(fileURLWithPath: container.stored("Notes.stedoc")))
        return container
    }

    @Test(arguments: ways, ["rw", "rw,deleted=off", "rw,versions=off"]) func theDocumentStays(way: Way, options: String) throws {
        let container = try documents(), stored = ["Page.url": "Bookmark_Page-1700000000.123456", "cat.jpg": "cat.ptk/photo.data", "Notes.txt": "Notes.stedoc"][way.file]!
        let before = try container.bytes(stored), items = try container.storedFiles()
        try withDrive(container, options: options) { drive in
            let shown = try drive.get(way.file)
            try Self.unfit.write(to: URL(fileURLWithPath: container.beside("new")))
            try shell(way.line, container.beside("new"), in: drive.mountpoint)
            #expect(try drive.get(way.file) == Self.unfit)
            #expect(drive.fact("state", of: way.file) == "draft")
            #expect(try container.bytes(stored) == before)
            if !options.contains("deleted=off") { #expect(try container.deleted() == []) }
            #expect(try drive.files() == (["Notes.txt", "Page.url", "cat.jpg"] + way.leaves).sorted())
            for name in way.leaves { #expect(try drive.get(name) == shown, "\(name)") }
            // Removing the old one changes nothing.
            for name in way.leaves { try shell("rm \"$1\"", name, in: drive.mountpoint).good() }
            #expect(try drive.get(way.file) == Self.unfit)
            #expect(try container.bytes(stored) == before)
            // Once more, over what is a draft.
            try shell(way.line, container.beside("new"), in: drive.mountpoint)
            #expect(drive.fact("state", of: way.file) == "draft")
            #expect(try container.bytes(stored) == before)
            for name in way.leaves { try shell("rm \"$1\"", name, in: drive.mountpoint).good() }
            // It is mended: the same document, with what it was as a version.
            try drive.put(way.file, shown)
            #expect(drive.fact("state", of: way.file) == "saved")
            #expect(try drive.get(way.file) == shown)
            // A thumbnail may have come.
            #expect(try Set(items).isSubset(of: container.storedFiles()))
            #expect(try container.storedFiles().filter { !$0.contains("/") } == items.filter { !$0.contains("/") })
            eventually { (try? container.staged()) == [] }
            #expect(try container.staged() == [])
        }
    }

    /// Who closes it is told, as in place.
    @Test func whoClosesItIsTold() throws {
        let container = try documents()
        try withDrive(container, options: "rw") { drive in
            let said = try shell("mv Notes.txt Notes.txt~; cp \"$1\" Notes.txt", try Self.written(beside: container), in: drive.mountpoint)
            #expect(said.code != 0 && said.errors.contains("Invalid argument"), "\(said)")
            #expect(try valise("status", drive.mountpoint).good().output.contains("“Notes.txt”"))
        }
    }

    /// Its item's name is another document's by now: it is called otherwise in the container.
    @Test func itsItemsNameIsTaken() throws {
        let container = try documents()
        try withDrive(container, options: "rw") { drive in
            try shell("cp cat.jpg dog.jpg", in: drive.mountpoint).good()
            let shown = try drive.get("dog.jpg")
            let line = "import os; os.rename('dog.jpg', 'bak'); f = open('dog.jpg', 'wb', 0); f.write(b'nonsense'); open('dog.png', 'wb').write(open('bak', 'rb').read()); f.close()"
            #expect(try run("python3", "-c", line, in: drive.mountpoint).errors.contains("Invalid argument"))
            #expect(try drive.get("dog.png") == shown)
            #expect(try drive.get("dog.jpg") == Data("nonsense".utf8))
            #expect(try container.deleted() == [])
            try valise("restore", drive.path("dog.jpg"), "--saved").good()
            #expect(try drive.get("dog.jpg") == shown)
            #expect(try container.storedFiles().filter { $0.hasPrefix("dog") && $0.hasSuffix("photo.data") } == ["dog 1.ptk/photo.data", "dog.ptk/photo.data"])
        }
    }

    /// Without room for a draft, and of what is too large to be copied while the folder waits, the document is back under its name, and the file keeps its own.
    @Test(arguments: [("8m", "head -c 5000000 /dev/zero", "No space left on device"), ("400m", "head -c 70000000 /dev/zero", "Wrong medium type")])
    func whereThereIsNoDraft(size: String, made: String, told: String) throws {
        let container = try TemporaryContainer()
        try run("mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", container.path).good()
        defer { _ = try? run("umount", "-l", container.path) }
        _ = try container.add("bookmark Page https://old.example/ stored=Bookmark_Page-1700000000.123456")
        let before = try container.bytes("Bookmark_Page-1700000000.123456")
        try withDrive(container, options: "rw") { drive in
            let shown = try drive.get("Page.url")
            try shell(made + " >new && mv Page.url Page.url~ && test ! -e Page.url", in: drive.mountpoint).good()
            let said = try run("python3", "-c", "import os; os.rename(\"new\", \"Page.url\")", in: drive.mountpoint)
            #expect(said.code != 0 && said.errors.contains(told), "\(said)")
            #expect(try drive.get("Page.url") == shown)
            #expect(drive.fact("state", of: "Page.url") == "saved")
            #expect(try drive.files() == ["Page.url", "Page.url~", "new"])
            #expect(try container.bytes("Bookmark_Page-1700000000.123456") == before)
            #expect(try container.deleted() == [])
        }
    }

    /// What an app makes of the document meanwhile is one side of a conflict, and what mends the draft is the other one.
    @Test(arguments: ["mv Notes.txt Notes.txt~; cat \"$1\" >Notes.txt", "cp \"$1\" new; mv Notes.txt Notes.txt~; mv new Notes.txt"]) func anAppWritesMeanwhile(line: String) throws {
        let container = try documents()
        try withDrive(container, options: "rw") { drive in
            try shell(line, try Self.written(beside: container), in: drive.mountpoint)
            #expect(drive.fact("state", of: "Notes.txt") == "draft")
            try Data("the app's\n".utf8).write(to: URL(fileURLWithPath: container.stored("Notes.stedoc")), options: .atomic)
            try drive.put("Notes.txt", Data("mended\n".utf8))
            #expect(try valise("conflicts", drive.mountpoint).good().output.contains("Notes.txt"))
        }
    }

    /// Vim says so, and has the old text back; what was typed is in vim still, and among the deleted.
    @Test func vimSaysSo() throws {
        let container = try documents()
        try withDrive(container, options: "rw") { drive in
            try shell(
                "vim -es -N -u NONE -i NONE -c 'set backup bsk= backupcopy=no nomodeline' -c '%s/.*/nonsense/' -c w -c q! Page.url", in: drive.mountpoint,
                environment: ["HOME": container.beside("")])
            #expect(try container.archive("Bookmark_Page-1700000000.123456")["Bookmark URL"] == "https://old.example/")
            #expect(drive.fact("kind", of: "Page.url") == "bookmark")
        }
    }

    private static func written(beside container: TemporaryContainer) throws -> String {
        try unfit.write(to: URL(fileURLWithPath: container.beside("new")))
        return container.beside("new")
    }

    /// While it was away, another one's item was called as its own is, and the program has read that one. It has read nothing that an app changed since.
    @Test func anotherOneHadItsStoredNameMeanwhile() throws {
        let container = try documents()
        try withDrive(container, options: "rw") { drive in
            let script = """
                import os
                def put(path, content):
                    file = open(path, "wb", 0)
                    file.write(content)
                    try: file.close()
                    except OSError: pass
                def get(path): return open(path, "rb").read()
                photo = get("cat.jpg")
                os.rename("cat.jpg", "cat.old")
                put("cat.png", bytes.fromhex("89504e470d0a1a0a"))
                get("cat.png")
                stored = os.getxattr("cat.png", "user.valise.stored-name")
                os.remove("cat.png")
                put("cat.jpg", b"no image")
                assert os.getxattr("cat.jpg", "user.valise.state") == b"draft" and os.getxattr("cat.jpg", "user.valise.stored-name") == stored
                put("new", photo + b"more")
                os.utime("new", (10**9, 10**9))
                os.rename("new", "cat.jpg")
                assert get("cat.jpg") == photo + b"more"
                """
            try shell("python3 -c \"$1\"", script, in: drive.mountpoint).good()
            #expect(try shell("ls .valise/versions/cat.jpg; valise conflicts .", in: drive.mountpoint).output.contains("conflict") == false)
        }
    }

    /// The drive is killed before it is closed: the next one has the document, and the draft on it; of what was empty still, the document as it was.
    @Test(arguments: ["Page.url", "Notes.txt"], [true, false]) func whereTheDriveIsKilled(file: String, isWritten: Bool) throws {
        let container = try documents(), stored = try container.storedFiles()
        let drive = try MountedDrive(container, options: "rw"), shown = try drive.get(file)
        try shell("mv \"$1\" \"$1~\"", file, in: drive.mountpoint).good()
        let open = open(drive.path(file), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        if isWritten { #expect(Self.unfit.withUnsafeBytes { write(open, $0.baseAddress, $0.count) } == Self.unfit.count) }
        #expect(!isWritten || fsync(open) == 0)
        try drive.kill()
        close(open)
        umount2(drive.mountpoint, Int32(MNT_DETACH))
        // So is the next one: the draft is one of the document that is back.
        let second = try MountedDrive(container, options: "rw")
        #expect(try second.get(file) == (isWritten ? Self.unfit : shown))
        try second.kill()
        umount2(second.mountpoint, Int32(MNT_DETACH))
        try withDrive(container, options: "rw") { drive throws in
            #expect(try drive.get(file) == (isWritten ? Self.unfit : shown))
            #expect(drive.fact("state", of: file) == (isWritten ? "draft" : "saved"))
            #expect(try container.storedFiles() == (stored + [file + "~"]).sorted())
            #expect(try container.deleted() == [])
        }
    }
}
