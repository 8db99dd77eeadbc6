import DeviceWorlds
import Hashes
import Replication
import Testing

// Which entry is which item, where two could be.
extension PlannerTests {
    private static let renamed = Synced.Destination(folder: nil, name: Array("b.txt".utf8))

    /// An inode may be of another kind, as a folder is that gets the name of a package, and a name too.
    @Test func anotherKindIsNew() {
        let package = Self.entry(Self.folderFile, "f.txt", digest: Self.text), folder = Self.folder(Self.file, "b"), named = Self.entry(Self.secondFile, "f", digest: Self.text)
        #expect(steps(Self.knownFolder, [package], Self.syncedFolder) == [.sayNew(package, folder: nil)])
        #expect(steps(known, [folder], synced) == [.sayNew(folder, folder: nil)])
        #expect(steps(Self.knownFolder, [named], Self.syncedFolder) == [.sayNew(named, folder: nil)])
    }

    /// A save that keeps what was there under another name, also under one that is looked at first.
    @Test func whatASaveKeptIsNew() {
        let kept = Self.entry(Self.file, "0.txt", digest: Self.text), saved = Self.entry(Self.secondFile, "a.txt", digest: Self.mine)
        #expect(steps(known, [kept, saved], synced) == [.sayContent(Self.item, Self.mine, replacing: [Self.id(2)], saved)])
        let said = [Self.item: Synced(saved, in: nil, digest: Self.mine, leaves: [Self.id(3)])]
        #expect(steps(known + [Self.version(Self.item, Self.mine, 3, [Self.id(2)])], [kept, saved], said) == [.sayNew(kept, folder: nil)])
    }

    /// What has a document's name in a new folder is not what was at the top.
    @Test func aPathInANewFolderIsNobodys() {
        let new = Self.folder(Self.folderFile, "n"), inner = Self.inside(Self.entry(Self.secondFile, "a.txt", digest: Self.other))
        #expect(steps(known, [new, inner], synced) == [.sayNew(new, folder: nil)])
    }

    /// One that is missing comes back to where another one was put meanwhile.
    @Test func whatComesBackIsItself() {
        let facts = known + [Self.placed(Self.second, "a.txt", 3), Self.version(Self.second, Self.text, 4)], back = Self.entry(Self.secondFile, "a.txt")
        let noted = Synced(back, in: nil, digest: Self.text, leaves: [Self.id(4)])
        var missing = noted
        missing.missing = 90
        #expect(steps(facts, [back], synced.merging([Self.second: missing]) { $1 }) == [.note(Self.second, noted)])
    }

    /// Only there: elsewhere it took the place of another one, as a save does.
    @Test func whatWasToBeMovedIsNotKnownElsewhere() {
        let facts = known + Self.knownFolder + [Self.placed(Self.second, "c.txt", 3), Self.version(Self.second, Self.other, 4)], here = Self.entry(Self.file, "c.txt", digest: Self.text)
        var before = synced.merging(Self.syncedFolder) { $1 }
        before[Self.second] = Synced(Self.entry(Self.secondFile, "c.txt"), in: nil, digest: Self.other, leaves: [Self.id(4)])
        for destination in [Self.renamed, Synced.Destination(folder: Self.folderItem, name: here.name)] {
            before[Self.item]?.going = destination
            #expect(steps(facts, [here, Self.hereFolder], before) == [.sayContent(Self.second, Self.text, replacing: [Self.id(4)], here)])
        }
        // Nor in a new folder, whose top is not the top.
        let new = Self.folder(LocalID(inode: 11, made: 1), "n"), anew = Self.inside(Self.entry(LocalID(inode: 12, made: 1), "a.txt", digest: Self.mine))
        var away = Self.entry(Self.file, "b.txt", digest: Self.text)
        away.folder = new.id
        before = Self.syncedFolder
        before[Self.item] = Synced(Self.inside(Self.entry(Self.file, "a.txt")), in: Self.folderItem, digest: Self.text, leaves: [Self.id(2)])
        before[Self.item]?.going = Self.renamed
        let inFolder = Self.knownFolder + [Self.place(Self.item, in: Self.folderItem, "a.txt", 1), Self.version(Self.item, Self.text, 2)]
        #expect(steps(inFolder, [Self.hereFolder, new, anew, away], before).contains(.sayContent(Self.item, Self.mine, replacing: [Self.id(2)], anew)))
    }

    /// Moved into a folder that turned out to be one with another, and nobody wrote that down; what is in its way there was put there by a save.
    @Test func whatWasToBeMovedIsKnownInAJoinedFolder() {
        let there = Self.inside(Self.entry(Self.file, "c.txt", digest: Self.text))
        let facts = known + Self.knownFolder + Self.otherFolder + [Self.place(Self.second, in: Self.folderItem, "c.txt", 3), Self.version(Self.second, Self.other, 4)]
        var before = synced.merging(Self.syncedFolder) { $1 }
        before[Self.second] = Synced(Self.inside(Self.entry(Self.secondFile, "c.txt")), in: Self.folderItem, digest: Self.other, leaves: [Self.id(4)])
        before[Self.item]?.going = Synced.Destination(folder: Self.otherFolderItem, name: there.name)
        #expect(steps(facts, [Self.hereFolder, there], before) == [.note(Self.item, Synced(there, in: Self.folderItem, digest: Self.text, leaves: [Self.id(2)]))])
    }

    /// Two folders that are one are here still, and a document is saved in the one that will go.
    @Test func aSaveInAFolderThatWillGoIsOne() {
        let file = LocalID(inode: 20, made: 1), other = Self.folder(file, "f 1")
        var here = Self.entry(Self.file, "a.txt"), saved = Self.entry(Self.secondFile, "a.txt", Self.later, digest: Self.mine)
        (here.folder, saved.folder) = (file, file)
        var before = Self.syncedFolder
        before[Self.otherFolderItem] = Synced(other, in: nil, digest: .folder, leaves: [Self.id(74)])
        before[Self.item] = Synced(here, in: Self.otherFolderItem, digest: Self.text, leaves: [Self.id(2)])
        let facts = Self.knownFolder + Self.otherFolder + [Self.place(Self.item, in: Self.otherFolderItem, "a.txt", 1), Self.version(Self.item, Self.text, 2)]
        #expect(steps(facts, [Self.hereFolder, other, saved], before) == [.sayContent(Self.item, Self.mine, replacing: [Self.id(2)], saved)])
    }

    /// A device moved it into a folder, does not know any more that it did, and then somebody made another one where it had been. That is new, and no edit.
    @Test func whatWasMovedIsKnownBeforeWhatIsInItsPlace() {
        let moved = Self.inside(Self.entry(Self.file, "b.txt", digest: Self.text)), anew = Self.entry(Self.secondFile, "a.txt", digest: Self.mine)
        var before = synced.merging(Self.syncedFolder) { $1 }
        before[Self.item]?.going = Synced.Destination(folder: Self.folderItem, name: moved.name)
        let noted = Synced(moved, in: Self.folderItem, digest: Self.text, leaves: [Self.id(2)])
        #expect(steps(known + Self.knownFolder, [Self.hereFolder, moved, anew], before) == [.note(Self.item, noted)])
        before[Self.item] = noted
        #expect(steps(known + Self.knownFolder, [Self.hereFolder, moved, anew], before) == [.sayNew(anew, folder: nil)])
    }

    /// A device moved it, does not know any more that it did, and then it was saved there by renaming another file.
    @Test func whatWasMovedAndSavedByRenameIsAnEdit() {
        let saved = Self.inside(Self.entry(Self.secondFile, "b.txt", Self.later, digest: Self.mine)), facts = known + Self.knownFolder
        var before = synced.merging(Self.syncedFolder) { $1 }
        before[Self.item]?.going = Synced.Destination(folder: Self.folderItem, name: saved.name)
        // When it does not come back where it was; if it does, another one was made here.
        #expect(steps(facts, [Self.hereFolder, saved], before) == [.noteMissing(Self.item)])
        var missing = before
        missing[Self.item]?.missing = 81
        #expect(steps(facts, [Self.hereFolder, saved], missing) == [])
        missing[Self.item]?.missing = 80
        #expect(steps(facts, [Self.hereFolder, saved], missing) == [.sayContent(Self.item, Self.mine, replacing: [Self.id(2)], saved)])
        // Where it is still, another one is new; and so is one that is nowhere else of that name, or no document.
        let here = Self.entry(Self.file, "a.txt")
        #expect(steps(facts, [Self.hereFolder, saved, here], before) == [.sayNew(saved, folder: Self.folderItem)])
        let folder = Self.inside(Self.folder(Self.secondFile, "b.txt")), top = Self.entry(Self.secondFile, "b.txt", digest: Self.mine)
        for new in [folder, top] { #expect(steps(facts, [Self.hereFolder, new], before) == [.sayNew(new, folder: new.folder.map { _ in Self.folderItem })]) }
    }

    /// Until it is known what it is, nothing takes its place: neither what is to be put there nor what is to be moved there.
    @Test func whatWaitsHasItsPlace() {
        let saved = Self.entry(Self.secondFile, "b.txt", Self.later, digest: Self.mine), third = LocalID(inode: 11, made: 1), other = Self.entry(third, "c.txt")
        let facts = known + [Self.placed(Self.second, "b.txt", 3), Self.version(Self.second, Self.other, 4)], contents: Set = [Self.text, Self.mine, Self.other]
        var before = synced
        before[Self.item]?.going = Self.renamed
        before[Self.item]?.missing = 81
        #expect(steps(facts, [saved], before, contents: contents) == [])
        before[Self.second] = Synced(other, in: nil, digest: Self.other, leaves: [Self.id(4)])
        #expect(steps(facts, [saved, other], before, contents: contents) == [])
    }

    /// What is put where something is missing would be that, when nobody knows any more that it was put there. It is put there when that is given up.
    @Test func whatIsMissingKeepsItsPlace() {
        let facts = known + [Self.placed(Self.item, "a 1.txt", 5), Self.placed(Self.second, "a.txt", 3), Self.version(Self.second, Self.other, 4)]
        var missing = synced
        missing[Self.item]?.missing = 81
        #expect(steps(facts, [], missing, contents: [Self.text, Self.other]) == [])
        missing[Self.item]?.missing = 80
        #expect(steps(facts, [], missing, contents: [Self.text, Self.other]) == [.sayDeleted(Self.item, replacing: [Self.id(2)])])
        let put = Step.put(Self.second, version: Self.id(4), folder: nil, name: Array("a.txt".utf8), .document)
        #expect(steps(facts + [Self.version(Self.item, nil, 6, [Self.id(2)])], [], [:], contents: [Self.text, Self.other]) == [put])
    }
}
