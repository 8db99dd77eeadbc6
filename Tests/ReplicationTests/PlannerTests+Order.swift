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

    /// Thousands that somebody moved elsewhere are one plan, and one more before it that writes down where each goes.
    @Test func manyMovesAreOnePlan() {
        let count: UInt64 = 3000
        func item(_ number: UInt64) -> ItemID { ItemID(Mark(high: 20, low: number)) }
        var facts = Self.knownFolder, entries = [Self.hereFolder], before = Self.syncedFolder, going = Self.syncedFolder
        for number in 0..<count {
            let name = "\(number).txt", kind = number.isMultiple(of: 3) ? Location.Kind.folder : .document, digest = kind == .folder ? Digest.folder : Self.text
            let here = LocalEntry(LocalID(inode: 1000 + number, made: 1), in: nil, Array(name.utf8), kind, Self.stamp, digest: nil), version = Self.id(1000 + number)
            facts += [Self.place(item(number), in: Self.folderItem, name, 100_000 + number, kind), Self.version(item(number), digest, 1000 + number)]
            entries.append(here)
            before[item(number)] = Synced(here, in: nil, digest: digest, leaves: [version])
            going[item(number)] = before[item(number)]
            going[item(number)]?.going = Synced.Destination(folder: Self.folderItem, name: here.name)
        }
        let noted = steps(facts, entries, before), moved = steps(facts, entries, going)
        #expect(noted.count == count && noted.allSatisfy { if case .note(let item, let synced) = $0 { going[item] == synced } else { false } })
        #expect(moved.count == count && moved.allSatisfy { if case .move(_, _, folder: Self.hereFolder.id, name: _) = $0 { true } else { false } })
    }

    /// Carries out plan after plan, as a file system does that lets no folder into itself. What is there in the end.
    private func carriedOut(_ facts: [Fact], _ there: [ItemID: LocalEntry]) -> [ItemID: LocalEntry] {
        var here = there, synced: [ItemID: Synced] = [:]
        func note(_ item: ItemID) {
            guard let entry = here[item] else { return }
            let above = entry.folder.flatMap { folder in here.first { $0.value.id == folder }?.key }
            synced[item] = Synced(entry, in: above, digest: entry.kind == .folder ? .folder : Self.text, leaves: synced[item]?.leaves ?? [])
        }
        func put(_ id: LocalID, in folder: LocalID?, _ name: [UInt8]) {
            guard let item = here.first(where: { $0.value.id == id })?.key else { return }
            here[item]?.folder = folder
            here[item]?.name = name
            note(item)
        }
        for item in there.keys { note(item) }
        for fact in facts { if let version = fact.version { synced[version.item]?.leaves.insert(fact.id) } }
        for _ in 0..<20 {
            for step in steps(facts, Array(here.values), synced) {
                switch step {
                case .note(let item, let noted): synced[item] = noted
                case .move(_, let entry, let folder, let name):
                    #expect(here.values.contains(entry), "an earlier step of the plan has moved it")
                    put(entry.id, in: folder, name)
                case .exchange(let one, let other):
                    put(one.id, in: other.folder, other.name)
                    put(other.id, in: one.folder, one.name)
                default: Issue.record("\(step)")
                }
                for entry in here.values {
                    var above = entry.folder, depth = 0
                    while let folder = above, depth < 9 { (above, depth) = (here.values.first { $0.id == folder }?.folder, depth + 1) }
                    #expect(depth < 9, "it is in itself")
                }
            }
        }
        return here
    }

    private static func numbered(_ number: UInt64) -> (item: ItemID, file: LocalID) { (ItemID(Mark(high: 20, low: number)), LocalID(inode: 100 + number, made: 1)) }
    private static func said(_ number: UInt64, in folder: UInt64?, _ name: String, _ kind: Location.Kind = .folder) -> [Fact] {
        let item = numbered(number).item
        return [place(item, in: folder.map { numbered($0).item }, name, 200 + number, kind), version(item, kind == .folder ? .folder : text, 100 + number)]
    }
    private static func lies(_ number: UInt64, in folder: UInt64?, _ name: String, _ kind: Location.Kind = .folder) -> (ItemID, LocalEntry) {
        let (item, file) = numbered(number)
        return (item, LocalEntry(file, in: folder.map { numbered($0).file }, Array(name.utf8), kind, stamp, digest: kind == .folder ? .folder : nil))
    }

    /// The first goes into the second, that into the third, and the third is to be called as the first was.
    @Test func foldersGoIntoEachOther() {
        let there = Dictionary(uniqueKeysWithValues: [Self.lies(1, in: nil, "f"), Self.lies(2, in: nil, "g"), Self.lies(3, in: nil, "h")])
        let facts = Self.said(1, in: 2, "f") + Self.said(2, in: 3, "g") + Self.said(3, in: nil, "f")
        #expect(carriedOut(facts, there) == Dictionary(uniqueKeysWithValues: [Self.lies(1, in: 2, "f"), Self.lies(2, in: 3, "g"), Self.lies(3, in: nil, "f")]))
    }

    /// A folder is to leave another one, and cannot yet; what goes into it on the same day takes the other one along.
    @Test func noFolderGoesIntoWhatWasMovedIntoIt() {
        let there = [
            Self.lies(1, in: nil, "z", .document), Self.lies(2, in: 5, "in"), Self.lies(3, in: nil, "m"), Self.lies(4, in: 3, "p"), Self.lies(5, in: nil, "a"),
            Self.lies(6, in: nil, "x", .document),
        ]
        let facts =
            Self.said(1, in: nil, "y", .document) + Self.said(2, in: nil, "x") + Self.said(3, in: 2, "m") + Self.said(4, in: 3, "p") + Self.said(5, in: 4, "a")
            + Self.said(6, in: nil, "w", .document)
        let wanted = [
            Self.lies(1, in: nil, "y", .document), Self.lies(2, in: nil, "x"), Self.lies(3, in: 2, "m"), Self.lies(4, in: 3, "p"), Self.lies(5, in: 4, "a"),
            Self.lies(6, in: nil, "w", .document),
        ]
        #expect(carriedOut(facts, Dictionary(uniqueKeysWithValues: there)) == Dictionary(uniqueKeysWithValues: wanted))
    }
}
