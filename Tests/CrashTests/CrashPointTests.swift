import Foundation
import MountTesting
import Testing

/// No crash loses anything: the process ends at each call that changes something, and the next one finds the old
/// documents or the new ones, whole.
///
/// After a call is the same as before the next one, because nothing else changes anything (`CountingTests`): so each point
/// is tried once, calls that write are broken off in their middle besides, and the last one is tried after.
@Suite(.computing) struct CrashPointTests {
    @Test(arguments: CrashCase.all + CrashCase.onPoorStores)
    func everyPoint(of trial: CrashCase) throws {
        let rehearsal = try Rehearsal(trial.operation, trial.kind)
        let points = rehearsal.points, last = rehearsal.points.last
        try #require(!points.isEmpty)
        var tried = 0
        let chosen = Set(trial.tried(points)).union(points.suffix(1))
        for point in points where chosen.contains(point) {
            let call = rehearsal.outcome.calls[point - 1]
            var deeds: [TrialRun.Deed] = [.exitBefore]
            if ["write", "pwrite", "copy_file_range"].contains(call) { deeds.append(.exitWithin) }
            if point == last { deeds.append(.exitAfter) }
            for deed in deeds {
                try crash(trial, rehearsal, deed, point)
                if deed == .exitBefore { tried += 1 }
            }
        }
        #expect(tried == chosen.count)
        Tally.crashing.add(tried, trial)
    }

    private func crash(_ trial: CrashCase, _ rehearsal: Rehearsal, _ deed: TrialRun.Deed, _ point: Int) throws {
        let place: Comment = "\(deed) call \(point), \(rehearsal.outcome.calls[point - 1]), of \(rehearsal.outcome.calls.count)"
        let container = try rehearsal.fixture.copy()
        defer { try? FileManager.default.removeItem(at: container) }
        let run = try TrialRun(trial.operation.rawValue, trial.kind, container, content: rehearsal.fixture.content, deed, at: point)
        #expect(run.outcome() == nil, place)
        #expect(run.end() == 99, place)
        try expectWhole(container, rehearsal, place)
        let found = try Reopening(container)
        let isAllowed = rehearsal.allows(found.snapshot, crashedAt: point, trial.operation)
        #expect(
            isAllowed,
            "\(place): from old: \(found.snapshot.difference(from: rehearsal.old)) | from new: \(found.snapshot.difference(from: rehearsal.new))")
        #expect(found.litter == [], place)
        // Recovering once more changes nothing.
        let isStable = try Reopening(container).snapshot == found.snapshot
        #expect(isStable, place)
    }

    /// Also what an app sees that looks before anybody has recovered: every document is readable, its content one of the two.
    private func expectWhole(_ container: URL, _ rehearsal: Rehearsal, _ place: Comment) throws {
        for (name, entry) in try Snapshot(of: container).entries {
            // That folder is on its way, part by part, and what it has to be is looked at afterwards.
            if rehearsal.isRemoving, name == "deleted Cat.novel" { continue }
            let isKnown = rehearsal.contents.contains(entry.content)
            #expect(isKnown, "\(place): \(name) is neither old nor new")
            #expect(entry.identity.isEmpty || entry.kind != "plain", "\(place): \(name) \(entry.identity)")
        }
    }
}
