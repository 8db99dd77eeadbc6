import DeviceWorlds
import Hashes
import Replication
import Testing

// What is not found, and is there all the same.
extension PlannerTests {
    /// So many documents at the top, of which the first ones are found.
    private func many(_ count: Int, found: Int) -> (FollowedView, LocalItems) {
        var facts: [Fact] = [], entries: [LocalID: LocalEntry] = [:], synced: [ItemID: Synced] = [:]
        for index in 0..<UInt64(count) {
            let item = ItemID(Mark(high: 5, low: index)), entry = Self.entry(LocalID(inode: index + 100, made: 1), "\(index).txt")
            facts += [Self.placed(item, "\(index).txt", 10 + 2 * index), Self.version(item, Self.text, 11 + 2 * index)]
            synced[item] = Synced(entry, in: nil, digest: Self.text, leaves: [Self.id(11 + 2 * index)])
            synced[item]?.missing = 10
            if index < UInt64(found) {
                entries[entry.id] = entry
                synced[item]?.missing = nil
            }
        }
        return (FollowedView(of: facts), LocalItems(entries, synced: synced, contents: [Self.text], time: 1000))
    }

    private func steps(_ known: FollowedView, _ local: LocalItems) -> (steps: [Step], vanished: Int) {
        var planner = FollowedPlanner(known, local)
        let steps = planner.steps(known)
        #expect(steps == Planner(known, local).steps())
        return (steps, planner.vanished)
    }

    /// A store that is not mounted is an empty folder.
    @Test func whereAllIsGoneSomebodyIsAsked() {
        let (known, all) = many(10, found: 0)
        #expect(steps(known, all) == ([], 10))
        var meant = all
        meant.isVanishingMeant = true
        #expect(steps(known, meant).steps.count == 10)
        #expect(steps(known, meant).vanished == 0)
        // Of a few that is what somebody does.
        let (knownFew, few) = many(9, found: 0)
        #expect(steps(knownFew, few).steps.count == 9)
    }

    @Test func whereVeryMuchIsGoneSomebodyIsAsked() {
        let (known, most) = many(300, found: 199)
        #expect(steps(known, most) == ([], 101))
        let (knownFewer, fewer) = many(300, found: 200)
        #expect(steps(knownFewer, fewer).steps.count == 100)
        // A tenth of very many is gone by what somebody does.
        let (knownMany, few) = many(1500, found: 1350)
        #expect(steps(knownMany, few).steps.count == 150)
    }

    /// What was put among the deleted was deleted, however much it is.
    @Test func whatSomebodyDeletedIsNoQuestion() {
        let (known, everything) = many(300, found: 0)
        var all = everything
        all.deleted = Set(all.synced.values.map(\.entry))
        #expect(steps(known, all).steps.count == 300)
        all.deleted.removeFirst()
        #expect(steps(known, all).steps.count == 300)
    }

    /// Nothing is put there either.
    @Test func nothingIsDoneToAStoreThatIsPerhapsAnotherOne() {
        var (known, all) = many(20, found: 0)
        let new = ItemID(Mark(high: 6, low: 1))
        known.add([Self.placed(new, "new.txt", 500), Self.version(new, Self.text, 501)])
        #expect(steps(known, all).steps == [])
        all.isVanishingMeant = true
        #expect(!steps(known, all).steps.isEmpty)
    }

    @Test func whatCouldNotBeListedIsNotMissing() {
        var (known, some) = many(5, found: 0)
        some.unlisted = [nil]
        #expect(steps(known, some) == ([], 0))
        // Nothing is put there, and nobody forgets what others have deleted.
        let new = ItemID(Mark(high: 6, low: 1)), first = ItemID(Mark(high: 5, low: 0))
        known.add([Self.placed(new, "new.txt", 500), Self.version(new, Self.text, 501), Self.version(first, nil, 502, [Self.id(11)])])
        #expect(steps(known, some).steps == [])
        some.unlisted = []
        #expect(steps(known, some).steps.contains(.forget(first)))
    }
}
