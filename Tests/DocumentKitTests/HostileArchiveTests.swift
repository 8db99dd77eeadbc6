import CloudyModel
import DocumentKit
import Foundation
import SeededNumbers
import Testing

/// Archives that nobody meant, some 2,700 of them: each ends in a value or an error, and none ends the process.
@Suite struct HostileArchiveTests {
    private static let kinds: [AnyClass] = [
        Bookmark.self, NSArray.self, NSDictionary.self, NSSet.self, NSOrderedSet.self, NSString.self, NSNumber.self, NSData.self, NSDate.self,
        NSURL.self, NSUUID.self, NSNull.self, NSIndexSet.self, NSIndexPath.self,
    ]

    private func seeds() throws -> [Data] {
        var seeds = [BookmarkArchive.contents(of: Bookmark(name: "Apple", url: "http://www.apple.com"))]
        let rich: [NSObject] = [
            ["n": "日本 😀", "l": [1, 2.5, true, Date(timeIntervalSince1970: 1), Data([1])] as [Any]] as NSDictionary,
            NSCountedSet(array: [1, 1, "b"]), NSOrderedSet(array: [3, "x"]), URL(string: "http://a/b")! as NSURL, UUID(uuidString: "00000000-0000-0000-0000-00000000000A")! as NSUUID,
            NSDecimalNumber(string: "-12.5"), [NSMutableString(string: "m"), NSMutableData(data: Data([9])), NSNull()] as NSArray,
        ]
        for object in rich { seeds.append(try KeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)) }
        let archiver = KeyedArchiver()
        archiver.outputFormat = .xml
        archiver.encode(rich[0], forKey: "root")
        seeds.append(archiver.encodedData)
        return seeds
    }

    private func mutated(_ seed: Data, _ random: inout SeededNumbers) -> Data {
        var bytes = [UInt8](seed)
        for _ in 0..<Int.random(in: 1...3, using: &random) where bytes.count > 50 {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 2: bytes.removeLast(place)
            case 3: bytes.removeSubrange(place..<min(bytes.count, place + 6))
            case 4: bytes[bytes.count - 1 - Int.random(in: 0..<40, using: &random)] = [0, 1, 0x7F, 0x80, 0xFF][place % 5]
            case 5: for index in 8..<bytes.count - 32 where bytes[index] < 30 && Int.random(in: 0..<12, using: &random) == 0 { bytes[index] = UInt8(place % 30) }
            default: bytes[place] = [0x4F, 0x5F, 0x80, 0xA2, 0xD1, 0x13, 0x3F][place % 7]
            }
        }
        return Data(bytes)
    }

    @Test func everyMutationEndsInAValueOrAnError() throws {
        var random = SeededNumbers(seed: 20_260_301)
        let seeds = try seeds()
        var values = 0, errors = 0
        for round in 0..<2_700 {
            let data = mutated(seeds[round % seeds.count], &random)
            do {
                let coder = try KeyedUnarchiver(forReadingFrom: data)
                for key in ["root", "Bookmark"] { _ = coder.decodeObject(of: round % 3 == 0 ? [NSString.self] : Self.kinds, forKey: key) }
                if let error = coder.error { throw error }
                values += 1
            } catch { errors += 1 }
            let open = KeyedUnarchiver(forReadingWith: data)
            for key in ["root", "Bookmark"] { _ = open.decodeObject(forKey: key) }
            (_, _, _) = (open.decodeInteger(forKey: "root"), open.decodeDouble(forKey: "Bookmark"), open.decodePropertyList(forKey: "root"))
        }
        // Both ways are gone often, or the mutations are too mild or too wild to tell anything.
        #expect(values > 100 && errors > 1_000, "\(values) values, \(errors) errors")
    }
}
