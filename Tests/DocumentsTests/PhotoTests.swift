import Documents
import PropertyLists
import Testing

@Suite struct PhotoTests {
    let kind = PhotoKind()

    func read(_ parts: [[UInt8]?], _ stored: String = "Sea.ptk") throws -> DocumentReading {
        try kind.read(sources(parts), storedName: bytes(stored), options: .init())
    }

    func written(_ image: [UInt8], _ name: String, over existing: [[UInt8]?]? = nil, spelling: Spelling? = nil) throws -> [[UInt8]?] {
        let parts = try kind.write(content: Bytes(image), shownName: bytes(name), over: existing.map(sources), spelling: spelling)
        return applied(parts, to: existing ?? [nil, nil], content: image)
    }

    @Test(arguments: [false, true], [false, true]) func isShownAsItsImage(objectiveC: Bool, mutable: Bool) throws {
        let parts = try photo(png, objectiveC: objectiveC, mutable: mutable)
        let reading = try read(parts)
        #expect(text(reading.name) == "Sea" && reading.fileExtension == "png")
        #expect(content(reading, of: parts) == png)
        #expect(reading.spelling?.rawValue == (objectiveC ? "PTK" : "PhotoKeeper"))
    }

    @Test(arguments: [false, true]) func withoutAnImageIsEmpty(objectiveC: Bool) throws {
        let reading = try read(try photo(nil, objectiveC: objectiveC))
        #expect(reading.length == 0 && reading.fileExtension == "jpg")
    }

    @Test func faults() throws {
        #expect(throws: DocumentFault.damaged("Its photo.data is missing.")) { try read([nil, nil]) }
        #expect { try read([try bookmark("a", "b"), nil]) } throws: { if case DocumentFault.foreign = $0 { true } else { false } }
        for metadata in [nil, [], bytes("broken, and long enough to be looked at by a reader"), try bookmark("a", "b")] as [[UInt8]?] {
            #expect(try read([try photo(png)[0], metadata]).length == png.count)
        }
    }

    @Test func aNewOneBeginsWithItsImage() throws {
        let parts = try written(jpeg, "Sun.JPG")
        let reading = try read(parts, "Sun.ptk")
        #expect(reading.content == .range(part: 0, offset: 18, length: Int64(jpeg.count)))
        #expect(text(reading.name) == "Sun" && reading.fileExtension == "JPG" && reading.spelling?.rawValue == "PhotoKeeper")
        #expect(try fields(try #require(parts[0]), "Data")["Photo"] == .data(jpeg))
        #expect(try fields(try #require(parts[0]), "Data")["$class"] == description("PhotoKeeper.PhotoData"))
        #expect(try fields(try #require(parts[1]), "Data")["$class"] == description("PhotoKeeper.PhotoMetadata"))
        #expect(try fields(try #require(parts[0]), "Data")["Version"] == .integer(1))
    }

    @Test func aNewOneFollowsTheSpelling() throws {
        let parts = try written(jpeg, "Sun.jpg", spelling: Spelling(rawValue: "PTK"))
        #expect(try fields(try #require(parts[0]), "data")["$class"] == description("PTKData"))
        #expect(try fields(try #require(parts[1]), "data")["Thumbnail"] == .null)
        let other = try written(jpeg, "Sun.jpg", spelling: Spelling(rawValue: "Camera"))
        #expect(try read(other).spelling?.rawValue == "Camera")
    }

    @Test(arguments: [false, true], [false, true]) func savingKeepsWhatIsNotContent(objectiveC: Bool, mutable: Bool) throws {
        let old = try photo(png, objectiveC: objectiveC, mutable: mutable, thumbnail: png)
        let new = try written(jpeg, "Sea.png", over: old)
        let key = objectiveC ? "data" : "Data"
        let data = try fields(try #require(new[0]), key)
        #expect(mutable ? data["Photo"]?["NS.data"] == .data(jpeg) : data["Photo"] == .data(jpeg))
        #expect(data["$class"] == description(objectiveC ? "PTKData" : "PhotoKeeper.PhotoData"))
        let metadata = try fields(try #require(new[1]), key)
        #expect(metadata["Thumbnail"] == (objectiveC ? .null : nil))
        #expect(try #require(new[1]).count < 800)
        #expect(try read(new).fileExtension == "png")
        #expect(try read(new).content == .range(part: 0, offset: 18, length: Int64(jpeg.count)))
    }

    @Test func whatIsNoImageIsUnfit() throws {
        for content in [[], bytes("no image"), [0x42, 0x4D] + bytes("o would be a bitmap by two letters")] {
            #expect { try written(content, "x.jpg") } throws: { if case DocumentFault.unfit = $0 { true } else { false } }
        }
    }

    @Test func theTitleIsTheFolderUnlessItIsRememberedAndFits() throws {
        let parts = try written(png, "a.png")
        #expect(text(try read(parts, "a 1.ptk").name) == "a")
        #expect(text(try read(parts, "a.ptk").name) == "a")
        #expect(text(try read(parts, "b.ptk").name) == "b")
        #expect(text(try read(try photo(png), "a 1.ptk").name) == "a 1")
    }

    @Test func renaming() throws {
        let old = try photo(png, thumbnail: png)
        let new = applied(try kind.rename(sources(old), storedName: bytes("Sea.ptk"), to: bytes("See.jpeg"), options: .init()), to: old)
        #expect(new[0] == old[0])
        let reading = try read(new, "See 2.ptk")
        #expect(text(reading.name) == "See" && reading.fileExtension == "jpeg")
        #expect(try fields(try #require(new[1]), "Data")["Thumbnail"] == .data(png))
        #expect(throws: DocumentFault.self) { try kind.rename(sources(old), storedName: bytes("Sea.ptk"), to: bytes("See.txt"), options: .init()) }
    }

    @Test func thumbnails() throws {
        let parts = try photo(png, objectiveC: true)
        let bytes = try PhotoThumbnail().setting(jpeg, in: parts[1].map { Bytes($0) }, spelling: nil)
        #expect(try fields(bytes, "data")["Thumbnail"] == .data(jpeg))
        let new = try PhotoThumbnail().setting(jpeg, in: nil, spelling: Spelling(rawValue: "M"))
        #expect(try fields(new, "Data")["$class"] == description("M.PhotoMetadata"))
        #expect(throws: DocumentFault.self) { try PhotoThumbnail().setting(jpeg, in: Bytes([1, 2, 3]), spelling: nil) }
    }

    @Test(arguments: [nil, "PTK"]) func onlyOursAwaitThumbnails(_ spelling: String?) throws {
        func awaits(_ metadata: [UInt8]?) throws -> Bool { PhotoThumbnail().isAwaited(Bytes(try #require(metadata))) }
        let ours = try written(png, "a.png", spelling: spelling.map(Spelling.init))
        #expect(try awaits(ours[1]))
        #expect(try !awaits(try PhotoThumbnail().setting(jpeg, in: ours[1].map { Bytes($0) }, spelling: nil)))
        #expect(try !awaits(try photo(png, objectiveC: spelling != nil)[1]))
        for strange in [bytes("broken"), [], try bookmark("a", "b")] { #expect(try !awaits(strange)) }
    }

    @Test func readingIsCheapHoweverLargeTheImage() throws {
        let (head, tail) = try {
            guard case .around(let head, let tail) = try kind.write(content: Sparse(head: png, hole: 6 << 30, tail: []), shownName: bytes("big.png"), over: nil, spelling: nil)[0] else { throw DocumentFault.damaged("") }
            return (head, tail)
        }()
        let data = Counting(Sparse(head: head + png, hole: 6 << 30, tail: tail))
        let reading = try kind.read([data, nil], storedName: bytes("big.ptk"), options: .init())
        #expect(reading.content == .range(part: 0, offset: 18, length: Int64(png.count) + 6 << 30))
        #expect(data.reads <= 3 && data.bytesRead <= 2_200)
    }

    @Test func names() {
        #expect(kind.takes(shownName: bytes("a.JPE")) && !kind.takes(shownName: bytes("._a.jpg")) && !kind.takes(shownName: bytes("jpg")))
        #expect(kind.mayBe(storedName: bytes("a.ptk"), isFolder: true) && !kind.mayBe(storedName: bytes("a.ptk"), isFolder: false))
        #expect(text(kind.storedName(forShown: bytes("a.b.jpg"), at: .init(rawValue: 0), attempt: 2)) == "a.b 2.ptk")
        let long = kind.storedName(forShown: bytes(String(repeating: "日", count: 83) + ".png"), at: .init(rawValue: 0), attempt: 12)
        #expect(long.count <= 255 && text(long).hasSuffix("日 12.ptk"))
    }
}
