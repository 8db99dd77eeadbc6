import Foundation
import MountTesting
import Testing

/// The reference: every public name has a comment and an example, and the pages are made without a warning.
@Suite(.waiting, .timeLimit(.minutes(40))) struct ReferenceTests {
    private static let script = URL(fileURLWithPath: Places.support("waiting.py")).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path + "/Packaging/reference"
    private static let hasTools = (try? run("sh", "-c", "test -x \"$(dirname \"$(readlink -f \"$(command -v swift)\")\")/docc\"").code) == 0

    @Test(.disabled(if: !hasTools, "there is no docc here"))
    func eachNameIsExplained() throws {
        let folder = try MountTesting.TemporaryFolder()
        let ended = try Program([Self.script, folder.path + "/pages"], environment: ["BUILT": Places.built]).wait(seconds: 500)
        #expect(ended.code == 0, "\(ended.errors)")
        for page in ["index.html", "documentation/documentkit/uidocument/index.html", "data/documentation/documentkit/filewrapper.json"] {
            #expect(FileManager.default.fileExists(atPath: folder.path + "/pages/" + page), "\(page)")
        }
    }
}
