import Documents
import KeyedArchives
import MountTesting
import PropertyLists
import SeededNumbers
import Testing

/// Thousands of broken archives through every reader: each ends in a value or an error, never in a trap,
/// and none makes a reader read or take more than a small multiple of the file.
@Suite(.long) struct MutationTests {
    static func seeds() throws -> [[UInt8]] {
        let link = bytes("[InternetShortcut]\r\nURL=http://a\r\n")
        var seeds = [
            try bookmark("Apple", "http://www.apple.com"), try bookmark("日本 😀", "http://x"),
            try #require(applied(try BookmarkKind().write(content: Bytes(link), shownName: bytes("A.url"), over: nil, spelling: nil), to: [nil])[0]),
            try archive("Bookmark", [
                members(["Bookmark Name": .uid(2), "Bookmark URL": .uid(2), "$class": .uid(4), "Self": .uid(1)]),
                members(["NS.string": .uid(3), "$class": .uid(4)]), .string("deep"), description("Bookmark"),
            ]),
            try members(["URL": .string("http://a"), "list": .array([.real(1), .date(2), .set([.integer(-1)]), .integer(1 << 70)])]).binary(),
        ]
        for objectiveC in [false, true] {
            for mutable in [false, true] { seeds += try photo(png, objectiveC: objectiveC, mutable: mutable, thumbnail: jpeg).compactMap { $0 } }
            let writings = try PhotoKind().write(content: Bytes(png), shownName: bytes("A.png"), over: nil, spelling: Spelling(rawValue: objectiveC ? "PTK" : "M"))
            seeds += applied(writings, to: [nil, nil], content: png).compactMap { $0 }
        }
        return try seeds + seeds.compactMap { try PropertyList(reading: Bytes($0)).xml() }
    }

    static func mutated(_ seed: [UInt8], _ random: inout SeededNumbers, times: ClosedRange<Int> = 1...4) -> [UInt8] {
        var bytes = seed
        func place(_ bound: Int) -> Int { bound > 0 ? Int.random(in: 0..<bound, using: &random) : 0 }
        for _ in 0..<Int.random(in: times, using: &random) where bytes.count > 50 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: bytes[place(bytes.count)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place(bytes.count)] = UInt8.random(in: 0...255, using: &random)
            case 2: bytes.removeLast(place(bytes.count))
            case 3:
                let start = place(bytes.count)
                bytes.removeSubrange(start..<min(bytes.count, start + 1 + place(12)))
            case 4: // A number of the trailer, or of the sizes before them.
                let start = bytes.count - 32 + place(32)
                for index in start..<bytes.count where Bool.random(using: &random) { bytes[index] = [0, 1, 0x7F, 0x80, 0xFF][place(5)] }
            case 5: // A place of the offset table.
                bytes[bytes.count - 33 - place(min(60, bytes.count - 40))] = UInt8.random(in: 0...255, using: &random)
            case 6: // A huge count where there was something else.
                let start = 8 + place(bytes.count - 50)
                let claim: [UInt8] = [[0x4F, 0x5F, 0x6F, 0x8F, 0xAF, 0xCF, 0xDF][place(7)], 0x13, [0, 0x7F, 0xFF][place(3)], 0, 0, [0, 1][place(2)], 0xFF, 0xFF, 0xFF, 0xFF]
                for (index, byte) in claim.enumerated() where start + index < bytes.count { bytes[start + index] = byte }
            case 7: // Another kind of object.
                bytes[8 + place(bytes.count - 50)] = UInt8(place(16)) << 4 | UInt8(place(16))
            case 8: // A reference or UID to somewhere else, itself perhaps: small numbers are mostly these.
                for index in 8..<bytes.count - 32 where bytes[index] < 30 && place(12) == 0 { bytes[index] = UInt8(place(30)) }
            default: bytes.insert(contentsOf: [UInt8](repeating: [0, 0x0F, 0xA1, 0xD1, 0xFF][place(5)], count: place(40)), at: place(bytes.count))
            }
        }
        return bytes
    }

    @Test func everyReaderSurvives() throws {
        var random = SeededNumbers(seed: 20_240_601)
        let seeds = try Self.seeds()
        var (values, errors) = (0, 0)
        for round in 0..<4_000 {
            let bytes = Self.mutated(seeds[round % seeds.count], &random)
            var source: Counting { Counting(Bytes(bytes)) }
            func survives(_ limit: Int, _ work: (Counting) throws -> Void) {
                let source = source
                do {
                    try work(source)
                    values += 1
                } catch { errors += 1 }
                #expect(source.bytesRead <= limit, "round \(round)")
            }
            let small = 1 << 17
            survives(1 << 22) { _ = try PropertyList(reading: $0) }
            survives(1 << 20) { _ = try ObjectTable(copying: try BinaryPropertyList($0)).written() }
            survives(small) { source in
                let archive = try KeyedArchive(source)
                for key in ["Bookmark", "Data", "data"] {
                    guard let object = try archive.root(key) else { continue }
                    _ = try archive.className(of: object)
                    for field in ["Bookmark Name", "Photo", "Self"] {
                        _ = try archive.text(field, of: object)
                        _ = try archive.data(field, of: object)
                    }
                }
            }
            for kind in DocumentKinds.shipped {
                let name = try documentName(kind)
                let parts = kind.parts == nil ? 1 : 2
                survives(small) { source in
                    let reading = try kind.read([source, source].suffix(parts), storedName: name.stored, options: .init())
                    if case .range(_, let offset, let length) = reading.content {
                        #expect(offset >= 0 && length >= 0 && offset + length <= source.byteCount)
                    }
                }
                survives(1 << 20) { source in
                    _ = try kind.write(content: Bytes(name.content), shownName: name.shown, over: [source, source].suffix(parts), spelling: nil)
                }
                survives(1 << 20) { source in
                    _ = try kind.rename([source, source].suffix(parts), storedName: name.stored, to: name.shown, options: .init())
                }
                survives(1 << 20) { source in
                    _ = try kind.write(content: source, shownName: name.shown, over: nil, spelling: nil)
                }
            }
            survives(1 << 20) { _ = try PhotoThumbnail().setting(png, in: $0, spelling: nil) }
        }
        // Both ways are gone often, or the mutations are too mild or too wild to tell anything.
        #expect(values > 5_000 && errors > 5_000)
    }

    /// What is saved over a mutated document that is understood is a document with the new content.
    @Test func whatCanBeSavedOverIsWhole() throws {
        var random = SeededNumbers(seed: 7)
        let seeds = try Self.seeds()
        var saved = 0
        for round in 0..<3_000 {
            let broken = Self.mutated(seeds[round % seeds.count], &random, times: 1...1)
            let content = round % 2 == 0 ? jpeg : png
            if let writings = try? PhotoKind().write(content: Bytes(content), shownName: bytes("A.png"), over: [Bytes(broken), nil], spelling: nil) {
                let parts = applied(writings, to: [broken, nil], content: content)
                let reading = try PhotoKind().read(sources(parts), storedName: bytes("A.ptk"), options: .init())
                #expect(DocumentsTests.content(reading, of: parts) == content, "round \(round)")
                saved += 1
            }
            let link = bytes("[InternetShortcut]\nURL=http://round/\(round)\n")
            if let writings = try? BookmarkKind().write(content: Bytes(link), shownName: bytes("A.url"), over: [Bytes(broken)], spelling: nil) {
                let parts = applied(writings, to: [broken])
                let reading = try BookmarkKind().read(sources(parts), storedName: bytes("Bookmark_A-1.000000"), options: .init())
                #expect(DocumentsTests.content(reading, of: parts) == link, "round \(round)")
                saved += 1
            }
        }
        #expect(saved > 300)
    }

    @Test func textsOfLinksSurvive() throws {
        var random = SeededNumbers(seed: 3)
        let seeds = LinkForm.allCases.map { LinkFile.canonical(form: $0, name: "Nämé <&> 😀", url: "http://a/?b=c&d=\"e\"") }
        for round in 0..<4_000 {
            var bytes = seeds[round % seeds.count]
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + 9))
                case 2: bytes.insert(contentsOf: [Array("<!--".utf8), Array("&#x110000;".utf8), Array("<a href=".utf8), [0], [0xFF, 0xFE], Array("\\".utf8), Array("<![CDATA[".utf8)][round % 7], at: place)
                default: bytes = Array(bytes[place...] + bytes[..<place])
                }
                if bytes.isEmpty { bytes = [0] }
            }
            for form in LinkForm.allCases {
                guard let link = try? LinkFile.parse(bytes, form: form) else { continue }
                #expect(!link.url.isEmpty && !link.url.utf8.contains { $0 < 0x20 })
            }
        }
    }

    /// There is no sample of this kind to mutate.
    private struct Missing: Error { let kind: String }

    private func documentName(_ kind: any DocumentKind) throws -> (stored: [UInt8], shown: [UInt8], content: [UInt8]) {
        switch kind.name {
        case "bookmark": return (bytes("Bookmark_A-1.000000"), bytes("A.url"), bytes("[InternetShortcut]\nURL=http://b\nX=1\n"))
        case "photo": return (bytes("A.ptk"), bytes("A.jpg"), jpeg)
        case "text": return (bytes("A.stedoc"), bytes("A.txt"), bytes("text"))
        default:
            throw Missing(kind: kind.name)
        }
    }
}
