import Foundation
import MountTesting
import Testing

/// What is no document although it looks like one: shown as it is, with the reason, and no harm to the rest.
@Suite(.mounting) struct BadInputTests {
    static let description = #"""
        text Good "still here"
        photo Fine png
        file Bookmark_Words-1 "no archive at all, and long enough to be one"
        file Bookmark_Cut-1 "bplist00"
        file Bookmark_XML-1 "<plist><dict>"
        folder Nothing.ptk
        part Fifo.ptk/photo.data fifo
        part Null.ptk/photo.data link:/dev/zero
        part Away.ptk/photo.data link:/etc/passwd
        part Folder.ptk/photo.data folder
        part Words.ptk/photo.data words
        part Head.ptk/photo.data "bplist00 and no more than that, which is no list"
        part Only.ptk/photo.metadata archive
        """#

    @Test func eachIsShownAsItIs() throws {
        let container = try TemporaryContainer(Self.description)
        let broken = ["Bookmark_Words-1", "Bookmark_Cut-1", "Bookmark_XML-1", "Nothing.ptk", "Fifo.ptk", "Null.ptk", "Away.ptk", "Folder.ptk", "Words.ptk", "Head.ptk", "Only.ptk"]
        try withDrive(container) { drive in
            #expect(try run("ls", drive.mountpoint).good().lines.sorted() == (broken + ["Good.txt", "Fine.png"]).sorted())
            let status = try drive.status()
            for name in broken {
                let reason = try run("getfattr", "--only-values", "-n", "user.valise.error", drive.path(name)).good().output
                #expect(!reason.isEmpty && status.reason(of: name) == reason, "\(name): \(reason)")
            }
            #expect(status.errors.count == broken.count)
            #expect(try run("cat", drive.path("Good.txt")).output == "still here")
            let original = container.items.first { $0.shown == "Fine.png" }
            #expect(try run("sha256sum", drive.path("Fine.png")).output.hasPrefix(original?.sha256 ?? "?"))
            // As they are: the same entries, and where there are bytes the same bytes.
            #expect(try run("cmp", drive.path("Bookmark_Words-1"), container.stored("Bookmark_Words-1")).code == 0)
            #expect(try run("ls", drive.path("Only.ptk")).output == "photo.metadata\n")
            #expect(try run("stat", "-c", "%F", drive.path("Fifo.ptk/photo.data")).output == "fifo\n")
        }
    }

    /// Thousands of broken archives and some bombs: each is shown as something that can be read to its end or has a
    /// reason, and the process stays as small as one bad file may make it.
    @Test func aContainerFullOfBrokenArchives() throws {
        let container = try TemporaryContainer("photo Fine png")
        try run("python3", Places.support("mutate.py"), container.path, "2400").good()
        try withDrive(container) { drive in
            #expect(try run("ls", "-l", drive.mountpoint).good().lines.count == 2417)
            let read = try shell("find . -type f -exec cat -- {} + | wc -c", in: drive.mountpoint).good()
            #expect(read.errors.isEmpty && Int(read.output.dropLast()) ?? 0 > 100_000, "\(read.output)\(read.errors)")
            let status = try drive.status()
            #expect(status.errors.count > 500 && status.errors.allSatisfy { $0.reason?.isEmpty == false })
            let account = try String(contentsOfFile: "/proc/\(drive.process)/status", encoding: .utf8)
            let peak = try #require(account.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?.split(separator: " ").dropFirst().first)
            #expect(Int(peak) ?? .max < 64 << 10, "\(peak) kB")
        }
    }

    @Test func oneWithDamageComesBackWhenItIsMended() throws {
        let container = try TemporaryContainer("folder Cat.ptk\nphoto Other png")
        try withDrive(container) { drive in
            #expect(try run("ls", drive.mountpoint).output == "Cat.ptk\nOther.png\n")
            try shell("rm -r Cat.ptk && cp -r Other.ptk Cat.ptk", in: container.path).good()
            #expect(try run("ls", drive.mountpoint).output == "Cat.png\nOther.png\n")
            #expect(try drive.status().errors.isEmpty)
            #expect(try run("cat", drive.path("Cat.png")).code == 0)
        }
    }

    @Test func linksThatLeadOutOrInCircles() throws {
        let container = try TemporaryContainer("""
            link out /etc/hostname
            link up ../../..
            link circle circle
            link one two
            link two one
            folder Album
            link Album/self ../Album
            """)
        try withDrive(container) { drive in
            for name in ["out", "up", "circle", "one", "two", "Album/self"] {
                #expect(try run("readlink", drive.path(name)).output == run("readlink", container.stored(name)).output)
            }
            #expect(try run("cat", drive.path("circle")).errors.contains("Too many levels"))
            // Walks through the drive end.
            try run("find", drive.mountpoint, "-type", "f").good()
            try run("du", "-s", drive.mountpoint).good()
        }
    }

    @Test func pipesAndDevicesAreNotOpened() throws {
        let container = try TemporaryContainer("fifo Bookmark_pipe-1\nfifo Notes.stedoc\nfifo Cat.ptk\nfifo plain")
        try withDrive(container) { drive in
            let kinds = try run("find", ".", "-type", "p", in: drive.mountpoint).good().lines.sorted()
            #expect(kinds == ["./Bookmark_pipe-1", "./Cat.ptk", "./Notes.stedoc", "./plain"])
        }
    }
}
