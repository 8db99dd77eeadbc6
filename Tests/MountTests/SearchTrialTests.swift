import Foundation
import MountTesting
import Testing

/// The short form of Tests/Searches/run: searches while everything changes, and while whoever reads the container is killed.
@Suite(.long, .mounting) struct SearchTrialTests {
    @Test(arguments: [["follow", "300"], ["follow", "300", "drive"], ["kill", "4"], ["kill", "4", "drive"]])
    func nothingIsMissed(_ words: [String]) throws {
        let ended = try Program([Places.inPackage("Tests/Searches/run")] + words, environment: ["VALISE": Places.valise]).wait(seconds: 300)
        #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
    }
}
