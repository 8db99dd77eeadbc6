import Documents
import PropertyLists
import Testing

/// What counts as an item's content where several devices have it, and what of it travels.
@Suite struct EssenceTests {
    static func parts(_ files: [[UInt8]?]) -> [ItemPart] {
        zip(["photo.data", "photo.metadata"], files).compactMap { name, file in
            file.map { ItemPart(path: bytes(name), .file(Bytes($0), isExecutable: false)) }
        }
    }

    /// What is hashed.
    static func essence(_ parts: [ItemPart], _ kind: (any DocumentKind)? = PhotoKind()) throws -> [UInt8] {
        try DocumentEssence.pieces(of: parts, as: kind).reduce(into: []) { all, piece in
            switch piece {
            case .bytes(let bytes): all += bytes
            case .range(let part, let range):
                guard case .file(let source, isExecutable: _) = parts[part].content else { return }
                all += try source.bytes(at: range.offset, count: Int(range.length))
            }
        }
    }

    /// The metadata as others get it.
    static func travelling(_ files: [[UInt8]?]) throws -> [UInt8] {
        guard case .bytes(let bytes) = try #require(try DocumentEssence.travelling(parts(files), as: PhotoKind()).last) else { return [] }
        return bytes
    }

    /// As both apps write them, as a drive does, new and over those, and as python's plistlib lays the same things out.
    static func photos() throws -> [(name: String, files: [[UInt8]?])] {
        var photos: [(String, [[UInt8]?])] = []
        for objectiveC in [false, true] {
            for mutable in [false, true] {
                let old = try photo(png, objectiveC: objectiveC, mutable: mutable)
                photos.append(("an app's \(objectiveC) \(mutable)", old))
                let writings = try PhotoKind().write(content: Bytes(jpeg), shownName: bytes("Sea.jpg"), over: sources(old), spelling: nil)
                photos.append(("a drive's over that \(objectiveC) \(mutable)", applied(writings, to: old, content: jpeg)))
            }
            let spelling = Spelling(rawValue: objectiveC ? "PTK" : "Photos")
            let new = try PhotoKind().write(content: Bytes(jpeg), shownName: bytes("é.jpg"), over: nil, spelling: spelling)
            photos.append(("a drive's \(objectiveC)", applied(new, to: [nil, nil], content: jpeg)))
        }
        return photos
    }

    static func with(_ thumbnail: [UInt8], _ files: [[UInt8]?]) throws -> [[UInt8]?] {
        [files[0], try PhotoThumbnail().setting(thumbnail, in: files[1].map { Bytes($0) }, spelling: nil)]
    }

    @Test func whichThumbnailAPhotoHasMakesNoDifference() throws {
        for (name, files) in try Self.photos() {
            let one = try Self.with(png, files), other = try Self.with(jpeg + jpeg, one), wanted = try Self.essence(Self.parts(files))
            for changed in [one, other, try Self.with(jpeg, other)] { #expect(try Self.essence(Self.parts(changed)) == wanted, "\(name)") }
            let given = try Self.travelling(files)
            #expect(!given.isEmpty)
            for changed in [one, other, [files[0], given]] { #expect(try Self.travelling(changed) == given, "\(name)") }
            // Who gets that has the same, and can make a thumbnail and give it again.
            #expect(try Self.essence(Self.parts([files[0], given])) == wanted, "\(name)")
            #expect(try Self.travelling(Self.with(png, [files[0], given])) == given, "\(name)")
            #expect(try PhotoThumbnail().range(in: Bytes(given)) == nil)
        }
    }

    @Test func allElseMakesADifference() throws {
        let files = try photo(png, thumbnail: jpeg), wanted = try Self.essence(Self.parts(files))
        let renamed = applied(
            try PhotoKind().rename(sources(files), storedName: bytes("Sea.ptk"), to: bytes("Lake.png"), options: .init()), to: files)
        let otherExtension = applied(
            try PhotoKind().rename(sources(files), storedName: bytes("Sea.ptk"), to: bytes("Lake.PNG"), options: .init()), to: files)
        #expect(try Self.essence(Self.parts(renamed)) != wanted)
        #expect(try Self.essence(Self.parts(otherExtension)) != Self.essence(Self.parts(renamed)))
        #expect(try Self.essence(Self.parts([try photo(jpeg)[0], files[1]])) != wanted)
        #expect(try Self.essence(Self.parts([files[0], nil])) != wanted)
        let more = Self.parts(files) + [ItemPart(path: bytes("notes"), .file(Bytes([1]), isExecutable: false))]
        #expect(try Self.essence(more) != wanted)
    }

    /// An app keeps things of its own in either archive, which nobody here knows.
    @Test func whatAnAppKeepsTravels() throws {
        func archived(_ field: String, _ own: PropertyList, thumbnail: [UInt8]) throws -> [UInt8] {
            try archive("Data", [
                members(["Version": .integer(1), "Own": .uid(3), field: .uid(2), "$class": .uid(5)]), .data(thumbnail),
                members(["NS.objects": .array([.uid(4), .uid(0)]), "$class": .uid(6)]), own, description("A.PhotoMetadata"), description("NSArray"),
            ])
        }
        let data = try photo(png)[0], word = PropertyList.string("faces")
        let one = try archived("Thumbnail", word, thumbnail: png), other = try archived("Thumbnail", word, thumbnail: jpeg)
        let edited = try archived("Thumbnail", .string("smiles"), thumbnail: png)
        #expect(try Self.essence(Self.parts([data, one])) == Self.essence(Self.parts([data, other])))
        #expect(try Self.essence(Self.parts([data, one])) != Self.essence(Self.parts([data, edited])))
        let given = try Self.travelling([data, one]), list = try PropertyList(reading: Bytes(given))
        guard case .array(let objects) = list["$objects"] else { return #expect(Bool(false), "no objects") }
        #expect(objects.contains(word) && objects.count == 6)
        #expect(try fields(given, "Data").keys.sorted() == ["$class", "Own", "Version"])
    }

    @Test func whatIsNotUnderstoodIsItsBytes() throws {
        let data = try photo(png)[0]
        for broken in [[], bytes("broken, and long enough to be looked at by a reader"), try bookmark("a", "b")] as [[UInt8]] {
            let parts = Self.parts([data, broken])
            #expect(try DocumentEssence.travelling(parts, as: PhotoKind()) == [.asItIs, .asItIs])
            #expect(try Self.essence(parts) != Self.essence(Self.parts([data, broken + [0]])))
        }
        let parts = Self.parts([bytes("no archive at all, whatever it is called here"), nil])
        #expect(try Self.essence(parts) == Self.essence(parts, nil))
    }

    @Test func aFileIsItsBytes() throws {
        func file(_ content: String, isExecutable: Bool = false) throws -> [UInt8] {
            try Self.essence([ItemPart(path: [], .file(Bytes(bytes(content)), isExecutable: isExecutable))], TextKind())
        }
        #expect(try file("a") == file("a"))
        #expect(try file("a") != file("b"))
        #expect(try file("a") != file("a", isExecutable: true))
        let parts = [ItemPart(path: [], .file(Bytes(bytes("abc")), isExecutable: false))]
        #expect(try DocumentEssence.pieces(of: parts, as: BookmarkKind()).last == .range(part: 0, ByteRange(offset: 0, length: 3)))
        #expect(try DocumentEssence.travelling(parts, as: BookmarkKind()) == [.asItIs])
    }

    /// Paths, contents, links, empty folders, and which files are programs; in whatever order they were found.
    @Test func aPackageIsItsTree() throws {
        func file(_ path: String, _ content: String, isExecutable: Bool = false) -> ItemPart {
            ItemPart(path: bytes(path), .file(Bytes(bytes(content)), isExecutable: isExecutable))
        }
        let tree = [file("a", "x"), file("b/c", "y"), ItemPart(path: bytes("d"), .link(bytes("a"))), ItemPart(path: bytes("e"), .folder)]
        let wanted = try Self.essence(tree, nil)
        #expect(try Self.essence(tree.reversed(), nil) == wanted)
        #expect(try Self.essence(tree + [ItemPart(path: bytes("b"), .folder)], nil) == wanted)
        let two = Array(tree[..<2]), links = Array(tree[2...]), folder = [tree[3]]
        var others: [[ItemPart]] = [[file("a", "xy"), file("b/c", "")] + links]
        others.append([file("a", "x", isExecutable: true), tree[1]] + links)
        others.append(Array(tree.dropLast()))
        others.append([file("a", "x"), file("b", "y")] + links)
        others.append(two + [ItemPart(path: bytes("d"), .link(bytes("b")))] + folder)
        others.append(two + [file("d", "a")] + folder)
        var found: Set<[UInt8]> = [wanted]
        for other in others { found.insert(try Self.essence(other, nil)) }
        #expect(found.count == others.count + 1)
    }
}
