import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Backups

/// Backups of each form are shown as the plain folder that was made beside them.
@Suite struct WholeBackupTests {
    @Test(arguments: ["db", "mbdb"]) func aPlainBackupIsShownWhole(form: String) throws {
        let made = try MadeBackup("--form", form), backup = try made.opened()
        #expect(!backup.needsPassword)
        #expect(try Shown.of(backup, nil) == Shown.of(folder: made.expected))
    }

    @Test(.needsCrypto, arguments: ["db", "mbdb"]) func anEncryptedBackupIsShownWhole(form: String) throws {
        let made = try MadeBackup("--form", form, encrypted: true), backup = try made.opened()
        #expect(backup.needsPassword)
        #expect(try Shown.of(backup, made.keys(of: backup)) == Shown.of(folder: made.expected))
    }

    @Test(.needsCrypto) func anotherPasswordOpensNothing() throws {
        let made = try MadeBackup(encrypted: true), backup = try made.opened()
        #expect(try made.keys(of: backup, "wrong") == nil)
        #expect(throws: Failure.self) { try backup.readTree(nil) }
    }

    /// What Manifest.plist says of encryption is not believed against what is there.
    @Test(.needsCrypto) func aBackupThatDeniesItsPasswordHasOne() throws {
        let made = try MadeBackup("--denied", encrypted: true), backup = try made.opened()
        #expect(!backup.info.isSaidToBeEncrypted && backup.needsPassword)
        #expect(try Shown.of(backup, made.keys(of: backup)) == Shown.of(folder: made.expected))
    }

    @Test func aHostileBackupShowsWhatIsGoodOfIt() throws {
        let made = try MadeBackup("--hostile"), backup = try made.opened(), tree = try backup.readTree(nil)
        #expect(tree.refused == BackupTree.Refused(notUnderstood: 2, badPaths: 14))
        try expectGood(made, backup, nil)
        for number in 0..<7 {
            #expect(
                try backup.fault(of: tree.file(#require(tree.find("Domains/HomeDomain/names/\(number)"))), nil)
                    == .nameless)
        }
        #expect(try backup.fault(of: tree.file(#require(tree.find("Domains/HomeDomain/missing"))), nil) == .missing)
        #expect(throws: Errno.noData) {
            try backup.open(tree.file(#require(tree.find("Domains/HomeDomain/missing"))), nil)
        }
    }

    @Test(.needsCrypto) func aHostileEncryptedBackupShowsWhatIsGoodOfIt() throws {
        let made = try MadeBackup("--hostile", encrypted: true), backup = try made.opened()
        try expectGood(made, backup, made.keys(of: backup))
    }

    private func expectGood(_ made: MadeBackup, _ backup: Backup, _ keys: BackupKeys?) throws {
        var shown = try Shown.of(backup, keys)
        // The folder is made by files of which none is there.
        shown["Domains/HomeDomain/names"] = nil
        #expect(try shown == Shown.of(folder: made.expected))
    }

    /// iTunes and Finder change a backup in place: what is missing then is told file by file.
    @Test(.needsCrypto) func whatIsCutOrDamagedIsTold() throws {
        let made = try MadeBackup(encrypted: true), backup = try made.opened(), keys = try made.keys(of: backup),
            tree = try backup.readTree(keys)
        func file(_ path: String) throws -> StoredFile { tree.file(try #require(tree.find(path))) }
        func blob(_ file: StoredFile) throws -> String {
            let id = String(decoding: try #require(file.id).text, as: UTF8.self)
            return "\(made.path)/\(id.prefix(2))/\(id)"
        }
        let cut = try file("Apps/Notes/Documents/Sizes/4096"), damaged = try file("Apps/Notes/Documents/Sizes/31"),
            gone = try file("Apps/Notes/Documents/Sizes/17")
        #expect(truncate(try blob(cut), 1001) == 0)
        try Data(repeating: 0x55, count: 32).write(to: URL(fileURLWithPath: blob(damaged)))
        #expect(unlink(try blob(gone)) == 0)
        #expect(
            backup.fault(of: cut, keys) == .cut && backup.fault(of: damaged, keys) == .padding
                && backup.fault(of: gone, keys) == .missing)
        #expect(try backup.open(cut, keys).length == 992 && backup.length(of: gone, keys) == nil)
        let check = BackupCheck(backup, tree, keys) { _ in }
        #expect(Set(check.faults.map(\.fault)) == [.cut, .padding, .missing] && check.files == tree.fileCount)
    }
}
