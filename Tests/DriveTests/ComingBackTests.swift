import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Containers
@testable import Drive

/// A document that was deleted on the drive and comes back, while an app makes a new one of the same name: both have written the
/// same document, and are the two sides of a conflict.
@Suite struct ComingBackTests {
    private let caller = Caller(user: geteuid(), group: getegid(), thread: UInt32(getpid()))

    /// What is written on the drive, closed when `app` has had its turn.
    private func withRewriting(
        versions: VersionPolicy = .standard, isOld: Bool = false, reads: Bool = false, _ app: (Drive, (String) throws -> Void) throws -> Void,
        then: (String) throws -> Void
    ) throws {
        var options = DriveOptions()
        options.changes = .off
        options.keepsVersions = versions.keeps
        try withUnmountedDrive(options, versions: versions) { drive, path in
            func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/Documents/Notes.stedoc")) }
            try write("one")
            let name = try #require(Name("Notes.txt")), node = try drive.lookUp(name, in: .root, caller: .own).node
            // Read, and changed by the app, before it is deleted.
            if reads {
                drive.release(try drive.open(node, flags: O_RDONLY, caller: caller).handle)
                try write("one and two")
            }
            try drive.unlink(name, in: .root, caller: .own)
            let (entry, opened) = try drive.create(name, in: .root, mode: 0o644, flags: O_WRONLY, caller: caller)
            try drive.write(Array("mine".utf8), to: opened)
            // Whoever wrote last is what the document is: the clock is too coarse to tell.
            var change = AttributeChange()
            change.modified = .at(Timestamp(seconds: isOld ? 1_000_000_000 : 4_000_000_000, nanoseconds: 0))
            _ = try drive.setAttributes(of: entry.node, change, handle: opened.handle, caller: caller)
            try app(drive, write)
            try drive.flush(opened.handle)
            drive.release(opened.handle)
            drive.close()
            #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/.valise/staging") == [])
            try then(path)
        }
    }

    private func texts(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }.sorted()
    }

    private func conflicts(in path: String) throws -> [String] {
        let folder = path + "/.valise/versions/Notes.stedoc"
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("conflict") }
            .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
    }

    @Test(arguments: [false, true], [false, true]) func whereAnAppMadeAnother(isOld: Bool, reads: Bool) throws {
        try withRewriting(isOld: isOld, reads: reads, { _, write in try write("theirs") }) { (path) throws in
            #expect(try texts(in: path + "/Documents") == [isOld ? "theirs" : "mine"])
            #expect(try conflicts(in: path) == [isOld ? "mine" : "theirs"])
        }
    }

    /// The same where the drive has seen the new one before: it has never shown two.
    @Test(arguments: [false, true]) func whereItWasSeen(isOld: Bool) throws {
        try withRewriting(isOld: isOld, { drive, write in
            try write("theirs")
            #expect(try drive.parts.folders.readListing(of: NodeNumber.root).map(\.name.description) == ["Notes.txt"])
        }) { (path) throws in
            #expect(try texts(in: path + "/Documents") == [isOld ? "theirs" : "mine"])
            #expect(try conflicts(in: path) == [isOld ? "mine" : "theirs"])
        }
    }

    /// It was seen, and then deleted by the app: what was written is a new document.
    @Test func whereItWentAgain() throws {
        try withRewriting({ drive, write in
            try write("theirs")
            _ = try drive.parts.folders.readListing(of: NodeNumber.root)
            try FileManager.default.removeItem(atPath: drive.container.path + "/Documents/Notes.stedoc")
            #expect(try drive.parts.folders.readListing(of: NodeNumber.root).map(\.name.description) == ["Notes.txt"])
        }) { (path) throws in #expect(try texts(in: path + "/Documents") == ["mine"]) }
    }

    /// Without versions there is nowhere to keep both sides of one document: they stay two.
    @Test(arguments: [false, true]) func withoutVersions(isSeen: Bool) throws {
        try withRewriting(versions: .off, { drive, write in
            try write("theirs")
            if isSeen { _ = try drive.parts.folders.readListing(of: NodeNumber.root) }
        }) { (path) throws in #expect(try texts(in: path + "/Documents") == ["mine", "theirs"]) }
    }

    /// What was put away has lost its item's name to another document of the drive's: both stay what they are.
    @Test func whereAnotherDocumentHasTheItemsName() throws {
        var options = DriveOptions()
        options.changes = .off
        options.keepsVersions = true
        try withUnmountedDrive(options, versions: .standard) { drive, _ in
            func put(_ name: String, _ content: [UInt8]) throws {
                let (_, opened) = try drive.create(try #require(Name(name)), in: .root, mode: 0o644, flags: O_WRONLY, caller: caller)
                try drive.write(content, to: opened)
                try drive.flush(opened.handle)
                drive.release(opened.handle)
            }
            func size(of name: String) throws -> Int64 { try drive.lookUp(try #require(Name(name)), in: .root, caller: .own).attributes.size }
            let png: [UInt8] = [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A], jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
            try put("cat.png", png)
            try drive.unlink(try #require(Name("cat.png")), in: .root, caller: caller)
            try put("cat.jpg", jpeg + [1, 2, 3])
            try put("cat.png", png + [4])
            #expect(try size(of: "cat.jpg") == 7)
            #expect(try size(of: "cat.png") == 9)
            drive.close()
        }
    }
}
