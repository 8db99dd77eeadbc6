import Foundation
import MountTesting
import Testing

/// Two apps and a drive on one container, in all orders of starting, with ends and kills at random. Tests/Apps/run says what is looked at;
/// by hand it goes through 200 rounds. A seed that found something is printed, and can be run again by hand.
@Suite(.long, .mounting, .timeLimit(.minutes(40))) struct TwoAppsTests {
    @Test(arguments: ["Notes.stedoc", "Notes.md", "Notes.mydoc"]) func noLineIsLostAndNoLockIsLeft(name: String) throws {
        let script = URL(fileURLWithPath: Places.support("waiting.py")).deletingLastPathComponent().deletingLastPathComponent().path + "/Apps/run"
        let ended = try Program(["python3", script, name == "Notes.stedoc" ? "6" : "3", "20261124", name], environment: ["BUILT": Places.built]).wait(seconds: 500)
        #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
    }

    /// An app with packages beside a drive; Tests/Apps/notebook says what is looked at.
    @Test func noLineOfANotebookIsLost() throws {
        let script = URL(fileURLWithPath: Places.support("waiting.py")).deletingLastPathComponent().deletingLastPathComponent().path + "/Apps/notebook"
        let ended = try Program(["python3", script, "10", "29"], environment: ["BUILT": Places.built]).wait(seconds: 500)
        #expect(ended.code == 0 && !ended.output.contains("killed 0 times"), "\(ended.output)\(ended.errors)")
    }
}
