import Containers
import Coordination
import Foundation
import LinuxFiles
import MountTesting
import Testing

/// An app has a document open that others use on a drive.
@Suite(.mounting) struct DrivePresenterTests {
    private func item(_ path: String) throws -> ItemPath { try #require(ItemPath(path.split(separator: "/").compactMap { Name(String($0)) })) }

    @Test func programsOnTheDriveReadWhatWasNotSaved() throws {
        let container = try TemporaryContainer("text Sub/Notes old\ntext Other other")
        try withDrive(container) { drive in
            let coordinator = try FileCoordinator(container.path)
            defer { coordinator.close() }
            #expect(try run("cat", drive.path("Sub/Notes.txt")).good().output == "old")
            let app = try App(coordinator, "Sub/Notes.stedoc")
            app.edit("what was typed")
            #expect(try run("cat", drive.path("Sub/Notes.txt")).good().output == "what was typed")
            // By the size that the open file has.
            app.edit("and more was typed than before")
            let reader = "import os; file = os.open('\(drive.path("Sub/Notes.txt"))', os.O_RDONLY); print(os.read(file, os.fstat(file).st_size).decode())"
            #expect(try run("/usr/bin/python3", "-c", reader).good().output == "and more was typed than before\n")
            #expect(try drive.status().coordination?.questions == 2)
            // What nobody presents costs nobody anything, nor does what it reads itself.
            app.edit("later")
            #expect(try run("cat", drive.path("Other.txt")).good().output == "other")
            #expect(try String(contentsOfFile: drive.path("Sub/Notes.txt"), encoding: .utf8) == "and more was typed than before")
            #expect(try drive.status().coordination?.questions == 2)
            #expect(try drive.status().coordination?.unanswered == 0)
        }
    }

    @Test func whatProgramsDoOnTheDriveIsTold() throws {
        let container = try TemporaryContainer("text Sub/Notes old")
        try withDrive(container) { drive in
            let coordinator = try FileCoordinator(container.path)
            defer { coordinator.close() }
            let app = try App(coordinator, "Sub/Notes.stedoc")
            try shell("echo new > \"$1\"", drive.path("Sub/Notes.txt")).good()
            let document = try item("Sub/Notes.stedoc")
            #expect(eventually { app.told.contains(.changed(document)) && app.told.contains(.gainedVersion(document)) }, "\(app.told)")
            try run("mv", drive.path("Sub/Notes.txt"), drive.path("List.txt")).good()
            #expect(eventually { app.presentation?.path?.description == "List.stedoc" }, "\(app.told)")
            // Without the drive, and without a word.
            try Data("from elsewhere".utf8).write(to: URL(fileURLWithPath: container.stored("List.stedoc")))
            let moved = try item("List.stedoc")
            #expect(eventually { app.told.contains(.changed(moved)) }, "\(app.told)")
            app.edit("the last word")
            try run("rm", drive.path("List.txt")).good()
            #expect(eventually { app.told.contains(.deleted(moved)) }, "\(app.told)")
        }
    }

    /// Whichever side the document is then.
    @Test func aConflictOnTheDriveIsTold() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container) { drive in
            let coordinator = try FileCoordinator(container.path)
            defer { coordinator.close() }
            let app = try App(coordinator, "Notes.stedoc"), document = try item("Notes.stedoc")
            let writer = """
                import sys
                mine = open(sys.argv[1], "r+b"); mine.read()
                with open(sys.argv[2], "wb") as theirs: theirs.write(b"theirs")
                mine.write(b" and mine"); mine.close()
                """
            try run("/usr/bin/python3", "-c", writer, drive.path("Notes.txt"), container.stored("Notes.stedoc")).good()
            #expect(eventually { app.told.contains(.gainedConflict(document)) }, "\(app.told)")
            #expect(!app.told.contains(.gainedVersion(document)), "\(app.told)")
        }
    }

    /// Also of a drive that was mounted just now: whoever served hands its presenters over.
    @Test func whoHadItOpenBeforeTheMountIsAsked() throws {
        let container = try TemporaryContainer("text Notes old\ntext Other other")
        let editor = try FileCoordinator(container.path), app = try App(editor, "Notes.stedoc"), second = try FileCoordinator(container.path)
        defer { [editor, second].forEach { $0.close() } }
        let other = try App(second, "Other.stedoc")
        for round in 1...3 {
            app.edit("typed \(round)")
            other.edit("thought \(round)")
            try withDrive(container) { drive in
                let read = try run("cat", drive.path("Other.txt"), drive.path("Notes.txt")).good().output
                #expect(read == "thought \(round)typed \(round)")
            }
        }
    }

    @Test func whoIsStoppedHoldsNobodyUp() throws {
        let container = try TemporaryContainer("text Notes old")
        try withDrive(container) { drive in
            let editor = try Program([Places.built + "/ClaimTrial", container.path, "present", "Notes.stedoc", "typed"])
            #expect(eventually { editor.output == "presented\n" })
            kill(editor.process, SIGSTOP)
            for _ in 0..<2 { #expect(try run("cat", drive.path("Notes.txt")).good().output == "old") }
            let status = try #require(try drive.status().coordination)
            #expect(status.unanswered == 1 && status.questions == 1 && status.presented == 1)
            #expect(status.notice?.contains("“Notes.stedoc” open and does not answer") == true)
            #expect(try run(Places.built + "/valise", "status", drive.mountpoint).good().output.contains("  passed      over 1 time, the last one: process \(editor.process) "))
            editor.end()
        }
    }
}
