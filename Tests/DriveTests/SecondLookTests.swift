import Foundation
import LinuxFiles
import Testing

@testable import Drive

/// A document that a name led to is replaced between the kernel's look and what it asks for, and once more after it has looked again.
@Suite struct SecondLookTests {
    private let caller = Caller(user: geteuid(), group: getegid(), thread: 1)

    private func make(_ name: Name, _ content: String, on drive: Drive) throws {
        let own = try #require(Name(".own"))
        let (_, opened) = try drive.create(own, in: .root, mode: 0o644, flags: O_WRONLY | O_CREAT | O_EXCL, caller: .own)
        try drive.write(Array(content.utf8), to: opened)
        try drive.flush(opened.handle)
        drive.release(opened.handle)
        try drive.rename(own, in: .root, to: name, in: .root, flags: 0, caller: .own)
    }

    /// The name led to "one" when it was looked up, to "two" when it was looked up again, and leads to "three".
    private func withReplacedTwice(_ body: (Drive, String, Name, NodeID) throws -> Void) throws {
        try withUnmountedDrive { drive, path in
            let name = try #require(Name("Notes.txt"))
            try make(name, "one", on: drive)
            let first = try drive.lookUp(name, in: .root, caller: caller).node
            try make(name, "two", on: drive)
            #expect(throws: Errno.stale) { try drive.open(first, flags: O_RDONLY, caller: caller) }
            let second = try drive.lookUp(name, in: .root, caller: caller).node
            try make(name, "three", on: drive)
            try body(drive, path, name, second)
        }
    }

    private func content(_ drive: Drive, _ opened: Opened) throws -> String {
        guard case .file(let file, let offset, let count) = try drive.read(opened.handle, at: 0, count: 100) else { throw Errno.invalid }
        return String(decoding: try file.descriptor.read(at: offset, count: count), as: UTF8.self)
    }

    private func content(_ drive: Drive, _ name: Name) throws -> String {
        let opened = try drive.open(drive.lookUp(name, in: .root, caller: .own).node, flags: O_RDONLY, caller: .own)
        defer { drive.release(opened.handle) }
        return try content(drive, opened)
    }

    @Test func isReadAsItIsNow() throws {
        try withReplacedTwice { drive, _, _, node in
            let opened = try drive.open(node, flags: O_RDONLY, caller: caller)
            #expect(try content(drive, opened) == "three")
            #expect(try drive.attributes(of: node, handle: nil).size == 5)
            drive.release(opened.handle)
            #expect(throws: Errno.stale) { try drive.attributes(of: node, handle: nil) }
        }
    }

    @Test(arguments: [0, O_TRUNC]) func isWrittenWhereItIsNow(flags: Int32) throws {
        try withReplacedTwice { drive, _, name, node in
            let opened = try drive.open(node, flags: O_RDWR | flags, caller: caller)
            try drive.write(Array("T".utf8), to: opened)
            try drive.flush(opened.handle)
            drive.release(opened.handle)
            #expect(try content(drive, name) == (flags == 0 ? "Three" : "T"))
        }
    }

    /// Where the end of it is, the kernel would say, and knows of another file.
    @Test func nothingIsAppendedToAnother() throws {
        try withReplacedTwice { drive, _, _, node in
            #expect(throws: Errno.stale) { try drive.open(node, flags: O_WRONLY | O_APPEND, caller: caller) }
        }
    }

    @Test func isChangedWhereItIsNow() throws {
        try withReplacedTwice { drive, path, name, node in
            let now = try drive.lookUp(name, in: .root, caller: .own).node
            var change = AttributeChange()
            change.permissions = 0o600
            _ = try drive.byName(node, caller) { (node) throws(Errno) in try drive.setAttributes(of: node, change, handle: nil, caller: caller) }
            #expect(try drive.attributes(of: now, handle: nil).mode & 0o777 == 0o600)
        }
    }

    /// Who asks without having looked again has no name in mind, but the file.
    @Test func whoHasNotLookedIsRefused() throws {
        try withReplacedTwice { drive, _, _, node in
            let other = Caller(user: geteuid(), group: getegid(), thread: 2)
            for _ in 0..<2 { #expect(throws: Errno.stale) { try drive.open(node, flags: O_RDONLY, caller: other) } }
        }
    }

    /// It is gone for who reads. Who writes it anew would have made it, had the kernel known: that is written, and is gone. The
    /// kernel, which asks what it is before that, hears what it was.
    @Test(arguments: [O_TRUNC, 0]) func isGone(flags: Int32) throws {
        try withReplacedTwice { drive, _, name, node in
            try drive.unlink(name, in: .root, caller: .own)
            #expect(try drive.attributes(of: node, handle: nil, caller: caller).size == 3)
            #expect(throws: Errno.noSuchEntry) { try drive.open(node, flags: O_RDONLY, caller: caller) }
            let opened = try drive.open(node, flags: O_WRONLY | flags, caller: caller)
            try drive.write(Array("four".utf8), to: opened)
            try drive.flush(opened.handle)
            drive.release(opened.handle)
            #expect(try drive.parts.folders.readListing(of: NodeNumber.root).isEmpty)
        }
    }

    /// A new file that came between both looks is opened, as when it had been there.
    @Test(arguments: ["Notes.txt", "plain"]) func isMadeByAnotherAgain(name: String) throws {
        try withUnmountedDrive { drive, _ in
            let name = try #require(Name(name))
            func create() throws -> Opened { try drive.create(name, in: .root, mode: 0o644, flags: O_RDWR | O_CREAT, caller: caller).1 }
            try make(name, "one", on: drive)
            #expect(throws: Errno.stale) { try create() }
            try drive.unlink(name, in: .root, caller: .own)
            #expect(throws: Errno.noSuchEntry) { try drive.lookUp(name, in: .root, caller: caller) }
            try make(name, "two", on: drive)
            let opened = try create()
            #expect(try content(drive, opened) == "two")
            drive.release(opened.handle)
        }
    }
}
