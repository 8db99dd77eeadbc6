import DeviceWorlds
import Hashes
import Replication
import Testing

/// Clocks that stand elsewhere after a restart, numbers of files that come back, and documents that a backup put back.
@Suite struct RestartTests {
    typealias Base = PlannerTests

    static let known = [Base.placed(Base.item, "a.txt", 1), Base.version(Base.item, Base.text, 2), Base.version(Base.item, Base.other, 3, [Base.id(2)])]
    static func synced(_ stamp: LocalStamp) -> Synced { Synced(Base.entry(Base.file, "a.txt", stamp), in: nil, digest: Base.other, leaves: [Base.id(3)]) }

    /// It is missing since a time that is still to come: since now.
    @Test func aTimeToComeIsNow() {
        var synced = Self.synced(Base.stamp)
        synced.missing = 1_000_000
        let local = LocalItems([:], synced: [Base.item: synced], contents: [Base.other], time: 100)
        #expect(Planner(FollowedView(of: Self.known), local).steps() == [.noteMissing(Base.item)])
    }

    @Test(arguments: [true, false])
    func whatHasItsNumberMayBeAnotherFile(comesBack: Bool) {
        let another = Base.entry(Base.file, "b.txt", Base.later, digest: RandomHistory.digest(of: "mine")), same = Base.entry(Base.file, "b.txt", Base.later, digest: Base.other)
        func steps(_ entry: LocalEntry) -> [Step] {
            var local = LocalItems([entry.id: entry], synced: [Base.item: Self.synced(Base.stamp)], contents: [Base.other], time: 100)
            local.numbersComeBack = comesBack
            return Planner(FollowedView(of: Self.known), local).steps()
        }
        #expect(steps(same) == [.sayPlace(Base.item, folder: nil, same)])
        // Said as new at once, for another one is missing.
        #expect(steps(another).contains(.sayNew(another, folder: nil)) == comesBack)
    }

    /// Many at once are not said to be edits of what is newer, until somebody says so.
    @Test(arguments: [nil, .meant, .mistaken] as [OlderDocuments?])
    func olderDocumentsAreAskedFor(are: OlderDocuments?) {
        let old = Base.entry(Base.file, "a.txt", Base.stamp, digest: Base.text)
        func steps(_ limit: VanishingLimit, digest: Digest = Base.text) -> [Step] {
            var entry = old
            entry.digest = digest
            var local = LocalItems([old.id: entry], synced: [Base.item: Self.synced(Base.later)], contents: [Base.text, Base.other], time: 100)
            (local.older, local.olderAre) = (limit, are)
            return Planner(FollowedView(of: Self.known), local).steps()
        }
        let edit = Step.sayContent(Base.item, Base.text, replacing: [Base.id(3)], old)
        switch are {
        case nil:
            #expect(steps(VanishingLimit(most: 0, all: 1)) == [])
            // One is what somebody put there.
            #expect(steps(VanishingLimit()) == [edit])
        case .meant: #expect(steps(VanishingLimit(most: 0, all: 1)) == [edit])
        case .mistaken:
            #expect(steps(VanishingLimit(most: 0, all: 1)) == [.note(Base.item, Synced(old, in: nil, digest: Base.text, leaves: [Base.id(2)]))])
            // What nobody has heard of stays, beside what is newer.
            guard case .sayContent(Base.item, _, let replaced, _)? = steps(VanishingLimit(most: 0, all: 1), digest: RandomHistory.digest(of: "unheard")).first else {
                Issue.record("it is not said")
                return
            }
            #expect(replaced.isEmpty)
        }
    }
}
