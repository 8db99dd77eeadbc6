import KeyedArchives
import PlistSupport
import PropertyLists
import Testing

/// Edits of archives that were not made by us: objects that several places share, keys in odd forms, circles.
@Suite struct SharedObjectTests {
    struct Edited {
        let archive: KeyedArchive
        let root: KeyedArchive.Object
        let bytes: [UInt8]

        func text(_ key: String) throws -> String? { try archive.text(key, of: root) }

        func says(_ objects: [Plist]) throws -> Bool {
            try sayTheSame(Bytes(bytes), Bytes(HandMade.bytes(HandMade.archive([("root", 1)], objects))))
        }
    }

    static func edited(_ objects: [Plist], tops: [(String, UInt64)] = [("root", 1)], _ edit: (inout ArchiveDraft, Int) -> Void) throws -> Edited {
        let source = Bytes(HandMade.bytes(HandMade.archive(tops, objects), unreferenced: ["nobody's"]))
        var draft = try ArchiveDraft(changing: KeyedArchive(source))
        edit(&draft, try #require(draft.root("root")))
        let bytes = try draft.written()
        let archive = try KeyedArchive(Bytes(bytes))
        return Edited(archive: archive, root: try #require(try archive.root("root")), bytes: bytes)
    }

    static let base: [Plist] = [
        .dictionary([("$class", .uid(2)), ("name", .uid(3)), ("url", .uid(4)), ("odd", .uid(5)), ("me", .uid(1))]),
        HandMade.aClass("My.Thing", above: ["My.Base", "NSObject"]), "name", "url", .dictionary([("secret", .uid(1)), ("$class", .uid(6))]), HandMade.aClass("Unknown"),
    ]

    @Test func changesOneFieldAndNothingElse() throws {
        var wanted = Self.base
        wanted[2] = "other"
        #expect(try Self.edited(Self.base) { $0.set("name", of: $1, to: .text("other")) }.says(wanted))
        #expect(try Self.edited(Self.base) { _, _ in }.says(Self.base))
    }

    /// One text under two fields, in every way in which that can be.
    static let shared: [[Plist]] = [
        // One UID.
        [.dictionary([("name", .uid(2)), ("url", .uid(2))]), "both"],
        // One UID, as one plist object too.
        [.dictionary([("name", .shared("u", .uid(2))), ("url", .again("u"))]), "both"],
        // Two UIDs of one plist object.
        [.dictionary([("name", .uid(2)), ("url", .uid(3))]), .shared("s", "both"), .again("s")],
        // One mutable text, and two that are one plist object, and two around one text.
        [.dictionary([("name", .uid(2)), ("url", .uid(2))]), .dictionary([("NS.string", "both")])],
        [.dictionary([("name", .uid(2)), ("url", .uid(3))]), .shared("s", .dictionary([("NS.string", "both")])), .again("s")],
        [.dictionary([("name", .uid(2)), ("url", .uid(3))]), .dictionary([("NS.string", .shared("s", "both"))]), .dictionary([("NS.string", .again("s"))])],
        // The text is a key as well.
        [.dictionary([("name", .uid(2)), ("url", .uid(3)), (.shared("s", "both"), 1)]), .again("s"), .again("s")],
        // An object of a list of another object, which a second field leads to.
        [.dictionary([("name", .uid(2)), ("url", .uid(2)), ("list", .uid(3))]), "both", .dictionary([("NS.objects", .array([.uid(2)]))])],
    ]

    @Test(arguments: shared.indices) func editingOneLeavesTheOther(_ index: Int) throws {
        for (edited, other) in [("name", "url"), ("url", "name")] {
            let after = try Self.edited(Self.shared[index]) { $0.set(edited, of: $1, to: .text("new")) }
            #expect(try after.text(edited) == "new")
            #expect(try after.text(other) == "both")
            #expect(try after.archive.field("both", of: after.root) == (index == 6 ? .value(.integer(1)) : .absent))
        }
    }

    @Test func twoObjectsThatAreOneAreEditedApart() throws {
        let objects: [Plist] = [.shared("o", .dictionary([("name", .uid(3))])), .again("o"), "both"]
        let after = try Self.edited(objects, tops: [("root", 1), ("other", 2)]) { draft, root in
            draft.set("name", of: root, to: .text("new"))
            draft.set("more", of: root, to: .integer(1))
        }
        #expect(try after.text("name") == "new")
        let other = try #require(try after.archive.root("other"))
        #expect(try after.archive.text("name", of: other) == "both")
        #expect(try after.archive.field("more", of: other) == .absent)
    }

    @Test func mutableFormsStayMutable() throws {
        let objects: [Plist] = [
            .dictionary([("name", .uid(2)), ("data", .uid(4))]), .dictionary([("NS.string", "old"), ("$class", .uid(3))]), HandMade.aClass("NSMutableString"),
            .dictionary([("NS.data", .data([1])), ("$class", .uid(5))]), HandMade.aClass("NSMutableData", above: nil),
        ]
        var wanted = objects
        wanted[1] = .dictionary([("NS.string", "new"), ("$class", .uid(3))])
        wanted[3] = .dictionary([("NS.data", .data([2, 3])), ("$class", .uid(5))])
        #expect(try Self.edited(objects) { draft, root in
            draft.set("name", of: root, to: .text("new"))
            draft.set("data", of: root, to: .data([2, 3]))
        }.says(wanted))
    }

    static let keys: [(Plist, String)] = [
        (.utf16("name"), "name"), (.longText("name"), "name"), ("name", "name"), (.text(String(repeating: "k", count: 300)), String(repeating: "k", count: 300)), ("$$name", "$name"),
    ]

    @Test(arguments: keys.indices) func findsKeysHoweverTheyAreWritten(_ index: Int) throws {
        let (plist, key) = Self.keys[index]
        let after = try Self.edited([.dictionary([(plist, .uid(2))]), "old"]) { $0.set(key, of: $1, to: .text("new")) }
        #expect(try after.says([.dictionary([(plist, .uid(2))]), "new"]))
        #expect(try after.text(key) == "new")
    }

    @Test func normalFormsAreKept() throws {
        for text in ["é", "e\u{301}"] {
            let after = try Self.edited(Self.base) { $0.set("name", of: $1, to: .text(text)) }
            #expect(try after.text("name")?.utf8.elementsEqual(text.utf8) == true)
        }
    }

    @Test func circlesSurvive() throws {
        let objects: [Plist] = [
            .dictionary([("name", .uid(2)), ("child", .uid(3))]), "old",
            .dictionary([("parent", .uid(1)), ("self", .uid(3)), ("list", .shared("l", .array([.again("l"), .uid(3)])))]),
        ]
        var wanted = objects
        wanted[1] = "new"
        #expect(try Self.edited(objects) { $0.set("name", of: $1, to: .text("new")) }.says(wanted))
    }

    /// Data under `image` that is replaced, and data under `other` that must stay: one and the same, in some of them.
    static let images: [[Plist]] = [
        [.dictionary([("image", .uid(2)), ("other", .uid(3))]), .data([1, 2]), .data([3, 4])],
        [.dictionary([("image", .uid(2)), ("other", .uid(2))]), .data([3, 4])],
        [.dictionary([("image", .uid(2)), ("other", .uid(3))]), .shared("d", .longData([3, 4])), .again("d")],
        [.dictionary([("image", .uid(2)), ("other", .uid(3))]), .dictionary([("NS.data", .shared("d", .data([3, 4])))]), .dictionary([("NS.data", .again("d"))])],
        [.dictionary([("image", .uid(2)), ("other", .uid(3))]), .shared("m", .dictionary([("NS.data", .data([3, 4]))])), .again("m")],
        [.dictionary([("image", .uid(2)), ("other", .uid(3))]), .dictionary([("NS.data", .data([1, 2]))]), .data([3, 4])],
        [.dictionary([("image", .data([1])), ("other", .uid(2))]), .data([3, 4])],
        [.dictionary([("image", .uid(0)), ("other", .uid(2))]), .data([3, 4])],
        [.dictionary([("other", .uid(2))]), .data([3, 4])],
    ]

    @Test(arguments: images.indices) func replacesOnlyTheFieldsOwnData(_ index: Int) throws {
        let source = Bytes(HandMade.bytes(HandMade.archive([("root", 1)], Self.images[index])))
        var draft = try ArchiveDraft(changing: KeyedArchive(source))
        draft.set("image", of: try #require(draft.root("root")), to: .placedData)
        let (head, tail) = try draft.written(around: 3)
        let bytes = head + [7, 8, 9] + tail
        let after = try KeyedArchive(Bytes(bytes))
        let object = try #require(try after.root("root"))
        #expect(try after.data("image", of: object) == ByteRange(offset: 18, length: 3))
        let other = try #require(try after.data("other", of: object))
        #expect(try after.bytes(other) == [3, 4])
        // What is replaced goes: no file grows with every save.
        let list = try BinaryPropertyList(Bytes(bytes))
        #expect(try (0..<list.objectCount).count { if case .data = try list.object(at: $0) { true } else { false } } == 2)
    }
}
