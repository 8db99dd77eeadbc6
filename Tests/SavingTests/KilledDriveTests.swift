import Foundation
import MountTesting
import Testing

/// Drives that are killed while programs write to them: the next mount shows every byte that a call acknowledged, once.
///
/// Two hundred kills under eight writers, on four drives side by side. What they did is in the log, with the seeds.
@Suite(.mounting) struct KilledDriveTests {
    @Test(.timeLimit(.minutes(10))) func nothingAcknowledgedIsLost() throws {
        let folders = try (0..<4).map { _ in try TemporaryFolder() }
        let programs = try folders.map { folder in
            try Program(["python3", Places.support("crashes.py"), Places.valise, folder.path, "\(UInt32.random(in: 1...999_999))", "50"])
        }
        for program in programs {
            let ended = try program.wait(seconds: 550)
            FileHandle.standardError.write(Data(ended.output.utf8))
            #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
        }
    }
}
