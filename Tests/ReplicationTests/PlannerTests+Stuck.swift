import DeviceWorlds
import Hashes
import Replication
import Testing

// What somebody decided or took back is said, and what cannot be done keeps nothing else from being done.
extension PlannerTests {
    private func planned(
        _ facts: [Fact], _ entries: [LocalEntry], _ synced: [ItemID: Synced], conflicts: [ItemID: Set<FactID>] = [:], decided: [ItemID: Set<FactID>] = [:],
        gone: [LocalID: ItemID] = [:], stuck: Set<Step> = []
    ) -> [Step] {
        let local = LocalItems(
            Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0) }), synced: synced, contents: [Self.text, Self.other], conflicts: conflicts, decided: decided, gone: gone, stuck: stuck,
            time: 100)
        return Planner(FollowedView(of: facts), local).steps()
    }

    // MARK: Decisions

    /// The document that is the same here and for all, and another content that somebody else saved over what was there before.
    private static let inConflict = [placed(item, "a.txt", 1), version(item, other, 5), version(item, text, 6)]
    private static let here = entry(file, "a.txt")
    private static let known = [item: Synced(here, in: nil, digest: text, leaves: [id(6)])]

    @Test func whatWasDecidedIsSaid() {
        let kept = [Self.item: Set([Self.id(5)])]
        #expect(planned(Self.inConflict, [Self.here], Self.known, conflicts: kept) == [])
        // One that has vanished, and of which nobody has decided anything, is put back.
        #expect(planned(Self.inConflict, [Self.here], Self.known) == [.keepConflict(Self.item, version: Self.id(5))])
        #expect(planned(Self.inConflict, [Self.here], Self.known, decided: kept) == [.sayDecided(Self.item, Self.text, replacing: [Self.id(5), Self.id(6)], Self.here)])
        // When all have heard of it, nothing is left of it.
        let heard = Self.inConflict + [Self.version(Self.item, Self.text, 7, [Self.id(5), Self.id(6)])]
        let now = [Self.item: Synced(Self.here, in: nil, digest: Self.text, leaves: [Self.id(7)])]
        #expect(planned(heard, [Self.here], now, decided: kept) == [.settle(Self.item, version: Self.id(5))])
    }

    /// Somebody has written over what is here, and that is still to come: it is no side of what was decided.
    @Test func whatIsToComeIsNotDecided() {
        let facts = Self.inConflict + [Self.version(Self.item, Self.mine, 8, [Self.id(6)])], decided = [Self.item: Set([Self.id(5)])]
        #expect(planned(facts, [Self.here], Self.known, decided: decided) == [])
    }

    // MARK: Undeleted

    @Test func whatComesBackIsWhatItWas() {
        let facts = known + [Self.version(Self.item, nil, 3, [Self.id(2)])], back = Self.entry(Self.file, "a.txt", Self.later, digest: Self.text)
        #expect(planned(facts, [back], [:], gone: [Self.file: Self.item]) == [.sayBack(Self.item, Self.text, replacing: [Self.id(3)], back, folder: nil)])
        // Another file of that name is another document.
        #expect(planned(facts, [back], [:]) == [.sayNew(back, folder: nil)])
        // And if others have made something of it meanwhile, that comes, and this is what was replaced by it.
        let edited = facts + [Self.version(Self.item, Self.other, 4, [Self.id(2)])]
        #expect(planned(edited, [back], [:], gone: [Self.file: Self.item]) == [.note(Self.item, Synced(back, in: nil, digest: Self.text, leaves: []))])
    }

    // MARK: What cannot be done

    /// Two documents: others wrote into the one and moved the other.
    private static let two = known2 + [version(item, other, 3, [id(2)]), placed(second, "c.txt", 12)]
    private static let known2 = [placed(item, "a.txt", 1), version(item, text, 2), placed(second, "b.txt", 10), version(second, text, 11)]
    private static let edited = entry(file, "a.txt"), moved = entry(secondFile, "b.txt")

    private static var coming: [ItemID: Synced] {
        var synced = [item: Synced(edited, in: nil, digest: text, leaves: [id(2)]), second: Synced(moved, in: nil, digest: text, leaves: [id(11)])]
        synced[item]?.coming = Synced.Coming(other, leaves: [id(3)])
        synced[second]?.going = Synced.Destination(folder: nil, name: Array("c.txt".utf8))
        return synced
    }

    @Test func oneThatIsStuckKeepsNobodyWaiting() {
        let move = Step.move(Self.second, Self.moved, folder: nil, name: Array("c.txt".utf8)), replace = Step.replace(Self.item, version: Self.id(3), Self.edited)
        #expect(planned(Self.two, [Self.edited, Self.moved], Self.coming) == [move])
        // That it is on its way is not true any more.
        var stays = Self.coming
        stays[Self.second]?.going = nil
        #expect(planned(Self.two, [Self.edited, Self.moved], Self.coming, stuck: [move]) == [replace] + (stays[Self.second].map { [.note(Self.second, $0)] } ?? []))
        #expect(planned(Self.two, [Self.edited, Self.moved], stays, stuck: [move]) == [replace])
        #expect(planned(Self.two, [Self.edited, Self.moved], stays, stuck: [move, replace]) == [])
        // An edit of what cannot be moved is said.
        let written = Self.entry(Self.secondFile, "b.txt", Self.later, digest: Self.mine)
        #expect(planned(Self.two, [Self.edited, written], Self.coming, stuck: [move]) == [.sayContent(Self.second, Self.mine, replacing: [Self.id(11)], written)])
    }

    /// What cannot be read may be anything: nothing is said of it, and nothing takes its place. The other document has what is its due.
    @Test func whatCannotBeReadIsLeftAlone() {
        let written = Self.entry(Self.file, "a.txt", Self.later), read = Step.read(Self.file, Self.later)
        #expect(planned(Self.two, [written, Self.moved], Self.coming) == [read])
        #expect(planned(Self.two, [written, Self.moved], Self.coming, stuck: [read]) == [.move(Self.second, Self.moved, folder: nil, name: Array("c.txt".utf8))])
        var there = Self.coming
        there[Self.second] = Synced(Self.entry(Self.secondFile, "c.txt"), in: nil, digest: Self.text, leaves: [Self.id(11)])
        #expect(planned(Self.two, [written, Self.entry(Self.secondFile, "c.txt")], there, stuck: [read]) == [])
        // Nor is it moved: what it is would be written down with its place.
        let facts = Self.two + [Self.placed(Self.item, "d.txt", 20)]
        #expect(planned(facts, [written, Self.entry(Self.secondFile, "c.txt")], there, stuck: [read]) == [])
    }

    /// What is here, and in conflict with what all have, lies nowhere else as long as it cannot be put aside.
    @Test func whatCannotBeKeptIsNotReplaced() {
        let facts = [Self.placed(Self.item, "a.txt", 1), Self.version(Self.item, Self.text, 5), Self.version(Self.item, Self.other, 6)]
        let keep = Step.keepConflict(Self.item, version: Self.id(5)), before = [Self.item: Synced(Self.here, in: nil, digest: Self.text, leaves: [Self.id(5)])]
        #expect(planned(facts, [Self.here], before) == [keep])
        var coming = before
        coming[Self.item]?.coming = Synced.Coming(Self.other, leaves: [Self.id(6)])
        #expect(planned(facts, [Self.here], coming, stuck: [keep]) == [])
        #expect(planned(facts, [Self.here], coming, conflicts: [Self.item: [Self.id(5)]]) == [.replace(Self.item, version: Self.id(6), Self.here)])
    }
}
