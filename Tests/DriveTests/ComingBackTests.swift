import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Containers
@testable import Drive

/// A document that was deleted on the drive and comes back, while an app changed it, and makes a new one of the same name.
@Suite struct ComingBackTests {
    private let caller = Caller(user: geteuid(), group: getegid(), process: UInt32(getpid()))

    /// What comes back is older than what the app made of the deleted one, and its place is taken.
    @Test func whereAnAppMadeAnother() throws {
        var options = DriveOptions()
        options.changes = .off
        options.keepsVersions = true
        try withUnmountedDrive(options, versions: .standard) { drive, path in
            let documents = path + "/Documents"
            func app(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: documents + "/Notes.stedoc")) }
            try app("one")
            let name = try #require(Name("Notes.txt"))
            // Read, changed by the app, deleted, and written anew, as of long ago.
            let reading = try drive.open(drive.lookUp(name, in: .root, caller: caller).node, flags: O_RDONLY, caller: caller)
            drive.release(reading.handle)
            try app("one and two")
            try drive.unlink(name, in: .root, caller: caller)
            let (entry, opened) = try drive.create(name, in: .root, mode: 0o644, flags: O_WRONLY, caller: caller)
            let content = Array("one and three".utf8)
            try drive.write(content, to: opened)
            var change = AttributeChange()
            change.modified = .at(Timestamp(seconds: 1_000_000_000, nanoseconds: 0))
            _ = try drive.setAttributes(of: entry.node, change, handle: opened.handle, caller: caller)
            try app("another")
            try drive.flush(opened.handle)
            drive.release(opened.handle)
            drive.close()
            let texts = try FileManager.default.contentsOfDirectory(atPath: documents).map { try String(contentsOfFile: "\(documents)/\($0)", encoding: .utf8) }
            #expect(texts.sorted() == ["another", "one and three"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/.valise/staging") == [])
        }
    }
}
