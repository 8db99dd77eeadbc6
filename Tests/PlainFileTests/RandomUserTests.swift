import Foundation
import MountTesting
import Testing

/// Root, an owner, a member of a group and another user call at random, with access lists, set-id bits and sticky folders: each call answers what it
/// answers in a plain folder. Tests/Support/random_users.py has the calls; by hand, with a million of them: Tests/Users/run.
@Suite(.long, .mounting, .enabled(if: geteuid() == 0, "only root is several users")) struct RandomUserTests {
    @Test(arguments: 1...4) func eachCallAnswersTheSame(seed: Int) throws {
        let container = try TemporaryContainer("folder Documents\nfolder Documents/here")
        try shell("mkdir \"$1\" && chmod 755 \"$1\" \"$2\" \"$2/Documents\"", container.beside("there"), container.path).good()
        try withDrive(container, options: "allow_other,acl,create=none,deleted=off,versions=off") { drive in
            let ended = try Program(["python3", Places.support("random_users.py"), drive.path("here"), container.beside("there"), "\(seed)", "2500"]).wait(seconds: 300)
            #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
        }
    }
}
