import Foundation
import MountTesting
import Testing

/// What other programs do in the container while the drive is mounted.
@Suite(.mounting) struct OutsideTests {
    @Test func shownAtTheNextListing() throws {
        let container = try TemporaryContainer("""
            photo Cat png
            text Notes one
            bookmark Swift https://old/ stored=Bookmark_Swift-1
            file plain one
            """)
        try withDrive(container) { drive in
            #expect(try run("ls", drive.mountpoint).output == "Cat.png\nNotes.txt\nSwift.url\nplain\n")
            try container.add("photo Dog jpeg\ntext Added new\nfile another more")
            #expect(try run("ls", drive.mountpoint).output == "Added.txt\nCat.png\nDog.jpg\nNotes.txt\nSwift.url\nanother\nplain\n")
            try shell("rm -r Cat.ptk plain && mv Notes.stedoc Moved.stedoc && mkdir Album && mv Dog.ptk Album", in: container.path).good()
            #expect(try run("ls", drive.mountpoint).output == "Added.txt\nAlbum\nMoved.txt\nSwift.url\nanother\n")
            #expect(try run("ls", drive.path("Album")).output == "Dog.jpg\n")
            #expect(try run("cat", drive.path("Notes.txt")).code == 1)
            #expect(try run("cat", drive.path("Moved.txt")).output == "one")
        }
    }

    @Test func replacedOnesAreNewWhenTheyAreOpened() throws {
        let container = try TemporaryContainer("bookmark Swift https://old/ stored=Bookmark_Swift-1\ntext Notes one\nfile plain one")
        try withDrive(container) { drive in
            let old = try shell("cat Swift.url Notes.txt plain", in: drive.mountpoint).good().output
            #expect(old == "[InternetShortcut]\nURL=https://old/\noneone")
            try shell("""
                echo longer than before >new && mv new Notes.stedoc
                echo longer than before >new && mv new plain
                """, in: container.path).good()
            let other = try TemporaryContainer("bookmark Swift https://new-and-longer/ stored=Bookmark_Swift-1")
            try shell("cp \"$1\" new && mv new Bookmark_Swift-1", other.stored("Bookmark_Swift-1"), in: container.path).good()
            let new = try shell("ls >/dev/null; cat Swift.url Notes.txt plain", in: drive.mountpoint).good().output
            #expect(new == "[InternetShortcut]\nURL=https://new-and-longer/\nlonger than before\nlonger than before\n")
        }
    }

    @Test func aBookmarkThatItsAppRenamedHasTheNewName() throws {
        let container = try TemporaryContainer("bookmark Swift https://x/ stored=Bookmark_1")
        try withDrive(container) { drive in
            #expect(try run("ls", drive.mountpoint).output == "Swift.url\n")
            let other = try TemporaryContainer("bookmark Renamed https://x/ stored=Bookmark_1")
            try shell("cp \"$1\" new && mv new Bookmark_1", other.stored("Bookmark_1"), in: container.path).good()
            #expect(try run("ls", drive.mountpoint).output == "Renamed.url\n")
            #expect(try run("cat", drive.path("Renamed.url")).code == 0)
        }
    }

    @Test func aPhotoThatIsReplacedWhileItIsRead() throws {
        let container = try TemporaryContainer("photo Big png size=3000000")
        let expected = try #require(container.items.first)
        try withDrive(container) { drive in
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: drive.path("Big.png")))
            var bytes = try #require(try file.read(upToCount: 100_000))
            let other = try TemporaryContainer("photo Big gif size=4000000")
            try shell("mv Big.ptk old && cp -r \"$1\" Big.ptk && rm -r old", other.stored("Big.ptk"), in: container.path).good()
            while let more = try file.read(upToCount: 1 << 20), !more.isEmpty { bytes += more }
            try file.close()
            #expect(bytes.count == expected.size)
            try bytes.write(to: URL(fileURLWithPath: container.beside("read")))
            #expect(try run("sha256sum", container.beside("read")).output.hasPrefix(expected.sha256))
            #expect(try run("ls", drive.mountpoint).output == "Big.gif\n")
        }
    }

    /// An app deletes what somebody is writing, and what could not be saved: both are new documents then.
    @Test func whatIsNotSavedOutlivesItsDocument() throws {
        let container = try TemporaryContainer("text Notes one\nbookmark Swift https://old/\nphoto Cat jpeg\ntext Read one")
        try withDrive(container, options: "rw,log=\(container.beside("log"))") { drive in
            // A process of its own: this one starts others, which close copies of what it has open.
            let writer = try Program(["python3", "-c", """
                import os, sys, time
                file, unchanged = os.open("Notes.txt", os.O_WRONLY | os.O_APPEND), os.open("Read.txt", os.O_RDWR)
                os.write(file, b" and two")
                open(sys.argv[1] + "written", "w").close()
                while not os.path.exists(sys.argv[1] + "enough"): time.sleep(0.01)
                """, container.beside("")], in: drive.mountpoint)
            #expect(eventually { access(container.beside("written"), F_OK) == 0 })
            for name in ["Swift.url", "Cat.jpg"] { #expect(throws: Refused(call: "close", number: EINVAL)) { try drive.put(name, "bad") } }
            try shell("rm -r *", in: container.path).good()
            #expect(try run("ls", drive.mountpoint).output == "Cat.jpg\nNotes.txt\nSwift.url\n")
            for name in ["Swift.url", "Cat.jpg"] { #expect(try drive.text(name) == "bad") }
            #expect(try drive.text("Notes.txt") == "one and two")
            try drive.put("Swift.url", link("https://new/"))
            try drive.put("Cat.jpg", image(5000))
            // What an app made anew meanwhile is the other side of a conflict.
            try container.add("text Notes other")
            try Data().write(to: URL(fileURLWithPath: container.beside("enough")))
            try writer.wait().good()
            #expect(try run("ls", drive.mountpoint).output == "Cat.jpg\nNotes.txt\nSwift.url\n")
            #expect(try drive.text("Notes.txt") == "other")
            #expect(try shell("cat .valise/versions/Notes.txt/*", in: drive.mountpoint).output == "one and two")
            #expect(try valise("conflicts", drive.mountpoint).output.contains("Notes.txt"))
            let log = try String(contentsOfFile: container.beside("log"), encoding: .utf8)
            #expect(log.contains("“Notes.txt” was changed on two sides at once; to see both, and to decide: valise conflicts"), "\(log)")
            #expect(drive.fact("kind", of: "Swift.url") == "bookmark")
            #expect(try drive.get("Cat.jpg") == image(5000))
        }
        #expect(try container.staged() == [])
        try valise("check", container.path).good()
    }

    /// What is to be typed to decide is the version that waits, and what “valise status” names is the file that the drive has.
    @Test func whoDecidesIsToldAboutWhat() throws {
        let container = try TemporaryContainer("text Notes one\nbookmark Linux https://x/ stored=Bookmark_Linux-1\nbookmark Linux https://y/ stored=Bookmark_Linux-2"), log = container.beside("log")
        try shell("printf theirs >Notes.sync-conflict-20221121-232733-ABCDEFG.stedoc; cp Bookmark_Linux-1 Bookmark_Linux-2.sync-conflict-20221121-232733-ABCDEFG", in: container.path).good()
        try withDrive(container, options: "rw,log=\(log)") { drive in
            for text in ["two", "three"] { try drive.put("Notes.txt", text) }
            let conflicts = try valise("conflicts", drive.path("Notes.txt")).good().output
            #expect(conflicts.contains("valise resolve \(drive.path("Notes.txt")) 2, or"), "\(conflicts)")
            let status = try valise("status", drive.mountpoint).good().output
            #expect(status.contains("Notes.txt") && status.contains("Linux 1.url"), "\(status)")
            // A shell closes twice, and the second reason may be the first.
            try shell("echo garbage >\"Linux.url\"", in: drive.mountpoint)
            #expect(try String(contentsOfFile: log, encoding: .utf8).contains("“Linux.url” is not saved"))
        }
    }

    /// With the folder that it is in, it is shown by the next drive.
    @Test func whatIsNotSavedOutlivesItsFolder() throws {
        let container = try TemporaryContainer("text Album/Notes one")
        let bad = Data([0xFF, 0xFE, 0, 0xD8])
        try withDrive(container) { drive in
            #expect(throws: Refused(call: "close", number: EINVAL)) { try drive.put("Album/Notes.txt", bad) }
            try shell("rm -r Album", in: container.path).good()
            #expect(try run("ls", drive.mountpoint).output == "")
            #expect(try valise("status", drive.mountpoint).output.contains("Album/Notes.txt"))
        }
        try withDrive(container) { drive in
            let shown = try run("ls", drive.mountpoint).output
            #expect(shown == "Notes.txt\n")
            #expect(try drive.get("Notes.txt") == bad)
        }
        #expect(try container.staged() == [])
    }

    /// Programs that sync take a document away and put another one in its place.
    @Test func aDocumentThatWasAwayWhileItIsWritten() throws {
        let container = try TemporaryContainer("text Notes one\nphoto Cat jpeg")
        try withDrive(container) { drive in
            for name in ["Notes.txt", "Cat.jpg"] { #expect(throws: Refused(call: "close", number: EINVAL)) { try drive.put(name, Data([0xFF, 0xFE, 0, 0xD8])) } }
            try shell("mv Notes.stedoc Cat.ptk ..", in: container.path).good()
            #expect(try run("ls", drive.mountpoint).output == "Cat.jpg\nNotes.txt\n")
            try shell("mv ../Notes.stedoc ../Cat.ptk .", in: container.path).good()
            #expect(try run("ls", drive.mountpoint).output == "Cat.jpg\nNotes.txt\n")
            try drive.put("Notes.txt", "two")
            try drive.put("Cat.jpg", image(5000))
            #expect(try run("ls", drive.mountpoint).output == "Cat.jpg\nNotes.txt\n")
            #expect(try drive.get("Cat.jpg") == image(5000))
            #expect(try valise("conflicts", drive.mountpoint).output == "")
        }
        #expect(try container.bytes("Notes.stedoc") == Data("two".utf8))
        #expect(try container.staged() == [])
    }

    /// A way to replace something that is open: what the drive shows it as, and how.
    struct Replacing: CustomTestStringConvertible {
        let shown: String
        let description: String
        let command: String
        var testDescription: String { "\(shown): \(command)" }
    }

    private static let ways = [
        Replacing(shown: "Big.png", description: "photo Big png size=300000", command: "mv Big.ptk old && cp -r $NEW/Big.ptk . && rm -r old"),
        Replacing(shown: "Big.png", description: "photo Big png size=2000000", command: "cp $NEW/Big.ptk/photo.data new && mv new Big.ptk/photo.data"),
        Replacing(shown: "Notes.txt", description: "text Notes shorter", command: "cp $NEW/Notes.stedoc new && mv new Notes.stedoc"),
        Replacing(shown: "Swift.url", description: "bookmark Swift https://x/ stored=Bookmark_1", command: "cp $NEW/Bookmark_1 new && mv new Bookmark_1"),
        // In place, and as long as before.
        Replacing(shown: "Swift.url", description: "bookmark Swift https://new/ stored=Bookmark_1", command: "cat $NEW/Bookmark_1 >Bookmark_1"),
        Replacing(shown: "plain", description: "file plain shorter", command: "cp $NEW/plain new && mv new plain"),
    ]

    /// Who has it open reads on what was opened, whole; who opens it now gets the new one, whole.
    @Test(arguments: ways, ["cat \"$1\"", "ls -l; stat \"$1\"; cat \"$1\""])
    func partsFromWhatIsOpen(_ way: Replacing, _ looking: String) throws {
        let lines = String(repeating: "old and long\n", count: 30000)
        let container = try TemporaryContainer("photo Big png size=900000\nbookmark Swift https://old/ stored=Bookmark_1")
        for name in ["Notes.stedoc", "plain"] { try Data(lines.utf8).write(to: URL(fileURLWithPath: container.stored(name))) }
        let other = try TemporaryContainer(way.description)
        try withDrive(container) { drive in
            let old = try drive.get(way.shown)
            let first = try OpenedFile(drive.path(way.shown))
            try shell(way.command, in: container.path, environment: ["NEW": other.path]).good()
            try shell(looking, way.shown, in: drive.mountpoint).good()
            let new = try drive.get(way.shown)
            #expect(new != old)
            #expect(try first.content() == old)
            let second = try OpenedFile(drive.path(way.shown))
            #expect(try first.status().st_ino != second.status().st_ino)
            // Once more, from what the kernel has to ask for again.
            first.forgetKept()
            #expect(try second.content() == new)
            second.forgetKept()
            #expect(try first.content() == old)
        }
    }

    @Test func whoWritesHoldsOnToWhatWasOpened() throws {
        let container = try TemporaryContainer("text Notes \"old and longer\"")
        try withDrive(container) { drive in
            let writer = try OpenedFile(drive.path("Notes.txt"), O_RDWR)
            try shell("printf new >new && mv new Notes.stedoc", in: container.path).good()
            #expect(try shell("stat -c %s Notes.txt; cat Notes.txt", in: drive.mountpoint).good().output == "14\nold and longer")
            try writer.write("OLD", at: 0)
            #expect(try run("cat", drive.path("Notes.txt")).output == "OLD and longer")
            try writer.close()
            #expect(try run("cat", container.stored("Notes.stedoc")).output == "OLD and longer")
        }
    }
}
