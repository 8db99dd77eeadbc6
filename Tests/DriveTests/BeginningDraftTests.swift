import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Containers
@testable import Drive

#if DEBUG
/// A draft that begins while an app deletes the document, and somebody looks at the folder before the document has the draft.
@Suite struct BeginningDraftTests {
    private let caller = Caller(user: geteuid(), group: getegid(), thread: 1)

    /// The item is gone, and nobody has looked yet: what is written is a new document of that name.
    @Test func whatIsOpenWasJustDeleted() throws {
        var options = DriveOptions()
        options.changes = .poll
        try withUnmountedDrive(options) { drive, path in
            let file = path + "/Documents/Notes.stedoc"
            try Data("one".utf8).write(to: URL(fileURLWithPath: file))
            let opened = try drive.open(drive.lookUp(try #require(Name("Notes.txt")), in: .root, caller: .own).node, flags: O_RDWR, caller: caller)
            unlink(file)
            try drive.write(Array("tw".utf8), to: opened)
            try drive.flush(opened.handle)
            drive.release(opened.handle)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "twe")
            #expect(try drive.parts.folders.readListing(of: NodeNumber.root).map(\.name.description) == ["Notes.txt"])
            drive.close()
            #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/.valise/staging") == [])
        }
    }

    private func withDeletion(of stored: String, _ content: [UInt8], _ body: (Drive, NodeID) throws -> Void) throws {
        var options = DriveOptions()
        options.changes = .poll
        try withUnmountedDrive(options) { drive, path in
            let file = "\(path)/Documents/\(stored)"
            try Data(content).write(to: URL(fileURLWithPath: file))
            let node = try drive.lookUp(try #require(Name("Notes.txt")), in: .root, caller: .own).node
            drive.parts.testPoints.set(at: .draftBegun) {
                unlink(file)
                let listed = DispatchSemaphore(value: 0)
                Thread {
                    _ = try? drive.parts.folders.readListing(of: NodeNumber.root)
                    listed.signal()
                }.start()
                listed.wait()
            }
            try body(drive, node)
            #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/.valise/staging") == [])
            drive.close()
            #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/Documents") == [])
        }
    }

    /// Who writes it anew looks again, and finds that the name is free.
    @Test func writtenAnew() throws {
        try withDeletion(of: "Notes.stedoc", Array("one".utf8)) { drive, node in
            #expect(throws: Errno.stale) { try drive.open(node, flags: O_WRONLY | O_TRUNC, caller: caller) }
            #expect(throws: Errno.noSuchEntry) { try drive.lookUp(Name("Notes.txt")!, in: .root, caller: .own) }
        }
    }

    /// Who has had it open goes on without its name, as with any file that is deleted.
    @Test func writtenInPlace() throws {
        try withDeletion(of: "Notes.stedoc", Array("one".utf8)) { drive, node in
            let opened = try drive.open(node, flags: O_RDWR, caller: caller)
            try drive.write(Array("tw".utf8), to: opened)
            guard case .file(let file, let offset, let count) = try drive.read(opened.handle, at: 0, count: 10) else { throw Errno.invalid }
            #expect(try file.descriptor.read(at: offset, count: count) == Array("twe".utf8))
            try drive.flush(opened.handle)
            drive.release(opened.handle)
        }
    }
}
#endif
