import DeviceWorlds
import Hashes
import Replication
import Testing

// What comes first of what others said, so that nothing is lost that lay in the way, and nothing is moved twice.
extension PlannerTests {
    /// What is gone, then what is elsewhere, then what is new or other.
    @Test func whatGoesMakesRoom() {
        let third = ItemID(Mark(high: 4, low: 1)), thirdFile = LocalID(inode: 10, made: 1), new = ItemID(Mark(high: 5, low: 1))
        let facts =
            known + [Self.version(Self.item, nil, 3, [Self.id(2)])]
            + [Self.placed(Self.second, "a.txt", 12), Self.version(Self.second, Self.text, 11)]
            + [Self.placed(third, "c.txt", 13), Self.version(third, Self.text, 14), Self.version(third, Self.other, 15, [Self.id(14)])]
            + [Self.placed(new, "b.txt", 16), Self.version(new, Self.other, 17)]
        let gone = Self.entry(Self.file, "a.txt"), moved = Self.entry(Self.secondFile, "b.txt"), edited = Self.entry(thirdFile, "c.txt")
        var before = synced
        before[Self.second] = Synced(moved, in: nil, digest: Self.text, leaves: [Self.id(11)])
        before[third] = Synced(edited, in: nil, digest: Self.text, leaves: [Self.id(14)])
        let contents: Set = [Self.text, Self.other]
        #expect(steps(facts, [gone, moved, edited], before, contents: contents) == [.putAway(Self.item, gone)])
        before[Self.item] = nil
        var going = before
        going[Self.second]?.going = Synced.Destination(folder: nil, name: gone.name)
        #expect(steps(facts, [moved, edited], before, contents: contents) == going[Self.second].map { [.note(Self.second, $0)] })
        #expect(steps(facts, [moved, edited], going, contents: contents) == [.move(Self.second, moved, folder: nil, name: gone.name)])
        let there = Self.entry(Self.secondFile, "a.txt")
        before[Self.second] = Synced(there, in: nil, digest: Self.text, leaves: [Self.id(11)])
        let last = steps(facts, [there, edited], Self.coming(before, third, Self.other, [Self.id(15)]), contents: contents)
        #expect(last == [.replace(third, version: Self.id(15), edited), .put(new, version: Self.id(17), folder: nil, name: moved.name, .document)])
    }

    /// What is to be in a folder that is in it waits until that went out of it, and that for the folder where it goes.
    @Test func whatIsInTheWrongOrderWaits() {
        let inner = Self.inside(Self.folder(Self.secondFile, "g")), new = ItemID(Mark(high: 5, low: 1))
        let facts = [
            Self.place(Self.folderItem, in: Self.second, "f", 1, .folder), Self.version(Self.folderItem, .folder, 2), Self.place(Self.second, in: new, "g", 3, .folder),
            Self.version(Self.second, .folder, 4), Self.place(new, in: nil, "h", 5, .folder), Self.version(new, .folder, 6),
        ]
        let before = [
            Self.folderItem: Synced(Self.hereFolder, in: nil, digest: .folder, leaves: [Self.id(2)]), Self.second: Synced(inner, in: Self.folderItem, digest: .folder, leaves: [Self.id(4)]),
        ]
        #expect(steps(facts, [Self.hereFolder, inner], before) == [.put(new, version: Self.id(6), folder: nil, name: [UInt8(ascii: "h")], .folder)])
    }

    /// What others said of the same content is behind the next edit, and so is what they said of a folder that is there for what is in it.
    @Test func leavesAreNoted() {
        let here = Self.entry(Self.file, "a.txt"), equal = Self.version(Self.item, Self.text, 3)
        #expect(steps(known + [equal], [here], synced) == [.note(Self.item, Synced(here, in: nil, digest: Self.text, leaves: [Self.id(2), Self.id(3)]))])
        let inner = Self.inside(here), deleted = Self.version(Self.folderItem, nil, 72, [Self.id(71)])
        let facts = Self.knownFolder + [deleted, Self.place(Self.item, in: Self.folderItem, "a.txt", 1), Self.version(Self.item, Self.text, 2)]
        let before = Self.syncedFolder.merging([Self.item: Synced(inner, in: Self.folderItem, digest: Self.text, leaves: [Self.id(2)])]) { $1 }
        #expect(steps(facts, [Self.hereFolder, inner], before) == [.note(Self.folderItem, Synced(Self.hereFolder, in: nil, digest: .folder, leaves: [Self.id(72)]))])
    }

    /// Or who moves it there would not be heard.
    @Test func whatIsInItsPlaceIsOnNoWay() {
        var going = synced
        going[Self.item]?.going = Synced.Destination(folder: nil, name: Array("b.txt".utf8))
        #expect(steps(known, [Self.entry(Self.file, "a.txt")], going) == synced[Self.item].map { [.note(Self.item, $0)] })
    }

    /// What is replaced is kept for a while only, and a conflict until somebody decides.
    @Test func aConflictIsKeptBeforeItIsReplaced() {
        let here = Self.entry(Self.file, "a.txt"), contents: Set = [Self.text, Self.other], facts = known + [Self.version(Self.item, Self.other, 3)]
        #expect(steps(facts, [here], synced, contents: contents) == [.keepConflict(Self.item, version: Self.id(2))])
        // Also where it lies in the other one of two that are one.
        let apart = known + [Self.version(Self.second, Self.other, 1), Self.placed(Self.second, "b.txt", 3), Self.same], two = Self.entry(Self.secondFile, "b.txt")
        let both = synced.merging([Self.second: Synced(two, in: nil, digest: Self.other, leaves: [Self.id(1)])]) { $1 }
        #expect(steps(apart, [here, two], both, contents: contents) == [.keepConflict(Self.item, version: Self.id(1))])
    }

    /// A conflict under another version, of the same content, is kept before the former one goes. What somebody decided goes though what they decided for is
    /// not here yet.
    @Test func aConflictGoesWhenNothingIsLostByIt() {
        let here = Self.entry(Self.file, "a.txt", digest: Self.other), contents: Set = [Self.text, Self.other]
        let facts = known + [Self.version(Self.item, Self.text, 3), Self.version(Self.item, Self.other, 5)]
        let before = [Self.item: Synced(here, in: nil, digest: Self.other, leaves: [Self.id(5)])]
        func conflicts(_ kept: Set<FactID>, _ facts: [Fact]) -> [Step] {
            Planner(FollowedView(of: facts), LocalItems([here.id: here], synced: before, contents: contents, conflicts: [Self.item: kept], time: 100)).steps()
        }
        #expect(conflicts([Self.id(2)], facts) == [.keepConflict(Self.item, version: Self.id(3))])
        #expect(conflicts([Self.id(2), Self.id(3)], facts) == [.settle(Self.item, version: Self.id(2))])
        // One that somebody decided for, and that is in its place, when that is written down.
        let chosen = facts + [Self.version(Self.item, Self.other, 6, [Self.id(3), Self.id(5)])]
        let noted = Step.note(Self.item, Synced(here, in: nil, digest: Self.other, leaves: [Self.id(2), Self.id(6)]))
        #expect(conflicts([Self.id(5)], chosen) == [noted])
        let decided = facts + [Self.version(Self.item, Self.mine, 6, [Self.id(2), Self.id(3), Self.id(5)])]
        #expect(conflicts([Self.id(3)], decided) == [.settle(Self.item, version: Self.id(3))])
    }

    /// A document has the name of a new folder that it is to be in. It goes aside under the first number that is free.
    @Test func whatIsInTheWayIsSetAside() {
        func entry(_ file: LocalID, _ name: String) -> LocalEntry { LocalEntry(file, in: nil, Array(name.utf8), .document, Self.stamp, digest: nil) }
        let here = entry(Self.file, "f"), numbered = entry(Self.secondFile, "f 1"), aside = entry(Self.file, "f 2")
        let facts =
            Self.knownFolder + [Self.place(Self.item, in: Self.folderItem, "f", 1), Self.version(Self.item, Self.text, 2)]
            + [Self.placed(Self.second, "f 1", 3), Self.version(Self.second, Self.text, 4)]
        var before = [
            Self.item: Synced(here, in: nil, digest: Self.text, leaves: [Self.id(2)]), Self.second: Synced(numbered, in: nil, digest: Self.text, leaves: [Self.id(4)]),
        ]
        var going = before
        going[Self.item]?.going = Synced.Destination(folder: nil, name: aside.name)
        #expect(steps(facts, [here, numbered], before) == going[Self.item].map { [.note(Self.item, $0)] })
        #expect(steps(facts, [here, numbered], going) == [.move(Self.item, here, folder: nil, name: aside.name)])
        before[Self.item] = Synced(aside, in: nil, digest: Self.text, leaves: [Self.id(2)])
        #expect(steps(facts, [aside, numbered], before) == [.put(Self.folderItem, version: Self.id(71), folder: nil, name: here.name, .folder)])
    }
}
