import Foundation
import MountTesting
import Testing

/// Folders that somebody deletes in the container while documents in them are written.
@Suite(.mounting) struct LostFolderTests {
    private func container() throws -> TemporaryContainer {
        try TemporaryContainer("folder Trip\nfolder Trip/Deep\ntext Trip/Notes old\ntext Trip/Deep/Wide old\ntext Trip/Late old\ntext Notes other")
    }

    /// Writes into documents of `Trip`, has that deleted, and writes on when the drive knows it; into “Late” only then. A process of its own: who starts
    /// one, as other tests do meanwhile, closes a copy of what it has open itself, and that saves it.
    private static let writing = """
        import os, shutil, sys, time
        drive, container, then, *names = sys.argv[1:]
        files = [open(f"{drive}/Trip/{name}.txt", "a") for name in names]
        for name, file in zip(names, files):
            if name != "Late": file.write("before"), file.flush()
        shutil.rmtree(container + "/Trip")
        def isKnown():
            if then != "made anew": return not os.path.exists(drive + "/Trip")
            return os.path.exists(drive + "/Trip/Notes.txt") and open(drive + "/Trip/Notes.txt").read() == "theirs"
        if then == "made anew":
            os.mkdir(container + "/Trip")
            open(container + "/Trip/Notes.stedoc", "w").write("theirs")
        while not isKnown(): time.sleep(0.02)
        for file in files: file.write("after"), file.flush()
        print("written", flush=True)
        if then == "stays open": time.sleep(100)
        for file in files:
            # “No such file or directory” is what may be said.
            try: file.close()
            except FileNotFoundError: pass
        """

    private func write(_ names: String..., then: String, on drive: MountedDrive, _ container: TemporaryContainer) throws -> Program {
        try Program(["python3", "-c", Self.writing, drive.mountpoint, container.path, then] + names)
    }

    @Test func whatWasWrittenComesToTheTop() throws {
        let container = try container()
        try withDrive(container, options: "rw") { drive in
            // Who began to write when it was gone has it alone, as in any folder.
            try write("Notes", "Deep/Wide", "Late", then: "is closed", on: drive, container).wait().good()
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

    /// Where a folder has that path again, what was written is a side of a conflict with what is there, by the next drive; until then it is said.
    @Test func aFolderThatIsMadeAnewIsLookedInto() throws {
        let container = try TemporaryContainer("folder Trip\ntext Trip/Notes old\ntext Other other")
        try withDrive(container, options: "rw") { drive in
            try write("Notes", then: "made anew", on: drive, container).wait().good()
            let status = try valise("status", drive.mountpoint).good().output
            #expect(status.contains("“Trip/Notes.txt”: its folder was deleted in the container") && !status.contains("--saved"), "\(status)")
        }
        try withDrive(container, options: "rw") { drive in
            let conflicts = try valise("conflicts", drive.mountpoint).good().output
            #expect(conflicts.contains("Trip/Notes.txt"), "\(conflicts)")
            #expect(try drive.text("Trip/Notes.txt") == "oldbeforeafter")
        }
    }

    @Test func theNextMountSaysWhereItIs() throws {
        let container = try container()
        try withDrive(container, options: "rw") { drive in
            let writer = try write("Notes", "Deep/Wide", then: "stays open", on: drive, container)
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
