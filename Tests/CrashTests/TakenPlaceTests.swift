import Foundation
import LinuxFiles
import MountTesting
import Testing

/// A crash while something is on its way, and before anybody mounts the container again another program makes
/// something of its own where a document was: what it made stays, and of the documents nothing is lost.
@Suite(.computing) struct TakenPlaceTests {
    /// On a store without second names nodes have no lasting numbers either: there a step goes by names alone.
    private static let cases = CrashCase.most + CrashCase.onPoorStores.filter { $0.kind.refusing == .renames }

    @Test(arguments: cases)
    func everyPoint(of trial: CrashCase) throws {
        let rehearsal = try Rehearsal(trial.operation, trial.kind)
        for point in trial.tried(rehearsal.points) {
            let container = try rehearsal.fixture.copy()
            defer { try? FileManager.default.removeItem(at: container) }
            let run = try TrialRun(
                trial.operation.rawValue, trial.kind, container, content: rehearsal.fixture.content, .exitBefore, at: point)
            #expect(run.end() == 99)
            let there = Self.items(of: container)
            let lacking = Self.items(of: rehearsal.fixture.template).subtracting(there).filter { item in
                !item.hasPrefix("Sub/") || Self.isFolder("Sub", in: container)
            }
            guard !lacking.isEmpty else { continue }
            for item in lacking { try Self.make(item, in: container, as: rehearsal.fixture.template) }
            let place: Comment = "before call \(point), \(rehearsal.outcome.calls[point - 1]), \(lacking.sorted()) taken"
            let found = try Reopening(container)
            for item in lacking {
                let isLeft = found.snapshot.allContents.contains(Self.foreign(item))
                #expect(isLeft, "\(place): what somebody else made at \(item) is gone")
            }
            // What documents were before is kept by name, and nobody's where that is another's.
            let lost = [rehearsal.old, rehearsal.new].map { snapshot in
                Set(snapshot.entries.values.map(\.content)).subtracting(found.snapshot.allContents)
            }
            let isWhole = lost.contains([]) || point <= rehearsal.outcome.written || trial.operation.comesBack
            #expect(isWhole, "\(place): of old and new are lost \(lost.map { $0.map { String(decoding: $0.prefix(40), as: UTF8.self) } }): \(found.snapshot.difference(from: rehearsal.old))")
            #expect(found.litter == [], place)
            let isStable = try Reopening(container).snapshot == found.snapshot
            #expect(isStable, place)
        }
    }

    /// A file, or a folder with a file where a package was.
    private static func make(_ item: String, in container: URL, as template: URL) throws {
        var place = container.appendingPathComponent("Documents/" + item)
        if isFolder(item, in: template) {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
            place.appendPathComponent("somebody's")
        }
        try Data(foreign(item)).write(to: place)
    }

    private static func isFolder(_ item: String, in container: URL) -> Bool {
        var isFolder: ObjCBool = false
        let path = container.appendingPathComponent("Documents/" + item).path
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func foreign(_ item: String) -> [UInt8] { Array("somebody else's \(item)".utf8) }

    /// Documents and files as they lie there, by their stored names, without what is in packages.
    private static func items(of container: URL) -> Set<String> {
        func names(_ folder: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: container.appendingPathComponent(folder).path)) ?? []
        }
        return Set(names("Documents").filter { $0 != "Sub" } + names("Documents/Sub").map { "Sub/" + $0 })
    }
}
