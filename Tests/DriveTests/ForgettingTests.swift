import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Containers
@testable import Drive

/// What the kernel forgets, as it does when memory is short: programs and NFS clients still have the numbers.
@Suite struct ForgettingTests {
    private static let note = "Album/Sub/Notes.txt", version = ".valise/versions/Album/Sub/Notes.txt/2020-01-01T00-10-00.000000Z.txt"

    private func withDrive(_ body: (Drive) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try NewContainer.make(at: folder.path, kinds: nil, samples: false)
        for path in ["Documents/Album/Sub/Notes.stedoc", ".valise/versions/Album/Sub/Notes.stedoc/2020-01-01T00-10-00.000000Z@here"] {
            let file = URL(fileURLWithPath: "\(folder.path)/\(path)")
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("some".utf8).write(to: file)
        }
        var options = DriveOptions()
        options.keepsVersions = true
        try body(Drive(container: try Container.open(folder.path, access: .read, kinds: .shipped), options: options))
    }

    /// Looks up a path as the kernel does: all the nodes on the way, the top excepted.
    private func walk(_ path: String, on drive: Drive) throws -> [Entry] {
        var folder = NodeID.root
        return try path.split(separator: "/").map { name in
            let entry = try drive.lookUp(try #require(Name(String(name))), in: folder, caller: .own)
            folder = entry.node
            return entry
        }
    }

    private func forget(_ entries: [Entry], on drive: Drive) {
        for entry in entries.reversed() { drive.forget(entry.node, count: 1) }
    }

    @Test(arguments: [note, version]) func theNumbersStayTheSame(path: String) throws {
        try withDrive { drive in
            let before = try walk(path, on: drive)
            forget(before, on: drive)
            // Another one would get the number, if it were free.
            let other = try walk("Album", on: drive) + walk(path == Self.note ? Self.version : Self.note, on: drive)
            #expect(try drive.lookUpAgain(before[before.count - 1].node).generation == before[before.count - 1].generation)
            let after = try walk(path, on: drive)
            #expect(after.map(\.node) == before.map(\.node) && after.map(\.generation) == before.map(\.generation))
            forget(other + after, on: drive)
        }
    }

    /// Where there is very much of that, memory matters more.
    @Test(arguments: [note, version]) func aLargeDriveForgets(path: String) throws {
        try withDrive { drive in
            drive.parts.tree.withLock { $0.mostForgotten = 10 }
            let first = try walk("Album/Sub", on: drive)
            forget(first, on: drive)
            #expect(drive.parts.tree.withLock { $0.count } > NodeNumber.versions.index)
            drive.parts.tree.withLock { $0.mostForgotten = 0 }
            let before = try walk(path, on: drive)
            let known = drive.parts.tree.withLock { $0.count }
            forget(before, on: drive)
            // What is at the top stays.
            #expect(drive.parts.tree.withLock { $0.count } <= known - 2)
            #expect(throws: Errno.stale) { try drive.lookUpAgain(before[before.count - 1].node) }
        }
    }

    /// A folder that is gone takes along all that nobody knows any more, however deep.
    @Test func whatIsGoneIsForgotten() throws {
        try withDrive { drive in
            let empty = drive.parts.tree.withLock { $0.count }
            forget(try walk(Self.note, on: drive), on: drive)
            let known = drive.parts.tree.withLock { $0.count }
            #expect(known == empty + 3)
            drive.parts.tree.withLock { $0.remove(Name("Album")!, of: NodeNumber.root) }
            #expect(drive.parts.tree.withLock { $0.count } == empty)
        }
    }
}
