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
    @Test(arguments: ["refused before", "refused with it", "closed before it is known"]) func whatDoesNotFitIsAPlainFileThere(closing: String) throws {
        let container = try TemporaryContainer("folder Trip\nphoto Trip/Cat png")
        try withDrive(container, options: "rw") { drive in
            let file = try OpenedFile(drive.path("Trip/Cat.png"), O_WRONLY | O_TRUNC)
            try file.write("no image")
            if closing == "refused before" { try? OpenedFile(drive.path("Trip/Cat.png"), O_WRONLY).close() }
            try FileManager.default.removeItem(atPath: container.stored("Trip"))
            if closing != "closed before it is known" { #expect(eventually { access(drive.path("Trip"), F_OK) != 0 }) }
            try? file.close()
            #expect(eventually { (try? container.bytes("Cat.png")) == Data("no image".utf8) })
            #expect(try drive.text("Cat.png") == "no image")
        }
    }

    /// Whatever becomes of the folder: what was written is somewhere, once, and the next drive has no draft of it any more.
    @Test func nothingThatWasWrittenIsLost() throws {
        let container = try TemporaryContainer("text Other other"), seed = Int.random(in: 1...999_999)
        try FileManager.default.createDirectory(atPath: container.beside("outside"), withIntermediateDirectories: true)
        var lines: [String] = []
        try withDrive(container, options: "create=text") { drive in
            lines = try run("python3", Places.support("lost_folders.py"), container.path, drive.mountpoint, container.beside("outside"), "32", "\(seed)").good().lines
        }
        #expect(lines.count == 32)
        try withDrive(container, options: "create=text") { drive in
            let status = try valise("status", drive.mountpoint).good().output
            #expect(status.contains("drafts      none"), "\(status)")
        }
        for line in lines {
            let places = try run("grep", "-rlaFx", String(line.prefix { $0 != " " }), container.path, container.beside("outside")).lines
            #expect(places.count == 1, "seed \(seed), \(line): \(places)")
        }
    }

    @Test func theNextMountSaysWhereItIs() throws {
        let container = try container()
        try withDrive(container, options: "rw") { drive in
            // Another process has them open: who starts one closes a copy of what it has open itself.
            let writer = try Program(["python3", "-c", """
                import os, shutil, sys, time
                drive, container = sys.argv[1:]
                files = [open(f"{drive}/Trip/{name}.txt", "a") for name in ("Notes", "Deep/Wide")]
                for file in files: file.write("before"), file.flush()
                shutil.rmtree(container + "/Trip")
                while os.path.exists(drive + "/Trip"): time.sleep(0.02)
                for file in files: file.write("after"), file.flush()
                print("written", flush=True)
                time.sleep(100)
                """, drive.mountpoint, container.path])
            defer { writer.end() }
            #expect(eventually { writer.output == "written\n" })
            try drive.kill()
            let again = try valise("mount", container.path, drive.mountpoint)
            #expect(again.errors.contains("the folder “Trip” is gone; what was written in it (“Notes.txt”) is at the top now, and so is 1 of another folder"), "\(again)")
            #expect(try drive.text("Wide.txt") == "oldbeforeafter")
            try valise("unmount", drive.mountpoint).good()
        }
    }
}
