import SeededNumbers
import Testing

@testable import ZipFiles

/// What can be a package, and its records: their lengths are known before they are made.
@Suite struct PackageTreeTests {
    private static func fault(_ entries: PackageEntry...) -> String? {
        do throws(ZipFault) { _ = try PackageTree(entries) } catch { return error.sentence }
        return nil
    }

    /// What a ZIP may hold is in `hostile.py`. These are entries that no ZIP can hold.
    @Test func whatIsNoPackageIsRefused() {
        #expect(Self.fault(.file("a/b")) == "“a/b” lies in a folder that is not listed.")
        #expect(Self.fault(.file("a"), .file("a/b")) == "“a/b” lies in “a”, which is no folder.")
        #expect(Self.fault(.file("a", -1)) == "“a” is longer than a file can be." && Self.fault(.file("a", .max)) != nil)
        #expect(Self.fault(.file("a", 1 << 48)) == nil)
        #expect(Self.fault(.file("a", modified: .init(seconds: 0, nanoseconds: -1))) == "“a” has a time that does not exist.")
        let large = PackageEntry.Attribute(name: Array("user.large".utf8), value: [UInt8](repeating: 1, count: 0xFFFF - 4 - 17 - 36 - 28 - 3 - 10))
        let larger = PackageEntry.Attribute(name: large.name, value: large.value + [1])
        let late = PackageEntry.Moment(seconds: 1 << 32)
        #expect(Self.fault(.file("a", 1 << 40, modified: late, attributes: [large])) == nil)
        #expect(
            Self.fault(.file("a", 1 << 40, modified: late, attributes: [larger]))
                == "“a” has 65536 bytes of extended attributes and times, and a ZIP has room for 65535.")
    }

    @Test func allFilesTogetherAreBounded() throws {
        let tree = try PackageTree((0..<5000).map { .file("\($0)", 1 << 48) })
        #expect { try ZipLayout(tree) } throws: { ($0 as? ZipFault) == .excessive("The files together are longer than a file can be.") }
    }

    @Test func anIndexIsFoundByItsPath() throws {
        let tree = try PackageTree([.folder("a"), .file("a/b"), .file("a.txt"), .file("é")])
        #expect(tree.entries.map(\.text) == ["a", "a.txt", "a/b", "é"])
        for (index, entry) in tree.entries.enumerated() { #expect(tree.index(of: entry.path) == index) }
        for path in ["", "A", "a/", "b", "éé"] { #expect(tree.index(of: Array(path.utf8)) == nil) }
    }

    @Test func nothingButPermissionsIsKept() {
        #expect(PackageEntry.file("a", mode: 0o7755).mode == 0o755)
        #expect(PackageEntry(path: [97], kind: .link(target: [98]), mode: 0, modified: PackageEntry.moment).mode == 0o777)
    }

    @Test func recordsAreAsLongAsTheyAreSaidToBe() throws {
        var numbers = SeededNumbers(seed: 47)
        let lengths: [Int64] = [0, 1, 0xFFFF_FFFE, 0xFFFF_FFFF, 1 << 32, 1 << 40]
        for _ in 0..<60 {
            for entry in try numbers.package().tree.entries {
                var entry = entry
                if case .file = entry.kind {
                    let length = lengths.randomElement(using: &numbers) ?? 0
                    entry = PackageEntry(
                        path: entry.path, kind: .file(length: length), mode: entry.mode, modified: entry.modified, attributes: entry.attributes)
                }
                #expect(ZipHeader.local(of: entry, sum: 1).count == ZipHeader.localLength(of: entry))
                for offset in lengths {
                    let record = ZipHeader.central(of: entry, at: offset, sum: 1)
                    #expect(record.count == ZipHeader.centralLength(of: entry, at: offset))
                    #expect(ZipExtras.centralLength(of: entry, at: offset) <= ZipExtras.longestLength(of: entry))
                }
            }
        }
    }
}

@Suite struct CRC32Tests {
    @Test func knownSums() {
        #expect(CRC32.value(of: []) == 0 && CRC32.value(of: Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(CRC32.value(of: [UInt8](repeating: 0, count: 32)) == 0x190A_55AD && CRC32.value(of: Array(0...31)) == 0x9126_7E8A)
    }

    @Test func piecesOfAnySizeMakeTheSame() {
        var numbers = SeededNumbers(seed: 48)
        let bytes = numbers.bytes(2000), whole = CRC32.value(of: bytes)
        // By the definition, a bit at a time.
        var sum: UInt32 = ~0
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
        }
        #expect(~sum == whole)
        for _ in 0..<20 {
            var crc = CRC32(), rest = bytes[...]
            while !rest.isEmpty {
                let some = rest.prefix(Int.random(in: 0...70, using: &numbers))
                crc.add(Array(some))
                rest = rest.dropFirst(some.count)
            }
            #expect(crc.value == whole)
        }
    }
}
