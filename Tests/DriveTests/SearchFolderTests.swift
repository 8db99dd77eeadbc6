import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Drive

/// `/.valise/search`, asked as the kernel would ask it.
@Suite struct SearchFolderTests {
    private let drive: UnmountedDrive
    private let top: NodeID

    init() throws {
        drive = try UnmountedDrive()
        for name in ["Swift.txt", "Rust.txt"] { _ = try drive.make(name, "of \(name)") }
        top = try drive.lookUp("search", in: .control)
    }

    @Test func whatIsRefused() throws {
        let folder = try drive.lookUp("name LIKE 'S*'", in: top), link = try drive.lookUp("Swift.txt", in: folder)
        #expect(try drive.target(of: link) == "../../../Swift.txt" && drive.attributes(link).size == 18)
        expectRefusals([
            ("a file that editors make", .noSuchEntry, { _ = try drive.lookUp(".hidden", in: top) }), ("no result", .noSuchEntry, { _ = try drive.lookUp("Rust.txt", in: folder) }),
            ("create", .readOnly, { _ = try drive.create("new", in: folder) }), ("mkdir", .notPermitted, { _ = try drive.makeFolder("new", in: top) }),
            ("unlink", .readOnly, { try drive.unlink("Swift.txt", in: folder) }), ("rename", .readOnly, { try drive.rename("Swift.txt", in: folder, to: "x") }),
            ("rmdir", .readOnly, { try drive.removeFolder("swift", in: top) }), ("chmod", .readOnly, { try drive.set(folder) { $0.permissions = 0 } }), ("read", .isDirectory, { _ = try drive.open(folder) }),
            ("open a link", .tooManySymbolicLinks, { _ = try drive.open(link) }), ("readlink of a folder", .invalid, { _ = try drive.target(of: folder) }),
            ("list a link", .notDirectory, { _ = try drive.openFolder(link) }), ("in a link", .notDirectory, { _ = try drive.lookUp("x", in: link) }),
            ("an attribute", .noData, { _ = try drive.attribute("user.valise.error", of: folder) }),
            ("a long saved search", .fileTooLarge, { _ = try drive.make("long", String(repeating: "x", count: 65_537), in: drive.lookUp("searches", in: .control)) }),
            ("a name that goes on", .invalid, { _ = try drive.make("x%+", "x", in: drive.lookUp("searches", in: .control)) }),
        ])
    }

    /// Of more searches than go on at once, the oldest begin anew when somebody looks.
    @Test func veryManySearches() throws {
        for number in 0..<SearchFolders.mostHeld + 10 { #expect(try drive.list(drive.lookUp("size > \(number - 1000)", in: top)).names == ["Rust.txt", "Swift.txt"]) }
        #expect(try drive.list(drive.lookUp("size > -1000", in: top)).names == ["Rust.txt", "Swift.txt"])
    }

    /// Where results have one name, all but the first have numbers, and keep them.
    @Test func resultsThatAreCalledAlike() throws {
        for number in 0..<5 { _ = try drive.make("Swift.txt", "\(number)", in: drive.makeFolder("\(number)")) }
        let folder = try drive.lookUp("name LIKE 'Swift*'", in: top)
        let all = ["Swift 1.txt", "Swift 2.txt", "Swift 3.txt", "Swift 4.txt", "Swift 5.txt", "Swift.txt"]
        #expect(try drive.list(folder).names == all)
        let targets = try all.map { try drive.target(of: drive.lookUp($0, in: folder)) }
        #expect(Set(targets) == Set(["", "0/", "1/", "2/", "3/", "4/"].map { "../../../\($0)Swift.txt" }))
        let (place, gone) = (try #require(targets.firstIndex(of: "../../../2/Swift.txt")), try drive.lookUp("2"))
        try drive.unlink("Swift.txt", in: gone)
        func left() throws -> [String] { try drive.list(folder).names }
        #expect(try eventually { try left() == all.enumerated().filter { $0.offset != place }.map(\.element) })
        for (name, target) in zip(all, targets) where target != targets[place] { #expect(try drive.target(of: drive.lookUp(name, in: folder)) == target) }
        _ = try drive.make("Swift.txt", "again", in: gone)
        #expect(try eventually { try left() == all })
        #expect(try drive.target(of: drive.lookUp(all[place], in: folder)) == targets[place])
    }

    @Test func aForgottenFolderIsAnother() throws {
        let folder = try drive.lookUp("swift", in: top)
        #expect(try drive.list(folder).names == ["Swift.txt"])
        drive.forget(folder, 1)
        #expect(throws: Errno.stale) { try drive.attributes(folder) }
        #expect(try drive.list(drive.lookUp("swift", in: top)).names == ["Swift.txt"])
    }
}
