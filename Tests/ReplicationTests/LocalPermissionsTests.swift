import DeviceWorlds
import Hashes
import Replication
import Testing

/// Permissions of files. All cases at random are in the worlds.
@Suite struct LocalPermissionsTests {
    typealias Base = PlannerTests

    static func steps(said: UInt16, here: UInt16?, _ last: Synced.Permissions?) -> [Step] {
        let place = Location(of: Base.item, folder: nil, name: ItemName(Array("a.txt".utf8)), kind: .document, mode: said, former: nil)
        var entry = Base.entry(Base.file, "a.txt")
        entry.mode = here
        var synced = Synced(entry, in: nil, digest: Base.text, leaves: [Base.id(2)])
        synced.permissions = last
        let facts = [Fact(id: Base.id(1), rank: 1, device: .none, .place(place)), Base.version(Base.item, Base.text, 2)]
        return Planner(FollowedView(of: facts), LocalItems([entry.id: entry], synced: [Base.item: synced], contents: [Base.text], time: 100)).steps()
    }

    static func permissions(_ here: UInt16, _ said: UInt16?, setting: UInt16? = nil) -> Synced.Permissions { Synced.Permissions(here: here, said: said, setting: setting) }

    @Test func whatSomebodyGaveIsSaid() {
        var entry = Base.entry(Base.file, "a.txt")
        entry.mode = 0o100600
        #expect(Self.steps(said: 0o644, here: 0o100600, Self.permissions(0o644, 0o644)) == [.sayPermissions(Base.item, 0o600, entry)])
        // But not what would run it as another user.
        #expect(Self.steps(said: 0o755, here: 0o104755, Self.permissions(0o755, 0o755)) == [])
        // Nor by a store without any.
        #expect(Self.steps(said: 0o644, here: nil, nil) == [])
    }

    @Test func whatAllHaveIsSet() {
        var entry = Base.entry(Base.file, "a.txt")
        entry.mode = 0o644
        #expect(Self.steps(said: 0o104755, here: 0o644, Self.permissions(0o644, 0o644, setting: 0o755)) == [.setPermissions(Base.item, 0o755, entry)])
        // It is written down first.
        guard case .note(_, let noted)? = Self.steps(said: 0o755, here: 0o644, Self.permissions(0o644, 0o644)).first else {
            Issue.record("it is not written down")
            return
        }
        #expect(noted.permissions == Self.permissions(0o644, 0o644, setting: 0o755))
    }

    @Test func whatAStoreMakesOfThemStays() {
        #expect(Self.steps(said: 0o755, here: 0o700, Self.permissions(0o700, 0o755)) == [])
        // After a crash it is not known whether they were set: they are once more, and not said.
        var entry = Base.entry(Base.file, "a.txt")
        entry.mode = 0o700
        #expect(Self.steps(said: 0o755, here: 0o700, Self.permissions(0o600, 0o644, setting: 0o755)) == [.setPermissions(Base.item, 0o755, entry)])
    }

    /// A place that nobody said any of.
    @Test func whoHasSomeSaysThem() {
        var entry = Base.entry(Base.file, "a.txt")
        entry.mode = 0o640
        #expect(Self.steps(said: 0, here: 0o640, nil) == [.sayPermissions(Base.item, 0o640, entry)])
    }
}
