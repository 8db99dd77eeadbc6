import Foundation
import MountTesting
import Testing

/// Documents whose files nobody may change, not even root (`chattr +i`, or `+a`: what is there is never replaced).
@Suite(.mounting, .enabled("this machine's file system has no immutable files") { try ImmutableFile.canBeMade }) struct ImmutableTests {
    /// As for a file on the store itself: whoever opens it to write hears so then. It was a draft before that no save could end.
    @Test(arguments: [("Notes.txt", "Notes.stedoc"), ("Cat.png", "Cat.ptk/photo.data"), ("Cat.png", "Cat.ptk"), ("Site.url", "Bookmark_Site")], ["+i", "+a"])
    func whoeverOpensOneToWriteIsTold(_ document: (name: String, stored: String), flag: String) throws {
        let container = try TemporaryContainer("text Notes one\nphoto Cat png\nbookmark Site https://example.org/ stored=Bookmark_Site\ntext Other two")
        let name = document.name, stored = container.stored(document.stored)
        try run("chattr", flag, stored).good()
        defer { _ = try? run("chattr", "-ia", stored) }
        try withDrive(container) { drive in
            let before = try drive.get(name)
            for command in ["echo x >\(name)", "echo x >>\(name)", "truncate -s 0 \(name)", "exec 3<>\(name)"] {
                let ended = try run("bash", "-c", command, in: drive.mountpoint)
                #expect(ended.code != 0 && ended.errors.contains("Operation not permitted"), "\(command): \(ended.errors)")
            }
            #expect(try drive.get(name) == before)
            #expect(try drive.status().drafts.isEmpty && drive.status().errors.isEmpty)
            try run("chattr", "-ia", stored).good()
            try shell("cat \"$1\" >copy && cat copy >\"$1\"", name, in: drive.mountpoint).good()
            #expect(try drive.get(name) == before)
        }
    }

    /// A drive that is killed has a document away whose name was being written anew, and then nobody may write in its folder: the next one is
    /// mounted all the same and shows what was written. The document is back when that may be.
    @Test(arguments: ["Notes.txt", "Site.url"], [(true, true), (true, false), (false, true), (false, false)])
    func whatIsAwayWaits(name: String, how: (isWritten: Bool, isMountedAgain: Bool)) throws {
        let (isWritten, isMountedAgain) = how
        let container = try TemporaryContainer("text Trips/Notes one\nbookmark Trips/Site https://example.org/ inside stored=Bookmark_Site")
        let folder = container.stored("Trips"), file = "Trips/" + name, items = try container.storedFiles(), unfit = Data([0xE9, 0x0A])
        let first = try MountedDrive(container, options: "rw"), shown = try first.get(file)
        try shell("mv \"$1\" \"$1~\"", file, in: first.mountpoint).good()
        // A program of its own: what this process has open, those have for a moment that it starts, and they close it.
        let lines = "import os, sys; f = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_EXCL); os.write(f, bytes.fromhex(sys.argv[2])); os.fsync(f); os.kill(int(sys.argv[3]), 9)"
        try run("python3", "-c", lines, first.path(file), isWritten ? "e90a" : "", "\(first.process)").good()
        _ = try first.waitForEnd()
        umount2(first.mountpoint, Int32(MNT_DETACH))
        try run("chattr", "+i", folder).good()
        defer { _ = try? run("chattr", "-i", folder) }
        try withDrive(container, options: "rw") { drive throws in
            #expect(try drive.get(file) == (isWritten ? unfit : Data()))
            #expect(drive.fact("state", of: file) == "draft")
            let found = try container.storedFiles()
            #expect(found == (items.filter { !$0.contains(name == "Notes.txt" ? "Notes" : "Site") } + [file + "~"]).sorted())
            if !isMountedAgain {
                try run("chattr", "-i", folder).good()
                #expect(try eventually { try Set(items).isSubset(of: container.storedFiles()) })
            }
        }
        try run("chattr", "-i", folder).good()
        try withDrive(container, options: "rw") { drive throws in
            #expect(try drive.get(file) == (isWritten ? unfit : shown))
            #expect(drive.fact("state", of: file) == (isWritten ? "draft" : "saved"))
            #expect(try container.storedFiles() == (items + [file + "~"]).sorted())
            #expect(try container.deleted() == [])
        }
    }
}

private enum ImmutableFile {
    static var canBeMade: Bool {
        get throws {
            if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
            guard geteuid() == 0 else { return false }
            let folder = try TemporaryFolder(), file = folder.path + "/file"
            try Data().write(to: URL(fileURLWithPath: file))
            defer { _ = try? run("chattr", "-i", file) }
            return try run("chattr", "+i", file).code == 0
        }
    }
}
