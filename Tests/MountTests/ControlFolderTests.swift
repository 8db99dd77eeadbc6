import Foundation
import MountTesting
import Testing

/// The control folder, and what is hidden: not listed, and there.
@Suite(.mounting) struct ControlFolderTests {
    @Test func isNeverListedAndAlwaysThere() throws {
        let container = try TemporaryContainer("bookmark Swift https://x/ stored=Bookmark_Swift-1\nfolder Album")
        try withDrive(container) { drive throws in
            #expect(try run("ls", "-A", drive.mountpoint).output == "Album\nSwift.url\n")
            #expect(try run("find", drive.mountpoint, "-name", ".valise").output.isEmpty)
            #expect(try run("ls", "-A", drive.path(".valise")).output == "deleted\nkvs\noriginals\nsearch\nsearches\nstatus\nversions\n")
            #expect(try run("stat", drive.path("Album/.valise")).code == 1)
            // Two steps down and up again.
            #expect(try run("ls", drive.path(".valise/originals/../../Album/..")).output == "Album\nSwift.url\n")
        }
    }

    @Test func originalsAreTheContainerByteForByte() throws {
        let container = try TemporaryContainer(BrowsingTests.description + "\nfile .DS_Store hidden\nlink gone nowhere")
        try withDrive(container) { drive in
            // Of two sockets diff says that it cannot compare them.
            let difference = try run("diff", "-r", "--no-dereference", "--exclude=coordination", container.path, drive.path(".valise/originals"))
            #expect(difference.code == 0, "\(difference.output)\(difference.errors)")
        }
    }

    @Test func originalsAreReadOnlyOnADriveThatWrites() throws {
        let container = try TemporaryContainer("photo Cat png\ntext Notes one")
        try withDrive(container, options: "rw") { drive in
            for command in ["echo x >>Notes.stedoc", "rm Notes.stedoc", "mkdir new", "mv Notes.stedoc x", "mv Cat.ptk ../../", "touch Notes.stedoc", "chmod 0 Notes.stedoc"] {
                let ended = try shell(command, in: drive.path(".valise/originals"))
                #expect(ended.code != 0 && ended.errors.contains("Read-only file system"), "\(command): \(ended.errors)")
            }
            #expect(try run("rm", "-rf", drive.path(".valise")).code != 0)
            #expect(try run("ls", drive.mountpoint).output == "Cat.png\nNotes.txt\n")
        }
    }

    @Test func statusIsJSONThatTellsOfTheDrive() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container) { drive in
            try run("stat", drive.path("Notes.txt")).good()
            let status = try drive.status()
            #expect(status.container == container.path && status.mountpoint == drive.mountpoint && status.process == drive.process)
            #expect(!status.readOnly && status.drafts.isEmpty && status.errors.isEmpty)
            #expect((status.requests["LOOKUP"] ?? 0) > 0)
            // Each reading is of its time.
            try run("ls", drive.mountpoint).good()
            #expect(try drive.status().requests["OPENDIR"] ?? 0 > status.requests["OPENDIR"] ?? 0)
        }
    }

    @Test func hiddenFilesAreFoundByTheirNames() throws {
        let hidden = [".DS_Store", "._Cat.png", ".localized", ".Cat.ptk.icloud", ".stfolder", ".sync_1234.db"]
        let container = try TemporaryContainer((hidden + [".profile", "plain"]).map { "file \($0) content" }.joined(separator: "\n"))
        try withDrive(container) { drive throws in
            #expect(try run("ls", "-A", drive.mountpoint).output == ".profile\nplain\n")
            for name in hidden { #expect(try run("cat", drive.path(name)).output == "content", "\(name)") }
        }
    }
}
