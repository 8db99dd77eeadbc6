import DeviceWorlds
import Hashes
import Replication
import Testing

/// What a device is to do next, in a few cases that are plain. All others are in the worlds.
@Suite struct PlannerTests {
    static let text = RandomHistory.digest(of: "text"), other = RandomHistory.digest(of: "other")
    static let stamp = LocalStamp(size: 4, modified: 1, changed: 1), later = LocalStamp(size: 5, modified: 2, changed: 2)
    static let item = ItemID(Mark(high: 1, low: 1)), file = LocalID(inode: 7, made: 1)

    static func id(_ number: UInt64) -> FactID { FactID(Mark(high: 9, low: number)) }
    static func placed(_ item: ItemID, _ name: String, _ number: UInt64) -> Fact {
        Fact(id: id(number), rank: Int64(number), device: .none, .place(Location(of: item, folder: nil, name: ItemName(Array(name.utf8)), kind: .document, former: nil)))
    }
    static func version(_ item: ItemID, _ digest: Digest?, _ number: UInt64, _ parents: [FactID] = []) -> Fact {
        Fact(id: id(number), rank: Int64(number), device: .none, .version(Version(of: item, digest: digest, parents: parents)))
    }
    static func entry(_ file: LocalID, _ name: String, _ stamp: LocalStamp = stamp, digest: Digest? = nil) -> LocalEntry {
        LocalEntry(file, in: nil, Array(name.utf8), .document, stamp, digest: digest)
    }

    static func coming(_ synced: [ItemID: Synced], _ item: ItemID, _ digest: Digest, _ leaves: Set<FactID>) -> [ItemID: Synced] {
        var coming = synced
        coming[item]?.coming = Synced.Coming(digest, leaves: leaves)
        return coming
    }

    /// One document that is the same here and for all.
    let known = [placed(item, "a.txt", 1), version(item, text, 2)]
    let synced = [item: Synced(entry(file, "a.txt"), in: nil, digest: text, leaves: [id(2)])]

    func steps(_ facts: [Fact], _ entries: [LocalEntry], _ synced: [ItemID: Synced], contents: Set<Digest> = [text], time: Int64 = 100) -> [Step] {
        let local = LocalItems(Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0) }), synced: synced, contents: contents, time: time)
        return Planner(FollowedView(of: facts), local).steps()
    }

    @Test func whatIsTheSameIsLeftAlone() {
        #expect(steps(known, [Self.entry(Self.file, "a.txt")], synced) == [])
    }

    @Test func anEditIsReadAndThenSaid() {
        #expect(steps(known, [Self.entry(Self.file, "a.txt", Self.later)], synced) == [.read(Self.file, Self.later)])
        let read = Self.entry(Self.file, "a.txt", Self.later, digest: Self.other)
        #expect(steps(known, [read], synced) == [.sayContent(Self.item, Self.other, replacing: [Self.id(2)], read)])
    }

    /// A save by rename is an edit, and a rename is no new document.
    @Test func whoIsWho() {
        let saved = Self.entry(LocalID(inode: 8, made: 2), "a.txt", Self.later, digest: Self.other), renamed = Self.entry(Self.file, "b.txt")
        #expect(steps(known, [saved], synced) == [.sayContent(Self.item, Self.other, replacing: [Self.id(2)], saved)])
        #expect(steps(known, [renamed], synced) == [.sayPlace(Self.item, folder: nil, renamed)])
    }

    @Test func whatIsMissingIsWaitedFor() throws {
        #expect(steps(known, [], synced) == [.noteMissing(Self.item)])
        var missing = synced
        missing[Self.item]?.missing = 100
        #expect(steps(known, [], missing, time: 119) == [])
        #expect(steps(known, [], missing, time: 120) == [.sayDeleted(Self.item, replacing: [Self.id(2)])])
    }

    /// What was done here comes first: it is said, and not replaced.
    @Test func anEditGoesBeforeWhatOthersSaid() {
        let facts = known + [Self.version(Self.item, Self.other, 3, [Self.id(2)])], mine = RandomHistory.digest(of: "mine")
        let here = Self.entry(Self.file, "a.txt"), edited = Self.entry(Self.file, "a.txt", Self.later, digest: mine)
        #expect(steps(facts, [here], synced) == [])
        // What is about to come into its place is written down first.
        let coming = Self.coming(synced, Self.item, Self.other, [Self.id(3)])
        #expect(steps(facts, [here], synced, contents: [Self.text, Self.other]) == coming[Self.item].map { [.note(Self.item, $0)] })
        #expect(steps(facts, [here], coming, contents: [Self.text, Self.other]) == [.replace(Self.item, version: Self.id(3), here)])
        #expect(steps(facts, [edited], synced, contents: [Self.text, Self.other]) == [.sayContent(Self.item, mine, replacing: [Self.id(2)], edited)])
    }

    /// After a crash, and at a first meeting.
    @Test func whatIsThereAlreadyIsNotSaidAgain() {
        let here = Self.entry(Self.file, "a.txt", digest: Self.text)
        #expect(steps(known, [here], [:]) == [.note(Self.item, Synced(here, in: nil, digest: Self.text, leaves: [Self.id(2)]))])
        let another = Self.entry(Self.file, "a.txt", digest: Self.other)
        #expect(steps(known, [another], [:]) == [.sayNew(another, folder: nil)])
    }

    @Test func twoThatTakeEachOthersNames() {
        let second = ItemID(Mark(high: 2, low: 1)), file = LocalID(inode: 8, made: 1)
        let one = Self.entry(Self.file, "a.txt"), two = Self.entry(file, "b.txt")
        let before = synced.merging([second: Synced(two, in: nil, digest: Self.other, leaves: [Self.id(3)])]) { $1 }
        let facts = known + [Self.version(second, Self.other, 3), Self.placed(second, "a.txt", 10), Self.placed(Self.item, "b.txt", 11)]
        // It is written down first where each goes, or after a crash each would be an edit of the other.
        var going = before
        going[Self.item]?.going = Synced.Destination(folder: nil, name: two.name)
        going[second]?.going = Synced.Destination(folder: nil, name: one.name)
        let notes = going.map { Step.note($0.key, $0.value) }
        #expect(Set(steps(facts, [one, two], before, contents: [Self.text, Self.other])) == Set(notes))
        #expect(steps(facts, [one, two], going, contents: [Self.text, Self.other]) == [.exchange(one, two)])
        let exchanged = [Self.entry(Self.file, "b.txt"), Self.entry(file, "a.txt")]
        #expect(steps(facts, exchanged, going, contents: [Self.text, Self.other]).allSatisfy { if case .note = $0 { true } else { false } })
    }

    @Test func whatOthersDeletedGoes() {
        let here = Self.entry(Self.file, "a.txt")
        #expect(steps(known + [Self.version(Self.item, nil, 3, [Self.id(2)])], [here], synced) == [.putAway(Self.item, here)])
    }

    // Lines that no world of many thousands misses, because it takes two rare things at once.

    static let second = ItemID(Mark(high: 2, low: 1)), secondFile = LocalID(inode: 8, made: 1)
    static let same = Fact(id: id(90), rank: 0, device: .none, .same(item, second))
    static func folder(_ file: LocalID, _ name: String) -> LocalEntry { LocalEntry(file, in: nil, Array(name.utf8), .folder, stamp, digest: .folder) }

    /// Two that are one are both here, and somebody removes the one: the other is it.
    @Test func whatIsHereIsTheOne() {
        let two = Self.entry(Self.secondFile, "b.txt"), facts = known + [Self.placed(Self.second, "b.txt", 3), Self.version(Self.second, Self.text, 4), Self.same]
        let both = synced.merging([Self.second: Synced(two, in: nil, digest: Self.text, leaves: [Self.id(4)])]) { $1 }
        #expect(steps(facts, [two], both) == [.join(Self.second, into: Self.item)])
        // And if neither is here, it is missed as one.
        #expect(steps(facts, [Self.entry(Self.file, "a.txt")], both).contains(.forget(Self.second)))
    }

    /// Two files of one size that were made in one tick of the clock.
    @Test func anotherFileOfTheSameStampIsRead() {
        #expect(steps(known, [Self.entry(Self.secondFile, "a.txt")], synced) == [.read(Self.secondFile, Self.stamp)])
    }

    /// A save by rename of what was there: its next move is to be seen as one.
    @Test func aSaveOfTheSameIsNoted() {
        let saved = Self.entry(Self.secondFile, "a.txt", Self.later, digest: Self.text)
        #expect(steps(known, [saved], synced) == [.note(Self.item, Synced(saved, in: nil, digest: Self.text, leaves: [Self.id(2)]))])
    }

    /// What a save found in its place has the same parents as what took that place; and then it is kept as a conflict, under the same ones.
    @Test func twoSidesReplaceWhatBothBeganWith() {
        let mine = RandomHistory.digest(of: "mine"), theirs = Self.version(Self.item, Self.other, 3, [Self.id(2)])
        var entry = Self.entry(Self.file, "a.txt", Self.later, digest: mine)
        entry.beside = [Self.other]
        let before = [Self.item: Synced(Self.entry(Self.file, "a.txt"), in: nil, digest: Self.other, leaves: [Self.id(3)])]
        #expect(steps(known + [theirs], [entry], before) == [.sayContent(Self.item, mine, replacing: [Self.id(2)], entry)])
        let said = [Self.item: Synced(entry, in: nil, digest: mine, leaves: [Self.id(4)])]
        #expect(steps(known + [theirs, Self.version(Self.item, mine, 4, [Self.id(2)])], [entry], said) == [.sayBeside(Self.item, Self.other, replacing: [Self.id(2)], entry)])
        // Also where it is what all have: the other side is not theirs.
        var current = Self.entry(Self.file, "a.txt", Self.later, digest: Self.other)
        current.beside = [mine]
        #expect(steps(known + [theirs], [current], synced) == [.sayContent(Self.item, Self.other, replacing: [Self.id(2)], current)])
    }

    /// Another document is where an item is to be that is here under another name.
    @Test func aCopyIsNoItem() {
        let here = Self.entry(Self.file, "a.txt"), copy = Self.entry(Self.secondFile, "b.txt", digest: Self.text), moved = Self.placed(Self.item, "b.txt", 5)
        #expect(steps(known + [moved], [here, copy], synced) == [.sayNew(copy, folder: nil)])
    }

    @Test func aFolderIsNoDocument() {
        let folder = Self.folder(Self.secondFile, "a.txt")
        #expect(steps(known, [folder], [:]) == [.sayNew(folder, folder: nil)])
    }

    /// Nobody saves a folder by renaming another one. What is in it is where it was, and comes along: nobody says of each that it was moved.
    @Test func aFolderIsItselfUnderTheNameOfAnother() {
        let folders = [Self.item, Self.second], names = ["f", "g"].map { Array($0.utf8) }
        let facts = zip(folders, names).enumerated().flatMap { number, folder in
            [
                Fact(id: Self.id(UInt64(number)), rank: 1, device: .none, .place(Location(of: folder.0, folder: nil, name: ItemName(folder.1), kind: .folder, former: nil))),
                Self.version(folder.0, .folder, UInt64(number) + 10),
            ]
        }
        let before = [
            Self.item: Synced(Self.folder(Self.file, "f"), in: nil, digest: .folder, leaves: [Self.id(10)]),
            Self.second: Synced(Self.folder(Self.secondFile, "g"), in: nil, digest: .folder, leaves: [Self.id(11)]),
        ]
        // The other one is gone, or changed places with it.
        let moved = Self.folder(Self.file, "g"), exchanged = Self.folder(Self.secondFile, "f")
        #expect(steps(facts, [moved, exchanged], before) == [.sayPlace(Self.item, folder: nil, moved), .sayPlace(Self.second, folder: nil, exchanged)].reversed())
        var missing = before
        missing[Self.second]?.missing = 90
        #expect(steps(facts, [moved], missing) == [.sayPlace(Self.item, folder: nil, moved)])
        // Also if it went into a new one that has its name.
        let new = Self.folder(LocalID(inode: 9, made: 1), "f")
        var inner = Self.folder(Self.file, "h")
        inner.folder = new.id
        #expect(steps(facts, [new, inner, Self.folder(Self.secondFile, "g")], before).contains(.sayNew(new, folder: nil)))
    }

    /// A document took the place of another one, as a save does, and is moved on before the one that is missing since then is given up.
    @Test func whatIsMissingHasNoFileAnyMore() {
        let missing = Self.item, facts = known + [Self.placed(Self.second, "b.txt", 3), Self.version(Self.second, Self.text, 4)], moved = Self.entry(Self.file, "c.txt")
        var before = synced.merging([Self.second: Synced(Self.entry(Self.file, "b.txt"), in: nil, digest: Self.text, leaves: [Self.id(4)])]) { $1 }
        before[missing]?.missing = 90
        #expect(steps(facts, [moved], before) == [.sayPlace(Self.second, folder: nil, moved)])
        before[missing]?.missing = nil
        before[Self.second]?.missing = 90
        #expect(steps(facts, [moved], before) == [.sayPlace(Self.item, folder: nil, moved)])
    }

    /// A folder that nobody has spoken of, which a share of ours never has.
    @Test func whatIsInAnUnknownFolderStays() {
        let moved = Fact(id: Self.id(5), rank: 5, device: .none, .place(Location(of: Self.item, folder: Self.second, name: ItemName(Array("a.txt".utf8)), kind: .document, former: nil)))
        #expect(steps(known + [moved], [Self.entry(Self.file, "a.txt")], synced) == [])
        let edited = Self.version(Self.item, Self.other, 6, [Self.id(2)])
        #expect(steps(known + [moved, edited], [Self.entry(Self.file, "a.txt")], synced, contents: [Self.text, Self.other]) == [])
    }

    /// Others deleted it, too.
    @Test func whatAllDeletedIsForgotten() {
        #expect(steps(known + [Self.version(Self.item, nil, 3, [Self.id(2)])], [], synced) == [.forget(Self.item)])
    }

    /// Who deletes a document deletes what of it is here, conflicts too, and nothing that never came. Of a folder nothing has to come.
    @Test func whatIsDeletedIsWhatWasHere() {
        let facts = known + [Self.version(Self.item, Self.other, 3)]
        var missing = synced
        missing[Self.item]?.missing = 0
        #expect(steps(facts, [], missing, contents: [Self.text, Self.other]) == [.sayDeleted(Self.item, replacing: [Self.id(2), Self.id(3)])])
        #expect(steps(facts, [], missing, contents: [Self.text]) == [.sayDeleted(Self.item, replacing: [Self.id(2)])])
        let place = Fact(id: Self.id(1), rank: 1, device: .none, .place(Location(of: Self.item, folder: nil, name: ItemName(Array("f".utf8)), kind: .folder, former: nil)))
        var gone = [Self.item: Synced(Self.folder(Self.file, "f"), in: nil, digest: .folder, leaves: [Self.id(2)])]
        gone[Self.item]?.missing = 0
        let folders = [place, Self.version(Self.item, .folder, 2), Self.version(Self.item, .folder, 3)]
        #expect(steps(folders, [], gone, contents: []) == [.sayDeleted(Self.item, replacing: [Self.id(2), Self.id(3)])])
    }
}
