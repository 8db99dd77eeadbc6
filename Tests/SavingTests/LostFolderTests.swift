import Foundation
import MountTesting
import Testing

/// Folders that somebody deletes in the container while documents in them are written.
@Suite(.mounting) struct LostFolderTests {
    private func container() throws -> TemporaryContainer {
        try TemporaryContainer("folder Trip\nfolder Trip/Deep\ntext Trip/Notes old\ntext Trip/Deep/Wide old\ntext Trip/Late old\ntext Notes other")
    }

    /// Writes into two, has the folder deleted, and writes on when the drive knows that; into a third one only then.
    private func write(_ drive: MountedDrive, _ container: TemporaryContainer) throws -> [OpenedFile] {
        let names = ["Trip/Notes.txt", "Trip/Deep/Wide.txt", "Trip/Late.txt"]
        let files = try names.map { try OpenedFile(drive.path($0), O_WRONLY | O_APPEND) }
        for file in files.dropLast() { try file.write("before") }
        try FileManager.default.removeItem(atPath: container.stored("Trip"))
        #expect(eventually { access(drive.path("Trip"), F_OK) != 0 })
        for file in files { try file.write("after") }
        return files
    }

    @Test func whatWasWrittenComesToTheTop() throws {
        let container = try container()
        try withDrive(container, options: "rw") { drive in
            // Who began to write when it was gone has it alone, as in any folder.
            for file in try write(drive, container) { try? file.close() }
            #expect(eventually { access(drive.path("Wide.txt"), F_OK) == 0 && access(drive.path("Notes 1.txt"), F_OK) == 0 })
            #expect(try drive.text("Wide.txt") == "oldbeforeafter" && drive.text("Notes 1.txt") == "oldbeforeafter" && drive.text("Notes.txt") == "other")
            #expect(try container.bytes("Wide.stedoc") == Data("oldbeforeafter".utf8))
            #expect(eventually { (try? valise("status", drive.mountpoint).output.contains("drafts      none")) == true })
            #expect(try drive.files().sorted().filter { $0 != "Late.txt" } == ["Notes 1.txt", "Notes.txt", "Wide.txt"])
        }
    }

    /// What could not be saved has a name by which it can be given up.
    @Test func whatDoesNotFitIsAPlainFileThere() throws {
        let container = try TemporaryContainer("folder Trip\nphoto Trip/Cat png")
        try withDrive(container, options: "rw") { drive in
            let file = try OpenedFile(drive.path("Trip/Cat.png"), O_WRONLY | O_TRUNC)
            try file.write("no image")
            try FileManager.default.removeItem(atPath: container.stored("Trip"))
            #expect(eventually { access(drive.path("Trip"), F_OK) != 0 })
            try? file.close()
            #expect(eventually { (try? container.bytes("Cat.png")) == Data("no image".utf8) })
            #expect(try drive.text("Cat.png") == "no image")
        }
    }

    @Test func theNextMountSaysWhereItIs() throws {
        let container = try container()
        try withDrive(container, options: "rw") { drive in
            let files = try write(drive, container)
            try drive.kill()
            withExtendedLifetime(files) {}
            let again = try valise("mount", container.path, drive.mountpoint)
            #expect(again.errors.contains("the folder “Trip” is gone; what was written in it (“Notes.txt”) is at the top now, and so is 1 of another folder") || again.errors.contains("the folder “Trip/Deep” is gone; what was written in it (“Wide.txt”) is at the top now, and so is 1 of another folder"), "\(again)")
            #expect(try drive.text("Wide.txt") == "oldbeforeafter")
            try valise("unmount", drive.mountpoint).good()
        }
    }
}
