import Containers
import Coordination
import Foundation
import LinuxFiles
import MountTesting
import Testing

/// What another computer says of items that a drive shows, and that programs have open there.
@Suite(.mounting) struct DriveAdoptionTests {
    private let there = Provenance(Timestamp(seconds: 1_600_000_000), computer: "far away")
    /// No text: what is written of it cannot be saved.
    private static let unfit = Data([0x63, 0x61, 0xFF, 0xFE, 0x00])

    private func withDevice(
        _ documents: String, _ body: (TemporaryContainer, MountedDrive, FileCoordinator) throws -> Void
    ) throws {
        let container = try TemporaryContainer(documents)
        try withDrive(container) { drive in
            let device = try FileCoordinator(container.path)
            defer { device.close() }
            try body(container, drive, device)
        }
    }

    /// An item by itself, as it is now.
    @discardableResult
    private func adopt(_ what: ClaimAdoption.What, _ item: String, _ device: FileCoordinator) throws -> Adopted {
        try device.coordinate(writing: item, for: .moving, timeout: .seconds(60)) { item in
            try item.adopt(ClaimAdoption(what, expecting: item.state().map { .state($0) } ?? .nothing, from: there))
        }
    }

    private func adopt(_ text: String, _ item: String, _ device: FileCoordinator) throws -> Adopted {
        try device.coordinate(writing: item, for: .merging, timeout: .seconds(60)) { item in
            let staged = try item.staged()
            try Data(text.utf8).write(to: URL(fileURLWithPath: staged.path))
            return try item.adopt(
                ClaimAdoption(
                    .current(staged.name), expecting: item.state().map { .state($0) } ?? .nothing, from: there))
        }
    }

    private func adopt(_ what: ClaimAdoption.What, _ item: String, _ other: String, _ device: FileCoordinator) throws
        -> Adopted
    {
        try device.coordinate(writing: item, for: .moving, writing: other, for: .moving, timeout: .seconds(60)) {
            item, _ in
            try item.adopt(ClaimAdoption(what, expecting: .anything, from: there))
        }
    }

    private func list(_ drive: MountedDrive, _ folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: drive.path(folder)).sorted()
    }
    private func bytes(_ drive: MountedDrive, _ file: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: drive.path(file)))
    }

    private func isBusy(_ body: () throws -> Void) -> Bool {
        do { try body() } catch let failure as Failure { return failure.errno == .busy } catch {}
        return false
    }

    /// At once, and for those who have it open, too.
    @Test func contentsComeAndGo() throws {
        try withDevice("text Notes one\ntext Sub/Other other") { _, drive, device in
            #expect(try run("cat", drive.path("Notes.txt")).good().output == "one")
            let adopted = try adopt("two", "Notes.stedoc", device)
            #expect(adopted.version != nil && adopted.replaced == nil)
            #expect(try run("cat", drive.path("Notes.txt")).good().output == "two")
            #expect(
                try run(Places.valise, "versions", drive.path("Notes.txt")).good().output.contains(HostName.current))
            // What is new, also where nobody has looked.
            try adopt("new", "Sub/New.stedoc", device)
            #expect(try list(drive, "Sub") == ["New.txt", "Other.txt"])
            try adopt(.permissions(0o600), "Sub/New.stedoc", device)
            #expect(try run("stat", "-c", "%a", drive.path("Sub/New.txt")).good().output == "600\n")
            try adopt(.gone, "Sub/New.stedoc", device)
            #expect(try list(drive, "Sub") == ["Other.txt"])
            #expect(
                try run(Places.valise, "undelete", drive.path("Sub/New.txt")).good().code == 0
                    && run("cat", drive.path("Sub/New.txt")).good().output == "new")
        }
    }

    @Test func itemsMoveAndChangePlaces() throws {
        try withDevice("text Notes one\ntext Sub/Other other\nfile list.csv a,b") { _, drive, device in
            #expect(try list(drive) == ["Notes.txt", "Sub", "list.csv"])
            _ = try adopt(.moved, "Notes.stedoc", "Sub/Plan.stedoc", device)
            #expect(try list(drive) == ["Sub", "list.csv"] && list(drive, "Sub") == ["Other.txt", "Plan.txt"])
            #expect(try run("cat", drive.path("Sub/Plan.txt")).good().output == "one")
            _ = try adopt(.exchanged, "Sub/Plan.stedoc", "Sub/Other.stedoc", device)
            #expect(try run("cat", drive.path("Sub/Plan.txt"), drive.path("Sub/Other.txt")).good().output == "otherone")
            // Each is what its name says then.
            _ = try adopt(.exchanged, "Sub/Plan.stedoc", "list.csv", device)
            #expect(
                try run("cat", drive.path("Sub/Plan.txt"), drive.path("list.csv")).good().output.filter { $0 != "\n" }
                    == "a,bother")
            _ = try adopt(.moved, "Sub", "Moved", device)
            #expect(
                try list(drive) == ["Moved", "list.csv"]
                    && run("cat", drive.path("Moved/Other.txt")).good().output == "one")
        }
    }

    /// What was written and cannot be saved goes where its document goes, waits there, and is put an end to by nobody.
    @Test func whatIsNotSavedMovesAlongAndStays() throws {
        try withDevice("text Notes one\ntext Sub/Other other") { container, drive, device in
            func write(_ file: String) throws {
                try Self.unfit.write(to: URL(fileURLWithPath: container.beside("unfit")))
                _ = try run("cp", container.beside("unfit"), drive.path(file))
                #expect(try bytes(drive, file) == Self.unfit)
            }
            try write("Notes.txt")
            try write("Sub/Other.txt")
            #expect(
                isBusy { try adopt(.gone, "Notes.stedoc", device) }
                    && isBusy { _ = try adopt(.exchanged, "Notes.stedoc", "Sub/Other.stedoc", device) })
            _ = try adopt(.moved, "Notes.stedoc", "Plan.stedoc", device)
            _ = try adopt(.moved, "Sub", "Moved", device)
            #expect(try list(drive) == ["Moved", "Plan.txt"] && list(drive, "Moved") == ["Other.txt"])
            #expect(try bytes(drive, "Plan.txt") == Self.unfit && bytes(drive, "Moved/Other.txt") == Self.unfit)
            #expect(try String(contentsOfFile: container.stored("Plan.stedoc"), encoding: .utf8) == "one")
        }
    }

    /// The next drive finds it there.
    @Test func theNextDriveFindsIt() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container) { drive in
            let device = try FileCoordinator(container.path)
            defer { device.close() }
            try Self.unfit.write(to: URL(fileURLWithPath: container.beside("unfit")))
            _ = try run("cp", container.beside("unfit"), drive.path("Notes.txt"))
            _ = try adopt(.moved, "Notes.stedoc", "Plan.stedoc", device)
            try drive.kill()
            try run(Places.valise, "mount", container.path, drive.mountpoint).good()
            #expect(try list(drive) == ["Plan.txt"] && bytes(drive, "Plan.txt") == Self.unfit)
            try run(Places.valise, "restore", drive.path("Plan.txt"), "--saved").good()
            #expect(try run("cat", drive.path("Plan.txt")).good().output == "one")
            try run(Places.valise, "unmount", drive.mountpoint).good()
        }
    }

    /// A program that writes to a plain file would write to what is among the deleted.
    @Test func whatIsBeingWrittenIsNotDeleted() throws {
        try withDevice("file list.csv a,b") { _, drive, device in
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: drive.path("list.csv")))
            try file.write(contentsOf: Data("c".utf8))
            #expect(isBusy { try adopt(.gone, "list.csv", device) })
            try file.close()
            #expect(eventually { (try? adopt(.gone, "list.csv", device)) != nil })
            #expect(try list(drive) == [])
        }
    }
}
