import Foundation
import LinuxFiles
import MountTesting
import ShareComputers
import Shares
import Testing

/// A computer that meets the others in a share stops at any call, or any call fails: what it said is there wholly or not at all, it does not take itself for
/// a copy afterwards, and when all have met again everybody knows the same and has all contents.
@Suite(.computing) struct ShareCrashTests {
    enum Case: String, CaseIterable, Sendable {
        /// It is the first one there.
        case first
        /// It has something new, and others have said something with a content.
        case both
        /// What it said in many files is put together.
        case together
        /// Somebody lacks what it has, and what it gave is not needed any more.
        case contents
    }

    /// Two computers and a share as they were before, and a copy of them for each trial.
    private final class Fixture {
        let folder = FolderImage.home.appendingPathComponent("share-crash-\(UUID().uuidString)")
        let trial: Case
        private var template: URL { folder.appendingPathComponent("template") }

        init(_ trial: Case) throws {
            self.trial = trial
            for name in ["home", "other", "share"] { try FileManager.default.createDirectory(at: template.appendingPathComponent(name), withIntermediateDirectories: true) }
            let one = try Self.computer("one", "home", template)
            switch trial {
            case .first: break
            case .both:
                let other = try Self.computer("two", "other", template)
                try other.save()
                for computer in [other, one, other] { try computer.meet() }
                try other.save()
                try other.meet()
                other.store.close()
            case .together:
                for _ in 0..<Share.mostSmall {
                    try one.save(size: 10)
                    try one.meet()
                }
            case .contents:
                let other = try Self.computer("two", "other", template)
                try one.save()
                for computer in [one, other, one, other, one] { try computer.meet() }
                try one.save()
                try one.meet()
                try other.meet()
                other.store.close()
            }
            try one.save()
            one.store.close()
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        static func computer(_ name: String, _ home: String, _ container: URL) throws -> ShareComputer {
            try ShareComputer(name, at: container.appendingPathComponent(home).path, in: container.appendingPathComponent("share").path, ShareComputer.Clock(), seed: UInt64(home.utf8.count))
        }

        func copy() throws -> URL {
            let copy = folder.appendingPathComponent(UUID().uuidString)
            try FileManager.default.copyItem(at: template, to: copy)
            // By them a database knows its own file.
            for home in ["home", "other"] { try? FileManager.default.removeItem(at: copy.appendingPathComponent("\(home)/facts.seal")) }
            return copy
        }

        func run(_ container: URL, _ deed: TrialRun.Deed = .none, at point: Int = 0, errno number: Int32 = 0) throws -> TrialRun {
            try TrialRun("share", CrashKind(name: "text", spelling: nil), container, content: container, deed, at: point, errno: number)
        }
    }

    /// All meet again, a newcomer too.
    private func judge(_ container: URL, _ place: Comment) throws {
        let one = try Fixture.computer("one", "home", container), device = one.share.memory.device, other = try Fixture.computer("two", "other", container)
        for _ in 0..<3 { for computer in [one, other] { try computer.meet() } }
        #expect(one.share.memory.device == device, "\(place): it takes itself for a copy")
        #expect(one.facts == other.facts && one.here.lacking.isEmpty && other.here.lacking.isEmpty, "\(place): they know something else")
        #expect(!one.facts.versions.isEmpty, place)
        let left = try FileManager.default.subpathsOfDirectory(atPath: container.appendingPathComponent("share").path).filter { $0.contains("~") || $0.contains("/c/") && $0.utf8.count > 70 }
        #expect(left == [], "\(place): something is left")
        one.store.close()
        other.store.close()
    }

    private func rehearsed(_ fixture: Fixture) throws -> [String] {
        let container = try fixture.copy(), run = try fixture.run(container), outcome = try #require(run.outcome())
        try #require(outcome.errno == 0, "\(Errno(rawValue: outcome.errno))")
        // Or most of it is not tried any more.
        #expect(outcome.calls.count >= (fixture.trial == .first ? 40 : 65))
        #expect(run.end() == 0 && outcome.calls.contains("fsync") && outcome.calls.contains("renameat2"))
        try judge(container, "nothing goes wrong")
        return outcome.calls
    }

    /// Of each case a third, not the same of all, and of the one whose calls are mostly alike fewer, unless all are asked for.
    private func tried(_ calls: [String], _ trial: Case) -> [Int] {
        (1...calls.count).filter { CrashCase.triesAll || ($0 + trial.rawValue.utf8.count).isMultiple(of: trial == .together ? 8 : 3) }
    }

    @Test(arguments: Case.allCases) func everyPoint(of trial: Case) throws {
        let fixture = try Fixture(trial), calls = try rehearsed(fixture)
        var count = 0
        for point in tried(calls, trial) where calls[point - 1] != "open" {
            for deed in [TrialRun.Deed.exitBefore, calls[point - 1] == "pwrite" ? .exitWithin : .exitAfter] {
                let place: Comment = "\(deed) call \(point), \(calls[point - 1])", container = try fixture.copy()
                defer { try? FileManager.default.removeItem(at: container) }
                let run = try fixture.run(container, deed, at: point)
                #expect(run.outcome() == nil && run.end() == 99, place)
                try judge(container, place)
                count += 1
            }
        }
        FileHandle.standardError.write(Data("share: \(count) crash points in \(trial.rawValue)\n".utf8))
    }

    @Test(arguments: Case.allCases) func everyFailingCall(of trial: Case) throws {
        let fixture = try Fixture(trial), calls = try rehearsed(fixture)
        var count = 0, failed = 0
        for point in tried(calls, trial) {
            for number in [EIO, ENOSPC, EACCES] {
                let place: Comment = "\(Errno(rawValue: number)) at call \(point), \(calls[point - 1])", container = try fixture.copy()
                defer { try? FileManager.default.removeItem(at: container) }
                let run = try fixture.run(container, .fail, at: point, errno: number)
                let first = try #require(run.outcome(), place)
                if first.errno != 0 {
                    failed += 1
                    #expect(first.errno == number || first.errno == 9998, "\(place): it says \(Errno(rawValue: first.errno))")
                    run.again()
                    #expect(run.outcome()?.errno == 0, place)
                }
                #expect(run.end() == 0, place)
                try judge(container, place)
                count += 1
            }
        }
        #expect(failed > 0)
        FileHandle.standardError.write(Data("share: \(count) failing calls in \(trial.rawValue), \(failed) of them told\n".utf8))
    }
}
