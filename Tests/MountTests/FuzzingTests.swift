import Foundation
import MountTesting
import Testing

/// Whatever comes from a disk, a kernel or a socket ends in a value or an error. A short run; Tests/Support/fuzz.sh runs for longer.
@Suite(.long) struct FuzzingTests {
    private static let targets = [
        "journal", "undo", "names", "messages", "thumbnails", "times", "settings", "values", "lists", "links", "kernel", "pages", "zipReading", "zipNames", "inflating",
        "backupKeybag", "backupFile", "backupRecords", "backupList", "backupRows",
    ]

    @Test(.timeLimit(.minutes(40)), arguments: targets) func nothingTraps(target: String) throws {
        let folder = try TemporaryFolder()
        let rounds = ["lists", "journal", "zipReading"].contains(target) ? "500" : "3000"
        let ended = try Program([Places.built + "/Fuzzing", target, rounds, "20261122", folder.path]).wait(seconds: 250)
        let bytes = FileManager.default.contents(atPath: folder.path + "/" + target)?.base64EncodedString() ?? ""
        #expect(ended.code == 0, "\(ended.errors.prefix(2000))\nthe bytes: \(bytes)")
    }
}
