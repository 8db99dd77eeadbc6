import Foundation
import MountTesting
import Testing

@testable import ZipFiles

/// ZIPs that must be refused: `hostile.py` makes one for each reason.
@Suite struct HostileTests {
    private struct Case: Decodable {
        let about: String
        let file: String
        let said: String?
    }

    @Test func eachIsRefusedForItsOwnReason() throws {
        let folder = try TemporaryFolder(), script = Places.inPackage("Tests/ZipFilesTests/hostile.py")
        let cases = try JSONDecoder().decode([Case].self, from: Data(run("python3", script, folder.path).good().output.utf8))
        #expect(cases.count > 120)
        var limits = ZipLimits.standard
        (limits.entries, limits.bytes, limits.directory) = (1000, 10_000_000, 1_000_000)
        for item in cases {
            let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + item.file)))
            var said: String?
            do {
                let reader = try ZipReader(bytes, limits: limits)
                _ = try reader.contents()
            } catch let fault as ZipFault { said = fault.sentence }
            if let wanted = item.said {
                #expect(said?.contains(wanted) == true, "\(item.about): \(said ?? "it was taken")")
            } else {
                #expect(said == nil, "\(item.about)")
            }
        }
    }

    /// Shorter and shorter, and with other bytes: a value or a fault, and never more than was allowed.
    @Test func whatIsCutOffIsRefused() throws {
        let zip = try Package([(.file("a", 3), [1, 2, 3]), (.folder("b"), []), (.link("l", to: "b"), Array("b".utf8))]).zip()
        for count in 0..<zip.count { #expect(throws: ZipFault.self, "\(count) bytes") { try ZipReader(Array(zip.prefix(count))) } }
    }
}
