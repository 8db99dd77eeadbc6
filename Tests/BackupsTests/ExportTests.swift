import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Backups

/// A backup as plain files, in several goes.
@Suite struct ExportTests {
    private func export(_ made: MadeBackup, to path: String, stopAfter most: Int = .max) throws -> (
        isDone: Bool, export: BackupExport, faults: [String]
    ) {
        let backup = try made.opened(), keys = try made.keys(of: backup), tree = try backup.readTree(keys)
        mkdir(path, 0o700)
        let export = try BackupExport(
            backup, tree, keys, to: OpenFile(Descriptor.atPath(path, [.path, .folder])), called: path)
        var asked = 0, faults: [String] = []
        let isDone = try export.run(
            progress: { _ in },
            isStopped: {
                asked += 1
                return asked > most
            }
        ) { path, _ in faults.append(path) }
        return (isDone, export, faults)
    }

    @Test func whatIsStoppedGoesOn() throws {
        let made = try MadeBackup(), path = made.beside("out")
        var goes = 0, most = 3
        while true {
            let (isDone, export, faults) = try export(made, to: path, stopAfter: most)
            goes += 1
            most += 7
            #expect(faults == [])
            if isDone {
                #expect(export.present > 0)
                break
            }
            #expect(goes < 100)
        }
        #expect(goes > 3)
        #expect(try Shown.of(folder: path) == Shown.of(folder: made.expected))
        #expect(throws: Failure.self) { try export(made, to: path) }
    }

    @Test(.needsCrypto) func anEncryptedOneIsPlainFiles() throws {
        let made = try MadeBackup(encrypted: true), path = made.beside("out")
        #expect(try export(made, to: path).isDone)
        #expect(try Shown.of(folder: path) == Shown.of(folder: made.expected))
        let times = try [path, made.expected].map {
            try FileManager.default.attributesOfItem(atPath: $0 + "/Apps/Notes/Documents/Letter.txt")[.modificationDate]
                as? Date
        }
        #expect(times[0] != nil && times[0] == times[1])
    }

    @Test func nothingOfOthersIsReplaced() throws {
        let made = try MadeBackup("--hostile"), path = made.beside("out")
        #expect(try export(made, to: path, stopAfter: 2).isDone == false)
        try FileManager.default.createDirectory(atPath: path + "/On My iPhone", withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path + "/On My iPhone/Recipe.txt"))
        let (isDone, _, faults) = try export(made, to: path)
        #expect(isDone && faults.contains("On My iPhone/Recipe.txt") && faults.contains("Domains/HomeDomain/missing"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path + "/On My iPhone/Recipe.txt")) == Data("mine".utf8))
        let other = try MadeBackup(), another = made.beside("other")
        mkdir(another, 0o700)
        try Data().write(to: URL(fileURLWithPath: another + "/file"))
        #expect(throws: Failure.self) { try export(other, to: another) }
    }
}
