import Documents
import PlistSupport
import PropertyLists
import Testing

/// Bookmarks in forms that the app may write and we never do.
@Suite struct OddBookmarkTests {
    static let stored = bytes("Bookmark_x-1.000000")

    static func read(_ file: [UInt8]) throws -> (name: [UInt8], url: String) {
        let reading = try BookmarkKind().read([Bytes(file)], storedName: stored, options: .init())
        return (reading.name, reading.facts.first { $0.label == "URL" }?.value ?? "")
    }

    static func saved(_ url: String, over file: [UInt8]) throws -> [UInt8] {
        let writings = try BookmarkKind().write(content: Bytes(bytes("[InternetShortcut]\nURL=\(url)\n")), shownName: bytes("x.url"), over: [Bytes(file)], spelling: nil)
        return try #require(applied(writings, to: [file])[0])
    }

    static func renamed(_ name: String, _ file: [UInt8]) throws -> [UInt8] {
        let writings = try BookmarkKind().rename([Bytes(file)], storedName: stored, to: bytes("\(name).url"), options: .init())
        return try #require(applied(writings, to: [file])[0])
    }

    /// Name and URL are one text: one UID, two UIDs of one object, a mutable one.
    static let twins: [[Plist]] = [
        [.dictionary([("Bookmark Name", .uid(3)), ("Bookmark URL", .uid(3)), ("$class", .uid(2))]), HandMade.aClass("Bookmark"), "www.example.com"],
        [.dictionary([("Bookmark Name", .uid(3)), ("Bookmark URL", .uid(4)), ("$class", .uid(2))]), HandMade.aClass("Bookmark", above: nil), .shared("s", "www.example.com"), .again("s")],
        [.dictionary([(.utf16("Bookmark Name"), .uid(3)), ("Bookmark URL", .uid(3)), ("$class", .uid(2))]), HandMade.aClass("Bookmark"), .dictionary([("NS.string", "www.example.com")])],
    ]

    @Test(arguments: twins.indices, [true, false]) func nameAndURLMayBeOneText(_ index: Int, _ versionFirst: Bool) throws {
        let file = HandMade.bytes(HandMade.archive([("Bookmark", 1)], Self.twins[index], versionFirst: versionFirst), unreferenced: ["nobody's"])
        let moved = try Self.read(Self.saved("http://new", over: file))
        #expect(text(moved.name) == "www.example.com")
        #expect(moved.url == "http://new")
        let renamed = try Self.read(Self.renamed("new", file))
        #expect(text(renamed.name) == "new")
        #expect(renamed.url == "www.example.com")
    }

    @Test(arguments: [("é", "e\u{301}"), ("e\u{301}", "é")]) func normalFormsAreTwoTexts(_ before: String, _ after: String) throws {
        let file = try bookmark(before, "http://\(before)")
        #expect(try Self.read(file).name == bytes(before))
        let renamed = try Self.renamed(after, file)
        #expect(try Self.read(renamed).name == bytes(after))
        let saved = try Self.saved("http://\(after)", over: renamed)
        #expect(try Self.read(saved).url.utf8.elementsEqual("http://\(after)".utf8))
        let reading = try BookmarkKind().read([Bytes(saved)], storedName: Self.stored, options: .init())
        #expect(content(reading, of: [saved]) == bytes("[InternetShortcut]\nURL=http://\(after)\n"))
    }
}
