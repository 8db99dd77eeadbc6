import LinuxFiles
import MountTesting
import Testing

@testable import Containers
@testable import Drive

/// Folders that go away while somebody reads them.
@Suite struct HeldFolderTests {
    private func folder(_ name: String, in parent: NodeNumber) throws -> Node {
        let name = try #require(Name(name))
        return Node(parent: parent, generation: 0, stored: name, shown: name, inode: 1, stamp: .unknown, role: .folder)
    }

    private func found(_ name: String) throws -> FoundEntry {
        let place = try TemporaryFolder(), name = try #require(Name(name))
        let folder = try Descriptor.atPath(place.path, [.path, .folder])
        try folder.makeFolder(name)
        let status = try folder.status(of: name)
        return FoundEntry(name: name, number: status.identity.number, facts: EntryFacts(status: status, document: nil, fault: nil))
    }

    /// A folder that goes away while it is read: its place in the table may be that of what was read in it.
    @Test func nothingIsAddedToAFolderThatIsGone() throws {
        var tree = NodeTable(.shipped)
        let gone = tree.add(try folder("gone", in: NodeNumber.root))
        tree.detach(EntryNumber(of: gone))
        #expect(!tree.contains(gone))
        var changes: [KernelChange] = []
        #expect(try tree.merge([found("below")], into: gone, changes: &changes) == [nil])
        #expect(try tree.merge([found("below")], gone: [], into: gone, changes: &changes) == [nil])
        #expect(!tree.contains(gone) && changes.isEmpty)
    }

    @Test func aFolderThatIsHeldKeepsItsPlace() throws {
        var tree = NodeTable(.shipped)
        let held = tree.add(try folder("held", in: NodeNumber.root))
        let isHeld = tree.hold(held)
        #expect(isHeld)
        tree.detach(EntryNumber(of: held))
        #expect(tree.contains(held))
        tree.removeHandle(held)
        #expect(!tree.contains(held))
        let isHeldAgain = tree.hold(held)
        #expect(!isHeldAgain)
    }
}
