import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Containers
@testable import Drive

/// What mirrors a document is not opened for those who may not read it, whatever the kernel thought of a name.
@Suite struct MirroringTests {
    private let owner = Caller(user: geteuid(), group: getegid(), thread: UInt32(getpid()))
    /// Of nobody's process, so of no other groups.
    private let stranger = Caller(user: 54321, group: 54321, thread: UInt32(getpid()))

    private func node(_ path: [String], on drive: Drive) throws -> NodeID {
        try path.reduce(.root) { try drive.lookUp(try #require(Name($1)), in: $0, caller: .own).node }
    }

    @Test func aVersionThatWasLookedUpBefore() throws {
        var options = DriveOptions()
        options.keepsVersions = true
        try withUnmountedDrive(options, versions: .all) { drive, path in
            let name = try #require(Name("Notes.txt"))
            for text in ["one\n", "two\n"] {
                let opened = try text == "one\n" ? drive.create(name, in: .root, mode: 0o644, flags: O_WRONLY, caller: owner).1
                    : drive.open(drive.lookUp(name, in: .root, caller: .own).node, flags: O_WRONLY | O_TRUNC, caller: owner)
                try drive.write(Array(text.utf8), to: opened)
                drive.release(opened.handle)
            }
            let folder = try node([".valise", "versions", "Notes.txt"], on: drive)
            let listing = try drive.openFolder(folder, caller: .own)
            var versions: [NodeID] = []
            try drive.readFolder(listing.handle, from: 0, counting: true) { entry in
                if entry.dots == .none { versions.append(entry.entry.node) }
                return true
            }
            let version = try #require(versions.first)
            drive.release(try drive.open(version, flags: O_RDONLY, caller: stranger).handle)
            chmod(path + "/Documents/Notes.stedoc", 0o600)
            #expect(throws: Errno.accessDenied) { try drive.open(version, flags: O_RDONLY, caller: stranger) }
            drive.release(try drive.open(version, flags: O_RDONLY, caller: owner).handle)
            drive.releaseFolder(listing.handle)
            drive.close()
        }
    }

    @Test func theStatusPageNamesAndCountsNothingToStrangers() throws {
        try withUnmountedDrive { drive, path in
            let status = try node([".valise", "status"], on: drive)
            let privates = ["drafts", "errors", "nodes", "documents", "open", "catalog", "requests", "changes"].map { "\"\($0)\":" }
            for (caller, isTold) in [(owner, true), (stranger, false)] {
                let opened = try drive.open(status, flags: O_RDONLY, caller: caller)
                guard case .bytes(let page) = try drive.read(opened.handle, at: 0, count: 1 << 20) else { throw Failed("no page") }
                let text = String(decoding: page, as: UTF8.self)
                #expect(privates.allSatisfy { text.contains($0) == isTold }, "\(text)")
                #expect(text.contains("\"counted\":false") != isTold)
                drive.release(opened.handle)
            }
            drive.close()
        }
    }

    /// Who may read both, and nobody else; who is in one's group may be in the other's or not.
    @Test(arguments: [
        (0o444, 0o644, true, true, 0o444), (0o444, 0o640, true, true, 0o440), (0o440, 0o444, true, true, 0o440), (0o444, 0o600, true, true, 0o400),
        (0o444, 0o640, false, true, 0o040 | 0o000), (0o444, 0o640, true, false, 0o400), (0o444, 0o644, false, false, 0o444), (0o444, 0o604, true, false, 0o400),
        (0o400, 0o644, false, false, 0o400),
    ]) func narrowing(mode: Int, other: Int, sameOwner: Bool, sameGroup: Bool, both: Int) {
        func attributes(_ mode: Int, _ owner: UInt32, _ group: UInt32) -> Attributes {
            let never = Timestamp(seconds: 0)
            return Attributes(node: .root, mode: 0o100000 | UInt32(mode), links: 1, owner: owner, group: group, device: 0, size: 0, blocks: 0, accessed: never, modified: never, changed: never)
        }
        let narrowed = attributes(mode, 1, 1).narrowed(by: attributes(other, sameOwner ? 1 : 2, sameGroup ? 1 : 2))
        #expect(narrowed.mode == 0o100000 | UInt32(both) && narrowed.owner == 1 && narrowed.group == 1)
    }
}
