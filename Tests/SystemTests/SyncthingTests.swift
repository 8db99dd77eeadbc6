import Foundation
import MountTesting
import Testing

/// Two containers that a sync tool keeps alike, each with its drive.
@Suite(.long, .mounting) struct SyncthingTests {
    /// Everything that was edited on both sides while they were disconnected is there, on both; no photo is a mix of two.
    @Test(.timeLimit(.minutes(40))) func bothSidesKeepEverything() throws {
        let program = try Program(["python3", Places.inPackage("Tests/Shares/syncthing.py"), Places.valise])
        let ended = try program.wait(seconds: 550)
        #expect(ended.code == 0 && ended.output.hasSuffix("all is well\n"), "\(ended.output)\(ended.errors)")
    }
}
