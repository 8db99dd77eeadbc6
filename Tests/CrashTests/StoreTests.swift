import Containers
import Foundation
import LinuxFiles
import Testing
import Transactions

/// What a store can do is tried, and where it cannot do all, the same is done by other steps. What comes of a crash or a failing
/// call on the way is tried with the others (`CrashCase.onPoorStores`).
@Suite struct StoreTests {
    /// Permissions and owners are refused: every operation does its work, but for the one that is about nothing else.
    @Test(arguments: CrashCase.most.filter { $0.operation != .remoteMode }.map { $0.refusing(.permissions) })
    func withoutPermissions(_ trial: CrashCase) throws {
        _ = try Rehearsal(trial.operation, trial.kind)
    }

    /// Where the drive's own files lie, all can be done, and nothing of the trying stays.
    @Test func whatIsTriedLeavesNothing() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("valise-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let descriptor = try Descriptor.atPath(folder.path, [.path, .folder])
        #expect(Store.tried(in: descriptor).shortcomings == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
}
