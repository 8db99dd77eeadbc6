import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Containers
@testable import Drive

#if DEBUG
/// What an app does in the middle of a change of the drive's: afterwards nothing is left in staging, and names lead to what is there.
@Suite struct MiddleTests {
    private let caller = Caller(user: geteuid(), group: getegid(), thread: 1)

    private func withPhotos(_ body: (Drive, String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try NewContainer.make(at: folder.path, kinds: nil, samples: true)
        let documents = folder.path + "/Documents"
        for item in try files(in: documents) where item != "Sunset.ptk" { try FileManager.default.removeItem(atPath: "\(documents)/\(item)") }
        for copy in ["\(documents)/Dog.ptk", "\(folder.path)/copy"] { try FileManager.default.copyItem(atPath: documents + "/Sunset.ptk", toPath: copy) }
        var options = DriveOptions()
        options.changes = .off
        let container = try Container.open(folder.path, access: .readWrite, kinds: .shipped)
        let drive = Drive(container: container, options: options, workshop: try Workshop.open(in: container, purpose: "tested"))
        try body(drive, folder.path)
        drive.close()
        #expect(try files(in: folder.path + "/.valise/staging") == [])
    }

    private func files(in folder: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    private func rename(_ old: String, to new: String, on drive: Drive, flags: UInt32 = 0) throws {
        try drive.rename(try #require(Name(old)), in: .root, to: try #require(Name(new)), in: .root, flags: flags, caller: caller)
    }

    /// The photo that is to be replaced was put away, and an app makes it anew.
    @Test func whatIsReplacedIsMadeAnew() throws {
        try withPhotos { drive, path in
            drive.parts.workshop?.parts.testPoints.set(at: .stepDone) { try? FileManager.default.copyItem(atPath: path + "/copy", toPath: path + "/Documents/Dog.ptk") }
            try rename("Sunset.png", to: "Dog.png", on: drive)
            #expect(throws: Errno.noSuchEntry) { try drive.lookUp(Name("Sunset.png")!, in: .root, caller: .own) }
            _ = try drive.lookUp(try #require(Name("Dog.png")), in: .root, caller: .own)
        }
    }

    /// And it cannot be replaced, because the other one is gone: both are there then.
    @Test func nothingIsReplaced() throws {
        try withPhotos { (drive, path) throws in
            drive.parts.workshop?.parts.testPoints.set(at: .stepDone) {
                try? FileManager.default.removeItem(atPath: path + "/Documents/Sunset.ptk")
                try? FileManager.default.copyItem(atPath: path + "/copy", toPath: path + "/Documents/Dog.ptk")
            }
            #expect(throws: Errno.noSuchEntry) { try rename("Sunset.png", to: "Dog.png", on: drive) }
            #expect(try files(in: path + "/Documents") == ["Dog 1.ptk", "Dog.ptk"])
        }
    }

    /// What changed places is deleted before the drive has looked at it: the other one is what it became all the same.
    @Test func whatIsExchangedIsDeleted() throws {
        try withPhotos { drive, path in
            let content = try Data(contentsOf: URL(fileURLWithPath: path + "/Documents/Sunset.ptk/photo.data"))
            let image = content.firstRange(of: [0x89, 0x50, 0x4E, 0x47]).map { Array(content[$0.lowerBound...]) } ?? []
            let opened = try drive.create(try #require(Name("own")), in: .root, mode: 0o644, flags: O_WRONLY, caller: caller).1
            try drive.write(image, to: opened)
            drive.release(opened.handle)
            drive.parts.testPoints.set(at: .exchanged) { try? FileManager.default.removeItem(atPath: path + "/Documents/Sunset.ptk") }
            try rename("own", to: "Sunset.png", on: drive, flags: 2)
            let own = try drive.lookUp(try #require(Name("own")), in: .root, caller: .own)
            #expect(drive.parts.tree.withLock { tree in tree.node(own.node).map { tree[$0].role } } == .plain)
        }
    }

    /// A name that is free on the drive, and not in the container: what fits no document there is a plain file all the same.
    @Test func aNameThatIsTakenInTheContainer() throws {
        try withPhotos { drive, path in
            let name = try #require(Name("Dog.png"))
            _ = try drive.lookUp(name, in: .root, caller: .own)
            try Data("plain".utf8).write(to: URL(fileURLWithPath: path + "/Documents/Dog.png"))
            #expect(try drive.parts.folders.readListing(of: NodeNumber.root).map(\.name.description).sorted() == ["Dog 1.png", "Dog.png", "Sunset.png"])
            try drive.unlink(name, in: .root, caller: .own)
            // The document is not the one that had the name a moment ago any more.
            drive.parts.removed.forgetAll()
            let opened = try drive.create(name, in: .root, mode: 0o644, flags: O_WRONLY, caller: caller).1
            try drive.write(Array("no image".utf8), to: opened)
            try drive.flush(opened.handle)
            drive.release(opened.handle)
            #expect(try drive.parts.folders.readListing(of: NodeNumber.root).map(\.name.description).sorted() == ["Dog 1.png", "Dog.png", "Sunset.png"])
        }
    }
}
#endif
