import Testing
@testable import Shell

@Suite struct JSONTests {
    private func read(_ text: String) -> JSON? { JSON(Array(text.utf8)) }

    @Test func valuesAreRead() throws {
        let page = try #require(read(#" {"a": [1, -2.5, 1e2, true, false, null], "b": {"c": "x"}, "big": 18446744073709551615} "#))
        #expect(page["a"]?.elements == [.integer(1), .number(-2.5), .number(100), .bool(true), .bool(false), .null])
        #expect(page["b"]?["c"]?.string == "x")
        #expect(page["big"] == .number(18446744073709551616))
        #expect(page["big"]?.integer == nil)
        #expect(page["missing"] == nil)
    }

    @Test(arguments: [
        (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e4\u20AC""#, "ä€"), (#""\ud83d\ude00!""#, "😀!"),
        (#""\ud83d""#, "\u{FFFD}"), (#""\ude00x""#, "\u{FFFD}x"), (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""ä😀""#, "ä😀"), (#""""#, ""),
    ])
    func stringsAreRead(text: String, value: String) {
        #expect(read(text) == .string(value))
    }

    @Test(arguments: [
        "", " ", "{", "}", "[", "[1", "[1,", "[1,]", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{1:2}", "tru", "nul", "truex", "1 2", "[1] x",
        "01", "+1", "1.", ".5", "1e", "--1", "-", "1.e5", "0x10", "1e999", "NaN", "Infinity", #"""#, #""\"#, #""\x""#, #""\u12""#, #""\u12g4""#, #""\u+123""#, "\"\n\"", "'a'",
    ])
    func rubbishIsNothing(text: String) {
        #expect(read(text) == nil)
    }

    @Test func bytesThatAreNoTextAreNothing() {
        #expect(JSON([0x22, 0xFF, 0x22]) == nil)
        #expect(JSON([0xFE, 0xFF, 0x00]) == nil)
    }

    @Test func depthAndSizeAreBounded() {
        #expect(read(String(repeating: "[", count: JSON.deepest) + String(repeating: "]", count: JSON.deepest)) != nil)
        #expect(read(String(repeating: "[", count: 1_000_000)) == nil)
        #expect(JSON([UInt8](repeating: 0x20, count: JSON.largest + 1)) == nil)
    }

    /// Every beginning and every single-byte change of a page is read or refused, and nothing else.
    @Test func noByteIsTrusted() {
        let page = Array(#"{"process":12,"open":["a\u00e4",{"name":"b"}],"n":-1.5e3}"#.utf8)
        for length in page.indices { #expect(JSON(Array(page[..<length])) == nil) }
        for index in page.indices {
            for byte: UInt8 in [0x00, 0x22, 0x2C, 0x5C, 0x7B, 0x7D, 0x80, 0xFF] {
                var changed = page
                changed[index] = byte
                if let value = JSON(changed) { _ = StatusReport(value).text(mountpoint: "/", clock: LocalClock(now: 0) { _ in 0 }) }
            }
        }
    }

    @Test(arguments: [
        #"{"a":[1,-2,true,null,"x"],"b":{}}"#, #"["\"\\\n\t\u0001\u0085"]"#, "[]", #""ä😀""#,
    ])
    func whatIsWrittenIsReadBack(text: String) throws {
        let value = try #require(read(text))
        #expect(value.line == text)
        #expect(JSON(Array(value.line.utf8)) == value)
    }
}
