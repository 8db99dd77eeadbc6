import DocumentKit
import Foundation
import Testing

/// Collections of classes that are named, and values of Swift's own coding.
@Suite struct ArchivedCollectionTests {
    private struct Settings: Codable, Equatable {
        var name = "n", sizes = [1, 2], moment = Date(timeIntervalSinceReferenceDate: 5), bytes = Data([1, 2]), inner: [String: Double]? = ["a": 0.5]
    }

    /// As a class has it in its `init(coder:)`.
    private final class Album: NSObject, NSCoding {
        let tags: [NSString]?, scores: [NSString: NSNumber]?, parts: [Any]?, mixed: [AnyHashable: Any]?
        init(tags: [NSString], scores: [NSString: NSNumber], parts: [Any], mixed: [AnyHashable: Any]) {
            (self.tags, self.scores, self.parts, self.mixed) = (tags, scores, parts, mixed)
        }
        init?(coder: NSCoder) {
            tags = coder.decodeArrayOfObjects(ofClass: NSString.self, forKey: "tags")
            scores = coder.decodeDictionary(withKeyClass: NSString.self, objectClass: NSNumber.self, forKey: "scores")
            parts = coder.decodeArrayOfObjects(ofClasses: [NSString.self, NSNumber.self], forKey: "parts")
            mixed = coder.decodeDictionary(withKeysOfClasses: [NSString.self], objectsOfClasses: [NSString.self, NSNumber.self], forKey: "mixed")
        }
        func encode(with coder: NSCoder) {
            coder.encode(tags, forKey: "tags")
            coder.encode(scores, forKey: "scores")
            coder.encode(parts, forKey: "parts")
            coder.encode(mixed, forKey: "mixed")
        }
    }

    @Test func collectionsOfAClass() throws {
        KeyedArchiver.setClassName("Album", for: Album.self)
        let album = Album(tags: ["a", "b"], scores: ["one": 1, "two": 2], parts: ["text", 5], mixed: ["x": "y", "z": 3])
        let data = try KeyedArchiver.archivedData(withRootObject: album, requiringSecureCoding: false)
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.setClass(Album.self, forClassName: "Album")
        let read = try #require(unarchiver.decodeObject(of: Album.self, forKey: NSKeyedArchiveRootObjectKey))
        #expect(read.tags == ["a", "b"] && read.scores == ["one": 1, "two": 2])
        #expect(read.parts?.first as? String == "text" && (read.parts?.last as? NSNumber)?.intValue == 5)
        #expect(read.mixed?["x"] as? String == "y" && (read.mixed?["z"] as? NSNumber)?.intValue == 3)
    }

    @Test func aDictionaryInOneCall() throws {
        let data = try KeyedArchiver.archivedData(withRootObject: ["one": 1, "two": 2] as NSDictionary, requiringSecureCoding: true)
        #expect(try KeyedUnarchiver.unarchivedDictionary(ofKeyClass: NSString.self, objectClass: NSNumber.self, from: data) == ["one": 1, "two": 2])
        #expect(try KeyedUnarchiver.unarchivedDictionary(keysOfClasses: [NSString.self], objectsOfClasses: [NSNumber.self, NSDate.self], from: data)?.count == 2)
        #expect(throws: (any Error).self) { _ = try KeyedUnarchiver.unarchivedDictionary(ofKeyClass: NSString.self, objectClass: NSDate.self, from: data) }
        let list = try KeyedArchiver.archivedData(withRootObject: ["text", 5] as NSArray, requiringSecureCoding: true)
        #expect(try KeyedUnarchiver.unarchivedArrayOfObjects(ofClasses: [NSString.self, NSNumber.self], from: list)?.count == 2)
        #expect(throws: (any Error).self) { _ = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClasses: [NSString.self], from: list) }
    }

    @Test func valuesOfSwiftsOwnCoding() throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        try archiver.encodeEncodable(Settings(), forKey: "settings")
        try archiver.encodeEncodable(7, forKey: "number")
        try archiver.encodeEncodable(["a", "b"], forKey: "list")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
        #expect(unarchiver.decodeDecodable(Settings.self, forKey: "settings") == Settings())
        #expect(unarchiver.decodeDecodable(Int.self, forKey: "number") == 7 && unarchiver.decodeDecodable([String].self, forKey: "list") == ["a", "b"])
        #expect(unarchiver.decodeDecodable(Int.self, forKey: "none") == nil && unarchiver.error == nil)
        #expect(throws: (any Error).self) { _ = try unarchiver.decodeTopLevelDecodable(Int.self, forKey: "list") }
        #expect(unarchiver.error == nil && unarchiver.decodeDecodable(Settings.self, forKey: "list") == nil && unarchiver.error != nil)
    }
}
