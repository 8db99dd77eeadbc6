import Foundation
import MountTesting
import Testing

/// Stores that are not as the one that the other tests run on: the same work is done on each of those that are made
/// quickly. `Tests/Stores/run` makes more.
@Suite(.long, .mounting, .enabled("only root mounts file systems") { geteuid() == 0 || ProcessInfo.processInfo.environment["CI"] == "true" }) struct StoreTests {
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

    /// Another container has its place: whoever names the drive means the one that it shows.
    @Test func aContainerIsMoved() throws {
        let container = try TemporaryContainer("text Notes one"), away = container.beside("away")
        defer { _ = try? valise("unmount", away) }
        try valise("mount", container.path, container.mountpoint).good()
        let drive = container.mountpoint
        try shell("echo two >\"$1/Notes.txt\"; mv \"$2\" \"$3\"; \"$4\" init \"$2\"", drive, container.path, away, Places.valise).good()
        let status = try valise("status", drive).output
        #expect(status.contains("container   \(away)\n") && status.contains("the folder was moved to “\(away)”; the drive goes on with it"), "\(status)")
        #expect(try valise("versions", "-q", drive + "/Notes.txt").good().lines.count == 1)
        #expect(try valise("find", "name == 'Notes.txt'", drive).good().output == "\(drive)/Notes.txt\n")
        #expect(try valise("check", drive).good().output.contains("1 text"))
        let file = container.beside("links.html")
        try "<DL><DT><A HREF=\"https://example.org/\">Example</A></DL>".write(toFile: file, atomically: true, encoding: .utf8)
        try valise("import", "-q", file, drive).good()
        try valise("kvs", "set", "score", "7", drive).good()
        #expect(eventually { access(drive + "/Example.url", F_OK) == 0 })
        #expect(try run("find", container.path, "-type", "f").output.contains("Bookmark") == false)
        #expect(try valise("kvs", "get", "score", away).output == "7\n" && valise("kvs", "get", "score", container.path).output == "")
        #expect(try valise("unmount", container.path).code == 1 && MountedDrive.isMounted(drive))
        try valise("unmount", away).good()
        #expect(!MountedDrive.isMounted(drive))
    }

    /// A search that begins when the catalog finds out that its file is elsewhere is not lost; and what has the old place now is another container.
    @Test func whatIsMovedIsFound() throws {
        let container = try TemporaryContainer("text Notes one"), away = container.beside("away"), drive = container.mountpoint
        defer { _ = try? valise("unmount", away) }
        func found(_ place: String) throws -> [String] { try run("timeout", "30", Places.valise, "find", "kind == 'text'", place).good().lines }
        try valise("mount", container.path, drive).good()
        #expect(try found(container.path) == [drive + "/Notes.txt"])
        try shell("mv \"$1\" \"$2\"; sleep 1.2", container.path, away).good()
        #expect(try found(drive) == [drive + "/Notes.txt"])
        #expect(try found(away) == [drive + "/Notes.txt"])
        try shell("\"$2\" init -q \"$1\" && echo other >\"$1/Documents/Other.stedoc\"", container.path, Places.valise).good()
        #expect(try found(container.path) == [container.path + "/Documents/Other.stedoc"])
        #expect(try found(drive) == [drive + "/Notes.txt"])
        try valise("unmount", away).good()
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
