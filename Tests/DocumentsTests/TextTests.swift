import Documents
import PropertyLists
import Testing

@Suite struct TextTests {
    let kind = TextKind()

    @Test func isItsBytes() throws {
        let reading = try kind.read([Bytes([0xFF, 0x00])], storedName: bytes("Notes.stedoc"), options: .init())
        #expect(text(reading.name) == "Notes" && reading.fileExtension == "txt")
        #expect(reading.content == .range(part: 0, offset: 0, length: 2))
    }

    @Test func mustBeUTF8() throws {
        for good in ["", "a", "é", String(repeating: "日本語 😀", count: 20_000)] {
            for shift in 0..<4 {
                let content = bytes(String(repeating: "x", count: shift) + good)
                #expect(try kind.write(content: Bytes(content), shownName: bytes("a.txt"), over: nil, spelling: nil) == [.around(head: [], tail: [])])
            }
        }
        for bad in [[0xFF], bytes("x") + [0xC3], bytes(String(repeating: "x", count: 65_535)) + [0xC3, 0x28], bytes(String(repeating: "x", count: 65_535)) + [0xC3]] as [[UInt8]] {
            try expectUnfit(bad)
        }
    }

    /// However short it is: that it is no text is said, and not that it cannot be read.
    @Test func aByteIsEnough() throws {
        for byte in 0x80...0xFF as ClosedRange<UInt8> { try expectUnfit([byte]) }
        for byte in 0..<0x80 as Range<UInt8> { _ = try kind.write(content: Bytes([byte]), shownName: bytes("a.txt"), over: nil, spelling: nil) }
    }

    /// The line that somebody would type names the encoding that it is, or none.
    @Test(arguments: [
        // “précieux”, “naïve café”.
        ("ISO-8859-1", bytes("pr") + [0xE9] + bytes("cieux\n")), ("ISO-8859-1", bytes("na") + [0xEF] + bytes("ve caf") + [0xE9]),
        // “don’t — “Hello””, “say “A””.
        ("WINDOWS-1252", bytes("don") + [0x92] + bytes("t ") + [0x97, 0x20, 0x93] + bytes("Hello") + [0x94, 0x0A]),
        ("WINDOWS-1252", bytes("say ") + [0x93] + bytes("A") + [0x94]), ("WINDOWS-1252", bytes("don") + [0x92] + bytes("t\n")),
        // “日本語のメモ”, “はい”, “OK。”, and one whose last character is cut.
        ("SHIFT_JIS", [0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0x82, 0xCC, 0x83, 0x81, 0x83, 0x82, 0x0A]), ("SHIFT_JIS", [0x82, 0xCD, 0x82, 0xA2]),
        ("SHIFT_JIS", bytes("OK") + [0x81, 0x42]), ("SHIFT_JIS", [0x82, 0xCD, 0x82]),
        // Marked, or “привет” in KOI8-R, “はい” in EUC-JP, and what is nothing.
        ("UTF-16", [0xFF, 0xFE, 0x61, 0xD8]), ("ENCODING", [0xD0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4]), ("ENCODING", [0xA4, 0xCF, 0xA4, 0xA4]), ("ENCODING", bytes("abc") + [0x90, 0x20]),
    ] as [(String, [UInt8])]) func anotherEncodingIsNamedWhereItShows(encoding: String, content: [UInt8]) throws {
        let reason = try #require(try TextKind.encodingFault(of: Bytes(content)))
        #expect(reason.hasPrefix("The text is not UTF-8, which is all that apps read; to convert it: iconv -f \(encoding) -t UTF-8 FILE >NEW"), "\(reason)")
    }

    private func expectUnfit(_ content: [UInt8]) throws {
        do throws(DocumentFault) {
            _ = try kind.write(content: Bytes(content), shownName: bytes("a.txt"), over: nil, spelling: nil)
            Issue.record("\(content.prefix(4)) was taken")
        } catch {
            let isUnfit = if case .unfit = error { true } else { false }
            #expect(isUnfit, "\(content.prefix(4)): \(error)")
        }
    }

    @Test func names() {
        #expect(kind.takes(shownName: bytes("a.txt")) && kind.takes(shownName: bytes("a.TXT")) && !kind.takes(shownName: bytes(".txt")))
        #expect(text(kind.storedName(forShown: bytes("a.txt"), at: .init(rawValue: 0), attempt: 0)) == "a.stedoc")
        #expect(text(kind.storedName(forShown: bytes("a.txt"), at: .init(rawValue: 0), attempt: 1)) == "a 1.stedoc")
        #expect(text(kind.storedName(forShown: bytes("A.TXT"), at: .init(rawValue: 0), attempt: 0)) == "A.stedoc")
        #expect(kind.tells(shownName: bytes("A.txt"), storedName: bytes("A.stedoc")) && !kind.tells(shownName: bytes("A.TXT"), storedName: bytes("A.stedoc")))
        #expect(kind.storedName(forShown: bytes(String(repeating: "x", count: 251) + ".txt"), at: .init(rawValue: 0), attempt: 0).count == 255)
        #expect(kind.mayBe(storedName: bytes("a.STEDOC"), isFolder: false) && !kind.mayBe(storedName: bytes("a.stedoc"), isFolder: true))
    }
}
