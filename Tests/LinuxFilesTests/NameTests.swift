import LinuxFiles
import Testing

@Suite struct NameTests {
    // Not as arguments: some of them would end up in a log.
    @Test func whatIsNoNameCannotBeBuilt() {
        for text in ["", ".", "..", "/", "a/b", "/a", "a/", "a\0", "\0", String(repeating: "x", count: 256), String(repeating: "ä", count: 128)] {
            #expect(Name(text) == nil)
            #expect(Name(text.utf8) == nil)
        }
    }

    @Test func whatFoldersHoldIsAName() {
        for text in ["...", " ", "a", ".a", "\n", "\\", "∕", "~", "-", String(repeating: "x", count: 255), "e\u{301}", "é"] {
            #expect(Name(text)?.bytes == Array(text.utf8))
        }
    }

    @Test func anyBytesAreAName() { #expect(Name([0xFF, 0xC3, 0x01])?.bytes == [0xFF, 0xC3, 0x01]) }

    @Test func namesAreBytesAndNotCharacters() throws {
        let composed = try name("é"), decomposed = try name("e\u{301}")
        #expect(composed != decomposed)
        #expect(decomposed < composed)
        #expect(try name("B") < name("a"))
    }

    @Test func printsSafely() throws {
        #expect(try name("a\nb\u{1B}[1m\tc\r\u{7F}").description == "a\\nb\\u{1b}[1m\\tc\\r\\u{7f}")
        #expect(Name([0x61, 0xFF])?.description == "a\u{FFFD}")
        #expect(Failure.cannot("open", try name("x"), .accessDenied).sentence == "cannot open “x”: Permission denied")
    }
}
