import Foundation
import MountTesting
import Testing

/// Stores that are not as the one that the other tests run on: the same work is done on each of those that are made
/// quickly. `Tests/Stores/run` makes more.
@Suite(.mounting, .enabled("only root mounts file systems") { geteuid() == 0 || ProcessInfo.processInfo.environment["CI"] == "true" }) struct StoreTests {
    @Test(arguments: ["tmpfs", "bindfs"]) func everythingWorks(on store: String) throws {
        let ended = try Program([Places.inPackage("Tests/Stores/run"), "--valise", Places.valise, store]).wait(seconds: 300)
        #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
    }
}
