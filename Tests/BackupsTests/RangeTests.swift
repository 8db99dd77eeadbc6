import Foundation
import LinuxFiles
import MountTesting
import SeededNumbers
import Testing

@testable import Backups

/// Any range of an encrypted file is that range of its content.
@Suite(.needsCrypto) struct RangeTests {
    @Test func anyRangeIsThatOfTheContent() throws {
        let made = try MadeBackup(encrypted: true), backup = try made.opened(), keys = try made.keys(of: backup),
            tree = try backup.readTree(keys)
        var random = SeededNumbers(seed: 46)
        for size in [0, 1, 15, 16, 17, 31, 32, 4096, 100_003] {
            let path = "Apps/Notes/Documents/Sizes/\(size)"
            let whole = try Data(contentsOf: URL(fileURLWithPath: made.expected + "/" + path)),
                content = try backup.open(tree.file(try #require(tree.find(path))), keys)
            #expect(content.length == size)
            for _ in 0..<60 {
                let offset = Int.random(in: 0...size + 40, using: &random),
                    count = Int.random(in: 0...size + 40, using: &random)
                guard case .bytes(let bytes) = try content.piece(at: Int64(offset), count: count) else {
                    throw Failed("it is not encrypted")
                }
                #expect(bytes.elementsEqual(whole.dropFirst(offset).prefix(count)))
            }
        }
    }

    /// Lengths come from the list where that goes with what is there, which costs no more than a look, and otherwise
    /// from the content.
    @Test func lengthsAreTrueWhereTheListIsWrong() throws {
        let made = try MadeBackup(encrypted: true), backup = try made.opened(), keys = try made.keys(of: backup),
            tree = try backup.readTree(keys)
        func lengths(_ name: String) throws -> [Int64?] {
            let file = tree.file(try #require(tree.find("Apps/Notes/Library/" + name)))
            return try [file.size, backup.length(of: file, keys), backup.open(file, keys).length]
        }
        #expect(try lengths("longer.db") == [4096, 8192, 8192])
        #expect(try lengths("shorter.db") == [12288, 4096, 4096])
        // In the same block: only who opens it sees it.
        #expect(try lengths("within.log") == [97, 97, 100])
    }
}
