import Documents
import PropertyLists
import Testing

/// Archives in the XML form.
@Suite struct MarkupTests {
    private func xml(_ archive: [UInt8]?) throws -> [UInt8] {
        let archive = try #require(archive)
        return try #require(try PropertyList(reading: Bytes(archive)).xml())
    }

    private func readBookmark(_ file: any ByteSource) throws -> DocumentReading {
        try BookmarkKind().read([file], storedName: bytes("Bookmark_a-1.000000"), options: .init())
    }

    @Test func aBookmark() throws {
        let archive = try archive("Bookmark", [
            members(["Bookmark Name": .uid(2), "Bookmark URL": .uid(3), "Colour": .uid(4), "$class": .uid(5)]),
            .string("A & <B>"), members(["NS.string": .string("https://old/"), "$class": .uid(6)]), .data([1, 2, 3]),
            description("Bookmark"), description("NSMutableString"),
        ])
        let file = try xml(archive)
        let reading = try readBookmark(Bytes(file))
        #expect(text(reading.name) == "A & <B>" && content(reading, of: [file]) == bytes("[InternetShortcut]\nURL=https://old/\n"))
        // Saved in the binary form, with all that it said.
        let saved = try BookmarkKind().write(
            content: Bytes(bytes("[InternetShortcut]\nURL=https://new/\n")), shownName: bytes("A & <B>.url"), over: [Bytes(file)], spelling: nil)
        let new = try #require(applied(saved, to: [file])[0])
        #expect(new.starts(with: bytes("bplist00")))
        let found = try fields(new, "Bookmark")
        #expect(found["Colour"] == .data([1, 2, 3]) && found["Bookmark Name"] == .string("A & <B>"))
        #expect(found["Bookmark URL"]?["NS.string"] == .string("https://new/"))
    }

    @Test(arguments: [false, true], [false, true]) func aPhoto(objectiveC: Bool, mutable: Bool) throws {
        let image = png + [UInt8](repeating: 7, count: 5000)
        let parts = try photo(image, objectiveC: objectiveC, mutable: mutable, thumbnail: jpeg).map { try xml($0) }
        let reading = try PhotoKind().read(sources(parts), storedName: bytes("Sea.ptk"), options: .init())
        #expect(reading.content == .bytes(image) && reading.length == image.count && reading.fileExtension == "png")
        let saved = try PhotoKind().write(content: Bytes(jpeg), shownName: bytes("Sea.jpg"), over: sources(parts), spelling: nil)
        let new = applied(saved, to: parts, content: jpeg)
        let again = try PhotoKind().read(sources(new), storedName: bytes("Sea.ptk"), options: .init())
        #expect(again.content == .range(part: 0, offset: 18, length: Int64(jpeg.count)) && again.spelling == reading.spelling)
        #expect(try fields(try #require(new[0]), objectiveC ? "data" : "Data")["Version"] == .integer(1))
    }

    @Test func whatIsNoneIsNotRead() throws {
        let page = Counting(Bytes(bytes("<!DOCTYPE html><html><head>") + [UInt8](repeating: 0x20, count: 1 << 20)))
        #expect { try readBookmark(page) } throws: { if case DocumentFault.foreign = $0 { true } else { false } }
        #expect(page.bytesRead < 8 << 10)
        let long = Counting(Sparse(head: bytes("<?xml version=\"1.0\"?><plist>"), hole: 100 << 20, tail: []))
        #expect(throws: DocumentFault.self) { try PhotoKind().read([long, nil], storedName: bytes("a.ptk"), options: .init()) }
        #expect(long.bytesRead < 8 << 10)
    }

    @Test(arguments: [
        "<plist>", "<plist/>", "<plist><dict>", "<plist><dict><key>$top</key></dict></plist>",
        "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>", "<plist><data>****</data></plist>",
        "<plist><dict><key>CF$UID</key><integer>-1</integer></dict></plist>", "<plist><string>&#xD800;</string></plist>",
    ]) func brokenOnesAreFaults(_ markup: String) {
        #expect(throws: DocumentFault.self) { try readBookmark(Bytes(bytes(markup))) }
    }

    /// A reference that is none, and one too far: as in the binary form.
    @Test func strangeReferencesAreFaults() throws {
        let markup = text(try xml(try bookmark("a", "b")))
        for reference in ["99", "18446744073709551615", "99999999999999999999", "x"] {
            let changed = markup.replacing("<integer>3</integer>", with: "<integer>\(reference)</integer>")
            #expect(throws: DocumentFault.self) { try readBookmark(Bytes(bytes(changed))) }
        }
    }
}
