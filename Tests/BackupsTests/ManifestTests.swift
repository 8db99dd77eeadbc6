import Foundation
import LinuxFiles
import MountTesting
import PropertyLists
import Testing

@testable import Backups

/// Names, rows and records, one by one.
@Suite struct ManifestTests {
    @Test func aFileIsCalledByItsDomainAndPath() {
        #expect(
            SHA1.digest(of: Array("abc".utf8)) == [
                0xA9, 0x99, 0x3E, 0x36, 0x47, 0x06, 0x81, 0x6A, 0xBA, 0x3E, 0x25, 0x71, 0x78, 0x50, 0xC2, 0x6C, 0x9C,
                0xD0, 0xD8, 0x9D,
            ])
        // The best known file of all backups.
        let id = FileID(domain: Array("HomeDomain".utf8), path: Array("Library/SMS/sms.db".utf8))
        #expect(id.text.elementsEqual("3d0d7e5fb2ce288813306e4d4636395e047a3d28".utf8) && FileID(id.text) == id)
        for count in [0, 55, 56, 63, 64, 65, 119, 120] {
            #expect(SHA1.digest(of: [UInt8](repeating: 7, count: count)).count == 20)
        }
    }

    @Test(arguments: [
        "", "3d0d7e5fb2ce288813306e4d4636395e047a3d2", "3d0d7e5fb2ce288813306e4d4636395e047a3d28a",
        "3D0D7E5FB2CE288813306E4D4636395E047A3D28", "../../../../../../../../../../etc/passwd",
        "3d/d7e5fb2ce288813306e4d4636395e047a3d28",
    ])
    func whatIsNot40DigitsIsNoName(text: String) { #expect(FileID(Array(text.utf8)) == nil) }

    @Test func whatTheDeviceSaidIsRead() throws {
        let archive = try PropertyList.dictionary([
            .init("$version", .integer(100_000)), .init("$archiver", .string("NSKeyedArchiver")),
            .init("$top", .dictionary([.init("root", .uid(1))])),
            .init(
                "$objects",
                .array([
                    .string("$null"),
                    .dictionary([
                        .init("Size", .integer(4711)), .init("Mode", .integer(0o100644)),
                        .init("LastModified", .integer(1_772_355_900)), .init("Birth", .integer(-5)),
                        .init("EncryptionKey", .uid(2)), .init("Target", .uid(3)), .init("Unknown", .boolean(true)),
                    ]),
                    .dictionary([.init("NS.data", .data([3, 0, 0, 0] + [UInt8](repeating: 9, count: 40)))]),
                    .string("../a"),
                ])),
        ]).binary()
        let file = try MBFile(archive)
        #expect(
            file.size == 4711 && file.mode == 0o100644 && file.modified == 1_772_355_900 && file.born == -5
                && file.target == Array("../a".utf8))
        #expect(file.key?.classNumber == 3 && file.key?.bytes.count == 40)
        for count in archive.indices { _ = try? MBFile(Array(archive.prefix(count))) }
        #expect(throws: PropertyListFault.self) { try MBFile([UInt8](repeating: 0, count: MBFile.longest + 1)) }
    }

    /// Wherever a list of records is cut, what is before it is read.
    @Test func aCutListGivesWhatIsBeforeTheCut() throws {
        let made = try MadeBackup("--form", "mbdb"),
            bytes = Array(try Data(contentsOf: URL(fileURLWithPath: made.path + "/Manifest.mbdb")))
        var whole = 0, faults = 0
        try ManifestRecords.read(bytes, faults: &faults) { (_) throws(Failure) in whole += 1 }
        #expect(faults == 0 && whole > 20)
        var last = 0
        for count in stride(from: 6, to: bytes.count, by: 13) {
            var read = 0
            faults = 0
            try ManifestRecords.read(Array(bytes.prefix(count)), faults: &faults) { (_) throws(Failure) in read += 1 }
            #expect(read >= last && read < whole && faults <= 1)
            last = read
        }
        #expect(throws: Failure.self) {
            try ManifestRecords.read(Array("mbdx..".utf8), faults: &faults) { (_) throws(Failure) in }
        }
    }

    @Test(arguments: [
        "CREATE VIEW Files AS SELECT 'x' fileID, 'y' domain, 'z' relativePath, 1 flags, NULL file",
        "CREATE TABLE Other (a)", "CREATE TABLE Files (fileID)",
    ])
    func aDatabaseOfAnotherFormIsRefused(schema: String) throws {
        let made = try MadeBackup()
        try run(
            "python3", "-c",
            "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('DROP TABLE Files'); c.execute(sys.argv[2]); c.commit()",
            made.path + "/Manifest.db", schema
        ).good()
        #expect(throws: Failure.self) { try made.opened().readTree(nil) }
    }

    /// Each page of the list damaged in turn: it ends with what could be read or a sentence, and never otherwise.
    @Test func aDamagedDatabaseEndsInASentence() throws {
        let made = try MadeBackup(), path = made.path + "/Manifest.db",
            bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for place in stride(from: 16, to: bytes.count, by: 997) {
            var damaged = bytes
            for offset in place..<min(place + 24, bytes.count) { damaged[offset] ^= 0xFF }
            try damaged.write(to: URL(fileURLWithPath: path))
            do { _ = try made.opened().readTree(nil) } catch { #expect(error is Failure) }
        }
    }
}
