import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Drive

/// A large folder is read in pieces, by several threads.
@Suite(.long) struct LargeFolderTests {
    private func names(_ drive: Drive) throws -> [String] {
        let opened = try drive.openFolder(.root, caller: .own)
        defer { drive.releaseFolder(opened.handle) }
        var found: [String] = []
        try drive.readFolder(opened.handle, from: 0, counting: false) { entry in
            if let name = entry.name { found.append(name.description) }
            return true
        }
        return found
    }

    /// What goes while the folder is read leaves no hole and moves nobody: all that stays is there, once, with its own size.
    @Test func whatVanishesMeanwhileLeavesNoHole() throws {
        try withUnmountedDrive { drive, folder in
            @Sendable func path(_ number: Int, _ stays: Bool) -> String { "\(folder)/Documents/\(stays ? "stays" : "flickers") \(number).stedoc" }
            for number in 0..<900 { try Data(repeating: 0x61, count: number).write(to: URL(fileURLWithPath: path(number, true))) }
            let isOver = Locked(false)
            let flickering = Thread {
                var round = 0
                while !isOver.withLock({ $0 }) {
                    let file = path(round * 7 % 300, false)
                    if unlink(file) != 0 { _ = FileManager.default.createFile(atPath: file, contents: Data("x".utf8)) }
                    round += 1
                }
                isOver.withLock { $0 = false }
            }
            flickering.start()
            for _ in 0..<30 {
                let found = try names(drive)
                #expect(Set(found).count == found.count)
                #expect(found.count { $0.hasPrefix("stays ") } == 900)
                // Read anew each time, and not only followed.
                drive.parts.tree.withLock { $0.folders[NodeNumber.root]?.read = nil }
            }
            for number in [0, 1, 127, 128, 129, 500, 899] {
                #expect(try drive.lookUp(try #require(Name("stays \(number).txt")), in: .root, caller: .own).attributes.size == number)
            }
            isOver.withLock { $0 = true }
            #expect(eventually { isOver.withLock { !$0 } })
        }
    }
}
