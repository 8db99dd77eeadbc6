import Coordination
import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Containers
@testable import Drive

/// An app's package that is none of the kinds is a folder to the drive, and is followed with all that is in it as long as somebody presents it.
@Suite struct PresentedFolderTests {
    @Test func oneThatTheDriveHasNotSeenYetIsFollowedToo() throws {
        let container = try TemporaryContainer(""), opened = try Container.open(container.path, access: .readWrite, kinds: .shipped)
        let drive = Drive(container: opened, options: DriveOptions(), workshop: try Workshop.open(in: opened, purpose: "tested"))
        defer { drive.close() }
        let item = try #require(ItemPath([Name("Trip.notebook")!])), page = try #require(ItemPath([Name("Trip.notebook")!, Name("page")!]))
        #expect(throws: Errno.noSuchEntry) { _ = try drive.lookUp(Name("Other")!, in: .root, caller: .own) }
        mkdir(container.path + "/Trip.notebook", 0o700)
        try Data().write(to: URL(fileURLWithPath: container.path + "/Trip.notebook/page"))
        #expect(![item, page].contains { drive.presenter.isFollowing($0) }, "what is in it would be noticed by nobody")
        #expect(drive.presenter.follow(item) == [page])
        #expect(drive.presenter.isFollowing(page))
        // A folder is looked at to the bottom each time: it may have got another one.
        #expect(![item, try #require(ItemPath([]))].contains { drive.presenter.isFollowing($0) })
    }
}
