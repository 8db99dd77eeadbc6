import CloudyModel
import DocumentKit
import Foundation
import Testing

/// What is not allowed is not made, and an error says what it was.
@Suite struct KeyedUnarchiverTests {
    private final class Secret: NSObject, NSSecureCoding {
        nonisolated(unsafe) static var made = 0
        static var supportsSecureCoding: Bool { true }
        override init() {}
        init?(coder: NSCoder) { Self.made += 1 }
        func encode(with coder: NSCoder) {}
    }

    private func refused(_ data: Data, _ classes: [AnyClass]) -> String {
        do {
            _ = try KeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
            return ""
        } catch { return error.localizedDescription }
    }

    @Test func aClassThatIsNotAllowedIsNotMade() throws {
        KeyedArchiver.setClassName("Secret", for: Secret.self)
        KeyedUnarchiver.setClass(Secret.self, forClassName: "Secret")
        defer { KeyedUnarchiver.setClass(nil, forClassName: "Secret") }
        #expect(KeyedArchiver.className(for: Secret.self) == "Secret" && KeyedUnarchiver.class(forClassName: "Secret") == Secret.self)
        let data = try KeyedArchiver.archivedData(withRootObject: ["a": Secret()], requiringSecureCoding: true)
        let error = refused(data, [NSDictionary.self, NSString.self])
        #expect(error.contains("“Secret”") && error.contains("“NS.objects”"))
        #expect(Secret.made == 0)
        let object = try KeyedUnarchiver.unarchivedObject(ofClasses: [NSDictionary.self, NSString.self, Secret.self], from: data)
        #expect((object as? [String: Any])?["a"] is Secret && Secret.made == 1)
    }

    @Test func whatIsPlainMustBeAllowedToo() throws {
        let data = try KeyedArchiver.archivedData(withRootObject: "text", requiringSecureCoding: true)
        #expect(refused(data, [NSNumber.self]).contains("NSString"))
        #expect(try KeyedUnarchiver.unarchivedObject(ofClass: NSString.self, from: data) == "text")
        #expect(throws: NSError.self) { _ = try KeyedUnarchiver.unarchivedObject(ofClasses: [], from: data) }
    }

    /// A class that the caller names is found by its name without the module, as apps of another name have written it.
    @Test func theModuleMayBeAnother() throws {
        let archiver = KeyedArchiver()
        archiver.setClassName("Cloudy.Bookmark", for: Bookmark.self)
        archiver.encode(Bookmark(name: "n", url: "u"), forKey: "root")
        let data = archiver.encodedData
        #expect(try KeyedUnarchiver.unarchivedObject(ofClass: Bookmark.self, from: data)?.name == "n")
        // Where nothing names it, nobody guesses.
        #expect(throws: NSError.self) { _ = try KeyedUnarchiver.unarchiveTopLevelObjectWithData(data) }
    }

    /// What is archived as a set with others in it: on Linux, Foundation's own collections cannot be made so.
    private final class Nest: NSObject, NSCoding {
        var members: [Nest] = []
        override init() {}
        init?(coder: NSCoder) { nil }
        func encode(with coder: NSCoder) {
            for (index, member) in members.enumerated() { coder.encode(member, forKey: "NS.object.\(index)") }
        }
        static func archived(_ nest: Nest) -> Data {
            let archiver = KeyedArchiver()
            archiver.setClassName("NSOrderedSet", for: Nest.self)
            archiver.encode(nest, forKey: "root")
            return archiver.encodedData
        }
    }

    @Test func circlesDepthAndBombsAreErrors() throws {
        let circle = Nest()
        circle.members = [circle]
        #expect(refused(Nest.archived(circle), [NSOrderedSet.self]).contains("itself"))
        circle.members = []

        func nested(_ levels: Int, _ width: Int) -> Data {
            var top = Nest()
            for _ in 1..<levels {
                let outer = Nest()
                outer.members = Array(repeating: top, count: width)
                top = outer
            }
            return Nest.archived(top)
        }
        #expect(try KeyedUnarchiver.unarchivedObject(ofClass: NSOrderedSet.self, from: nested(200, 1)) != nil)
        #expect(refused(Nest.archived(Nest()), [NSOrderedSet.self]) == "")
        // Nested and shared: a few hundred bytes that would unfold to more than there is memory.
        #expect(refused(nested(40, 8), [NSOrderedSet.self]).contains("unfolds"))
    }

    @Test func bytesThatAreNoArchiveAreAnError() {
        for bytes in [Data(), Data("text".utf8), Data("bplist00".utf8), Data(repeating: 0xFF, count: 100)] {
            #expect(throws: NSError.self) { _ = try KeyedUnarchiver(forReadingFrom: bytes) }
            let unarchiver = KeyedUnarchiver(forReadingWith: bytes)
            #expect(unarchiver.decodeObject(forKey: "root") == nil && unarchiver.error != nil)
        }
    }

    /// A bookmark whose strings are in the mutable form, and one whose strings are nil.
    @Test func bothFormsOfStringsAreRead() throws {
        final class Mutable: NSObject, NSCoding {
            override init() {}
            init?(coder: NSCoder) { nil }
            func encode(with coder: NSCoder) {
                coder.encode(NSMutableString(string: "name"), forKey: "Bookmark Name")
                coder.encode(nil as Any?, forKey: "Bookmark URL")
            }
        }
        let archiver = KeyedArchiver()
        archiver.setClassName("Bookmark", for: Mutable.self)
        archiver.encode(Mutable(), forKey: "Bookmark")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
        unarchiver.requiresSecureCoding = false
        unarchiver.setClass(Bookmark.self, forClassName: "Bookmark")
        let bookmark = try #require(unarchiver.decodeObject(forKey: "Bookmark") as? Bookmark)
        #expect(bookmark.name == "name" && bookmark.url == "")
    }
}
