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
    @Test(arguments: [nil, .meant, .mistaken] as [OlderDocument.Answer?])
    func olderDocumentsAreAskedFor(are: OlderDocument.Answer?) {
        let old = Base.entry(Base.file, "a.txt", Base.stamp, digest: Base.text)
        func steps(_ limit: VanishingLimit, digest: Digest = Base.text) -> [Step] {
            var entry = old
            entry.digest = digest
            var local = LocalItems([old.id: entry], synced: [Base.item: Self.synced(Base.later)], contents: [Base.text, Base.other], time: 100)
            local.older = limit
            if let are { local.olderAre[old.id] = OlderDocument(old.stamp, is: are) }
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

    /// Somebody moves an older document over one that he wrote into and took elsewhere: what was said of others that a
    /// backup had put back is not said of this one. What it replaces is nowhere any more.
    @Test(arguments: [OlderDocument(Base.later, is: .mistaken), nil])
    func whatIsMovedOverAnotherIsNoBackup(asked: OlderDocument?) {
        let mine = RandomHistory.digest(of: "mine")
        let moved = Base.entry(LocalID(inode: 77, made: 0), "a.txt", Base.stamp, digest: mine)
        let synced = [Base.item: Self.synced(Base.later)]
        var local = LocalItems([moved.id: moved], synced: synced, contents: [mine], time: 100)
        local.olderAre[Base.file] = OlderDocument(Base.stamp, is: .mistaken)
        // Nor is an answer about the same file, when that was another one.
        local.olderAre[moved.id] = asked
        let edit = Step.sayContent(Base.item, mine, replacing: [Base.id(3)], moved)
        #expect(Planner(FollowedView(of: Self.known), local).steps() == [edit])
    }

    /// Who is asked is told which, and is not asked again about those of which he has said something.
    @Test func aPersonIsAskedAboutTheseDocuments() {
        let old = Base.entry(Base.file, "a.txt", Base.stamp, digest: Base.text), known = FollowedView(of: Self.known)
        let synced = [Base.item: Self.synced(Base.later)]
        var local = LocalItems([old.id: old], synced: synced, contents: [Base.text, Base.other], time: 100)
        local.older = VanishingLimit(most: 0, all: 1)
        var planner = FollowedPlanner(known, local)
        #expect(planner.steps(known) == [] && planner.older == [old.id: old.stamp])
        planner.set(olderAre: [old.id: OlderDocument(old.stamp, is: .mistaken)])
        let noted = Step.note(Base.item, Synced(old, in: nil, digest: Base.text, leaves: [Base.id(2)]))
        #expect(planner.steps(known) == [noted] && planner.older.isEmpty)
    }
}
