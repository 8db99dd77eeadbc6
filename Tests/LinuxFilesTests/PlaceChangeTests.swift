import Foundation
import MountTesting
import Testing
@testable import LinuxFiles

/// What a helper changes for a process that may have been taken over.
@Suite struct PlaceChangeTests {
    private let folder: MountTesting.TemporaryFolder
    private let top: OpenFile

    init() throws {
        folder = try MountTesting.TemporaryFolder()
        try shell("mkdir -p in/deep out; echo x >in/deep/file; echo x >out/file; ln -s ../out in/way; ln -s nowhere in/link; mkfifo in/pipe; chmod 640 */file in/deep/file", in: folder.path).good()
        top = OpenFile(try Descriptor.atPath(folder.path + "/in", [.path, .folder]))
    }

    private func place(_ path: String) throws -> OpenFile {
        let parts = path.split(separator: "/").map(String.init), name = try #require(parts.last.flatMap { Name($0) })
        let above = try Descriptor.atPath(([folder.path] + parts.dropLast()).joined(separator: "/"), [.path, .folder])
        return OpenFile(try above.open(name, .path))
    }

    private func change(_ call: AttributeCall, _ user: UInt32 = 0, _ group: UInt32 = 0) -> PlaceChange {
        PlaceChange(call: call, asker: PlaceChange.Asker(user: user, group: group, groups: []))
    }

    private func mode(_ path: String) throws -> UInt32 { try place(path).descriptor.status().permissions }

    @Test func whatLiesInTheFolderIsChanged() throws {
        for path in ["in/deep/file", "in/deep", "in/pipe"] {
            try change(.permissions(0o710)).carryOut(on: place(path), in: top, as: nil)
            #expect(try mode(path) == 0o710)
        }
        try change(.permissions(0o700)).carryOut(on: top, in: top, as: nil)
        #expect(try mode("in") == 0o700)
        // A link itself, and not what it leads to.
        let then = Timestamp(seconds: 1000)
        try change(.times(accessed: nil, modified: .at(then))).carryOut(on: place("in/link"), in: top, as: nil)
        #expect(try place("in/link").descriptor.status().modified == then)
    }

    /// However it got the place.
    @Test func nothingElseIs() throws {
        try shell("ln out/file in/second; mv in/deep/file out/moved; mkdir inner; echo x >inner/file; echo x >in/gone", in: folder.path).good()
        let gone = try place("in/gone")
        try shell("rm in/gone", in: folder.path).good()
        for path in ["out/file", "out", "out/moved", "inner/file"] {
            #expect(throws: Errno.stale, "\(path)") { try change(.permissions(0o4755)).carryOut(on: place(path), in: top, as: nil) }
        }
        #expect(throws: Errno.stale) { try change(.permissions(0o4755)).carryOut(on: gone, in: top, as: nil) }
        #expect(try mode("out/file") == 0o640 && mode("out/moved") == 0o640)
        for name in ["security.capability", "trusted.x", "system.other", "other"] {
            let call = AttributeCall.attribute(Array(name.utf8), value: [1], flags: 0)
            #expect(throws: Errno.notPermitted) { try change(call, 5001).carryOut(on: place("in/deep"), in: top, as: nil) }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root acts for others")) func theAskersRightsCount() throws {
        try shell("chmod 755 . in in/deep; chown 5001:5001 in/pipe; mkfifo in/deep/pipe", in: folder.path).good()
        try change(.permissions(0o600), 5001, 5001).carryOut(on: place("in/pipe"), in: top, as: nil)
        #expect(try mode("in/pipe") == 0o600)
        #expect(throws: Errno.notPermitted) { try change(.permissions(0o666), 5001, 5001).carryOut(on: place("in/deep/pipe"), in: top, as: nil) }
        #expect(throws: Errno.notPermitted) { try change(.owner(0, group: nil), 5001, 5001).carryOut(on: place("in/pipe"), in: top, as: nil) }
        // Of a drive that is served as its owner, whoever is named.
        guard let nobody = SystemUser(65534) else { return }
        #expect(throws: Errno.notPermitted) { try change(.permissions(0o666)).carryOut(on: place("in/pipe"), in: top, as: nobody) }
        #expect(throws: Errno.notPermitted) { try change(.attribute(Array("trusted.x".utf8), value: [1], flags: 0)).carryOut(on: place("in/deep"), in: top, as: nobody) }
        // And the helper is who it was.
        #expect(PlaceChange.Asker().user == 0)
    }

    @Test func whatIsSaidIsReadAgain() throws {
        let calls: [AttributeCall] = [
            .permissions(0o7777), .owner(nil, group: 7), .owner(0, group: nil), .times(accessed: nil, modified: .now), .times(accessed: .at(Timestamp(seconds: -5, nanoseconds: 7)), modified: nil),
            .attribute(Array("user.a".utf8), value: [0, 255], flags: 2), .removal(Array("user.b".utf8)),
        ]
        for call in calls {
            let said = PlaceChange(call: call, asker: PlaceChange.Asker(user: 5, group: 6, groups: [7, .max])), bytes = said.bytes
            let heard = try #require(PlaceChange(bytes[...]))
            #expect(heard.bytes == bytes && "\(heard)" == "\(said)")
            for count in 0..<min(bytes.count, 60) { #expect(PlaceChange(bytes.prefix(count)) == nil) }
        }
    }
}
