import DeviceWorlds
import Hashes
import Replication
import Testing

/// A plan that goes on from the last one is the whole plan. The worlds compare the two after each step; here is what
/// hardly ever comes there.
@Suite struct FollowedPlannerTests {
    private typealias Base = PlannerTests
    private static let folder = ItemID(Mark(high: 2, low: 1)), folderFile = LocalID(inode: 20, made: 1)
    private static let other = ItemID(Mark(high: 3, low: 1)), otherFile = LocalID(inode: 30, made: 1)

    private static func placed(_ item: ItemID, in folder: ItemID?, _ name: String, _ kind: Location.Kind, _ number: UInt64) -> Fact {
        let place = Location(of: item, folder: folder, name: ItemName(Array(name.utf8)), kind: kind, former: nil)
        return Fact(id: Base.id(number), rank: Int64(number), device: .none, .place(place))
    }
    private static func entry(_ id: LocalID, in folder: LocalID? = nil, _ name: String, _ kind: Location.Kind) -> LocalEntry {
        LocalEntry(id, in: folder, Array(name.utf8), kind, Base.stamp, digest: nil)
    }

    /// A document in a folder, and another document, all as everybody sees them.
    private struct Device {
        var known: FollowedView, planner: FollowedPlanner

        init() {
            let inner = entry(Base.file, in: folderFile, "a.txt", .document), outer = entry(folderFile, "folder", .folder)
            let other = entry(otherFile, "b.txt", .document)
            known = FollowedView(of: [
                placed(folder, in: nil, "folder", .folder, 1), Base.version(folder, .folder, 2), placed(Base.item, in: folder, "a.txt", .document, 3),
                Base.version(Base.item, Base.text, 4), placed(FollowedPlannerTests.other, in: nil, "b.txt", .document, 5),
                Base.version(FollowedPlannerTests.other, Base.text, 6),
            ])
            let synced = [
                folder: Synced(outer, in: nil, digest: .folder, leaves: [Base.id(2)]),
                Base.item: Synced(inner, in: folder, digest: Base.text, leaves: [Base.id(4)]),
                FollowedPlannerTests.other: Synced(other, in: nil, digest: Base.text, leaves: [Base.id(6)]),
            ]
            let entries = Dictionary(uniqueKeysWithValues: [inner, outer, other].map { ($0.id, $0) })
            planner = FollowedPlanner(known, LocalItems(entries, synced: synced, contents: [Base.text], time: 100))
            #expect(planner.steps(known) == [])
        }

        /// Those that are planned from what changed, which are all.
        mutating func steps() -> [Step] {
            let steps = planner.steps(known)
            #expect(steps == Planner(known, planner.local).steps())
            return steps
        }

        mutating func hear(_ fact: Fact) { planner.hear(known.add([fact]), known) }
    }

    @Test func aFolderThatIsNoItemAnyMore() {
        var device = Device()
        device.planner.note(Self.folder, nil)
        // The folder is found to be that again; what lies in it waits for that, and has not moved.
        #expect(device.steps().count == 1)
        let outer = Self.entry(Self.folderFile, "folder", .folder)
        device.planner.note(Self.folder, Synced(outer, in: nil, digest: .folder, leaves: [Base.id(2)]))
        #expect(device.steps() == [])
    }

    @Test func aFolderWhoseNumberAFileHasNow() {
        var device = Device()
        device.planner.look(Self.entry(Self.folderFile, "folder", .document), at: Self.folderFile)
        #expect(!device.steps().isEmpty)
        device.planner.look(Self.entry(Self.folderFile, "folder", .folder), at: Self.folderFile)
        #expect(device.steps() == [])
    }

    /// The place and the file of an item are written down of another one, too.
    @Test func twoWithOnePlace() {
        var device = Device()
        let third = ItemID(Mark(high: 0, low: 1)), there = Self.entry(Self.otherFile, "b.txt", .document)
        device.hear(Self.placed(third, in: nil, "c.txt", .document, 7))
        device.hear(Base.version(third, Base.text, 8))
        #expect(device.steps().count == 1)
        device.planner.note(third, Synced(there, in: nil, digest: Base.text, leaves: [Base.id(8)]))
        #expect(!device.steps().isEmpty)
        device.planner.note(third, nil)
        device.planner.lose([Base.text])
        #expect(device.steps() == [])
        device.planner.have([Base.text], device.known)
        #expect(device.steps().count == 1)
    }

    @Test func twoThatAreOne() {
        var device = Device()
        device.hear(Fact(id: Base.id(7), rank: 7, device: .none, .same(Base.item, Self.other)))
        #expect(!device.steps().isEmpty)
    }

    @Test func aConflictThatComes() {
        var device = Device()
        device.hear(Base.version(Base.item, Base.other, 7))
        #expect(device.steps() == [.keepConflict(Base.item, version: Base.id(4))])
        device.planner.keep(Base.item, conflicts: [Base.id(4)])
        #expect(device.steps() == [])
        device.planner.have([Base.other], device.known)
        #expect(device.steps().count == 1)
        device.planner.decide(Base.item, [Base.id(4)])
        device.planner.keep(Base.item, conflicts: nil)
        #expect(!device.steps().isEmpty)
    }

    @Test func whatIsGoneAndComesBack() {
        var device = Device()
        device.planner.look(nil, at: Self.otherFile)
        #expect(device.steps() == [.noteMissing(Self.other)])
        var missing = device.planner.local.synced[Self.other]
        missing?.missing = 100
        device.planner.note(Self.other, missing)
        #expect(device.steps() == [])
        device.planner.set(stuck: [], time: 200)
        #expect(device.steps() == [.sayDeleted(Self.other, replacing: [Base.id(6)])])
        device.planner.look(Self.entry(Self.otherFile, "b.txt", .document), at: Self.otherFile)
        #expect(device.steps().count == 1)
    }
}
