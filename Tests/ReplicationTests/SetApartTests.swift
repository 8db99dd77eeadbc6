import DeviceWorlds
import Hashes
import Replication
import Testing

/// Conflicts that cannot be kept beside what they are of. All else is in the worlds.
@Suite struct SetApartTests {
    typealias Base = PlannerTests

    static func facts(_ kind: Location.Kind, size: UInt64 = 5, computer: String = "desk", name: String = "Notes.md") -> [Fact] {
        let body = Version.Body(size: size, time: 0, computer: Array(computer.utf8), parts: [])
        return [
            Fact(id: Base.id(1), rank: 1, device: .none, .place(Location(of: Base.item, folder: nil, name: ItemName(Array(name.utf8)), kind: kind, former: nil))),
            Base.version(Base.item, Base.other, 20),
            Fact(id: Base.id(3), rank: 3, device: .none, .version(Version(of: Base.item, digest: Base.text, parents: [], body: body))),
        ]
    }

    static func steps(_ known: FollowedView, _ kind: Location.Kind, mostKept: UInt64 = .max, contents: Set<Digest> = [Base.text, Base.other], aside: Set<Digest> = [Base.text]) -> [Step] {
        let here = LocalEntry(Base.file, in: nil, Array("Notes.md".utf8), kind, Base.stamp, digest: nil)
        let synced = Synced(here, in: nil, digest: Base.other, leaves: [Base.id(20)])
        var local = LocalItems([here.id: here], synced: [Base.item: synced], contents: contents, time: 100)
        (local.mostKept, local.aside) = (mostKept, aside)
        return Planner(known, local).steps()
    }

    @Test(arguments: [(.document, 0, true), (.plain, 5, true), (.plain, 4, false), (.plain, 0, false), (.link, .max, false)] as [(Location.Kind, UInt64, Bool)])
    func whatCannotBeKeptIsSetApart(kind: Location.Kind, mostKept: UInt64, isKept: Bool) {
        let known = FollowedView(of: Self.facts(kind)), keeping = Step.keepConflict(Base.item, version: Base.id(3))
        let steps = Self.steps(known, kind, mostKept: mostKept)
        guard !isKept else {
            #expect(steps == [keeping])
            return
        }
        guard case .repair(let said)? = steps.first, steps.count == 1 else {
            Issue.record("\(steps)")
            return
        }
        // Whoever says it says the same, and then there are two documents and no conflict.
        #expect(Self.steps(FollowedView(of: Self.facts(kind).reversed()), kind, mostKept: mostKept) == [.repair(said)])
        let view = FollowedView(of: Self.facts(kind) + said).view
        let names = Set(view.items.values.compactMap { $0.name?.description })
        #expect(names == ["Notes.md", "Notes (desk).md"])
        #expect(view.items.values.allSatisfy { $0.conflicts.isEmpty && $0.place?.place?.kind == kind })
    }

    /// Who does not have it cannot give it to others.
    @Test func whoHasItSaysSo() {
        #expect(Self.steps(FollowedView(of: Self.facts(.link)), .link, contents: [Base.other], aside: []) == [])
        // And from where nobody writes over it.
        #expect(Self.steps(FollowedView(of: Self.facts(.link)), .link, aside: []) == [.keepAside(Base.item, version: Base.id(3))])
    }

    @Test(arguments: [
        ("", "Notes.md", "Notes (other).md"), ("a/b", "Notes", "Notes (ab)"), ("desk", ".profile", ".profile (desk)"),
        ("desk", String(repeating: "é", count: 126) + ".md", String(repeating: "é", count: 122) + " (desk).md"),
    ])
    func howItIsCalled(computer: String, name: String, called: String) throws {
        let known = FollowedView(of: Self.facts(.link, computer: computer, name: name))
        guard case .repair(let said)? = Self.steps(known, .link).first else {
            Issue.record("nothing is set apart")
            return
        }
        #expect(said.compactMap { $0.place?.name.description } == [called])
        // It can be said.
        #expect(said.allSatisfy { $0.bytes.flatMap(Fact.init) == $0 })
    }
}
