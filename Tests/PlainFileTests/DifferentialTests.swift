import Foundation
import MountTesting
import Testing

/// Plain files do what they do on the file system below: the same random calls on a drive and in a folder beside it, errors
/// and trees compared after each. Other seeds are run by hand: Tests/Support/differential.py.
@Suite(.mounting) struct DifferentialTests {
    @Test(.timeLimit(.minutes(10))) func randomCallsDoTheSame() throws {
        let container = try TemporaryContainer()
        try withDrive(container, options: "rw") { drive in
            // Both of one mode and owner: where a new file's group comes from is told by its folder.
            for folder in [drive.path("here"), container.beside("there")] { mkdir(folder, 0o755) }
            let program = try Program(["python3", Places.support("differential.py"), drive.path("here"), container.beside("there"), "4", "1500"])
            let ended = try program.wait(seconds: 500)
            #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
        }
    }
}
