import Foundation
import MountTesting
import Testing

/// Drives that are killed while programs write to them: the next mount shows every byte that a call acknowledged, once.
@Suite(.mounting) struct KilledDriveTests {
    @Test(.timeLimit(.minutes(10))) func nothingAcknowledgedIsLost() throws {
        let folder = try TemporaryFolder()
        let program = try Program(["python3", Places.support("crashes.py"), Places.valise, folder.path, "7", "10"])
        let ended = try program.wait(seconds: 500)
        #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
    }
}
