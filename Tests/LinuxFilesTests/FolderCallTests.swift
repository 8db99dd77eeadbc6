import Foundation
import LinuxFiles
import MountTesting
import Testing

/// Each call on a name in a folder: what it does, and the error of what it cannot do.
@Suite struct FolderCallTests {
    let folder: TemporaryFolder

    /// file, folder/file, link → nowhere.
    init() throws {
        folder = try TemporaryFolder()
        try folder.make("file", "text")
        let open = try folder.opened()
        try open.makeFolder(name("folder"))
        try folder.make("folder/file")
        try open.makeSymbolicLink(name("link"), to: Array("nowhere".utf8))
    }

    typealias Call = @Sendable (borrowing Descriptor) throws -> Void

    static let failing: [(deed: String, errno: Errno, call: Call)] = [
        ("status of nothing", .noSuchEntry, { _ = try $0.status(of: name("none")) }),
        ("open of nothing", .noSuchEntry, { _ = try $0.open(name("none"), .read).rawValue }),
        ("a file as a folder", .notDirectory, { _ = try $0.open(name("file"), [.read, .folder]).rawValue }),
        ("a folder to write to", .isDirectory, { _ = try $0.open(name("folder"), .write).rawValue }),
        ("a folder that is there", .exists, { try $0.makeFolder(name("file")) }),
        ("a link that is there", .exists, { try $0.makeSymbolicLink(name("link"), to: [0x61]) }),
        ("a link to NUL", .invalid, { try $0.makeSymbolicLink(name("new"), to: [0x61, 0]) }),
        ("a link to no text", .noSuchEntry, { try $0.makeSymbolicLink(name("new"), to: []) }),
        ("a node that is there", .exists, { try $0.makeNode(name("file"), mode: 0o010_600, device: 0) }),
        ("target of a file", .invalid, { _ = try $0.readSymbolicLink(name("file")) }),
        ("unlinking a folder", .isDirectory, { try $0.unlink(name("folder")) }),
        ("unlinking nothing", .noSuchEntry, { try $0.unlink(name("none")) }),
        ("removing a full folder", .notEmpty, { try $0.removeFolder(name("folder")) }),
        ("removing a file", .notDirectory, { try $0.removeFolder(name("file")) }),
        ("removing a link", .notDirectory, { try $0.removeFolder(name("link")) }),
        ("linking a folder", .notPermitted, { try $0.link(name("folder"), to: $0, as: name("new")) }),
        ("linking over a link", .exists, { try $0.link(name("file"), to: $0, as: name("link")) }),
        ("renaming nothing", .noSuchEntry, { try $0.rename(name("none"), to: $0, as: name("new")) }),
        ("renaming over what is there", .exists, { try $0.rename(name("file"), to: $0, as: name("link"), .exclusive) }),
        ("a file over a folder", .isDirectory, { try $0.rename(name("file"), to: $0, as: name("folder")) }),
        ("a folder over a file", .notDirectory, { try $0.rename(name("folder"), to: $0, as: name("file")) }),
        ("changing places with nothing", .noSuchEntry, { try $0.rename(name("file"), to: $0, as: name("none"), .exchange) }),
    ]

    @Test(arguments: failing.indices) func tellsTheKernelsError(_ index: Int) throws {
        let (deed, errno, call) = Self.failing[index]
        let open = try folder.opened()
        #expect(throws: errno, "\(deed)") { try call(open) }
        #expect(try Self.names(in: open) == ["file", "folder", "link"])
    }

    static func names(in folder: borrowing Descriptor) throws -> [String] {
        var reader = try FolderReader(folder)
        var names: [String] = []
        while let entry = try reader.next() { names.append(entry.name.description) }
        return names.sorted()
    }

    @Test func changesNames() throws {
        let open = try folder.opened()
        let inner = try open.open(name("folder"), [.path, .folder])
        try open.rename(name("file"), to: inner, as: name("file"), .exchange)
        #expect(try inner.open(name("file"), .read).readAll(limit: 10) == Array("text".utf8))
        try inner.link(name("file"), to: open, as: name("twin"))
        #expect(try open.status(of: name("twin")).links == 2)
        try open.rename(name("link"), to: inner, as: name("moved"))
        #expect(try inner.readSymbolicLink(name("moved")) == Array("nowhere".utf8))
        try open.unlink(name("twin"))
        #expect(try !open.exists(name("twin")))
        #expect(try Self.names(in: open) == ["file", "folder"])
        #expect(try AbsolutePath.of(inner).hasSuffix("/folder"))
    }

    @Test func namesAFileThatHasNone() throws {
        let open = try folder.opened()
        let file = try open.open(name("folder"), [.nameless, .readWrite], mode: 0o600)
        try file.write([1, 2], at: 0)
        try open.linkOpenFile(file, as: name("new"))
        #expect(try open.open(name("new"), .read).readAll(limit: 10) == [1, 2])
        #expect(throws: Errno.exists) { try open.linkOpenFile(file, as: name("new")) }
    }
}
