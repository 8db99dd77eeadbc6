import Foundation
import MountTesting
import Testing
@testable import LinuxFiles

/// A path is gone along one name at a time.
@Suite struct PathWalkTests {
    private let folder: MountTesting.TemporaryFolder

    init() throws {
        folder = try MountTesting.TemporaryFolder()
        try shell("mkdir -p a/b; echo x >a/file; ln -s a/b way; ln -s way again; ln -s ../file a/b/up; ln -s \"$PWD/a\" whole; ln -s round round; ln -s nowhere gone", in: folder.path).good()
    }

    private func end(_ path: String, asFolder: Bool = false) throws -> (path: String, links: [String], folders: Int) {
        var links: [String] = [], folders = 0
        let end = try PathWalk.end(of: folder.path + "/" + path, asFolder: asFolder, passing: { (_) throws(Errno) in folders += 1 }) { (link) throws(Errno) in links.append("\(link.name)") }
        let real = try run("realpath", folder.path).good().lines[0]
        return (String(try AbsolutePath.of(end.descriptor).dropFirst(real.count)), links, folders)
    }

    @Test func itEndsWhereThePathLeads() throws {
        for (path, leads, links) in [
            ("a", "/a", []), ("a/file", "/a/file", []), ("a/./b/..", "/a", []), ("way", "/a/b", ["way"]), ("again/", "/a/b", ["again", "way"]), ("whole/b", "/a/b", ["whole"]), ("way/../file", "/a/file", ["way"]),
            ("", "", []),
        ] as [(String, String, [String])] {
            let found = try end(path)
            #expect(found.path == leads && found.links == links, "\(path): \(found)")
        }
        #expect(try end("way", asFolder: true).path == "/a/b")
        #expect(try end("a/b", asFolder: true).folders == end("a/b").folders + 1)
    }

    @Test func whatLeadsNowhereIsSaid() throws {
        for (path, error) in [("none", Errno.noSuchEntry), ("gone", .noSuchEntry), ("a/none/b", .noSuchEntry), ("a/file/b", .notDirectory), ("round", .tooManySymbolicLinks)] {
            #expect(throws: error, "\(path)") { try end(path) }
        }
        #expect(throws: Errno.notDirectory) { try end("a/file", asFolder: true) }
        // Who follows none says so.
        #expect(throws: Errno.notPermitted) { _ = try PathWalk.end(of: folder.path + "/way") { (_) throws(Errno) in throw .notPermitted } }
    }

    /// Where the path leads, also by a link to what is not there; and nothing else on the way.
    @Test func whatIsNotThereIsMade() throws {
        for (path, real) in [("a/new", "/a/new"), ("gone", "/nowhere"), ("again/made", "/a/b/made")] {
            let made = try PathWalk.end(of: folder.path + "/" + path, making: { (folder, name) throws(Errno) in
                OpenFile(try folder.descriptor.open(name, [.write, .create, .exclusive], mode: 0o600))
            }) { (_) throws(Errno) in }
            #expect(try AbsolutePath.of(made.descriptor).hasSuffix(real), "\(path)")
        }
        #expect(throws: Errno.noSuchEntry) {
            _ = try PathWalk.end(of: folder.path + "/none/file", making: { (folder, _) throws(Errno) in folder }) { (_) throws(Errno) in }
        }
    }

    /// The end is what was found, wherever the path leads by then.
    @Test func theEndIsHeld() throws {
        let found = try PathWalk.end(of: folder.path + "/way") { (_) throws(Errno) in }
        try shell("mv a moved; mkdir -p a/b; ln -sfn a way", in: folder.path).good()
        #expect(try AbsolutePath.of(found.descriptor).hasSuffix("/moved/b"))
    }
}
