import Foundation
import MountTesting
import Testing

/// Stores that are not as the one that the other tests run on: the same work is done on each of those that are made
/// quickly. `Tests/Stores/run` makes more.
@Suite(.mounting, .enabled("only root mounts file systems") { geteuid() == 0 || ProcessInfo.processInfo.environment["CI"] == "true" }) struct StoreTests {
    @Test(arguments: ["tmpfs", "bindfs", "overlay-of-two"]) func everythingWorks(on store: String) throws {
        let ended = try Program([Places.inPackage("Tests/Stores/run"), "--valise", Places.valise, store]).wait(seconds: 300)
        #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
    }

    // MARK: Containers that go away

    @Test func aContainerIsRemoved() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container, options: "rw") { drive in
            let file = try OpenedFile(drive.path("Notes.txt"), O_WRONLY)
            try file.write("two")
            try FileManager.default.removeItem(atPath: container.path)
            #expect(throws: Refused(call: "close", number: ENODEV)) { try file.close() }
            #expect(throws: Refused(call: "open", number: ENODEV)) { try drive.put("New.txt", "new") }
            for _ in 0..<20 { #expect(try run("ls", drive.mountpoint).errors.contains("No such device")) }
            try expectGone(drive, "removed")
            let unmounted = try valise("unmount", drive.mountpoint)
            #expect(unmounted.code == 0 && unmounted.errors.contains("not saved: “Notes.txt”"), "\(unmounted)")
            #expect(try drive.waitForEnd() == 0)
        }
    }

    @Test func aStoreIsUnmountedAndMountedAgain() throws {
        let container = try TemporaryContainer()
        mkdir(container.beside("below"), 0o755)
        try run("mount", "--bind", container.beside("below"), container.path).good()
        defer { _ = try? run("umount", "--lazy", container.path) }
        try withDrive(container, options: "rw") { drive in
            try drive.put("Notes.txt", "one")
            try run("umount", "--lazy", container.path).good()
            // It goes on, and says that it is somewhere else.
            #expect(try valise("status", drive.mountpoint).output.contains("its file system unmounted"))
            try drive.put("Notes.txt", "two")
            #expect(drive.log.components(separatedBy: " is gone: ").count == 2)
            try run("mount", "--bind", container.beside("below"), container.path).good()
            #expect(try !valise("status", drive.mountpoint).output.contains("absent"))
            #expect(drive.log.contains("is there again"))
            #expect(try container.bytes("Notes.stedoc") == Data("two".utf8))
        }
    }

    @Test func aStoreDies() throws {
        let container = try TemporaryContainer()
        mkdir(container.beside("below"), 0o755)
        let bindfs = try Program(["bindfs", "-f", container.beside("below"), container.path])
        defer { bindfs.end() }
        #expect(eventually { MountedDrive.isMounted(container.path) })
        defer { umount2(container.path, Int32(MNT_DETACH)) }
        try withDrive(container, options: "rw") { drive in
            try drive.put("Notes.txt", "one")
            kill(bindfs.process, SIGKILL)
            _ = try bindfs.wait()
            for _ in 0..<20 { #expect(try run("ls", drive.mountpoint).errors.contains("No such device")) }
            #expect(throws: Refused(call: "open", number: ENODEV)) { try drive.put("New.txt", "new") }
            try expectGone(drive, "does not work any more")
            #expect(try valise("unmount", drive.mountpoint).code == 0)
            #expect(try drive.waitForEnd() == 0)
        }
    }

    /// Said once in the log, and whenever somebody asks.
    private func expectGone(_ drive: MountedDrive, _ words: String) throws {
        let status = try valise("status", drive.mountpoint)
        #expect(status.code == 0 && status.output.contains("absent") && status.output.contains(words), "\(status)")
        #expect(try valise("status", "--json", drive.mountpoint).output.contains("\"absent\":{\"reason\":"))
        #expect(drive.log.components(separatedBy: " is gone: ").count == 2, "\(drive.log)")
    }
}
