import MountTesting
import Testing

/// A program works in a folder while another one renames it.
@Suite(.long, .mounting) struct MovingFolderTests {
    @Test func whoWorksInAFolderThatIsRenamedIsNeverRefused() throws {
        try withDrive(TemporaryContainer()) { drive in
            let ended = try Program(["python3", Places.support("moving_folder.py"), drive.mountpoint, "3000"]).wait(seconds: 300)
            #expect(ended.code == 0, "\(ended.output.prefix(2000))\(ended.errors)")
        }
    }
}
