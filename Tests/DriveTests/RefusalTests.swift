import Foundation
import LinuxFiles
import Testing

@testable import Drive

/// Which call is refused with what: the errno that a program gets.
@Suite struct RefusalTests {
    private static let noReplace: UInt32 = 1, exchange: UInt32 = 2

    /// A folder with a file in it, an empty one, a file, a link, a document.
    private func furnished() throws -> UnmountedDrive {
        let drive = try UnmountedDrive()
        let full = try drive.makeFolder("full")
        _ = try drive.make("inner", "inner", in: full)
        _ = try drive.makeFolder("empty")
        _ = try drive.make("plain", "content")
        _ = try drive.makeLink("link", to: "plain")
        _ = try drive.make("Notes.txt", "a document")
        return drive
    }

    @Test func whatIsNotThere() throws {
        let drive = try furnished(), full = try drive.lookUp("full")
        expectRefusals([
            ("lookup", .noSuchEntry, { _ = try drive.lookUp("absent") }),
            ("lookup in a folder", .noSuchEntry, { _ = try drive.lookUp("absent", in: full) }),
            ("lookup in the control folder", .noSuchEntry, { _ = try drive.lookUp("absent", in: .control) }),
            ("unlink", .noSuchEntry, { try drive.unlink("absent") }),
            ("rmdir", .noSuchEntry, { try drive.removeFolder("absent") }),
            ("rename", .noSuchEntry, { try drive.rename("absent", to: "other") }),
            ("rename to a name that is there", .noSuchEntry, { try drive.rename("absent", to: "plain") }),
            ("exchange", .noSuchEntry, { try drive.rename("absent", to: "plain", flags: Self.exchange) }),
            ("exchange with", .noSuchEntry, { try drive.rename("plain", to: "absent", flags: Self.exchange) }),
            ("symlink to nothing", .noSuchEntry, { _ = try drive.makeLink("new", to: "") }),
        ])
    }

    @Test func whatIsThereAlready() throws {
        let drive = try furnished(), plain = try drive.lookUp("plain")
        for name in ["plain", "full", "link", "Notes.txt"] {
            expectRefusals([
                ("create", .exists, { _ = try drive.create(name) }), ("mkdir", .exists, { _ = try drive.makeFolder(name) }),
                ("mknod", .exists, { _ = try drive.makeNode(name) }), ("symlink", .exists, { _ = try drive.makeLink(name, to: "x") }),
                ("link", .exists, { _ = try drive.link(plain, as: name) }),
                ("rename", .exists, { try drive.rename("empty", to: name, flags: Self.noReplace) }),
            ])
        }
        // Without O_EXCL the kernel looks again, and opens what is there.
        #expect(throws: Errno.stale) { try drive.create("plain", flags: O_RDWR) }
        // Of what is under a document's own name in the container, it would look for ever.
        #expect(throws: Errno.exists) { try drive.create("Notes.stedoc", flags: O_RDWR) }
        #expect(try drive.storedNames() == ["Notes.stedoc", "empty", "full", "link", "plain"])
    }

    @Test func whatIsNoFolder() throws {
        let drive = try furnished(), plain = try drive.lookUp("plain"), document = try drive.lookUp("Notes.txt")
        for node in [plain, document] {
            expectRefusals([
                ("opendir", .notDirectory, { _ = try drive.openFolder(node) }), ("create", .notDirectory, { _ = try drive.create("new", in: node) }),
                ("tmpfile", .notDirectory, { _ = try drive.createNameless(in: node) }), ("mkdir", .notDirectory, { _ = try drive.makeFolder("new", in: node) }),
                ("mknod", .notDirectory, { _ = try drive.makeNode("new", in: node) }), ("symlink", .notDirectory, { _ = try drive.makeLink("new", to: "x", in: node) }),
                ("link", .notDirectory, { _ = try drive.link(plain, as: "new", in: node) }), ("unlink", .notDirectory, { try drive.unlink("x", in: node) }),
                ("rmdir", .notDirectory, { try drive.removeFolder("x", in: node) }), ("rename from", .notDirectory, { try drive.rename("x", in: node, to: "y", into: .root) }),
                ("rename to", .notDirectory, { try drive.rename("plain", to: "y", into: node) }),
            ])
            #expect(throws: Errno.self) { try drive.lookUp("x", in: node) }
        }
        expectRefusals([
            ("rmdir of a file", .notDirectory, { try drive.removeFolder("plain") }), ("rmdir of a link", .notDirectory, { try drive.removeFolder("link") }),
            ("rmdir of a document", .notDirectory, { try drive.removeFolder("Notes.txt") }),
            ("a folder over a file", .notDirectory, { try drive.rename("empty", to: "plain") }),
            ("a folder over a document", .notDirectory, { try drive.rename("empty", to: "Notes.txt") }),
        ])
    }

    @Test func whatIsAFolder() throws {
        let drive = try furnished(), full = try drive.lookUp("full")
        expectRefusals([
            ("open", .isDirectory, { _ = try drive.open(full) }), ("open to write", .isDirectory, { _ = try drive.open(full, O_RDWR) }),
            ("open of the root", .isDirectory, { _ = try drive.open(.root) }), ("open of the control folder", .isDirectory, { _ = try drive.open(.control) }),
            ("unlink", .isDirectory, { try drive.unlink("full") }), ("a file over it", .isDirectory, { try drive.rename("plain", to: "empty") }),
            ("a document over it", .isDirectory, { try drive.rename("Notes.txt", to: "empty") }),
            ("link", .notPermitted, { _ = try drive.link(full, as: "new") }),
        ])
    }

    @Test func whatIsNotEmpty() throws {
        let drive = try furnished()
        expectRefusals([
            ("rmdir", .notEmpty, { try drive.removeFolder("full") }), ("rename over it", .notEmpty, { try drive.rename("empty", to: "full") }),
        ])
        // A document that is being made is in nobody's container yet.
        let new = try drive.create("New.txt", in: drive.lookUp("empty"))
        expectRefusals([
            ("rmdir around a draft", .notEmpty, { try drive.removeFolder("empty") }),
            ("rename over a draft", .notEmpty, { try drive.rename("full", to: "empty") }),
        ])
        drive.release(new.handle)
    }

    @Test func whatMakesNoSense() throws {
        let drive = try furnished(), full = try drive.lookUp("full"), plain = try drive.lookUp("plain")
        let inner = try drive.makeFolder("deeper", in: full), handle = try drive.open(plain, O_RDWR)
        expectRefusals([
            ("rename with flags", .invalid, { try drive.rename("plain", to: "other", flags: 4) }),
            ("rename with all flags", .invalid, { try drive.rename("plain", to: "other", flags: .max) }),
            ("a folder into itself", .invalid, { try drive.rename("full", to: "x", into: full) }),
            ("a folder into one below it", .invalid, { try drive.rename("full", to: "x", into: inner) }),
            ("readlink of a file", .noSuchEntry, { _ = try drive.target(of: plain) }),
            ("read before the beginning", .invalid, { _ = try drive.read(handle, at: -1) }),
            ("read of less than nothing", .invalid, { _ = try drive.read(handle, at: 0, -1) }),
            ("fallocate of nothing", .invalid, { try drive.allocate(handle, 0) }),
            ("seek from nowhere", .invalid, { _ = try drive.seek(handle, to: 0, whence: 99) }),
        ])
        #expect(throws: Errno.nameTooLong) { try drive.makeLink("new", to: String(repeating: "x", count: 5000)) }
        drive.release(handle)
    }

    @Test func handlesThatAreNotOpen() throws {
        let drive = try furnished(), plain = try drive.lookUp("plain"), none = HandleID(rawValue: 4711)
        let reading = try drive.open(plain), writing = try drive.open(plain, O_RDWR), closed = try drive.open(plain, O_RDWR)
        drive.release(closed)
        for handle in [none, closed] {
            expectRefusals([
                ("read", .badDescriptor, { _ = try drive.read(handle) }), ("write", .badDescriptor, { try drive.write([1], to: handle) }),
                ("fsync", .badDescriptor, { try drive.sync(handle) }), ("lseek", .badDescriptor, { _ = try drive.seek(handle, to: 0, whence: seekData) }),
                ("fallocate", .badDescriptor, { try drive.allocate(handle, 1) }), ("copy from", .badDescriptor, { _ = try drive.copy(from: handle, to: writing, 1) }),
                ("copy to", .badDescriptor, { _ = try drive.copy(from: reading, to: handle, 1) }),
            ])
            // Whoever closes it has closed it.
            try drive.flush(handle)
            drive.release(handle)
        }
        expectRefusals([
            ("write to one for reading", .badDescriptor, { try drive.write([1], to: reading) }),
            ("fallocate of one for reading", .badDescriptor, { try drive.allocate(reading, 1) }),
            ("copy to one for reading", .badDescriptor, { _ = try drive.copy(from: writing, to: reading, 1) }),
            ("readdir", .badDescriptor, { _ = try drive.list(FolderHandleID(rawValue: 4711)) }),
        ])
        let folder = try drive.openFolder(.root)
        drive.releaseFolder(folder)
        drive.releaseFolder(folder)
        #expect(throws: Errno.badDescriptor) { try drive.list(folder) }
        for handle in [reading, writing] { drive.release(handle) }
    }

    @Test func nodesThatAreForgotten() throws {
        let drive = try furnished(), gone = try drive.makeNode("gone")
        try drive.unlink("gone")
        drive.forget(gone, 1)
        for node in [UnmountedDrive.nobody, gone, NodeID(rawValue: 0), NodeID(rawValue: .max)] {
            expectRefusals([
                ("getattr", .stale, { _ = try drive.attributes(node) }), ("setattr", .stale, { try drive.set(node) { $0.permissions = 0 } }),
                ("lookup", .stale, { _ = try drive.lookUp("x", in: node) }), ("parent", .stale, { _ = try drive.parent(of: node) }),
                ("again", .stale, { _ = try drive.again(node) }), ("open", .stale, { _ = try drive.open(node) }), ("opendir", .stale, { _ = try drive.openFolder(node) }),
                ("readlink", .stale, { _ = try drive.target(of: node) }), ("fsyncdir", .stale, { try drive.syncFolder(node) }),
                ("create", .stale, { _ = try drive.create("x", in: node) }), ("tmpfile", .stale, { _ = try drive.createNameless(in: node) }),
                ("mkdir", .stale, { _ = try drive.makeFolder("x", in: node) }), ("mknod", .stale, { _ = try drive.makeNode("x", in: node) }),
                ("symlink", .stale, { _ = try drive.makeLink("x", to: "y", in: node) }), ("link", .stale, { _ = try drive.link(node, as: "x") }),
                ("unlink", .stale, { try drive.unlink("x", in: node) }), ("rmdir", .stale, { try drive.removeFolder("x", in: node) }),
                ("rename", .stale, { try drive.rename("plain", to: "x", into: node) }), ("getxattr", .stale, { _ = try drive.attribute("user.a", of: node) }),
                ("setxattr", .stale, { try drive.setAttribute("user.a", of: node, to: [1]) }), ("listxattr", .stale, { _ = try drive.attributeNames(of: node) }),
                ("removexattr", .stale, { try drive.removeAttribute("user.a", of: node) }),
            ])
            // More often than it was told, too.
            drive.forget(node, .max)
        }
    }

    /// Whose names are the drive's own.
    @Test func theControlFolder() throws {
        let drive = try furnished(), plain = try drive.lookUp("plain")
        let originals = try drive.lookUp("originals", in: .control)
        let stored = try drive.lookUp("Documents", in: originals)
        for folder in [UnmountedDrive.control, originals, stored] {
            expectRefusals([
                ("create", .readOnly, { _ = try drive.create("x", in: folder) }), ("tmpfile", .readOnly, { _ = try drive.createNameless(in: folder) }),
                ("mkdir", .readOnly, { _ = try drive.makeFolder("x", in: folder) }), ("mknod", .readOnly, { _ = try drive.makeNode("x", in: folder) }),
                ("symlink", .readOnly, { _ = try drive.makeLink("x", to: "y", in: folder) }), ("link", .readOnly, { _ = try drive.link(plain, as: "x", in: folder) }),
                ("unlink", .readOnly, { try drive.unlink("plain", in: folder) }), ("rmdir", .readOnly, { try drive.removeFolder("empty", in: folder) }),
                ("rename from", .readOnly, { try drive.rename("plain", in: folder, to: "x", into: .root) }), ("rename to", .readOnly, { try drive.rename("plain", to: "x", into: folder) }),
                ("chmod", .readOnly, { try drive.set(folder) { $0.permissions = 0o700 } }), ("setxattr", .readOnly, { try drive.setAttribute("user.a", of: folder, to: [1]) }),
                ("removexattr", .readOnly, { try drive.removeAttribute("user.a", of: folder) }),
            ])
        }
        let original = try drive.lookUp("plain", in: stored)
        expectRefusals([
            ("write to an original", .readOnly, { _ = try drive.open(original, O_RDWR) }), ("cut an original", .readOnly, { _ = try drive.open(original, O_RDONLY | O_TRUNC) }),
            ("chmod an original", .readOnly, { try drive.set(original) { $0.permissions = 0 } }), ("link to an original", .notPermitted, { _ = try drive.link(original, as: "x") }),
            ("write to the status", .accessDenied, { _ = try drive.open(.status, O_WRONLY) }), ("truncate the status", .readOnly, { try drive.set(.status) { $0.size = 0 } }),
            ("mkdir", .exists, { _ = try drive.makeFolder(".valise") }), ("create", .exists, { _ = try drive.create(".valise") }),
            ("rename to it", .notPermitted, { try drive.rename("plain", to: ".valise") }), ("exchange with it", .notPermitted, { try drive.rename("plain", to: ".valise", flags: Self.exchange) }),
            ("rename it", .noSuchEntry, { try drive.rename(".valise", to: "x") }), ("rmdir it", .noSuchEntry, { try drive.removeFolder(".valise") }),
            ("unlink it", .noSuchEntry, { try drive.unlink(".valise") }),
        ])
    }

    @Test func aReadOnlyDrive() throws {
        let drive = try UnmountedDrive(readOnly: true) { documents in
            try Data("content".utf8).write(to: URL(fileURLWithPath: documents + "/plain"))
            try Data("a document".utf8).write(to: URL(fileURLWithPath: documents + "/Notes.stedoc"))
            try FileManager.default.createDirectory(atPath: documents + "/empty", withIntermediateDirectories: false)
        }
        let plain = try drive.lookUp("plain"), document = try drive.lookUp("Notes.txt")
        for node in [plain, document] {
            expectRefusals([
                ("open to write", .readOnly, { _ = try drive.open(node, O_RDWR) }), ("open to cut", .readOnly, { _ = try drive.open(node, O_TRUNC) }),
                ("chmod", .readOnly, { try drive.set(node) { $0.permissions = 0 } }), ("truncate", .readOnly, { try drive.set(node) { $0.size = 0 } }),
                ("touch", .readOnly, { try drive.set(node) { $0.modified = .now } }), ("setxattr", .readOnly, { try drive.setAttribute("user.a", of: node, to: [1]) }),
                ("removexattr", .readOnly, { try drive.removeAttribute("user.a", of: node) }),
            ])
            let handle = try drive.open(node)
            #expect(try !drive.read(handle).isEmpty)
            #expect(throws: Errno.badDescriptor) { try drive.write([1], to: handle) }
            drive.release(handle)
        }
        expectRefusals([
            ("create", .readOnly, { _ = try drive.create("x") }), ("tmpfile", .readOnly, { _ = try drive.createNameless() }), ("mkdir", .readOnly, { _ = try drive.makeFolder("x") }),
            ("mknod", .readOnly, { _ = try drive.makeNode("x") }), ("symlink", .readOnly, { _ = try drive.makeLink("x", to: "y") }), ("link", .readOnly, { _ = try drive.link(plain, as: "x") }),
            ("unlink", .readOnly, { try drive.unlink("plain") }), ("rmdir", .readOnly, { try drive.removeFolder("empty") }), ("rename", .readOnly, { try drive.rename("plain", to: "x") }),
        ])
        #expect(try drive.storedNames() == ["Notes.stedoc", "empty", "plain"])
    }

    @Test func attributesThatAreRefused() throws {
        let drive = try furnished(), plain = try drive.lookUp("plain"), document = try drive.lookUp("Notes.txt"), full = try drive.lookUp("full"), link = try drive.lookUp("link")
        for node in [plain, document, full] {
            try drive.setAttribute("user.there", of: node, to: [1])
            expectRefusals([
                ("getxattr", .noData, { _ = try drive.attribute("user.absent", of: node) }), ("getxattr of ours", .noData, { _ = try drive.attribute("user.valise.absent", of: node) }),
                ("removexattr", .noData, { try drive.removeAttribute("user.absent", of: node) }),
                ("replace", .noData, { try drive.setAttribute("user.absent", of: node, to: [1], flags: 2) }),
                ("create", .exists, { try drive.setAttribute("user.there", of: node, to: [2], flags: 1) }),
                ("set ours", .notPermitted, { try drive.setAttribute("user.valise.kind", of: node, to: [1]) }),
                ("remove ours", .notPermitted, { try drive.removeAttribute("user.valise.kind", of: node) }),
                ("no such flags", .invalid, { try drive.setAttribute("user.there", of: node, to: [1], flags: 7) }),
            ])
            #expect(throws: Errno.range) { try drive.setAttribute("user." + String(repeating: "n", count: 300), of: node, to: [1]) }
            #expect(throws: Errno.self) { try drive.setAttribute("user.large", of: node, to: [UInt8](repeating: 1, count: 1 << 17)) }
            #expect(try drive.attributeNames(of: node) == ["user.there"])
        }
        expectRefusals([
            ("an access list of a document", .notSupported, { _ = try drive.attribute("system.posix_acl_access", of: document) }),
            ("setting one", .notSupported, { try drive.setAttribute("system.posix_acl_access", of: document, to: [2, 0, 0, 0]) }),
            ("one that says more than permissions", .notSupported, { try drive.setAttribute("system.posix_acl_access", of: document, to: AccessLists.list([1, 2, 4, 16, 32])) }),
            ("one of others only", .notSupported, { try drive.setAttribute("system.posix_acl_access", of: document, to: AccessLists.list([1, 4, 16])) }),
            ("an attribute of a link", .notPermitted, { try drive.setAttribute("user.a", of: link, to: [1]) }),
            ("the status's", .noData, { _ = try drive.attribute("user.valise.kind", of: .status) }),
            ("the status's own", .notSupported, { _ = try drive.attribute("user.a", of: .status) }),
        ])
    }

    @Test func sizesThatAreRefused() throws {
        let drive = try furnished(), full = try drive.lookUp("full"), plain = try drive.lookUp("plain")
        let handle = try drive.open(plain, O_RDWR)
        expectRefusals([
            ("cut a folder", .isDirectory, { try drive.set(full) { $0.size = 0 } }),
            ("cut to less than nothing", .invalid, { try drive.set(plain) { $0.size = -1 } }),
            ("beyond the end", .noSuchDevice, { _ = try drive.seek(handle, to: 100, whence: seekData) }),
            ("a mode that nothing has", .notSupported, { try drive.allocate(handle, mode: 0x1000, 10) }),
        ])
        drive.release(handle)
        let document = try drive.open(drive.lookUp("Notes.txt"))
        expectRefusals([
            ("before the beginning of a document", .noSuchDevice, { _ = try drive.seek(document, to: -1, whence: seekData) }),
            ("beyond its end", .noSuchDevice, { _ = try drive.seek(document, to: 10, whence: seekData) }),
        ])
        drive.release(document)
    }

    /// A document whose new content is none of its kind keeps what it had, and whoever closes it is told.
    @Test func contentThatDoesNotFit() throws {
        let drive = try UnmountedDrive(), node = try drive.make("Page.url", "[InternetShortcut]\nURL=https://example.org/\n")
        let before = drive.storedBytes("Page.webloc") ?? []
        let stored = try drive.storedNames()
        let handle = try drive.open(node, O_RDWR | O_TRUNC)
        try drive.write(Array("no link".utf8), to: handle)
        try drive.sync(handle)
        #expect(throws: Errno.invalid) { try drive.flush(handle) }
        #expect(throws: Errno.invalid) { try drive.flush(handle) }
        drive.release(handle)
        #expect(try drive.storedNames() == stored)
        #expect((drive.storedBytes("Page.webloc") ?? []) == before)
        #expect(try drive.attribute("user.valise.state", of: node) == "draft")
    }
}

private enum AccessLists {
    /// An entry for each tag, all with the right to read.
    static func list(_ tags: [UInt8]) -> [UInt8] { [2, 0, 0, 0] + tags.flatMap { [$0, 0, 4, 0, 255, 255, 255, 255] } }
}
