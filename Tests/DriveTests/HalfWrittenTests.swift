import Foundation
import LinuxFiles
import MountTesting
import Synchronization
import Testing

@testable import Containers
@testable import Drive

#if DEBUG
/// A document that an app replaces and is still writing, while somebody has it open.
@Suite struct HalfWrittenTests {
    /// Whoever lists the folder does not wait for it, and is shown what was there.
    @Test func itsFolderIsListed() throws {
        let folder = try TemporaryFolder()
        try NewContainer.make(at: folder.path, kinds: nil, samples: true)
        let documents = URL(fileURLWithPath: folder.path + "/Documents"), photo = documents.appendingPathComponent("Sunset.ptk")
        let drive = Drive(container: try Container.open(folder.path, access: .read, kinds: .shipped), options: DriveOptions())
        let names = try drive.parts.folders.readListing(of: NodeNumber.root).map(\.name)
        let opened = try drive.open(drive.lookUp(try #require(Name("Sunset.png")), in: .root, caller: .own).node, flags: O_RDONLY, caller: Caller(user: 0, group: 0, thread: 1))
        // Another one takes its place, and is whole when the entries are read, but not a moment later.
        try FileManager.default.copyItem(at: photo, to: documents.appendingPathComponent(".new"))
        let place = try Descriptor.atPath(documents.path, [.path, .folder])
        try place.rename(try #require(Name(".new")), to: place, as: try #require(Name("Sunset.ptk")), .exchange)
        drive.parts.testPoints.set(at: .entriesRead) { truncate(photo.path + "/photo.data", 10) }
        #expect(try drive.parts.folders.readListing(of: NodeNumber.root).filter { $0.name.bytes.first != UInt8(ascii: ".") }.map(\.name) == names)
        #expect(truncate(photo.path + "/photo.data", 10) == 0)
        drive.release(opened.handle)
    }

    /// Who reads what is written while it is saved reads what was written, and not what the app has behind it in the package.
    @Test func aPhotoIsRead() throws {
        var options = DriveOptions()
        options.changes = .poll
        try withUnmountedDrive(options) { drive, path in
            let caller = Caller(user: geteuid(), group: getegid(), thread: 1), image = image(100)
            let (entry, opened) = try drive.create(#require(Name("Dog.jpg")), in: .root, mode: 0o644, flags: O_RDWR, caller: caller)
            try drive.write(Array(image), to: opened)
            let moments = Mutex(0)
            @Sendable func look() {
                moments.withLock { $0 += 1 }
                #expect(throws: Never.self) {
                    #expect(try drive.attributes(of: entry.node, handle: opened.handle).size == Int64(image.count))
                    guard case .file(let file, let offset, let count) = try drive.read(opened.handle, at: 0, count: 4096) else { throw Errno.invalid }
                    #expect(try file.descriptor.read(at: offset, count: count) == Array(image))
                }
            }
            look()
            drive.parts.workshop?.parts.testPoints.set(at: .stepDone) { look() }
            try drive.flush(opened.handle)
            look()
            #expect(moments.withLock { $0 } > 2)
            drive.release(opened.handle)
            #expect(FileManager.default.fileExists(atPath: path + "/Documents/Dog.ptk"))
        }
    }

    /// Something else took its name, that is no photo however much is written to it: nobody waits for that.
    @Test func anotherHasItsName() throws {
        try withUnmountedDrive { drive, path in
            let caller = Caller(user: geteuid(), group: getegid(), thread: 1), name = try #require(Name("Dog.png"))
            let photo = path + "/Documents/Dog.ptk"
            let (_, opened) = try drive.create(name, in: .root, mode: 0o644, flags: O_WRONLY, caller: caller)
            try drive.write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], to: opened)
            try drive.flush(opened.handle)
            drive.release(opened.handle)
            let node = try drive.lookUp(name, in: .root, caller: caller).node
            try FileManager.default.removeItem(atPath: photo)
            try Data("plain".utf8).write(to: URL(fileURLWithPath: photo))
            #expect(throws: Errno.stale) { try drive.attributes(of: node, handle: nil) }
            #expect(try drive.parts.folders.readListing(of: NodeNumber.root).map(\.name.description) == ["Dog.ptk"])
        }
    }
}
#endif
