import Foundation
import LinuxFiles
import MountTesting
import Testing
import TextBundles

/// A crash while something is on its way, and before anybody mounts the container again another program works in its
/// documents: what it made stays, and of the documents nothing is lost.
@Suite(.computing) struct MeanwhileTests {
    enum Deed: CaseIterable, Sendable {
        /// Something of its own comes where a document was.
        case taking
        /// Each document gets another content, in its file or by another file, or another place.
        case writing, replacing, moving
    }

    /// On a store without second names nodes have no lasting numbers either: there a step goes by names alone.
    private static let cases = CrashCase.most + CrashCase.onPoorStores.filter { $0.kind.refusing == .renames }

    /// At each point one deed, and another one each day; all of them where all points are tried.
    @Test(arguments: cases)
    func everyPoint(of trial: CrashCase) throws {
        // Of what is in packages, a program writes what its kind knows.
        let deeds = ["text", TextBundles.novel].contains(trial.kind.name) ? Deed.allCases : [.taking, .moving]
        let rehearsal = try Rehearsal(trial.operation, trial.kind)
        for point in trial.tried(rehearsal.points) {
            let some = CrashCase.triesAll ? deeds : [deeds[(point + TestRun.seed) % deeds.count]]
            for deed in some { try work(deed, after: trial, rehearsal, before: point) }
        }
    }

    private func work(_ deed: Deed, after trial: CrashCase, _ rehearsal: Rehearsal, before point: Int) throws {
        let container = try rehearsal.fixture.copy()
        defer { try? FileManager.default.removeItem(at: container) }
        let run = try TrialRun(
            trial.operation.rawValue, trial.kind, container, content: rehearsal.fixture.content, .exitBefore, at: point)
        #expect(run.end() == 99)
        guard let made = try Self.work(deed, in: container, rehearsal.fixture.template) else { return }
        let place: Comment = "\(deed) before call \(point), \(rehearsal.outcome.calls[point - 1])"
        let found = try Reopening(container)
        let there = found.snapshot.allContents
        #expect(made.filter { !there.contains(foreign($0)) } == [], "\(place): what somebody else made is gone")
        // What documents were before is kept by name, and nobody's where that is another's.
        let lost = [rehearsal.old, rehearsal.new].map { snapshot in
            Set(snapshot.entries.values.map(\.content)).subtracting(there).filter { content in
                // Parts of a package that has another place are files, as they are.
                !there.contains { Data($0).range(of: Data(content)) != nil }
            }
        }
        let isWhole = [.writing, .replacing].contains(deed) || lost.contains([]) || point <= rehearsal.outcome.written
            || trial.operation.comesBack
        let words = lost.map { $0.map { String(decoding: $0.prefix(40), as: UTF8.self) } }
        #expect(isWhole, "\(place): of old and new are lost \(words): \(found.snapshot.difference(from: rehearsal.old))")
        #expect(found.litter == [], place)
        let isStable = try Reopening(container).snapshot == found.snapshot
        #expect(isStable, place)
    }

    /// What another program does, and the items that have its content then; nil where there is nothing to do.
    private static func work(_ deed: Deed, in container: URL, _ template: URL) throws -> [String]? {
        let documents = container.appendingPathComponent("Documents"), there = items(of: container)
        switch deed {
        case .taking:
            let lacking = items(of: template).subtracting(there).filter { item in
                !item.hasPrefix("Sub/") || isFolder("Sub", in: container)
            }
            for item in lacking {
                var place = documents.appendingPathComponent(item)
                if isFolder(item, in: template) {
                    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
                    place.appendPathComponent("somebody's")
                }
                try Data(foreign(item)).write(to: place)
            }
            return lacking.isEmpty ? nil : lacking.sorted()
        case .writing, .replacing:
            var made: [String] = []
            for item in there.sorted() {
                let inner = isFolder(item, in: container) ? item + "/main.txt" : item
                guard FileManager.default.fileExists(atPath: documents.path + "/" + inner) else { continue }
                try Data(foreign(inner)).write(to: documents.appendingPathComponent(inner), options: deed == .replacing ? .atomic : [])
                made.append(inner)
            }
            // Of a file with two names, the last one's.
            return try made.filter { try Data(contentsOf: documents.appendingPathComponent($0)) == Data(foreign($0)) }
        case .moving:
            try FileManager.default.createDirectory(at: documents.appendingPathComponent("Away"), withIntermediateDirectories: false)
            for item in there where !item.hasPrefix("Sub/") {
                try FileManager.default.moveItem(at: documents.appendingPathComponent(item), to: documents.appendingPathComponent("Away/" + item))
            }
            return []
        }
    }

    private static func isFolder(_ item: String, in container: URL) -> Bool {
        var isFolder: ObjCBool = false
        let path = container.appendingPathComponent("Documents/" + item).path
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Documents and files as they lie there, by their stored names, without what is in packages.
    private static func items(of container: URL) -> Set<String> {
        func names(_ folder: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: container.appendingPathComponent(folder).path)) ?? []
        }
        return Set(names("Documents").filter { $0 != "Sub" } + names("Documents/Sub").map { "Sub/" + $0 })
    }
}

private func foreign(_ item: String) -> [UInt8] { Array("somebody else's \(item)".utf8) }
