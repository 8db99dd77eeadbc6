import CloudyModel
import DocumentKit
import Foundation
import PhotoKeeperModel
import Testing

/// One object for each name, wherever it is decoded; and a box that is written as what is in it.
final class Colour: NSObject, NSCoding, AwakingAfterDecoding {
    nonisolated(unsafe) static let red = Colour("red")
    let name: String
    init(_ name: String) { self.name = name }
    init?(coder: NSCoder) { name = coder.decodeObject(of: NSString.self, forKey: "name") as String? ?? "" }
    func encode(with coder: NSCoder) { coder.encode(name as Any?, forKey: "name") }
    func awakeAfter(using coder: NSCoder) -> Any? { name == "none" ? nil : name == "red" ? Self.red : self }
}

final class Box: NSObject, NSCoding {
    let inside: Colour
    init(_ inside: Colour) { self.inside = inside }
    init?(coder: NSCoder) { nil }
    func encode(with coder: NSCoder) {}
    override func replacementObject(for coder: NSCoder) -> Any? { inside }
}

/// What the archiver writes, and that it is read: by our unarchiver, by Foundation's and by the property lists of others.
@Suite struct KeyedArchiverTests {
    /// An archive as Foundation's own property-list reader sees it.
    private func list(_ data: Data) throws -> [String: Any] {
        try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    }

    private func classNames(_ data: Data) throws -> Set<String> {
        let objects = try #require(try list(data)["$objects"] as? [Any])
        return Set(objects.compactMap { ($0 as? [String: Any])?["$classname"] as? String })
    }

    @Test func anAppsBookmarkIsWrittenAndRead() throws {
        let archiver = KeyedArchiver(requiringSecureCoding: false)
        archiver.setClassName("Bookmark", for: Bookmark.self)
        archiver.encode(Bookmark(name: "Swift", url: "https://www.swift.org"), forKey: "Bookmark")
        let data = archiver.encodedData
        #expect(try classNames(data) == ["Bookmark"])
        #expect(archiver.error == nil)
        #expect(archiver.className(for: Bookmark.self) == "Bookmark")

        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        let bookmark = try #require(unarchiver.decodeObject(of: Bookmark.self, forKey: "Bookmark"))
        #expect(bookmark.name == "Swift" && bookmark.url == "https://www.swift.org")
    }

    /// Without a name that was set, Swift's own, which the same app finds again.
    @Test func aClassIsFoundByItsOwnName() throws {
        let data = BookmarkArchive.contents(of: Bookmark(name: "日本 😀", url: ""))
        #expect(try classNames(data) == ["CloudyModel.Bookmark"])
        let bookmark = try #require(BookmarkArchive.bookmark(in: data))
        #expect(bookmark.name == "日本 😀" && bookmark.url == "")
        #expect(BookmarkArchive.bookmark(in: Data())?.url == "www.example.com")
    }

    @Test func objectsAreReplacedByThemselves() throws {
        let colours = [Colour("red"), Colour("none"), Colour("blue")]
        let data = try KeyedArchiver.archivedData(withRootObject: NSArray(array: [Box(colours[0]), colours[0], Box(colours[2]), Box(colours[2])]), requiringSecureCoding: false)
        #expect(try classNames(data).filter { $0.hasSuffix("Box") }.isEmpty)
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = false
        let found = try #require(unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? [Any])
        #expect(found.count == 4 && found[0] as? Colour === Colour.red && found[1] as? Colour === Colour.red)
        #expect((found[2] as? Colour)?.name == "blue" && found[2] as? Colour === found[3] as? Colour)
        let none = try KeyedUnarchiver(forReadingFrom: KeyedArchiver.archivedData(withRootObject: colours[1], requiringSecureCoding: false))
        none.requiresSecureCoding = false
        #expect(none.decodeObject(forKey: NSKeyedArchiveRootObjectKey) == nil && none.error == nil)
    }

    @Test func aPhotosFilesAreWrittenAndRead() throws {
        let image = try #require(Picture(data: Data([0x89, 0x50, 0x4E, 0x47])))
        let photo: PhotoData = try Document.unarchived(Document.archived(PhotoData(image: image)))
        #expect(photo.image?.data == image.data)
        // A photo without an image has no key, and its app's class answers nil. A photo without a thumbnail is one.
        #expect(throws: (any Error).self) { try Document.unarchived(Document.archived(PhotoData())) as PhotoData }
        #expect(try (Document.unarchived(Document.archived(PhotoMetadata())) as PhotoMetadata).image == nil)
    }

    /// Each kind of value, there and back, and what Foundation's own unarchiver makes of the same bytes.
    @Test func valuesComeBack() throws {
        let values: [NSObject] = [
            "text" as NSString, "日本 😀" as NSString, NSMutableString(string: "changing"), "$null" as NSString, NSNumber(value: true),
            NSNumber(value: -5), NSNumber(value: UInt64.max), NSNumber(value: 1.5), NSNumber(value: Float(2.5)), Data([1, 2, 3]) as NSData,
            NSMutableData(data: Data([4])), Date(timeIntervalSinceReferenceDate: 12.5) as NSDate, NSNull(), URL(fileURLWithPath: "/a b") as NSURL,
            NSURL(string: "b?c=d", relativeTo: URL(string: "http://a/")) ?? NSURL(fileURLWithPath: "/"), UUID() as NSUUID, [1, "a", [2]] as NSArray,
            ["k": [1, 2], "l": NSNull()] as NSDictionary, NSSet(array: [1, 2]), NSCountedSet(array: [1, 1, "b"]), NSOrderedSet(array: [3, 1, 2]),
        ]
        for value in values {
            let data = try KeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
            let ours = try #require(KeyedUnarchiver.unarchiveObject(with: data) as? NSObject, "\(value)")
            #expect(ours == value, "\(value)")
            guard value != "$null" as NSString else { continue }
            let foundations = Foundation.NSKeyedUnarchiver.unarchiveObject(with: data) as? NSObject
            #expect(foundations == value, "\(value)")
        }
    }

    /// What an app asks for as `Data` is that already: Foundation makes it of the object byte by byte.
    @Test(arguments: [false, true])
    func dataIsAValue(isObject: Bool) throws {
        let archiver = KeyedArchiver(), value: Any = isObject ? NSData(data: Data([1, 2, 3])) : Data([1, 2, 3])
        archiver.encode(value, forKey: "data")
        archiver.encode([value], forKey: "list")
        let coder = KeyedUnarchiver(forReadingWith: archiver.encodedData), read = try #require(coder.decodeObject(forKey: "data"))
        #expect(type(of: read) == Data.self && read as? NSData == NSData(data: Data([1, 2, 3])))
        #expect(coder.decodeObject(of: NSData.self, forKey: "data")?.length == 3 && coder.decodeObject(forKey: "list") as? [Data] == [Data([1, 2, 3])])
        #expect(Foundation.NSKeyedUnarchiver(forReadingWith: archiver.encodedData).decodeObject(forKey: "data") as? Data == Data([1, 2, 3]))
    }

    @Test func decimalsComeBack() throws {
        for text in ["0", "1", "-1", "12345678901234567890", "0.001", "-3.1415926535897932384626", "65536", "99999999999999999999999999999999999999"] {
            let value = NSDecimalNumber(string: text)
            let data = try KeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
            #expect(KeyedUnarchiver.unarchiveObject(with: data) as? NSDecimalNumber == value, "\(text)")
        }
    }

    /// One object in two places is one object again.
    @Test func sharedObjectsStayShared() throws {
        let shared = Bookmark(name: "a", url: "b")
        let data = try KeyedArchiver.archivedData(withRootObject: [shared, shared] as NSArray, requiringSecureCoding: false)
        let array = try #require(KeyedUnarchiver.unarchiveObject(with: data) as? [Bookmark])
        #expect(array.count == 2 && array.first === array.last)
    }

    @Test func inlineValuesComeBack() throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.encode(true, forKey: "bool")
        archiver.encode(Int32.min, forKey: "int32")
        archiver.encode(Int64.max, forKey: "int64")
        archiver.encode(-7, forKey: "int")
        archiver.encode(Float(0.5), forKey: "float")
        archiver.encode(2.25, forKey: "double")
        archiver.encode(1, forKey: "$dollar")
        archiver.encode(2, forKey: "$dollar")
        let bytes: [UInt8] = [9, 8, 7]
        bytes.withUnsafeBufferPointer { archiver.encodeBytes($0.baseAddress, length: 3, forKey: "bytes") }
        archiver.encode("first" as Any?)
        archiver.encode(Data([1]))
        let coder = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
        #expect(coder.decodeBool(forKey: "bool") && coder.decodeInt32(forKey: "int32") == .min && coder.decodeInt64(forKey: "int64") == .max)
        #expect(coder.decodeInteger(forKey: "int") == -7 && coder.decodeFloat(forKey: "float") == 0.5 && coder.decodeDouble(forKey: "double") == 2.25)
        #expect(coder.decodeInteger(forKey: "$dollar") == 2 && !coder.containsValue(forKey: "absent") && coder.decodeInteger(forKey: "absent") == 0)
        var length = 0
        let pointer = coder.decodeBytes(forKey: "bytes", returnedLength: &length)
        #expect(length == 3 && pointer?[0] == 9)
        #expect(coder.withDecodedUnsafeBytes(forKey: "bytes") { $0?.count } == 3)
        coder.requiresSecureCoding = false
        #expect(coder.decodeObject() as? String == "first" && coder.decodeData() == Data([1]))
        #expect(coder.error == nil)
        // A number that does not fit is an error that names the key, and not another number.
        #expect(coder.decodeInt32(forKey: "int64") == 0)
        #expect(coder.error?.localizedDescription.contains("int64") == true)
    }

    @Test func conditionalObjectsAreThereOnlyIfSomebodyElseWantsThem() throws {
        final class Node: NSObject, NSCoding {
            var wanted: NSString?, perhaps: NSMutableArray?, later: NSMutableArray?
            override init() {}
            init?(coder: NSCoder) {
                perhaps = coder.decodeObject(forKey: "perhaps") as? NSMutableArray
                later = coder.decodeObject(forKey: "later") as? NSMutableArray
            }
            func encode(with coder: NSCoder) {
                coder.encodeConditionalObject(perhaps, forKey: "perhaps")
                coder.encodeConditionalObject(later, forKey: "later")
                coder.encode(later, forKey: "own")
            }
        }
        let node = Node()
        (node.perhaps, node.later) = ([1], [2])
        let archiver = KeyedArchiver()
        archiver.setClassName("Node", for: Node.self)
        archiver.encode(node, forKey: "root")
        let unarchiver = KeyedUnarchiver(forReadingWith: archiver.encodedData)
        unarchiver.setClass(Node.self, forClassName: "Node")
        let object = unarchiver.decodeObject(forKey: "root")
        #expect(unarchiver.error == nil)
        let read = try #require(object as? Node)
        #expect(read.perhaps == nil && read.later == [2])
    }

    @Test func aClassThatCannotBeEncodedIsNamed() {
        #expect(throws: NSError.self) { _ = try KeyedArchiver.archivedData(withRootObject: Plain(), requiringSecureCoding: false) }
        do {
            _ = try KeyedArchiver.archivedData(withRootObject: Bookmark(name: "", url: ""), requiringSecureCoding: true)
            Issue.record("a class without secure coding was encoded")
        } catch { #expect("\(error.localizedDescription)".contains("Bookmark")) }
    }

    private final class Plain: NSObject {}

    @Test func theXMLFormIsReadToo() throws {
        let archiver = KeyedArchiver()
        archiver.outputFormat = .xml
        archiver.encode(["a": 1, "b": Data([1, 2])] as NSDictionary, forKey: "root")
        let data = archiver.encodedData
        #expect(data.starts(with: Data("<?xml".utf8)))
        #expect(KeyedUnarchiver.unarchiveObject(with: data) as? NSDictionary == ["a": 1, "b": Data([1, 2])] as NSDictionary)
        #expect(Foundation.NSKeyedUnarchiver.unarchiveObject(with: data) as? NSDictionary == ["a": 1, "b": Data([1, 2])] as NSDictionary)
    }

    @Test func delegatesExchangeWhatTheyWant() throws {
        final class Exchange: KeyedArchiverDelegate, KeyedUnarchiverDelegate {
            func archiver(_ archiver: KeyedArchiver, willEncode object: Any) -> Any? { (object as? NSNumber) == 1 ? NSNumber(value: 2) : object }
            func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: Any?) -> Any? { (object as? NSNumber) == 2 ? NSNumber(value: 3) : object }
            func unarchiver(_ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]) -> AnyClass? {
                name == "Old" ? Bookmark.self : nil
            }
        }
        let exchange = Exchange(), archiver = KeyedArchiver()
        archiver.delegate = exchange
        archiver.setClassName("Old", for: Bookmark.self)
        archiver.encode(NSNumber(value: 1), forKey: "number")
        archiver.encode(Bookmark(name: "n", url: "u"), forKey: "bookmark")
        let unarchiver = KeyedUnarchiver(forReadingWith: archiver.encodedData)
        unarchiver.delegate = exchange
        #expect(unarchiver.decodeObject(forKey: "number") as? Int == 3)
        #expect((unarchiver.decodeObject(forKey: "bookmark") as? Bookmark)?.name == "n")
    }
}
