import Foundation
import MountTesting
import Testing
import WindowModel

/// What the window's list of drives says, beside the drives themselves.
@MainActor
@Suite(.mounting) struct DriveListTests {
    private let program = ValiseProgram(path: Places.valise)

    private func list(_ container: TemporaryContainer) -> DriveList { DriveList(program, known: KnownContainers(file: container.beside("state/valise/window.json"))) }

    /// Of this test's container: others have theirs beside it.
    private func row(_ list: DriveList, _ container: TemporaryContainer) -> DriveRow? { list.rows.first { $0.container == container.path } }

    @Test func drivesAreMountedAndUnmounted() async throws {
        let container = try TemporaryContainer("text Notes one"), list = list(container)
        try await list.mount(container.path, on: container.mountpoint)
        var drive = try #require(row(list, container)?.drive)
        #expect(drive.mountpoint == container.mountpoint && drive.isAnswering && row(list, container)?.state == "Mounted")
        #expect(list.drive(of: container.mountpoint + "/Notes.txt") == drive && list.drive(of: container.mountpoint + "x") == nil)
        #expect(list.row(containing: container.path + "/Notes.stedoc")?.drive == drive)
        // Somebody uses it, and it stays.
        let user = try Program(["sh", "-c", "cd \"$1\" && echo there && sleep 1000", "sh", container.mountpoint])
        try await awaited("a program on the drive") { user.output == "there\n" }
        await #expect(throws: ValiseFault.self) { try await list.unmount(drive) }
        user.end()
        try await list.unmount(drive)
        #expect(row(list, container)?.drive == nil && row(list, container)?.state == "Not mounted" && row(list, container)?.mountpoint == container.mountpoint)
        // Another window knows it, too, and mounts it where it was.
        let other = self.list(container)
        await other.ask()
        let resting = try #require(row(other, container))
        #expect(other.place(for: container.path) == container.mountpoint)
        try await other.mount(container.path, on: resting.mountpoint)
        drive = try #require(row(other, container)?.drive)
        try await other.unmount(drive)
        other.forget(try #require(row(other, container)))
        await other.ask()
        #expect(row(other, container) == nil && FileManager.default.fileExists(atPath: container.path))
        let again = self.list(container)
        await again.ask()
        #expect(row(again, container) == nil)
    }

    /// An iPhone's backup, whose password goes through a pipe, and a folder of containers are drives like others.
    @Test func backupsAndFoldersOfContainersAreMounted() async throws {
        let container = try TemporaryContainer(""), list = list(container), backup = container.beside("backup")
        try run("python3", Places.support("make_backup.py"), backup, "--password", "correct horse").good()
        func mount(_ password: String?) async throws(ValiseFault) {
            do { try await list.mount(backup, on: container.mountpoint, password: password) } catch { throw error as? ValiseFault ?? ValiseFault("\(error)") }
        }
        let first = await #expect(throws: ValiseFault.self) { try await mount(nil) }
        #expect(first?.asksForPassword == true && first?.isWrongPassword == false)
        let second = await #expect(throws: ValiseFault.self) { try await mount("battery staple") }
        #expect(second?.isWrongPassword == true && second?.asksForPassword == false)
        try await mount("correct horse")
        var drive = try #require(list.rows.first { $0.container == backup }?.drive)
        #expect(drive.isReadOnly && drive.isAnswering && FileManager.default.fileExists(atPath: container.mountpoint + "/Apps/Notes/Documents/Letter.txt"))
        try await list.unmount(drive)
        try shell("rm -rf .valise; mkdir -p iCloud~com~apple~TextEdit/Documents; echo text > iCloud~com~apple~TextEdit/Documents/t.txt", in: container.path).good()
        try await list.mount(container.path, on: container.mountpoint)
        drive = try #require(row(list, container)?.drive)
        #expect(FileManager.default.fileExists(atPath: container.mountpoint + "/TextEdit/t.txt"))
        try await list.unmount(drive)
    }

    /// What others mount and unmount is seen, without asking now and then.
    @Test func theTableOfMountsIsFollowed() async throws {
        let container = try TemporaryContainer("text Notes one"), list = list(container)
        list.start()
        defer { list.stop() }
        var answers = 0
        list.changed = { answers += 1 }
        try await withAwaitedDrive(container) { drive in
            do { try await awaited("the drive") { row(list, container)?.drive != nil } } catch {
                throw Failed("\(error), in \(answers) answers, the last of \(list.rows.count) rows: \(list.fault ?? "no fault")")
            }
        }
        try await awaited("the drive is gone") { row(list, container)?.drive == nil }
    }

    @Test func whatIsWrongIsTold() async throws {
        let container = try TemporaryContainer("photo Cat png\ntext Notes one\ntext Notes.sync-conflict-20261121-232733-ABCDEFG theirs"), list = list(container)
        try await withAwaitedDrive(container) { drive in
            try shell("printf x >Cat.png; exit 0", in: drive.mountpoint).good()
            await list.ask()
            let shown = try #require(row(list, container)?.drive)
            #expect(shown.needsCount == 2 && row(list, container)?.state == "⚠ 1 conflict, 1 unsaved change")
            #expect(shown.problems.map(\.title) == ["Cat.png"] && shown.problems.first?.reason.hasPrefix("Not saved yet: ") == true)
            #expect(await program.remark(on: drive.path("Cat.png"))?.contains("valise restore") == true)
            #expect(try await program.problems(of: container.path).isEmpty)
            try await program.restoreSaved(drive.path("Cat.png"))
            await list.ask()
            #expect(row(list, container)?.drive?.problems == [])
            try #expect(await program.conflicts(on: shown).map(\.name) == ["Notes.txt"])
        }
        await #expect(throws: ValiseFault.self) { try await program.mount(container.beside("nowhere"), on: container.beside("made")) }
        #expect(!FileManager.default.fileExists(atPath: container.beside("made")))
    }

    /// One that has died is said to be dead, and does not keep the others from being told of.
    @Test func aDeadDriveIsARow() async throws {
        let container = try TemporaryContainer("text Notes one"), list = list(container)
        try await withAwaitedDrive(container) { drive in
            try drive.kill()
            await list.ask()
            let dead = try #require(list.rows.first { $0.mountpoint == container.mountpoint })
            #expect(dead.drive?.isAnswering == false && dead.state.hasPrefix("⚠ ") && dead.drive?.problems.count == 1, "\(dead)")
            if let drive = dead.drive { try await list.unmount(drive) }
            #expect(!MountedDrive.isMounted(container.mountpoint))
        }
    }

    /// Whatever somebody names, it is clear what is meant.
    @Test func aPathLeadsSomewhere() async throws {
        let container = try TemporaryContainer("text Notes one\nfolder Trip\ntext Trip/List two"), list = list(container)
        try await withAwaitedDrive(container) { drive in
            await list.ask()
            let row = try #require(self.row(list, container))
            #expect(list.destination(of: drive.mountpoint) == .drive(row) && list.destination(of: drive.path("Trip")) == .drive(row) && list.destination(of: container.path) == .drive(row))
            #expect(list.destination(of: drive.path("Trip/List.txt")) == .document(drive.path("Trip/List.txt"), row))
            // A folder that is one item has versions.
            try shell("mkdir Novel.scriv new; echo one >Novel.scriv/a.scrivx; echo two >new/a.scrivx", in: drive.mountpoint).good()
            let replaced = "import os, shutil; shutil.rmtree('Novel.scriv'); os.rename('new', 'Novel.scriv')"
            try run("python3", "-c", replaced, in: drive.mountpoint).good()
            #expect(list.destination(of: drive.path("Novel.scriv")) == .document(drive.path("Novel.scriv"), row))
            symlink(drive.path("Notes.txt"), container.beside("link"))
            #expect(list.destination(of: container.beside("link")) == .document(drive.path("Notes.txt"), row))
            let stored = container.stored("Trip/List.stedoc")
            #expect(list.destination(of: stored) == .stored(stored, row))
            let shown = try #require(row.drive)
            #expect(await program.shownPath(of: stored, on: shown) == drive.path("Trip/List.txt"))
            #expect(list.destination(of: container.beside("nowhere")) == .nothing("“\(container.beside("nowhere"))” is not there."))
        }
        await list.ask()
        #expect(list.destination(of: container.path) == .resting(container: container.path, mountpoint: container.mountpoint))
        #expect(list.destination(of: container.stored("Notes.stedoc")) == .resting(container: container.path, mountpoint: container.mountpoint))
        let other = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: other.path + "/plain"))
        guard case .nothing = list.destination(of: other.path + "/plain") else { throw Failed("a file in no container is none") }
        guard case .resting(container: other.path, _) = list.destination(of: other.path) else { throw Failed("a folder can be mounted") }
    }

    @Test func aPlaceIsFreeOrWhatItWas() async throws {
        let container = try TemporaryContainer("text Notes one"), list = list(container)
        let home = HomeFolder.path
        #expect(list.place(for: "/srv/valise test 4711") == home + "/valise test 4711")
        #expect(list.place(for: home + "/valise test 4711") == home + "/valise test 4711 Drive")
    }
}
