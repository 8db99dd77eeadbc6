import DeviceWorlds
import Hashes
import Replication
import Testing

// What was done here is said, once; and what this device did itself and does not know any more is not.
extension PlannerTests {
    static let folderItem = ItemID(Mark(high: 3, low: 1)), folderFile = LocalID(inode: 9, made: 1), mine = RandomHistory.digest(of: "mine")

    static func place(_ item: ItemID, in folder: ItemID?, _ name: String, _ number: UInt64, _ kind: Location.Kind = .document) -> Fact {
        Fact(id: id(number), rank: Int64(number), device: .none, .place(Location(of: item, folder: folder, name: ItemName(Array(name.utf8)), kind: kind, former: nil)))
    }

    /// A folder that is the same here and for all.
    static let knownFolder = [place(folderItem, in: nil, "f", 70, .folder), version(folderItem, .folder, 71)]
    static let syncedFolder = [folderItem: Synced(folder(folderFile, "f"), in: nil, digest: .folder, leaves: [id(71)])]
    static let hereFolder = folder(folderFile, "f")

    static func inside(_ entry: LocalEntry) -> LocalEntry {
        var entry = entry
        entry.folder = folderFile
        return entry
    }

    /// Under its name.
    @Test func aMoveToAnotherFolderIsSaid() {
        let inner = Self.inside(Self.entry(Self.file, "a.txt")), both = synced.merging(Self.syncedFolder) { $1 }
        #expect(steps(known + Self.knownFolder, [Self.hereFolder, inner], both) == [.sayPlace(Self.item, folder: Self.folderItem, inner)])
    }

    /// By others, or by this device, which forgot it.
    @Test func whereItIsByTheFactsIsNotSaid() {
        let renamed = Self.entry(Self.file, "b.txt"), noted = Synced(renamed, in: nil, digest: Self.text, leaves: [Self.id(2)])
        #expect(steps(known + [Self.placed(Self.item, "b.txt", 5)], [renamed], synced) == [.note(Self.item, noted)])
        // Of that name in another folder is elsewhere.
        let facts = known + Self.knownFolder + [Self.place(Self.item, in: Self.folderItem, "b.txt", 5)], both = synced.merging(Self.syncedFolder) { $1 }
        #expect(steps(facts, [Self.hereFolder, renamed], both) == [.sayPlace(Self.item, folder: nil, renamed)])
    }

    /// Out of the way of something else, and it was not written down that it is there. It is not on its way any more.
    @Test func whatWasSetAsideIsNoMove() {
        let aside = Self.entry(Self.file, "a 2.txt")
        var going = synced
        going[Self.item]?.going = Synced.Destination(folder: nil, name: aside.name)
        #expect(steps(known, [aside], going) == [.note(Self.item, Synced(aside, in: nil, digest: Self.text, leaves: [Self.id(2)]))])
    }

    /// And that folder turned out to be one with another meanwhile.
    @Test func whatWasSetAsideInAJoinedFolderIsNoMove() {
        let facts = known + Self.knownFolder + Self.otherFolder + [Self.place(Self.item, in: Self.folderItem, "a.txt", 5)], aside = Self.inside(Self.entry(Self.file, "a 2.txt"))
        var before = synced.merging(Self.syncedFolder) { $1 }
        before[Self.item]?.folder = Self.otherFolderItem
        before[Self.item]?.going = Synced.Destination(folder: Self.otherFolderItem, name: aside.name)
        let noted = Synced(aside, in: Self.folderItem, digest: Self.text, leaves: [Self.id(2)])
        #expect(steps(facts, [Self.hereFolder, aside], before) == [.note(Self.item, noted)])
        // Nor is it another one after a save by rename.
        let saved = Self.inside(Self.entry(Self.secondFile, "a.txt", Self.later, digest: Self.mine))
        before[Self.item]?.going = nil
        #expect(steps(facts, [Self.hereFolder, saved], before) == [.sayContent(Self.item, Self.mine, replacing: [Self.id(2)], saved)])
    }

    static let otherFolderItem = ItemID(Mark(high: 3, low: 2))
    static let otherFolder = [
        place(otherFolderItem, in: nil, "f", 73, .folder), version(otherFolderItem, .folder, 74), Fact(id: id(75), rank: 0, device: .none, .same(folderItem, otherFolderItem)),
    ]

    /// An edit, and what is read of one, does not end a move that has not been made.
    @Test func whatIsOnItsWayStaysThat() {
        let destination = Synced.Destination(folder: nil, name: Array("b.txt".utf8)), saved = Self.entry(Self.file, "a.txt", Self.later, digest: Self.text)
        var going = synced, noted = Synced(saved, in: nil, digest: Self.text, leaves: [Self.id(2)])
        going[Self.item]?.going = destination
        noted.going = destination
        #expect(steps(known, [saved], going) == [.note(Self.item, noted)])
        // Also where others said the same.
        let facts = known + [Self.version(Self.item, Self.other, 3, [Self.id(2)])], edited = Self.entry(Self.file, "a.txt", Self.later, digest: Self.other)
        noted = Synced(edited, in: nil, digest: Self.other, leaves: [Self.id(3)])
        noted.going = destination
        #expect(steps(facts, [edited], going) == [.note(Self.item, noted)])
    }

    /// A device put what is current in place and does not know it any more; and then somebody moved it.
    @Test func whatWasPutInPlaceAndMovedIsMoved() {
        let facts = known + [Self.version(Self.item, Self.other, 3, [Self.id(2)])], moved = Self.entry(Self.file, "b.txt", Self.later, digest: Self.other)
        let noted = Synced(moved, in: nil, named: Array("a.txt".utf8), digest: Self.other, leaves: [Self.id(3)])
        #expect(steps(facts, [moved], synced) == [.note(Self.item, noted)])
        #expect(steps(facts, [moved], [Self.item: noted]) == [.sayPlace(Self.item, folder: nil, moved)])
    }

    /// What was here and is in conflict with what is current now: it is kept, or somebody replaced it here, who said so or did not.
    @Test func whatIsCurrentIsSaidWhereItReplacedSomething() {
        let facts = known + [Self.version(Self.item, Self.other, 3)], edited = Self.entry(Self.file, "a.txt", Self.later, digest: Self.other)
        let noted = Step.note(Self.item, Synced(edited, in: nil, digest: Self.other, leaves: [Self.id(3)]))
        #expect(steps(facts, [edited], synced, contents: [Self.text, Self.other]) == [noted])
        #expect(steps(facts, [edited], synced, contents: [Self.other]) == [.sayContent(Self.item, Self.other, replacing: [Self.id(2)], edited)])
        // A conflict that never came was not replaced.
        let facts2 = facts + [Self.version(Self.item, Self.mine, 1)]
        var before = synced
        before[Self.item]?.leaves = []
        #expect(steps(facts2, [edited], before, contents: [Self.other, Self.text]) == [noted])
    }

    /// A device put something in the place of a document, does not know any more whether it did, and somebody wrote there: of the two contents what lies
    /// nowhere here any more was replaced by that, and what does is in conflict with it.
    @Test func whatIsWrittenOverWhatWasComing() {
        let facts = known + [Self.version(Self.item, Self.other, 3)], edited = Self.entry(Self.file, "a.txt", Self.later, digest: Self.mine)
        let before = Self.coming(synced, Self.item, Self.other, [Self.id(3)])
        func replaced(_ contents: Set<Digest>) -> [Step] { steps(facts, [edited], before, contents: contents.union([Self.mine])) }
        #expect(replaced([Self.text]) == [.sayContent(Self.item, Self.mine, replacing: [Self.id(3)], edited)])
        #expect(replaced([Self.other]) == [.sayContent(Self.item, Self.mine, replacing: [Self.id(2)], edited)])
        #expect(replaced([Self.text, Self.other]) == [.sayContent(Self.item, Self.mine, replacing: [], edited)])
        #expect(replaced([]) == [.sayContent(Self.item, Self.mine, replacing: [Self.id(2), Self.id(3)], edited)])
        // A deletion that it stands for is behind it, whichever it was.
        let deleted = Self.coming(synced, Self.item, Self.other, [Self.id(3), Self.id(4)])
        #expect(steps(facts + [Self.version(Self.item, nil, 4)], [edited], deleted) == [.sayContent(Self.item, Self.mine, replacing: [Self.id(3), Self.id(4)], edited)])
        // And somebody who removes it instead deletes both.
        var missing = before
        missing[Self.item]?.missing = 0
        #expect(steps(facts, [], missing) == [.sayDeleted(Self.item, replacing: [Self.id(2), Self.id(3)])])
    }

    /// Found as it was to be, it is that, whatever others said of it meanwhile; and it goes where it was on its way to.
    @Test func whatCameIsThat() {
        let facts = known + [Self.version(Self.item, Self.other, 3, [Self.id(2)]), Self.version(Self.item, Self.mine, 4, [Self.id(3)])]
        let put = Self.entry(Self.file, "a.txt", Self.later, digest: Self.other), destination = Synced.Destination(folder: nil, name: Array("b.txt".utf8))
        var before = Self.coming(synced, Self.item, Self.other, [Self.id(3)]), noted = Synced(put, in: nil, digest: Self.other, leaves: [Self.id(3)])
        before[Self.item]?.going = destination
        noted.going = destination
        #expect(steps(facts, [put], before) == [.note(Self.item, noted)])
        // A draft that was saved over it is another content all the same.
        var beside = put
        beside.beside = [Self.text]
        #expect(steps(facts, [beside], before, contents: [Self.text, Self.other]) == [.sayContent(Self.item, Self.other, replacing: [], beside)])
    }

    /// What did not come yet is written down still, when the file was saved as it was; and not any more, when it is not to come.
    @Test func whatIsComingStaysThat() {
        let facts = known + [Self.version(Self.item, Self.other, 3, [Self.id(2)])], saved = Self.entry(Self.file, "a.txt", Self.later, digest: Self.text)
        let coming = Self.coming(synced, Self.item, Self.other, [Self.id(3)]), noted = Synced(saved, in: nil, digest: Self.text, leaves: [Self.id(2)])
        #expect(steps(facts, [saved], coming) == Self.coming([Self.item: noted], Self.item, Self.other, [Self.id(3)])[Self.item].map { [.note(Self.item, $0)] })
        #expect(steps(known, [Self.entry(Self.file, "a.txt")], coming) == synced[Self.item].map { [.note(Self.item, $0)] })
        // Nor instead of it, when something else is to come.
        let later = facts + [Self.version(Self.item, Self.mine, 4, [Self.id(3)])], other = Self.coming(synced, Self.item, Self.mine, [Self.id(4)])
        #expect(steps(later, [Self.entry(Self.file, "a.txt")], coming, contents: [Self.text, Self.mine]) == other[Self.item].map { [.note(Self.item, $0)] })
    }

    /// A folder that all have deleted is there because of what somebody put in it.
    @Test func aFolderThatIsThereIsNotNew() {
        let facts = Self.knownFolder + [Self.version(Self.folderItem, nil, 72, [Self.id(71)]), Self.place(Self.item, in: Self.folderItem, "a.txt", 1), Self.version(Self.item, Self.text, 2)]
        #expect(steps(facts, [Self.hereFolder], [:]) == [.note(Self.folderItem, Synced(Self.hereFolder, in: nil, digest: .folder, leaves: [Self.id(72)]))])
        // And is missed, not forgotten, where somebody removes it.
        let before = Self.syncedFolder.merging([Self.item: Synced(Self.inside(Self.entry(Self.file, "a.txt")), in: Self.folderItem, digest: Self.text, leaves: [Self.id(2)])]) { $1 }
        #expect(steps(facts, [], before) == [.noteMissing(Self.item), .noteMissing(Self.folderItem)])
    }

    /// Nothing of it is to be read.
    @Test func aNewFolderIsSaid() {
        let new = LocalEntry(Self.folderFile, in: nil, Array("f".utf8), .folder, Self.stamp, digest: nil)
        #expect(steps([], [new], [:]) == [.sayNew(new, folder: nil)])
    }

    /// Two are one, and what was not found of the one is to be missed as that; where the one is written down and missing, too, the other one adds nothing.
    @Test func whatIsMissingOfTwoThatAreOne() {
        let facts = known + [Self.placed(Self.second, "b.txt", 3), Self.version(Self.second, Self.text, 4), Self.same]
        let other = [Self.second: Synced(Self.entry(Self.secondFile, "b.txt"), in: nil, digest: Self.text, leaves: [Self.id(4)])]
        #expect(steps(facts, [], other) == [.join(Self.second, into: Self.item)])
        #expect(steps(facts, [], synced.merging(other) { $1 }) == [.noteMissing(Self.item), .forget(Self.second)])
    }

    /// A tombstone is behind a deletion as well.
    @Test func aDeletionIsAboveOthers() {
        var missing = synced
        missing[Self.item]?.missing = 0
        #expect(steps(known + [Self.version(Self.item, nil, 3)], [], missing) == [.sayDeleted(Self.item, replacing: [Self.id(2), Self.id(3)])])
    }

    /// Two are one. Somebody wrote over what only the one had, and removed it before anybody looked: what is nowhere any more is replaced by the other one, or
    /// deleted with it, or all would look for it for ever.
    @Test func whatOnlyAMissingOneHadIsReplaced() {
        let facts = known + [Self.placed(Self.second, "b.txt", 3), Self.version(Self.second, Self.text, 4), Self.version(Self.second, Self.mine, 5, [Self.id(4)]), Self.same]
        let two = Self.entry(Self.secondFile, "b.txt"), here = Self.entry(Self.file, "a.txt")
        var both = synced.merging([Self.second: Synced(two, in: nil, digest: Self.mine, leaves: [Self.id(5)])]) { $1 }
        let said = Step.sayContent(Self.item, Self.text, replacing: [Self.id(2), Self.id(5)], here)
        #expect(steps(facts, [here], both) == [said])
        #expect(steps(facts + [Self.version(Self.item, Self.text, 6, [Self.id(2), Self.id(5)])], [here], both) == [.forget(Self.second)])
        // It lies somewhere still: then it is a conflict.
        #expect(steps(facts, [here], both, contents: [Self.text, Self.mine]) == [.forget(Self.second)])
        // Where nothing of it is here it waits with the other one, and is deleted with that.
        #expect(Set(steps(facts, [], both, contents: [])) == [.noteMissing(Self.item), .noteMissing(Self.second)])
        both[Self.item]?.missing = 80
        both[Self.second]?.missing = 80
        #expect(steps(facts, [], both, contents: []) == [.sayDeleted(Self.item, replacing: [Self.id(2), Self.id(5)])])
        // What was about to come there is left behind as well.
        both = Self.coming(both, Self.second, Self.other, [Self.id(7)])
        both[Self.second]?.leaves = [Self.id(4)]
        let coming = facts + [Self.version(Self.second, Self.other, 7, [Self.id(5)])]
        #expect(steps(coming, [here], both) == [.sayContent(Self.item, Self.text, replacing: [Self.id(2), Self.id(7)], here)])
    }

    /// The same, and the one by whose id both are known is missing.
    @Test func whatOnlyTheMissingFirstHadIsReplaced() {
        let facts = known + [Self.version(Self.item, Self.mine, 5, [Self.id(2)]), Self.placed(Self.second, "b.txt", 3), Self.version(Self.second, Self.text, 4), Self.same]
        let two = Self.entry(Self.secondFile, "b.txt")
        let both = [
            Self.item: Synced(Self.entry(Self.file, "a.txt"), in: nil, digest: Self.mine, leaves: [Self.id(5)]),
            Self.second: Synced(two, in: nil, digest: Self.text, leaves: [Self.id(4)]),
        ]
        #expect(steps(facts, [two], both) == [.sayContent(Self.second, Self.text, replacing: [Self.id(4), Self.id(5)], two)])
        #expect(steps(facts + [Self.version(Self.second, Self.text, 6, [Self.id(4), Self.id(5)])], [two], both) == [.join(Self.second, into: Self.item)])
    }

    /// Who moves a folder away and makes another one has perhaps made the one that waited for its name.
    @Test func whatIsNewIsSaidLast() {
        let waiting = [Self.place(Self.second, in: nil, "f", 80, .folder), Self.version(Self.second, .folder, 81)]
        let moved = Self.folder(Self.folderFile, "g"), anew = Self.folder(Self.secondFile, "f")
        #expect(steps(Self.knownFolder + waiting, [moved, anew], Self.syncedFolder) == [.sayPlace(Self.folderItem, folder: nil, moved)])
        let said = Self.place(Self.folderItem, in: nil, "g", 82, .folder), synced = [Self.folderItem: Synced(moved, in: nil, digest: .folder, leaves: [Self.id(71)])]
        let noted = Step.note(Self.second, Synced(anew, in: nil, digest: .folder, leaves: [Self.id(81)]))
        #expect(steps(Self.knownFolder + waiting + [said], [moved, anew], synced) == [noted])
    }
}
