import Foundation
import MountTesting
import Testing

/// `valise coordinate`, and what a drive does about the claims of others.
@Suite(.mounting) struct CoordinateTests {
    private static let link = "[InternetShortcut]\nURL=https://new/\n"

    private func coordinate(_ words: String...) throws -> Program { try Program([Places.valise, "coordinate"] + words) }

    @Test func itEndsAsItsCommandDoes() throws {
        let container = try TemporaryContainer("text Notes one\nfile .valise/settings \"create = text\\n\"")
        let item = container.stored("Notes.stedoc")
        #expect(try valise("coordinate", item, "--", "sh", "-c", "echo \"$VALISE_ITEM\"").good().output == item + "\n")
        #expect(try valise("coordinate", "--write", item, "--", "sh", "-c", "exit 7").code == 7)
        #expect(try valise("coordinate", item, "--", "sh", "-c", "kill -9 $$").code == 128 + SIGKILL)
        #expect(try valise("coordinate", item, "--", "/nowhere/at all").code == 127)
        #expect(try valise("coordinate", item, "--", container.path).code == 126)
        #expect(try valise("coordinate", item).code == 2)
        #expect(try valise("coordinate", "--timeout", "soon", item, "--", "true").code == 2)
        let nothing = try valise("coordinate", container.beside("x"), "--", "true")
        #expect(nothing.code == 125 && nothing.errors.contains("there is no"))
        try Data().write(to: URL(fileURLWithPath: container.beside("x")))
        let nowhere = try valise("coordinate", container.beside("x"), "--", "true")
        #expect(nowhere.code == 125 && nowhere.errors.contains("in no container"))
        // Nothing is left of whoever served.
        #expect(!FileManager.default.fileExists(atPath: container.stored(".valise/coordination")))
    }

    @Test func aDriveServesWhoClaims() throws {
        let container = try TemporaryContainer("folder Rome\ntext Rome/Notes one\nbookmark Swift https://x/ stored=Bookmark_Swift-1")
        try withDrive(container) { drive in
            // The same document by both of its names; the folder with all that is in it.
            let held = try coordinate("--write", drive.path("Rome/Notes.txt"), "--", "sh", "-c", "echo held; exec sleep 1000")
            #expect(eventually { held.output == "held\n" })
            for item in [container.stored("Rome/Notes.stedoc"), container.stored("Rome"), drive.path("Rome"), drive.path("")] {
                #expect(try valise("coordinate", "--timeout", "0.05", item, "--", "true").code == 125, "\(item)")
            }
            #expect(try valise("coordinate", "--write", container.stored("Bookmark_Swift-1"), "--", "true").code == 0)
            // Through the drive, it can be written by whoever has it.
            try shell("echo two >Rome/Notes.txt", in: drive.mountpoint).good()
            // One that dies gives it up at once.
            held.end()
            #expect(try valise("coordinate", "--write", drive.path("Rome/Notes.txt"), "--", "sh", "-c", "echo three >\"$VALISE_ITEM\"").code == 0)
            #expect(try run("cat", container.stored("Rome/Notes.stedoc")).output == "three\n")
        }
    }

    /// A path on the drive keeps nobody off who writes there, and it says so, with the path that does.
    @Test func aPathOnTheDriveIsSaidToKeepNobodyOffThere() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container) { drive in
            let free = try valise("coordinate", drive.path("Notes.txt"), "--", "sh", "-c", "echo two >\"$VALISE_ITEM\"").good()
            #expect(free.errors.contains("is on a drive") && free.errors.contains("name it in the container: \(container.stored("Notes.stedoc"))"), "\(free.errors)")
            #expect(try run("cat", container.stored("Notes.stedoc")).output == "two\n")
            let stored = try valise("coordinate", container.stored("Notes.stedoc"), "--", "true").good()
            #expect(stored.errors.isEmpty)
        }
    }

    @Test func whatIsOpenIsSavedBefore() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container) { drive in
            // Written and not closed: nothing has been saved yet.
            let writer = try Program.writing("TWO", to: drive.path("Notes.txt"))
            #expect(try run("cat", container.stored("Notes.stedoc")).output == "one")
            #expect(try valise("coordinate", container.path, "--", "cat", container.stored("Notes.stedoc")).good().output == "TWO")
            writer.end()
            // Afterwards, the drive shows what was written meanwhile.
            try valise("coordinate", "--write", container.stored("Notes.stedoc"), "--", "sh", "-c", "printf three >\"$VALISE_ITEM\"").good()
            #expect(eventually { (try? run("cat", drive.path("Notes.txt")).output) == "three" })
        }
    }

    @Test func theDriveWaitsBeforeItSaves() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container) { drive in
            let held = try coordinate(container.stored("Notes.stedoc"), "--", "sh", "-c", "echo held; read line; cat \"$VALISE_ITEM\"")
            // Its input is empty: it ends at once, with what was there before anybody could save.
            #expect(eventually { held.output.hasPrefix("held\n") })
            try shell("printf two >Notes.txt", in: drive.mountpoint).good()
            #expect(["held\none", "held\ntwo"].contains(try held.wait().output))
            #expect(try run("cat", container.stored("Notes.stedoc")).output == "two")

            let slow = try coordinate(container.stored("Notes.stedoc"), "--", "sh", "-c", "echo held; while [ ! -e \"$0\" ]; do sleep 0.01; done; cat \"$VALISE_ITEM\"", container.beside("go"))
            #expect(eventually { slow.output == "held\n" })
            let writer = try Program(["sh", "-c", "printf three >Notes.txt"], in: drive.mountpoint)
            try shell("sleep 0.2; touch \"$1\"", container.beside("go")).good()
            #expect(try slow.wait().output == "held\ntwo")
            try writer.wait().good()
            #expect(try run("cat", container.stored("Notes.stedoc")).output == "three")
        }
    }

    /// Nobody waits for that program who does something else in the folder.
    @Test(arguments: ["List.txt", "List.stedoc"]) func aNewDocumentWaitsAlone(claimed: String) throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container) { drive in
            let held = try coordinate("--write", container.stored(claimed), "--", "sh", "-c", "echo held; while [ ! -e \"$0\" ]; do sleep 0.01; done", container.beside("go"))
            #expect(eventually { held.output == "held\n" })
            let closed = try drive.status().requests["FLUSH"] ?? 0
            let writer = try Program(["python3", "-c", "import os, sys; file = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT); os.write(file, b'Bread'); os.close(file)", drive.path("List.txt")])
            #expect(try eventually { try drive.status().requests["FLUSH"] ?? 0 > closed })
            #expect(try run("ls", drive.mountpoint).good().output == "List.txt\nNotes.txt\n")
            try shell("echo two >Notes.txt && mkdir Album && mv Notes.txt Album && touch plain", in: drive.mountpoint).good()
            // All of that was done while the save waited.
            #expect(!writer.hasEnded && !FileManager.default.fileExists(atPath: container.stored("List.stedoc")))
            try shell("touch \"$1\"", container.beside("go")).good()
            try writer.wait().good()
            #expect(try run("cat", container.stored("List.stedoc")).output == "Bread")
        }
    }

    @Test func whoWaitsFollowsARename() throws {
        let container = try TemporaryContainer("text Rome/Notes one")
        try withDrive(container) { drive in
            let held = try coordinate("--write", drive.path("Rome/Notes.txt"), "--", "sh", "-c", "echo held; exec sleep 1000")
            #expect(eventually { held.output == "held\n" })
            let waiting = try coordinate(container.stored("Rome/Notes.stedoc"), "--", "sh", "-c", "echo \"$VALISE_ITEM\"")
            #expect(eventually { (try? drive.status().waiting) == 1 })
            try shell("mkdir Paris && mv Rome/Notes.txt Paris/Diary.txt", in: drive.mountpoint).good()
            held.end()
            #expect(try waiting.wait().output == container.stored("Paris/Diary.stedoc") + "\n")
        }
    }

    @Test func aDriveEndsWhileOthersWait() throws {
        let container = try TemporaryContainer("text Notes one")
        let waiting = try withDrive(container) { drive in
            let held = try coordinate("--write", container.stored("Notes.stedoc"), "--", "sh", "-c", "echo held; exec sleep 1000")
            #expect(eventually { held.output == "held\n" })
            let waiting = try coordinate("--write", container.stored("Notes.stedoc"), "--", "echo", "mine")
            #expect(eventually { (try? drive.status().waiting) == 1 })
            held.end()
            return waiting
        }
        #expect(try waiting.wait().output == "mine\n")
    }
}
