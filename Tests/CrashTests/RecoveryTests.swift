import Foundation
import LinuxFiles
import MountTesting
import Testing

/// A crash, and then crashes at every call of the recovery from it: whatever is found in the end is old or new, whole.
@Suite(.computing) struct RecoveryTests {
    /// The operations with the longest plans, and those whose drafts are saved by the recovery.
    static let cases = CrashCase.most.filter { [.create, .save, .replace, .renameOver, .plain, .restore, .release, .putBack, .putBackMoved, .recall, .exchange, .exchangePlain, .renameDraft, .clash, .restoreVersion, .resolveBoth, .moveCopied, .handOver, .handOverNew, .growOver, .growEqual, .remoteCurrent, .remoteGone, .renewFolder, .restoreFolder, .undeleteFolder, .putFolder].contains($0.operation) }
        + CrashCase.onPoorStores.filter { [.create, .rename, .replace, .restore, .exchange, .exchangePlain].contains($0.operation) }

    @Test(arguments: cases)
    func crashInRecovery(of trial: CrashCase) throws {
        let rehearsal = try Rehearsal(trial.operation, trial.kind)
        var points = 0
        // Some points of the operation, not always the same ones: every plan is cut in several places.
        let share = min(TestRun.isWhole ? 4 : 12, rehearsal.points.count)
        for first in rehearsal.points.enumerated().filter({ ($0.offset + trial.testDescription.utf8.count) % share == 0 }).map(\.element) {
            let crashed = try rehearsal.fixture.copy()
            defer { try? FileManager.default.removeItem(at: crashed) }
            let run = try TrialRun(trial.operation.rawValue, trial.kind, crashed, content: rehearsal.fixture.content, .exitBefore, at: first)
            #expect(run.end() == 99)
            points += try crashAgain(trial, rehearsal, Crashed(crashed), first)
        }
        #expect(points > 0)
        Tally.recovering.add(points, trial)
    }

    private func crashAgain(_ trial: CrashCase, _ rehearsal: Rehearsal, _ crashed: Crashed, _ first: Int) throws -> Int {
        let undisturbed = try crashed.copy()
        defer { try? FileManager.default.removeItem(at: undisturbed) }
        let whole = try TrialRun("recover", trial.kind, undisturbed, content: rehearsal.fixture.content)
        let outcome = try #require(whole.outcome())
        #expect(outcome.errno == 0 && outcome.leaked == 0)
        let wanted = try Snapshot(of: undisturbed)
        let points = trial.tried(outcome.calls.indices.filter { outcome.calls[$0] != "open" }.map { $0 + 1 })
        for point in points {
            let place: Comment = "crash before call \(first), then before call \(point), \(outcome.calls[point - 1]), of the recovery's \(outcome.calls.count)"
            let container = try crashed.copy()
            defer { try? FileManager.default.removeItem(at: container) }
            let run = try TrialRun("recover", trial.kind, container, content: rehearsal.fixture.content, .exitBefore, at: point)
            #expect(run.end() == 99, place)
            let found = try Reopening(container)
            let isAllowed = rehearsal.allows(found.snapshot, crashedAt: first, trial.operation)
            #expect(isAllowed, "\(place): instead of what one recovery gives: \(found.snapshot.difference(from: wanted))")
            #expect(found.litter == [], place)
        }
        return points.count
    }

    /// What a crash left, to be copied beside it.
    private struct Crashed {
        let container: URL
        private let image: FolderImage

        init(_ container: URL) throws {
            self.container = container
            image = try FolderImage(of: container)
        }

        func copy() throws -> URL {
            let copy = container.deletingLastPathComponent().appendingPathComponent(UUID().uuidString)
            try image.make(at: copy)
            return copy
        }
    }

    /// A recovery in which a call fails says so and can be tried again, or did without it.
    @Test(arguments: cases)
    func failingCallInRecovery(of trial: CrashCase) throws {
        let rehearsal = try Rehearsal(trial.operation, trial.kind)
        let first = rehearsal.points[rehearsal.points.count * 2 / 3]
        let container = try rehearsal.fixture.copy()
        #expect(try TrialRun(trial.operation.rawValue, trial.kind, container, content: rehearsal.fixture.content, .exitBefore, at: first).end() == 99)
        let crashed = try Crashed(container)
        let undisturbed = try crashed.copy()
        let whole = try #require(try TrialRun("recover", trial.kind, undisturbed, content: rehearsal.fixture.content).outcome())
        var run: TrialRun?
        let calls = trial.tried(Array(whole.calls.indices))
        for index in calls {
            let call = whole.calls[index]
            for number in FailingCallTests.errors(of: trial, at: index) {
                let place: Comment = "\(Errno(rawValue: number)) at call \(index + 1), \(call), of the recovery after a crash before call \(first)"
                run = try fail(trial, rehearsal, crashed, first, at: index + 1, number, in: run, place)
            }
        }
        #expect(run?.end() == 0)
        Tally.failingRecovery.add(calls.reduce(0) { $0 + FailingCallTests.errors(of: trial, at: $1).count }, trial)
    }

    private func fail(
        _ trial: CrashCase, _ rehearsal: Rehearsal, _ crashed: Crashed, _ first: Int, at point: Int, _ number: Int32, in earlier: TrialRun?, _ place: Comment
    ) throws -> TrialRun {
        let container = try crashed.copy()
        defer { try? FileManager.default.removeItem(at: container) }
        let run = try TrialRun.failing("recover", trial.kind, container, content: rehearsal.fixture.content, at: point, errno: number, after: earlier)
        let outcome = try #require(run.outcome(), place)
        #expect(outcome.errno == 0 || outcome.errno == number, place)
        #expect(outcome.leaked == 0, place)
        if outcome.errno != 0 {
            run.again()
            #expect(run.outcome()?.errno == 0, place)
        }
        #expect(run.close()?.leaked == 0, place)
        let found = try Reopening(container)
        let now = rehearsal.excusing(found.snapshot, number, trial.operation)
        let isAllowed = rehearsal.allows(found.snapshot, crashedAt: first, trial.operation) || rehearsal.allows(now, crashedAt: first, trial.operation)
        #expect(isAllowed, "\(place): from old: \(found.snapshot.difference(from: rehearsal.old)) | from new: \(found.snapshot.difference(from: rehearsal.new))")
        #expect(found.litter == [], place)
        return run
    }
}
