import Foundation
import LinuxFiles
import Testing

/// Each call of each operation fails once: the caller gets that error, the old content stands, nothing is left lying
/// about or open, and the next try succeeds. Or the call did not matter, and the operation is done.
///
/// Every call fails with EIO and with one more error, which goes round from call to call.
@Suite struct FailingCallTests {
    static let opening: [Int32] = [EMFILE, EACCES, ENFILE], others: [Int32] = [ENOSPC, EDQUOT, EACCES, EROFS]

    @Test(arguments: CrashCase.most)
    func everyCall(of trial: CrashCase) throws {
        let rehearsal = try Rehearsal(trial.operation, trial.kind)
        let calls = rehearsal.outcome.calls
        try #require(!calls.isEmpty)
        var failures = 0
        for point in 1...calls.count {
            let isOpening = ["open", "create"].contains(calls[point - 1])
            let more = isOpening ? Self.opening : Self.others
            for number in [EIO, more[point % more.count]] {
                try fail(trial, rehearsal, point, number)
                failures += 1
            }
        }
        #expect(failures == 2 * calls.count)
        Tally.failing.add(failures, trial)
    }

    private func fail(_ trial: CrashCase, _ rehearsal: Rehearsal, _ point: Int, _ number: Int32) throws {
        let place: Comment = "\(Errno(rawValue: number)) at call \(point), \(rehearsal.outcome.calls[point - 1]), of \(rehearsal.outcome.calls.count)"
        let container = try rehearsal.fixture.copy()
        defer { try? FileManager.default.removeItem(at: container) }
        let run = try TrialRun(trial.operation.rawValue, trial.kind, container, content: rehearsal.fixture.content, .fail, at: point, errno: number)
        let first = try #require(run.outcome(), place)
        #expect(first.leaked == 0, place)
        if first.errno != 0 {
            #expect(first.errno == number, "\(place): it says \(Errno(rawValue: first.errno))")
            try expectOld(container, trial, rehearsal, place)
            if !trial.operation.hasDrafts { expectTidy(container, trial, place) }
            run.again()
            let second = try #require(run.outcome(), place)
            #expect(second.errno == 0, "\(place): the next try fails: \(Errno(rawValue: second.errno))")
            #expect(second.leaked == 0, place)
            if !trial.operation.hasDrafts { #expect(Reopening.staged(container) == [], place) }
        }
        #expect(run.end() == 0, place)
        let found = try Reopening(container)
        let now = try Snapshot(of: container)
        #expect(now.difference(from: rehearsal.new.withoutDrafts) == "", place)
        #expect(found.litter == [] && found.shown == rehearsal.shown, place)
        #expect(found.snapshot.difference(from: rehearsal.new) == "", "\(place), opened again")
    }

    private func expectOld(_ container: URL, _ trial: CrashCase, _ rehearsal: Rehearsal, _ place: Comment) throws {
        var now = try Snapshot(of: container)
        // Its first half may be done: the document was deleted.
        if trial.operation == .restore {
            for (name, entry) in rehearsal.old.entries where entry.content == trial.kind.content("Cat") { now.entries[name] = now.entries[name] ?? entry }
        }
        guard !trial.operation.hasDrafts else { return }
        #expect(now.difference(from: rehearsal.old) == "", "\(place): the old content")
    }

    /// A draft, and a document that is to come back, are all that may be in staging.
    private func expectTidy(_ container: URL, _ trial: CrashCase, _ place: Comment) {
        let staged = Reopening.staged(container)
        let drafts = staged.filter { UInt64($0) != nil }, away = staged.filter { $0.hasSuffix(".away") }
        #expect(drafts.count <= 1 && away.count <= (trial.operation == .restore ? 1 : 0), "\(place): \(staged)")
        #expect(drafts.count + away.count == staged.count, "\(place): \(staged)")
    }
}
