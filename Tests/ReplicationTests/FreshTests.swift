import DeviceWorlds
import Hashes
import Replication
import Testing

/// What changed a moment ago may change once more and look the same, and what a program writes is half of something.
@Suite struct FreshTests {
    typealias Base = PlannerTests

    static let fresh = LocalStamp(size: 4, modified: 1, changed: 1, isFresh: true)
    static let freshLater = LocalStamp(size: 5, modified: 2, changed: 2, isFresh: true)
    let known = [Base.placed(Base.item, "a.txt", 1), Base.version(Base.item, Base.text, 2)]

    func steps(
        _ entry: LocalEntry, synced stamp: LocalStamp? = Base.stamp, _ facts: [Fact] = [], coming: Synced.Coming? = nil
    ) -> [Step] {
        var synced: [ItemID: Synced] = [:]
        if let stamp {
            synced[Base.item] = Synced(Base.entry(Base.file, "a.txt", stamp), in: nil, digest: Base.text, leaves: [Base.id(2)])
            synced[Base.item]?.coming = coming
        }
        let local = LocalItems([entry.id: entry], synced: synced, contents: [Base.text, Base.other], time: 100)
        return Planner(FollowedView(of: (stamp == nil ? [] : known) + facts), local).steps()
    }

    @Test func itIsReadWhenItStands() {
        #expect(steps(Base.entry(Base.file, "a.txt", Self.freshLater)) == [])
        #expect(steps(Base.entry(Base.file, "a.txt", Base.later)) == [.read(Base.file, Base.later)])
        // So is what is new.
        #expect(steps(Base.entry(Base.file, "a.txt", Self.fresh), synced: nil) == [])
        #expect(steps(Base.entry(Base.file, "a.txt"), synced: nil) == [.read(Base.file, Base.stamp)])
    }

    /// What this device put there a moment ago may have been written over since then.
    @Test func whatWasWrittenDownOfIsReadOnceMore() {
        #expect(steps(Base.entry(Base.file, "a.txt", Self.fresh), synced: Self.fresh) == [])
        #expect(steps(Base.entry(Base.file, "a.txt"), synced: Self.fresh) == [.read(Base.file, Base.stamp)])
        let read = Base.entry(Base.file, "a.txt", digest: Base.text)
        #expect(steps(read, synced: Self.fresh) == [.note(Base.item, Synced(read, in: nil, digest: Base.text, leaves: [Base.id(2)]))])
    }

    @Test(arguments: [true, false])
    func itIsNotReplacedYet(isFresh: Bool) {
        let stamp = isFresh ? Self.fresh : Base.stamp, here = Base.entry(Base.file, "a.txt", stamp)
        let newer = [Base.version(Base.item, Base.other, 3, [Base.id(2)])], gone = [Base.version(Base.item, nil, 3, [Base.id(2)])]
        let coming = Synced.Coming(Base.other, leaves: [Base.id(3)])
        #expect(steps(here, synced: stamp, newer, coming: coming) == (isFresh ? [] : [.replace(Base.item, version: Base.id(3), here)]))
        #expect(steps(here, synced: stamp, gone) == (isFresh ? [] : [.putAway(Base.item, here)]))
    }

    /// It is where its user put it all the same.
    @Test func whereItIsIsSaid() {
        let moved = Base.entry(Base.file, "b.txt", Self.fresh)
        #expect(steps(moved, synced: Self.fresh) == [.sayPlace(Base.item, folder: nil, moved)])
    }
}
