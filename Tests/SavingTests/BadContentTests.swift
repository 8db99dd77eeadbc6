import Foundation
import MountTesting
import Testing

/// Content that is not what its name says: a new file stays the plain file it is; a document keeps its last good content,
/// and what was written is kept, shown, told of, and becomes the document once it is mended.
@Suite(.mounting) struct BadContentTests {
    static let unfit: [(String, Data)] = [
        ("words.url", Data("not a link".utf8)),
        ("empty.url", Data()),
        ("no URL.url", Data("[InternetShortcut]\nIconFile=x\n".utf8)),
        ("control.url", Data("[InternetShortcut]\nURL=https://x\u{1}y/\n".utf8)),
        ("lines.url", Data(("[InternetShortcut]\n" + String(repeating: "x=y\n", count: 10_000)).utf8)),
        ("application.desktop", Data("[Desktop Entry]\nType=Application\n".utf8)),
        ("broken.webloc", Data("<plist>".utf8)),
        ("page.html", Data("<html>Hello</html>".utf8)),
        ("words.jpg", Data("hello".utf8)),
        ("UTF-16.txt", Data([0xFF, 0xFE, 0x00, 0xD8])),
    ]

    @Test func newFilesStayPlain() throws {
        let container = try TemporaryContainer()
        try withDrive(container, options: "rw") { drive in
            for (name, bytes) in Self.unfit {
                try drive.put(name, bytes)
                // Of one that is empty still, that is seen when the kernel lets go of it, a moment after the program.
                if bytes.isEmpty { eventually { (try? container.bytes(name)) != nil } }
                #expect(try container.bytes(name) == bytes, "\(name)")
                #expect(try drive.get(name) == bytes, "\(name)")
                #expect(drive.fact("kind", of: name) == "plain", "\(name)")
            }
            #expect(try container.staged() == [])
        }
    }

    /// Half an image is still one that says what it is; its exact bytes are kept.
    @Test func halfAnImageIsKept() throws {
        let container = try TemporaryContainer()
        try withDrive(container, options: "rw") { drive in
            try drive.put("half.jpg", image(10_000).prefix(4000))
            #expect(try drive.get("half.jpg") == image(10_000).prefix(4000))
        }
    }

    @Test func linksInUTF16AreUnderstood() throws {
        let container = try TemporaryContainer()
        try withDrive(container, options: "rw") { drive in
            let bytes = try #require("\u{FEFF}[InternetShortcut]\r\nURL=https://wide.example/\r\n".data(using: .utf16LittleEndian))
            try drive.put("wide.url", bytes)
            #expect(try container.onlyBookmark()["Bookmark URL"] == "https://wide.example/")
            #expect(try drive.get("wide.url") == bytes)
        }
    }

    /// Long, but a link all the same: the first address counts, and all its bytes come back.
    @Test func aLinkOfTenThousandLines() throws {
        let container = try TemporaryContainer()
        try withDrive(container, options: "rw") { drive in
            let lines = "[InternetShortcut]\n" + String(repeating: "; not yet\n", count: 9_998) + "URL=https://late.example/\n"
            try drive.put("lines.url", lines)
            #expect(try container.onlyBookmark()["Bookmark URL"] == "https://late.example/")
            #expect(try drive.text("lines.url") == lines)
        }
    }

    /// An address that an app stored and no link file can hold adds no lines to one, and is not changed by being saved.
    @Test func anAddressWithLineEnds() throws {
        let container = try TemporaryContainer(#"bookmark Odd "https://odd.example/\n[InternetShortcut]\nURL=file:///etc/passwd\u0001""#)
        try withDrive(container, options: "rw") { drive in
            let shown = try drive.text("Odd.url"), stored = try container.onlyBookmark()["Bookmark URL"]
            #expect(shown == link("https://odd.example/%0A[InternetShortcut]%0AURL=file:///etc/passwd%01"))
            #expect(stored == "https://odd.example/\n[InternetShortcut]\nURL=file:///etc/passwd\u{1}")
            try drive.put("Odd.url", shown)
            #expect(try drive.text("Odd.url") == shown)
            #expect(try container.onlyBookmark()["Bookmark URL"] == stored)
        }
    }

    private let invalid = Refused(call: "close", number: EINVAL)

    @Test(arguments: [
        ("Page.url", Data("garbage".utf8), Data(link("https://new.example/page").utf8)), ("cat.jpg", Data("garbage".utf8), image(300)),
    ])
    func aDocumentKeepsItsLastGoodContent(name: String, bad: Data, good: Data) throws {
        let container = try appDocuments()
        let item = name == "Page.url" ? "Bookmark_Page-1700000000.123456" : "cat.ptk/photo.data"
        let before = try container.bytes(item)
        func isFlagged(_ drive: MountedDrive) throws {
            #expect(try drive.get(name) == bad)
            #expect(try container.bytes(item) == before)
            #expect(drive.fact("error", of: name)?.isEmpty == false)
            #expect(try drive.status().reason(of: name) != nil)
        }
        try withDrive(container, options: "rw") { drive in
            #expect(throws: invalid) { try drive.put(name, bad) }
            try isFlagged(drive)
        }
        // The next drive shows it again, and so does one after a crash.
        try withDrive(container, options: "rw") { drive in
            try isFlagged(drive)
            try drive.kill()
        }
        try withDrive(container, options: "rw") { drive in
            try isFlagged(drive)
            try drive.put(name, good)
            #expect(try drive.get(name) == good)
            #expect(try container.bytes(item) != before)
            #expect(drive.fact("error", of: name) == nil)
            #expect(try container.staged() == [])
        }
    }

    /// Whoever opens it next sees what was written, and is told when he closes it: after writing, or without.
    @Test(arguments: ["Page.url", "cat.jpg"]) func theSecondToOpenItIsToldToo(name: String) throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            let before = try container.storedFiles()
            let first = try OpenedFile(drive.path(name), O_RDWR | O_TRUNC), second = try OpenedFile(drive.path(name), O_RDWR)
            try first.write("garbage")
            #expect(try second.text() == "garbage")
            #expect(throws: invalid) { try first.close() }
            let reader = try OpenedFile(drive.path(name)), third = try OpenedFile(drive.path(name), O_WRONLY)
            #expect(try reader.text() == "garbage")
            try third.write("still ", at: 0)
            #expect(throws: invalid) { try third.close() }
            #expect(throws: invalid) { try second.close() }
            #expect(throws: invalid) { try OpenedFile(drive.path(name), O_WRONLY).close() }
            try reader.close()
            #expect(try drive.text(name) == "still e")
            #expect(try container.storedFiles() == before)
        }
    }

    @Test func mendedInPlace() throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            #expect(throws: invalid) { try drive.put("Page.url", "[InternetShortcut]\n") }
            let file = try OpenedFile(drive.path("Page.url"), O_WRONLY | O_APPEND)
            try file.write("URL=https://mended.example/\n")
            try file.close()
            let archive = try container.archive("Bookmark_Page-1700000000.123456")
            #expect(archive["Bookmark URL"] == "https://mended.example/" && archive["Rating"] == "5")
        }
    }

    /// A bookmark's item has its name in it, and is another file under another name. What is being written of it began from that all the same, also for
    /// the next drive.
    @Test(arguments: ["A much longer name.url", "Another with a longer name.url"]) func renamedAndKilled(name: String) throws {
        let container = try appDocuments(), new = link("https://new.example/"), rename = try #require(ExchangeTests.rename)
        try withDrive(container, options: "rw") { drive in
            try drive.put("Another with a longer name.url", link("https://other.example/"))
            let file = try OpenedFile(drive.path("Page.url"), O_WRONLY | O_TRUNC)
            try file.write("garbage")
            // One of the names is free, and with the other one they change places.
            let exchanges: UInt32 = name.hasPrefix("Another") ? 2 : 0
            _ = try checked("renameat2", rename(AT_FDCWD, drive.path("Page.url"), AT_FDCWD, drive.path(name), exchanges))
            try file.write(Data(new.utf8), at: 0)
            try drive.kill()
            #expect(throws: Refused.self) { try file.close() }
        }
        try withDrive(container, options: "rw") { drive in
            let conflicts = try valise("conflicts", drive.mountpoint).good().output
            #expect(try conflicts == "" && drive.text(name) == new)
        }
    }

    /// What somebody else has made of it before it was renamed is the other side of a conflict still.
    @Test func renamedAfterSomebodyElseChangedIt() throws {
        let container = try appDocuments(), item = container.stored("Bookmark_Page-1700000000.123456"), new = link("https://new.example/")
        try withDrive(container, options: "rw") { drive in
            let file = try OpenedFile(drive.path("Page.url"), O_WRONLY | O_TRUNC)
            try file.write("garbage")
            try run("python3", Places.support("change_bookmark.py"), item, "https://app.example/").good()
            try drive.rename("Page.url", "A much longer name.url")
            try file.write(Data(new.utf8), at: 0)
            try file.close()
            #expect(try drive.text("A much longer name.url") == new)
            #expect(try valise("conflicts", drive.mountpoint).good().output.contains("A much longer name.url"))
        }
    }

    @Test func renamedMovedAndDeleted() throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            try drive.makeFolder("A")
            try drive.rename("Page.url", "A/Page.url")
            #expect(throws: invalid) { try drive.put("A/Page.url", "garbage") }
            try drive.rename("A/Page.url", "A/Other.url")
            try drive.rename("A", "B")
            #expect(try drive.text("B/Other.url") == "garbage")
        }
        try withDrive(container, options: "rw") { drive in
            #expect(try drive.text("B/Other.url") == "garbage")
            // A plain file is what was written, a good document what was there before.
            try drive.rename("B/Other.url", "other.dat")
            #expect(try drive.text("other.dat") == "garbage")
            #expect(throws: invalid) { try drive.put("cat.jpg", "garbage") }
            try drive.remove("cat.jpg")
        }
        try withDrive(container, options: "rw") { drive in
            let files = try drive.files()
            #expect(files == ["other.dat"])
        }
    }

    /// Whoever empties a document to write it anew and never does has lost nothing.
    @Test func emptyingNeverDestroys() throws {
        let container = try appDocuments()
        let bookmark = try container.bytes("Bookmark_Page-1700000000.123456"), photo = try container.bytes("cat.ptk/photo.data")
        try withDrive(container, options: "rw") { drive in
            for name in ["Page.url", "cat.jpg"] {
                let file = try OpenedFile(drive.path(name), O_WRONLY | O_TRUNC)
                #expect(try drive.get(name) == Data())
                #expect(throws: invalid) { try file.close() }
                try run("truncate", "-s", "0", drive.path(name))
            }
            #expect(try container.bytes("Bookmark_Page-1700000000.123456") == bookmark)
            #expect(try container.bytes("cat.ptk/photo.data") == photo)
        }
    }

    /// A shell closes what it opened before it writes and after it: that is one line, and none where what it wrote is good.
    @Test func aShellIsToldOnce() throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            let photo = try drive.get("cat.jpg")
            try photo.write(to: URL(fileURLWithPath: container.beside("good.jpg")))
            func lines(_ count: Int) -> [String] {
                eventually { drive.log.split(separator: "\n").count >= count }
                return drive.log.split(separator: "\n").map { String($0.drop { $0 != "“" }) }
            }
            let empty = "“cat.jpg” is not saved: The file is empty and no image.", odd = "“cat.jpg” is not saved: The file is no image of a known type."
            try shell("cat ../good.jpg >cat.jpg", in: drive.mountpoint).good()
            try shell("printf x >cat.jpg", in: drive.mountpoint)
            #expect(lines(1) == [odd])
            try shell(": >cat.jpg", in: drive.mountpoint)
            #expect(lines(2) == [odd, empty])
            try shell("exec 3>cat.jpg; printf x >&3; printf y >&3", in: drive.mountpoint)
            #expect(lines(3) == [odd, empty, odd])
            try shell("cat ../good.jpg >cat.jpg", in: drive.mountpoint).good()
            #expect(try drive.get("cat.jpg") == photo)
            #expect(lines(3) == [odd, empty, odd])
        }
    }

    /// As large as can be, and without its bytes: nothing is copied that is a hole.
    @Test func fourGigabytesOfNothing() throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            let new = try OpenedFile(drive.path("huge.url"), O_WRONLY | O_CREAT)
            try new.truncate(to: 4 << 30)
            try new.close()
            #expect(try drive.status(of: "huge.url").st_size == 4 << 30)
            #expect(drive.fact("kind", of: "huge.url") == "plain")
            let old = try OpenedFile(drive.path("Page.url"), O_WRONLY)
            try old.truncate(to: 4 << 30)
            #expect(throws: invalid) { try old.close() }
            #expect(try drive.status(of: "huge.url").st_blocks < 1000)
            let used = try run("du", "-s", "--block-size=1", container.path).good().output.split(separator: "\t")[0]
            #expect(try #require(Int(used)) < 1 << 22)
        }
    }

    /// A file that does not fit does not take a document's place: it keeps its name, and the document its content.
    @Test func badContentIsNotRenamedOverADocument() throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            let before = try drive.get("Page.url")
            try drive.put("new", "garbage")
            #expect(throws: Refused(call: "rename", number: EMEDIUMTYPE)) { try drive.rename("new", "Page.url") }
            #expect(try drive.get("Page.url") == before)
            #expect(try drive.text("new") == "garbage")
        }
    }

    /// What takes a document's name has its content, whatever it was before: or both stay as they were, and the error says so.
    @Test(arguments: ["plain", "Notes.txt", "Swift.url", "New.txt"]) func nothingUnfitReplacesADocument(source: String) throws {
        let container = try TemporaryContainer("photo Cat png\ntext Notes \"a text\"\nbookmark Swift https://www.swift.org/\nfile plain \"a text\"")
        try withDrive(container) { drive in
            let photo = try drive.get("Cat.png")
            let new = source == "New.txt" ? try OpenedFile(drive.path("New.txt"), O_WRONLY | O_CREAT) : nil
            try new?.write("a text")
            for move in ["mv \(source) Cat.png", "python3 -c 'import os; os.rename(\"\(source)\", \"Cat.png\")'"] {
                let ended = try shell(move, in: drive.mountpoint)
                #expect(ended.code != 0 && ended.errors.contains("Wrong medium type"), "\(move): \(ended.errors)")
            }
            #expect(try drive.get("Cat.png") == photo && drive.files().contains(source) && drive.files().count == (new == nil ? 4 : 5))
            try new?.close()
            // What fits takes the place, with the document's name and versions.
            try Data([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0, 0, 0, 0x3B]).write(to: URL(fileURLWithPath: drive.path("dot")))
            try shell("mv dot Cat.png", in: drive.mountpoint).good()
            #expect(try drive.get("Cat.png").prefix(3) == Data("GIF".utf8) && valise("versions", "-q", drive.path("Cat.png")).good().lines.count == 1)
        }
    }

    /// Also where no document of the kind is made.
    @Test func nothingUnfitReplacesOneThatWouldNotBeMade() throws {
        let container = try TemporaryContainer("photo Cat png\nfile plain \"a text\"")
        try withDrive(container, options: "create=none") { drive in
            #expect(throws: Refused(call: "rename", number: EMEDIUMTYPE)) { try drive.rename("plain", "Cat.png") }
        }
    }
}
