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
}
