import Foundation
import MountTesting
import Testing

/// A hundred thousand random calls, or a fifth of them, do on a drive what they do in a folder beside it, and what a model says that they should do.
/// Tests/RandomCalls/main.swift says what is compared. A seed that found something is printed, and can be run again by hand.
@Suite(.long, .mounting) struct RandomCallTests {
    @Test(.timeLimit(.minutes(40)), arguments: TestRun.share(1, of: 1...5)) func randomCallsDoWhatTheyShould(seed: Int) throws {
        let container = try TemporaryContainer()
        try withDrive(container, options: "create=bookmark+text") { drive in
            // Both of one mode and owner: where a new file's group comes from is told by its folder.
            for folder in [drive.path("here"), container.beside("there")] { mkdir(folder, 0o755) }
            let ended = try Program([Places.built + "/RandomCalls", drive.path("here"), container.beside("there"), String(seed), "20000"]).wait(seconds: 500)
            #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
        }
    }
}
