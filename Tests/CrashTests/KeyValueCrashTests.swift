import Foundation
import KeyValueStore
import LinuxFiles
import MountTesting
import PropertyLists
import Testing

/// What an app sets in the key-value store is there wholly or not at all, whatever call is the last one, and whichever fails.
@Suite(.computing) struct KeyValueCrashTests {
    /// What there is before.
    enum Before: String, CaseIterable, Sendable { case nothing, one, two, damaged }

    /// On stores of all sorts, and where all of the container is the drive's the store is in Valise's own folder.
    struct Case: CustomTestStringConvertible, Sendable {
        let before: Before
        let hasDocuments: Bool
        let refusing: CrashKind.Refusing
        var testDescription: String { "\(before.rawValue)\(hasDocuments ? "" : " without Documents")\(refusing == .nothing ? "" : " without \(refusing)")" }

        static let all = Before.allCases.flatMap { before in
            [true, false].flatMap { hasDocuments in
                // Without renames that exchange, a store keeps no earlier one: what is damaged there is lost.
                [CrashKind.Refusing.nothing, .renames].map { Case(before: before, hasDocuments: hasDocuments, refusing: $0) }
            }
        }
    }

    private static let value = "new"

    /// A container as it was before, and a copy of it for each trial.
    private final class Fixture {
        let folder = FolderImage.home.appendingPathComponent("kvs-crash-\(UUID().uuidString)")
        let trial: Case
        var template: URL { folder.appendingPathComponent("template") }

        init(_ trial: Case) throws {
            self.trial = trial
            try FileManager.default.createDirectory(at: template, withIntermediateDirectories: true)
            if trial.hasDocuments { try FileManager.default.createDirectory(at: template.appendingPathComponent("Documents"), withIntermediateDirectories: true) }
            let count = [Before.nothing: 0, .one: 1, .two: 2, .damaged: 2][trial.before] ?? 0
            for number in 0..<count { try set("old \(number)", in: template) }
            guard trial.before == .damaged else { return }
            let file = template.appendingPathComponent(trial.hasDocuments ? "KeyValueStore.plist" : ".valise/kvs/KeyValueStore.plist")
            try Data(try Data(contentsOf: file).dropLast(20)).write(to: file)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        private func set(_ text: String, in container: URL) throws {
            try KeyValueFile(container: container.path).change { try? $0.set("key", to: .string(text), at: 1, id: 1) }
        }

        func copy() throws -> URL {
            let copy = folder.appendingPathComponent(UUID().uuidString)
            try FileManager.default.copyItem(at: template, to: copy)
            return copy
        }

        /// What the key is before; nil where there is none.
        var old: PropertyList? {
            switch trial.before {
            case .nothing: nil
            case .one, .damaged: .string("old 0")
            case .two: .string("old 1")
            }
        }

        func run(_ container: URL, _ deed: TrialRun.Deed = .none, at point: Int = 0, errno number: Int32 = 0) throws -> TrialRun {
            let kind = CrashKind(name: "text", spelling: nil, refusing: trial.refusing)
            return try TrialRun("key-values", kind, container, content: URL(fileURLWithPath: "/" + KeyValueCrashTests.value), deed, at: point, errno: number)
        }
    }

    private func value(_ container: URL) throws -> PropertyList? { try KeyValueFile(container: container.path).read().contents["key"] }

    private func rehearsed(_ fixture: Fixture) throws -> [String] {
        let container = try fixture.copy(), run = try fixture.run(container), outcome = try #require(run.outcome())
        try #require(outcome.errno == 0 && outcome.leaked == 0, "\(Errno(rawValue: outcome.errno))")
        #expect(run.end() == 0)
        #expect(try value(container) == .string("/" + Self.value) && outcome.calls.contains("fsync"))
        return outcome.calls
    }

    @Test(arguments: Case.all) func everyPoint(of trial: Case) throws {
        let fixture = try Fixture(trial), calls = try rehearsed(fixture)
        var tried = 0
        for point in 1...calls.count where calls[point - 1] != "open" {
            var deeds: [TrialRun.Deed] = [.exitBefore, .exitAfter]
            if calls[point - 1] == "pwrite" { deeds.append(.exitWithin) }
            for deed in deeds {
                let place: Comment = "\(deed) call \(point), \(calls[point - 1])", container = try fixture.copy()
                defer { try? FileManager.default.removeItem(at: container) }
                let run = try fixture.run(container, deed, at: point)
                #expect(run.outcome() == nil && run.end() == 99, place)
                let found = try value(container)
                #expect(found == fixture.old || found == .string("/" + Self.value), "\(place): \(String(describing: found))")
                // The next one goes on as if nothing had been.
                #expect(try fixture.run(container).outcome()?.errno == 0, place)
                #expect(try value(container) == .string("/" + Self.value), place)
                tried += 1
            }
        }
        FileHandle.standardError.write(Data("key-value store: \(tried) crash points in \(trial.testDescription)\n".utf8))
    }

    @Test(arguments: Case.all) func everyFailingCall(of trial: Case) throws {
        let fixture = try Fixture(trial), calls = try rehearsed(fixture)
        var tried = 0
        for point in 1...calls.count {
            for number in [EIO, ENOSPC, EDQUOT, EMFILE, EACCES] {
                let place: Comment = "\(Errno(rawValue: number)) at call \(point), \(calls[point - 1])", container = try fixture.copy()
                defer { try? FileManager.default.removeItem(at: container) }
                let run = try fixture.run(container, .fail, at: point, errno: number)
                let first = try #require(run.outcome(), place)
                #expect(first.leaked == 0, place)
                if first.errno != 0 {
                    #expect(first.errno == number, "\(place): it says \(Errno(rawValue: first.errno))")
                    #expect(try value(container) == fixture.old, place)
                    run.again()
                    #expect(run.outcome()?.errno == 0, place)
                }
                #expect(try value(container) == .string("/" + Self.value), place)
                tried += 1
            }
        }
        FileHandle.standardError.write(Data("key-value store: \(tried) failing calls in \(trial.testDescription)\n".utf8))
    }
}
