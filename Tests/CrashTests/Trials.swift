import Containers
import Foundation
import LinuxFiles
import MountTesting
import Synchronization
import Testing
import TextBundles

/// What an operation does when nothing goes wrong: the container before and after, and the calls between.
struct Rehearsal {
    let fixture: Fixture
    let old: Snapshot, new: Snapshot
    /// All contents that there are before and after. What a draft was to replace is there until it is saved.
    let contents: Set<[UInt8]>
    /// What the documents had been before: of one that was deleted at the beginning, too.
    let before: [String]
    /// How many drafts are shown afterwards.
    let shown: Int
    let outcome: TrialRun.Outcome
    let isRemoving: Bool

    init(_ operation: Operation, _ kind: CrashKind) throws {
        isRemoving = operation.removesFolder
        fixture = try Fixture(kind, operation, keepsVersions: CrashCase(operation: operation, kind: kind).keepsVersions)
        // The first opening makes the state folder, which every copy then has.
        _ = try Reopening(fixture.template)
        let container = try fixture.copy()
        old = operation.hasDrafts ? try Self.begun(operation, kind, fixture) : try Snapshot(of: container)
        let run = try TrialRun(operation.rawValue, kind, container, content: fixture.content)
        outcome = try #require(run.outcome())
        try #require(outcome.errno == 0, "\(operation) \(kind.testDescription) fails without a reason: \(Errno(rawValue: outcome.errno))")
        #expect(run.end() == 0)
        #expect(outcome.leaked == 0)
        let again = try Reopening(container)
        (new, shown) = (again.snapshot, again.shown)
        let template = try Snapshot(of: fixture.template)
        contents = Set([old, new, template].flatMap { $0.entries.values.map(\.content) })
        before = operation == .recall ? new.versions.filter { version in template.versions.contains { Self.content($0) == Self.content(version) } } : old.versions
        #expect(again.litter == [])
        let isChanged = new != old
        #expect(isChanged)
        try FileManager.default.removeItem(at: container)
    }

    private static func begun(_ operation: Operation, _ kind: CrashKind, _ fixture: Fixture) throws -> Snapshot {
        let container = try fixture.copy()
        defer { try? FileManager.default.removeItem(at: container) }
        #expect(try TrialRun(operation.rawValue, kind, container, content: fixture.content, .exitBefore, at: 1).end() == 99)
        return try Reopening(container).snapshot
    }

    /// The numbers of the calls that change something, from 1.
    var points: [Int] { outcome.calls.indices.filter { outcome.calls[$0] != "open" }.map { $0 + 1 } }
}

/// The container, opened and recovered by the next process that comes.
struct Reopening {
    let snapshot: Snapshot
    let litter: [String]
    let shown: Int

    init(_ folder: URL) throws {
        let container = try Container.open(folder.path, access: .readWrite, kinds: TextBundles.kinds)
        let workshop = try Self.workshop(container)
        let recovered = try workshop.recover()
        shown = recovered.count
        var snapshot = try Snapshot(container)
        for draft in recovered { try snapshot.add(draft) }
        self.snapshot = snapshot
        let kept = Set(recovered.map { "\($0.draft.number)" })
        litter = Self.staged(folder).filter { !kept.contains($0) }
    }

    /// A program that another test starts has this process's locks for an instant, until it is that program.
    private static func workshop(_ container: Container) throws -> Workshop {
        let keeps = FileManager.default.fileExists(atPath: container.path + "/.valise/versions")
        let keepsDeleted = FileManager.default.fileExists(atPath: container.path + "/.valise/deleted")
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            do {
                return try Workshop.open(
                    in: container, purpose: "looked at by a test", versions: keeps ? .standard : .off, deleted: keepsDeleted ? .standard : .off)
            } catch {
                guard error.errno == .tryAgain, .now < deadline else { throw error }
                usleep(500)
            }
        }
    }

    static func staged(_ container: URL) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: container.appendingPathComponent(".valise/staging").path)) ?? []
    }
}

/// Is this what a crash may leave?
extension Rehearsal {
    /// Old or new, whole. Until all the content was in the draft, also what came of the part that was.
    func allows(_ found: Snapshot, crashedAt point: Int, _ operation: Operation) -> Bool {
        if found == old || found == new { return true }
        // One after the other, each at once.
        if operation == .thin {
            return found.entries == old.entries && Set(found.versions).isSubset(of: old.versions) && Set(found.versions).isSuperset(of: new.versions)
        }
        if operation == .resolveBoth, isOnTheWay(found) { return true }
        if operation == .clashLost, hasOtherWinner(found) { return true }
        if operation.removesFolder, missing(found) == [] { return true }
        if [.rejoin, .rejoinNew].contains(operation), isThereOnly(found) { return true }
        if operation == .recall, isCalledOtherwise(found) { return true }
        // The name that was deleted to come back anew: two operations, and a crash between them.
        if operation.comesBack {
            var deleted = old
            for (name, entry) in old.entries where entry.content == fixture.kind.content("Cat") { deleted.entries[name] = nil }
            deleted.versions = []
            // What has another name has all of it.
            if found == deleted, operation == .putBackMoved { return true }
            if found == deleted || isPart(found, of: new, since: deleted) { return point <= outcome.written }
        }
        return point <= outcome.written && (isPart(found, of: new, since: old) || isUnchanged(found))
    }

    /// What is gone of a folder that a program was removing, or of what was to come into its place. Of all else, whatever is another one.
    func missing(_ found: Snapshot) -> [String] {
        let item = "Cat.novel/", fresh = "fresh.dir/"
        func rest(_ snapshot: Snapshot) -> [String: Snapshot.Entry] {
            snapshot.entries.filter { name, _ in ![item, fresh, "deleted Cat.novel"].contains(where: name.hasPrefix) }
        }
        var missing = found.missing(of: old, below: item)
        // It has the folder's place, or waits for it.
        let coming = old.entries.filter { $0.key.hasPrefix(fresh) }
        func isThere(at place: String) -> Bool {
            coming.allSatisfy { found.entries[place + $0.key.dropFirst(fresh.count)] == $0.value }
                && found.entries.count { $0.key.hasPrefix(place) } == coming.count
        }
        if !coming.isEmpty, !isThere(at: fresh), !isThere(at: item) { missing.append(fresh) }
        // A store without second names keeps of a file that has two what has the last one.
        if fixture.kind.refusing == .renamesAndLinks { missing.removeAll { $0 == item + "in/main again" } }
        if rest(found) != rest(old) { missing.append("besides") }
        return missing
    }

    /// The document is there, with the attributes of the one that was deleted perhaps, and that one is not known in it yet.
    private func isThereOnly(_ found: Snapshot) -> Bool {
        var then = old
        then.entries["again"] = nil
        then.entries["Cat.txt"] = found.entries["Cat.txt"]
        return found == then && found.entries["Cat.txt"]?.content == fixture.kind.content("Cat")
    }

    /// What is deleted is deleted still, and is called as it was to be.
    private func isCalledOtherwise(_ found: Snapshot) -> Bool {
        func rest(_ snapshot: Snapshot) -> [String: Snapshot.Entry] { snapshot.entries.filter { $0.value.kind != "deleted" } }
        func deleted(_ snapshot: Snapshot) -> [String] {
            snapshot.entries.values.filter { $0.kind == "deleted" }.map { "\($0.content) \($0.permissions) \($0.identity.split(separator: ",").last ?? "")" }
        }
        return rest(found) == rest(old) && deleted(found) == deleted(old) && found.versions == old.versions
    }

    /// The same but for one entry, whose content is the beginning of what it was to be.
    private func isPart(_ found: Snapshot, of new: Snapshot, since old: Snapshot) -> Bool {
        let changed = found.entries.filter { old.entries[$0.key] != $0.value }
        guard changed.count <= 1, let (name, entry) = changed.first else { return false }
        let rest = found.entries.filter { $0.key != name }
        let others = old.entries.filter { $0.key != name && found.entries[$0.key] != nil }
        guard rest == others, old.entries.keys.allSatisfy({ $0 == name || found.entries[$0] != nil }) else { return false }
        let written = fixture.kind.content("new"), before = entry.content
        guard found.versionContents.allSatisfy({ version in
            old.versionContents.contains(version) || old.entries.values.contains { $0.content == version } || written.starts(with: version)
        }) else { return false }
        // A draft that is put aside may not have lost yet.
        if old.entries[name]?.content == new.entries[name]?.content, written.starts(with: before) { return true }
        let wanted = new.entries[name]?.content ?? written
        if wanted.starts(with: entry.content) { return true }
        // An edit in the middle: the old content with the first bytes of the new.
        guard let before = old.entries[name]?.content, before.count == entry.content.count else { return false }
        return zip(entry.content, zip(before, wanted + before.dropFirst(wanted.count))).allSatisfy { $0 == $1.0 || $0 == $1.1 }
    }
}

extension Rehearsal {
    /// Where there is no room to keep what is replaced, it is replaced all the same, but by what another computer says.
    func excusing(_ found: Snapshot, _ number: Int32, _ operation: Operation) -> Snapshot {
        var now = found
        if operation.removesFolder {
            // What could not be put together is deleted item by item; a part that there is no room to keep goes for good.
            guard missing(found).count <= ([ENOSPC, EDQUOT].contains(number) ? 1 : 0) else { return now }
            now.entries = now.entries.filter { !$0.key.hasPrefix("deleted Cat.novel") }
            for (name, entry) in new.entries where entry.kind == "deleted" { now.entries[name] = entry }
            if now.versions.isEmpty || before.allSatisfy(now.versions.contains) { now.versions = new.versions }
            return now
        }
        if [ENOSPC, EDQUOT].contains(number) {
            // A conflict is always kept.
            let isWithout =
                ![.clash, .handOverClash].contains(operation) && !operation.isRemote
                && (now.versions == before || (operation == .handOver && now.versions.count == before.count))
            if isWithout || madeRoom(now) { now.versions = new.versions }
        }
        // What there is no room for to be kept goes for good.
        if [ENOSPC, EDQUOT].contains(number), operation.keepsDeleted, !operation.isRemote {
            for (name, entry) in new.entries where entry.kind == "deleted" { now.entries[name] = entry }
        }
        return now
    }

    /// What was replaced is kept, and what was kept before gave up its room for it; a conflict does not.
    private func madeRoom(_ now: Snapshot) -> Bool {
        let missing = new.versions.filter { !now.versions.contains($0) }
        return now.versions.allSatisfy { new.versions.contains($0) }
            && missing.allSatisfy { version in !version.contains("conflict") && before.contains { Self.content($0) == Self.content(version) } }
    }

    /// Without what its document is called, which may have got another name.
    private static func content(_ version: String) -> Substring? { version.split(separator: ": ").last }

    /// Saved before anything in it was another: so it is its own version.
    private func isUnchanged(_ found: Snapshot) -> Bool {
        found.entries == old.entries && Set(found.versions).isSuperset(of: old.versions) && found.versionContents.allSatisfy { version in
            old.versionContents.contains(version) || old.entries.values.contains { $0.content == version }
        }
    }

    /// Of each conflict, nothing was done yet or all: it waits, or it is a document and settled.
    private func isOnTheWay(_ found: Snapshot) -> Bool {
        let conflicts = ["elsewhere", "synced"].map(fixture.kind.content)
        return found.rest(without: conflicts) == old.rest(without: conflicts) && conflicts.allSatisfy { content in
            found.facts(of: content) == old.facts(of: content) || found.facts(of: content) == new.facts(of: content)
        }
    }

    /// A draft that is found again after its save had begun may be as new as that: then it is the other one that waits. Both are there.
    private func hasOtherWinner(_ found: Snapshot) -> Bool {
        let mine = fixture.kind.content("new"), theirs = fixture.kind.content("Cat")
        return found.versionContents.contains(theirs) && found.versions.count == old.versions.count + 1
            && Set(found.versions).isSuperset(of: old.versions) && found.entries.count == old.entries.count
            && found.entries.allSatisfy { old.entries[$0.key] == $0.value || $0.value.content == mine }
    }
}

/// How much was tried, for the reader of the log: the last line of a kind is the sum.
final class Tally: Sendable {
    static let crashing = Tally("crash points"), recovering = Tally("crash points in recoveries"), failing = Tally("failing calls")
    static let failingRecovery = Tally("failing calls in recoveries")

    private let name: String
    private let sums = Mutex((number: 0, operations: 0))

    init(_ name: String) { self.name = name }

    func add(_ number: Int, _ trial: CrashCase) {
        let line = sums.withLock { sums in
            sums = (sums.number + number, sums.operations + 1)
            return "\(name): \(number) in \(trial.testDescription); \(sums.number) in \(sums.operations) operations; \(CrashCase.triesAll ? "all" : "seed \(TestRun.seed)")\n"
        }
        FileHandle.standardError.write(Data(line.utf8))
    }
}
