import Dispatch
import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Containers
@testable import Drive

/// `truncate` by name, while others open, close and replace what is cut.
@Suite struct CuttingTests {
    private static let link = Array("[InternetShortcut]\nURL=https://example.org/\n".utf8)
    private let caller = Caller(user: geteuid(), group: getegid(), thread: 1)

    private func cut(_ node: NodeID, to size: Int64, on drive: Drive) throws {
        var change = AttributeChange()
        change.size = size
        _ = try drive.setAttributes(of: node, change, handle: nil, caller: caller)
    }

    private func files(in path: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    /// What was cut is no link any more, and is kept: once, and as the same document's.
    @Test func whileItIsClosed() throws {
        try withUnmountedDrive { drive, path in
            let name = try #require(Name("Swift.url"))
            for round in 1...200 {
                let saved = try round == 1 ? drive.create(name, in: .root, mode: 0o644, flags: O_WRONLY, caller: caller).1
                    : drive.open(drive.lookUp(name, in: .root, caller: caller).node, flags: O_WRONLY | O_TRUNC, caller: caller)
                try drive.write(Self.link, to: saved)
                drive.release(saved.handle)
                let node = try drive.lookUp(name, in: .root, caller: caller).node, reading = try drive.open(node, flags: O_RDONLY, caller: caller)
                DispatchQueue.concurrentPerform(iterations: 2) { index in
                    if index > 0 { return _ = try? cut(node, to: 5, on: drive) }
                    usleep(UInt32(round % 20) * 20)
                    drive.release(reading.handle)
                }
                #expect(try drive.attributes(of: node, handle: nil).size == 5)
            }
            drive.close()
            #expect(try files(in: path + "/Documents").count == 1)
            #expect(try files(in: path + "/.valise/staging").count == 1)
        }
    }

    /// A new document that another program cuts and a third one replaces is one document.
    @Test func whileItIsReplaced() throws {
        try withUnmountedDrive { drive, path in
            let name = try #require(Name("Notes.txt")), other = try #require(Name(".new"))
            for _ in 1...200 {
                let (entry, new) = try drive.create(name, in: .root, mode: 0o644, flags: O_WRONLY, caller: caller)
                try drive.write(Array("Bread and butter".utf8), to: new)
                let beside = try drive.create(other, in: .root, mode: 0o644, flags: O_WRONLY, caller: caller).1
                try drive.write(Array("Apples".utf8), to: beside)
                drive.release(beside.handle)
                DispatchQueue.concurrentPerform(iterations: 3) { index in
                    switch index {
                    case 0: try? cut(entry.node, to: 5, on: drive)
                    case 1: try? drive.rename(other, in: .root, to: name, in: .root, flags: 0, caller: caller)
                    default: drive.release(new.handle)
                    }
                }
                #expect(try files(in: path + "/Documents") == ["Notes.stedoc"])
                try drive.unlink(name, in: .root, caller: caller)
            }
            drive.close()
            #expect(try files(in: path + "/Documents") == [])
            #expect(try files(in: path + "/.valise/staging") == [])
        }
    }
}
