import DeviceWorlds
import Hashes
import Replication
import Testing

/// What an item is called where the store cannot have its name. All cases at random are in the worlds.
@Suite struct LocalNameTests {
    typealias Base = PlannerTests

    static func steps(_ facts: [Fact], _ entries: [LocalEntry], _ synced: [ItemID: Synced], _ names: [ItemID: Set<LocalName>], _ store: StoreNames) -> [Step] {
        var local = LocalItems(Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0) }), synced: synced, contents: [Base.text, Base.other], time: 100)
        (local.names, local.store) = (names, store)
        return Planner(FollowedView(of: facts), local).steps()
    }

    static func name(_ shown: String, _ here: String) -> LocalName { LocalName(folder: nil, shown: Array(shown.utf8), here: Array(here.utf8)) }
    static func comes(_ name: String) -> [Fact] { [Base.placed(Base.item, name, 1), Base.version(Base.item, Base.text, 2)] }
    static func put(_ name: String) -> Step { .put(Base.item, version: Base.id(2), folder: nil, name: Array(name.utf8), .document) }

    /// It is written down first, and then it comes under that name.
    @Test(arguments: [
        ("a:b.txt", StoreNames(forbidden: [0x3A]), "a_b.txt"),
        ("a.", StoreNames(trims: true), "a_"),
        (".valise", StoreNames(), "_.valise"),
        (".Valise", StoreNames(.folded), "_.Valise"),
        ("a?b.txt", StoreNames(refused: [Array("a?b.txt".utf8)]), "a_b.txt"),
        ("aux", StoreNames(refused: [Array("aux".utf8)]), "_aux"),
        (String(repeating: "é", count: 126) + "1.txt", StoreNames(), String(repeating: "é", count: 119) + ".txt"),
    ])
    func whatAStoreRefusesIsCalledOtherwise(shown: String, store: StoreNames, here: String) {
        let facts = Self.comes(shown), name = Self.name(shown, here)
        #expect(Self.steps(facts, [], [:], [:], store) == [.nameHere(Base.item, [name])])
        #expect(Self.steps(facts, [], [:], [Base.item: [name]], store) == [Self.put(here)])
        let there = Base.entry(Base.file, here), synced = [Base.item: Synced(there, in: nil, digest: Base.text, leaves: [Base.id(2)])]
        #expect(Self.steps(facts, [there], synced, [Base.item: [name]], store) == [])
        // After a crash that forgot that it was put there.
        let read = Base.entry(Base.file, here, digest: Base.text)
        #expect(Self.steps(facts, [read], [:], [Base.item: [name]], store).allSatisfy { if case .note(Base.item, _) = $0 { true } else { false } })
    }

    /// Two names that are one there: who was there first has it.
    @Test func whatIsOneNameIsCalledOtherwise() {
        let facts = Self.comes("Notes.md") + [Base.placed(Base.second, "notes.md", 3), Base.version(Base.second, Base.other, 4)]
        let there = Base.entry(Base.secondFile, "notes.md"), synced = [Base.second: Synced(there, in: nil, digest: Base.other, leaves: [Base.id(4)])]
        let name = Self.name("Notes.md", "Notes 1.md"), store = StoreNames(.folded)
        #expect(Self.steps(facts, [there], synced, [:], store) == [.nameHere(Base.item, [name])])
        #expect(Self.steps(facts, [there], synced, [:], StoreNames()) == [Self.put("Notes.md")])
        // When the other one is called otherwise it has its name.
        let free = facts + [Base.placed(Base.second, "other.md", 5)], moved = Base.entry(Base.secondFile, "other.md"), here = Base.entry(Base.file, "Notes 1.md")
        let both = [
            Base.item: Synced(here, in: nil, digest: Base.text, leaves: [Base.id(2)]), Base.second: Synced(moved, in: nil, digest: Base.other, leaves: [Base.id(4)]),
        ]
        var going = both
        going[Base.item]?.going = Synced.Destination(folder: nil, name: Array("Notes.md".utf8))
        #expect(Self.steps(free, [moved, here], going, [Base.item: [name]], store) == [.move(Base.item, here, folder: nil, name: Array("Notes.md".utf8))])
        let named = Base.entry(Base.file, "Notes.md")
        #expect(Self.steps(free, [moved, named], both, [Base.item: [name]], store).first.map { if case .note(Base.item, _) = $0 { true } else { false } } == true)
    }

    @Test func whatSomebodyCallsItIsSaid() {
        let store = StoreNames(forbidden: [0x3A]), names: [ItemID: Set] = [Base.item: [Self.name("a:b.txt", "a_b.txt")]]
        let there = Base.entry(Base.file, "a_b.txt"), synced = [Base.item: Synced(there, in: nil, digest: Base.text, leaves: [Base.id(2)])]
        let renamed = Base.entry(Base.file, "c.txt")
        #expect(Self.steps(Self.comes("a:b.txt"), [renamed], synced, names, store) == [.sayPlace(Base.item, folder: nil, renamed)])
    }

    /// Into another folder it goes under the name that all see.
    @Test func itsNameStaysWhereItIsMoved() throws {
        let store = StoreNames(forbidden: [0x3A]), names: [ItemID: Set] = [Base.item: [Self.name("a:b.txt", "a_b.txt")]]
        let there = Base.entry(Base.file, "a_b.txt"), synced = [Base.item: Synced(there, in: nil, digest: Base.text, leaves: [Base.id(2)])]
        var moved = there
        moved.folder = Base.hereFolder.id
        let steps = Self.steps(
            Self.comes("a:b.txt") + Base.knownFolder, [Base.hereFolder, moved], synced.merging(Base.syncedFolder) { $1 }, names, store)
        #expect(steps == [.sayPlace(Base.item, folder: Base.folderItem, named: Array("a:b.txt".utf8), moved)])
    }

    /// A rename that changes case only is one; what a store answers otherwise is none.
    @Test func caseIsSaidAndCompositionIsNot() {
        let there = Base.entry(Base.file, "caf\u{65}\u{301}"), asked = Self.comes("caf\u{E9}"), read = Base.entry(Base.file, "caf\u{65}\u{301}", digest: Base.text)
        let synced = [Base.item: Synced(there, in: nil, digest: Base.text, leaves: [Base.id(2)])]
        #expect(Self.steps(asked, [there], synced, [:], StoreNames(.composed)) == [])
        #expect(Self.steps(asked, [read], [:], [:], StoreNames(.composed)) == [.note(Base.item, Synced(read, in: nil, digest: Base.text, leaves: [Base.id(2)]))])
        #expect(Self.steps(asked, [read], [:], [:], StoreNames()) == [.sayNew(read, folder: nil)])
        let upper = Base.entry(Base.file, "CAF\u{65}\u{301}")
        #expect(Self.steps(asked, [upper], synced, [:], StoreNames(.folded)) == [.sayPlace(Base.item, folder: nil, upper)])
    }
}
