import Documents
import PlistSupport
import PropertyLists
import Testing

/// Reading a document asks for little, whatever its archive is like.
@Suite struct ReadingCostTests {
    static let most = 64 << 10

    /// Objects that lie far from each other: each look at one is a read of its own.
    static func strewn(_ key: String, _ className: String, _ fields: [(Plist, Plist)]) -> [UInt8] {
        let space = Plist.longData([UInt8](repeating: 0, count: 3_000))
        let tops = (0..<500).map { ("other \($0)" + String(repeating: " ", count: 2_000), UInt64(1)) }
        let padding = (0..<500).map { (Plist.text("field \($0)" + String(repeating: " ", count: 2_000)), Plist.array([space])) }
        return HandMade.bytes(
            HandMade.archive(tops + [(key, 1)], [.dictionary(padding + [("$class", .uid(2))] + fields), HandMade.aClass(className)]), referenceSize: 4, offsetSize: 4)
    }

    @Test func strewnArchivesAreRefusedSoon() {
        for (kind, name, bytes) in [
            (BookmarkKind() as any DocumentKind, "Bookmark_a-1.000000", Self.strewn("Bookmark", "Bookmark", [("Bookmark Name", "a"), ("Bookmark URL", "b")])),
            (PhotoKind(), "a.ptk", Self.strewn("Data", "PhotoKeeper.PhotoData", [("Photo", .data(png))])),
        ] {
            let sources = (0..<(kind.parts?.count ?? 1)).map { _ in Counting(Bytes(bytes)) }
            #expect(throws: DocumentFault.self) { try kind.read(sources, storedName: Array(name.utf8), options: .init()) }
            for source in sources { #expect(source.bytesRead <= Self.most) }
        }
    }

    @Test func longWordsAreNotRead() throws {
        let long = Plist.text(String(repeating: "x", count: 1 << 20))
        let notes = HandMade.bytes(
            HandMade.archive([("Data", 1)], [
                .dictionary([("$class", .uid(2)), ("Valise Title", .uid(3)), ("Valise Extension", .uid(3))]), HandMade.aClass("PhotoKeeper.PhotoMetadata"), long,
            ]), offsetSize: 4)
        let data = try #require(try photo(png)[0])
        let sources = [Counting(Bytes(data)), Counting(Bytes(notes))]
        let reading = try PhotoKind().read(sources, storedName: Array("a.ptk".utf8), options: .init())
        #expect(text(reading.name) == "a")
        #expect(reading.fileExtension == "png")
        for source in sources { #expect(source.bytesRead <= Self.most) }
    }

    @Test func aSmallPhotoTakesOneReadAPart() throws {
        let parts = try photo(png).map { Counting(Bytes(try #require($0))) }
        let reading = try PhotoKind().read(parts, storedName: bytes("a.ptk"), options: .init())
        #expect(reading.fileExtension == "png")
        for part in parts { #expect(part.reads == 1) }
    }

    @Test func aPhotoTakesFiveReadsAtMost() throws {
        for spelling in ["PhotoKeeper", "PTK"] {
            let image = png + [UInt8](repeating: 1, count: 1 << 20)
            let writings = try PhotoKind().write(content: Bytes(image), shownName: bytes("a.png"), over: nil, spelling: Spelling(rawValue: spelling))
            let parts = applied(writings, to: [nil, nil], content: image)
            let made = try #require(parts[1])
            for metadata in [made, try PhotoThumbnail().setting(image, in: Bytes(made), spelling: nil)] {
                let sources = [Counting(Bytes(try #require(parts[0]))), Counting(Bytes(metadata))]
                let reading = try PhotoKind().read(sources, storedName: bytes("a.ptk"), options: .init())
                #expect(reading.content == .range(part: 0, offset: 18, length: Int64(image.count)))
                #expect(sources[0].reads <= 3)
                #expect(sources[1].reads <= 2)
            }
        }
    }
}
