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
