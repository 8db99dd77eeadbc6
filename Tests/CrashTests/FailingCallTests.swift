import Foundation
import LinuxFiles
import MountTesting
import Testing

/// Each call of each operation fails once, in each of these ways: the caller gets that error, the old content stands,
/// nothing is left lying about or open, and the next try succeeds. Or the call did not matter, and the operation is done.
@Suite(.computing) struct FailingCallTests {
    /// On poor stores the paths are others, and what a caller does with an error is the same: each call has one of two.
    /// Of the others, each call has one, unless all are tried.
    static func errors(of trial: CrashCase, at point: Int) -> [Int32] {
        guard trial.kind.refusing == .nothing else { return CrashCase.triesAll ? [EIO, ENOSPC] : [point.isMultiple(of: 2) ? EIO : ENOSPC] }
        let others = [EDQUOT, EMFILE, EACCES, ESTALE]
        return [EIO, ENOSPC] + (CrashCase.triesAll ? others : [others[point % others.count]])
    }

    @Test(arguments: CrashCase.most + CrashCase.onPoorStores)
    func everyCall(of trial: CrashCase) throws {
        let rehearsal = try Rehearsal(trial.operation, trial.kind)
        try #require(!rehearsal.outcome.calls.isEmpty)
        // One process for all of them, because starting one takes longer than what it does.
        var run: TrialRun?
        var failures = 0
        let points = trial.tried(Array(1...rehearsal.outcome.calls.count))
        for point in points {
            for number in Self.errors(of: trial, at: point) {
                run = try fail(trial, rehearsal, point, number, in: run)
                failures += 1
            }
        }
        #expect(run?.end() == 0)
        #expect(failures == points.reduce(0) { $0 + Self.errors(of: trial, at: $1).count })
        Tally.failing.add(failures, trial)
    }

    private func fail(_ trial: CrashCase, _ rehearsal: Rehearsal, _ point: Int, _ number: Int32, in earlier: TrialRun?) throws -> TrialRun {
        let calls = rehearsal.outcome.calls
        let place: Comment = "\(Errno(rawValue: number)) at call \(point), \(calls[point - 1]), of \(calls.count)"
        let container = try rehearsal.fixture.copy()
        defer { try? FileManager.default.removeItem(at: container) }
        let run = try TrialRun.failing(
            trial.operation.rawValue, trial.kind, container, content: rehearsal.fixture.content, at: point, errno: number, after: earlier)
        let first = try #require(run.outcome(), place)
        #expect(Array(first.calls.prefix(point)) == Array(calls.prefix(point)), place)
        #expect(first.leaked == 0, place)
        if first.errno != 0 {
            #expect(first.errno == number, "\(place): it says \(Errno(rawValue: first.errno))")
            try expectOld(container, trial, rehearsal, place)
            if !trial.operation.hasDrafts { expectTidy(container, trial, place) }
            run.again()
            let second = try #require(run.outcome(), place)
            #expect(second.errno == 0, "\(place): the next try fails: \(Errno(rawValue: second.errno))")
            #expect(second.leaked == 0, place)
            // Nothing but the drafts that it is to leave.
            if !trial.operation.hasDrafts {
                let staged = Reopening.staged(container)
                #expect(staged.count == rehearsal.shown && staged.allSatisfy { UInt64($0) != nil }, "\(place): \(staged)")
            }
        }
        #expect(run.close()?.leaked == 0, place)
        let found = try Reopening(container)
        #expect(found.litter == [] && found.shown == rehearsal.shown, place)
        let now = rehearsal.excusing(found.snapshot, number, trial.operation)
        #expect(now.difference(from: rehearsal.new) == "", place)
        return run
    }

    private func expectOld(_ container: URL, _ trial: CrashCase, _ rehearsal: Rehearsal, _ place: Comment) throws {
        var now = try Snapshot(of: container)
        // What came to its place is there: it was the last of many, or whoever imports goes on after it.
        if trial.operation == .placeMany, now == rehearsal.new { return }
        if trial.operation.removesFolder {
            // A program goes on with the next part after one that it could not remove.
            return #expect(rehearsal.missing(now).isEmpty, "\(place): \(rehearsal.missing(now))")
        }
        if trial.operation == .thin || trial.operation == .resolveBoth { return #expect(rehearsal.allows(now, crashedAt: 0, trial.operation), place) }
        // Its first half may be done: the document was deleted.
        if trial.operation.comesBack {
            for (name, entry) in rehearsal.old.entries where entry.content == trial.kind.content("Cat") && now.entries[name] == nil {
                now.entries[name] = entry
                // They wait for the name to come back.
                now.versions = rehearsal.old.versions
            }
        }
        guard !trial.operation.hasDrafts else { return }
        #expect(now.difference(from: rehearsal.old) == "", "\(place): the old content")
    }

    /// A draft, and a document that is to come back, are all that may be in staging.
    private func expectTidy(_ container: URL, _ trial: CrashCase, _ place: Comment) {
        let staged = Reopening.staged(container)
        let drafts = staged.filter { UInt64($0) != nil }, away = staged.filter { $0.hasSuffix(".away") }
        #expect(drafts.count <= 1 && away.count <= (trial.operation.comesBack ? 1 : 0), "\(place): \(staged)")
        #expect(drafts.count + away.count == staged.count, "\(place): \(staged)")
    }
}
