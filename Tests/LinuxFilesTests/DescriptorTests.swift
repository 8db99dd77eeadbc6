import Foundation
import LinuxFiles
import MountTesting
import Testing

@Suite struct DescriptorTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    @Test func neverFollowsASymbolicLink() throws {
        try folder.make("file", "x")
        let open = try folder.opened()
        try open.makeSymbolicLink(name("link"), to: Array("file".utf8))
        try open.makeSymbolicLink(name("out"), to: Array("/".utf8))
        for flags in [OpenFlags.read, .write, .readWrite, [.read, .nonBlocking], [.write, .truncate], [.read, .create]] {
            #expect(throws: Errno.tooManySymbolicLinks) { _ = try open.open(name("link"), flags, mode: 0o600).rawValue }
        }
        #expect(throws: Errno.notDirectory) { _ = try open.open(name("out"), [.path, .folder]).rawValue }
        #expect(throws: Errno.notDirectory) { _ = try open.open(name("out"), [.read, .folder]).rawValue }
        #expect(try open.open(name("out"), .path).status().type == .symbolicLink)
        #expect(try open.status(of: name("out")).type == .symbolicLink)
        #expect(try open.openFollowing(name("link"), .read).status().type == .regular)
    }

    /// One call tells what two do: of a file, a folder, a link, a device.
    @Test func statusAndBirthAreOneCall() throws {
        try folder.make("file", "some bytes")
        let open = try folder.opened()
        try open.makeSymbolicLink(name("link"), to: Array("file".utf8))
        try open.makeNode(name("pipe"), mode: 0o010_640, device: 0)
        for called in ["file", "link", "pipe"] {
            let (status, made) = try open.statusAndBirth(of: name(called))
            #expect(try status == open.status(of: name(called)))
            #expect(try made == open.birth(of: name(called))?.made)
        }
        let devices = try Descriptor.atPath("/dev", [.path, .folder])
        #expect(try devices.statusAndBirth(of: name("null")).status.device == devices.status(of: name("null")).device)
        #expect(throws: Errno.noSuchEntry) { _ = try open.statusAndBirth(of: name("missing")) }
    }

    @Test func descriptorsAreNotInherited() throws {
        try folder.make("file")
        let open = try folder.opened()
        let file = try open.open(name("file"), .read)
        let more = OpenFile(try file.duplicate()), again = OpenFile(try file.reopened(.read)), above = OpenFile(try Descriptor.parent(of: open))
        for number in [open.rawValue, file.rawValue, more.descriptor.rawValue, again.descriptor.rawValue, above.descriptor.rawValue] {
            #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
        }
    }

    @Test func closesOnceItsOwnersAreGone() throws {
        let open = try folder.opened()
        try open.makeNode(name("pipe"), mode: 0o010_600, device: 0)
        let reading = try open.open(name("pipe"), [.read, .nonBlocking])
        var writers = [OpenFile(try open.open(name("pipe"), .write))]
        writers.append(writers[0])
        var byte: UInt8 = 0
        for _ in 0..<2 {
            #expect(read(reading.rawValue, &byte, 1) == -1, "somebody may still write")
            writers.removeLast()
        }
        #expect(read(reading.rawValue, &byte, 1) == 0)
    }

    @Test func aPathWithNULIsNone() {
        #expect(throws: Errno.invalid) { _ = try Descriptor.atPath([0x2F, 0, 0x61], .read).rawValue }
        #expect(throws: Errno.noSuchEntry) { _ = try Descriptor.atPath("/nonexistent/x", .read).rawValue }
    }

    @Test func readsAndWritesWhereItIsTold() throws {
        let open = try folder.opened()
        let file = try open.open(name("file"), [.readWrite, .create, .exclusive], mode: 0o640)
        try file.write(Array("hello".utf8), at: 0)
        try file.write([0x21], at: 9)
        #expect(try file.read(at: 0, count: 100) == Array("hello\0\0\0\0!".utf8))
        #expect(try file.read(at: 8, count: 1) == [0])
        #expect(try file.read(at: 10, count: 4) == [])
        try file.truncate(to: 2)
        #expect(try file.readAll(limit: 2) == Array("he".utf8))
        #expect(throws: Errno.fileTooLarge) { try file.readAll(limit: 1) }
        #expect(throws: Errno.invalid) { try file.read(at: -1, count: 1) }
        #expect(throws: Errno.exists) { _ = try open.open(name("file"), [.write, .create, .exclusive], mode: 0o600).rawValue }
        let status = try file.status()
        #expect(status.permissions & 0o600 == 0o600)
        #expect(status.size == 2)
        #expect(status.identity == (try open.status(of: name("file")).identity))
    }

    @Test func readsFilesThatDoNotKnowTheirSize() throws {
        let text = try Descriptor.atPath("/proc/self/status", .read).readAll(limit: 1 << 20)
        #expect(String(decoding: text, as: UTF8.self).hasPrefix("Name:"))
    }

    @Test func writingToAReadersDescriptorFails() throws {
        try folder.make("file", "x")
        let file = try folder.opened().open(name("file"), .read)
        #expect(throws: Errno.badDescriptor) { try file.write([1], at: 0) }
        #expect(throws: Errno.invalid) { try file.truncate(to: 0) }
    }

    @Test func copiesRangesWhole() throws {
        let open = try folder.opened()
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let from = try open.open(name("from"), [.readWrite, .create], mode: 0o600)
        let to = try open.open(name("to"), [.readWrite, .create], mode: 0o600)
        try from.write(bytes, at: 0)
        try from.copyAll(from: 1_000, count: 150_000, to: to, at: 10)
        #expect(try to.readAll(limit: 1 << 20) == [UInt8](repeating: 0, count: 10) + bytes[1_000..<151_000])
        #expect(throws: Errno.inputOutput) { try from.copyAll(from: 199_999, count: 2, to: to, at: 0) }
    }

    @Test func oneHolderHasTheLock() throws {
        try folder.make("lock")
        let open = try folder.opened()
        let first = try open.open(name("lock"), .readWrite), second = try open.open(name("lock"), .readWrite)
        try first.lockExclusively()
        #expect(throws: Errno.tryAgain) { try second.lockExclusively() }
        #expect(flock(first.rawValue, LOCK_UN) == 0)
        try second.lockExclusively()
    }

    @Test func setsTimesToTheNanosecond() throws {
        try folder.make("file")
        let open = try folder.opened()
        let place = try open.open(name("file"), .path)
        let (early, late) = (Timestamp(seconds: 5, nanoseconds: 999_999_999), Timestamp(seconds: 1_700_000_000, nanoseconds: 2))
        try place.setTimes(accessed: .at(late), modified: .at(early))
        #expect(try place.status().modified == early)
        try place.setTimes(accessed: nil, modified: .at(late))
        #expect(try place.status().accessed == late)
        #expect(early < late)
        try place.setPlacePermissions(0o604)
        #expect(try place.status().permissions == 0o604)
    }

    @Test func keepsExtendedAttributes() throws {
        try folder.make("file")
        let file = try folder.opened().open(name("file"), .path)
        let attribute = Array("user.valise.test".utf8)
        #expect(throws: Errno.noData) { try file.extendedAttribute(attribute) }
        try file.setExtendedAttribute(attribute, to: [0, 1, 2])
        #expect(try file.extendedAttribute(attribute) == [0, 1, 2])
        #expect(try file.extendedAttributeNames().contains(attribute))
        #expect(throws: Errno.exists) { try file.setExtendedAttribute(attribute, to: [], flags: 1) }
        try file.setExtendedAttribute(attribute, to: [])
        #expect(try file.extendedAttribute(attribute) == [])
        try file.removeExtendedAttribute(attribute)
        #expect(try !file.extendedAttributeNames().contains(attribute))
        for bad in [[], [0x61, 0], [0]] as [[UInt8]] { #expect(throws: Errno.invalid) { try file.extendedAttribute(bad) } }
    }

    @Test(.enabled(if: geteuid() == 0, "only root may make files as somebody else"))
    func actsAsSomebodyElseAndIsItselfAgain() throws {
        let open = try folder.opened()
        try open.setPermissions(0o777)
        try ThreadRights.owning(as: 12_345, group: 54_321) { try open.makeFolder(name("theirs")) }
        try open.makeFolder(name("ours"))
        let theirs = try open.status(of: name("theirs"))
        #expect(theirs.owner == 12_345)
        #expect(theirs.group == 54_321)
        #expect(try open.status(of: name("ours")).owner == 0)
    }
}
