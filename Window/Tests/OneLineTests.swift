import Testing

@testable import Widgets

@Suite struct OneLineTests {
    @Test(arguments: [
        ("plain <b>text</b> & more", "plain <b>text</b> & more"), ("two\nlines\r\t", "two\u{240A}lines\u{240D}\u{2409}"), ("a\0b\u{7F}", "a\u{2400}b\u{2421}"),
        ("\u{202E}desrever\u{2066}", "\u{FFFD}desrever\u{FFFD}"), ("שלום", "שלום"), ("", ""), ("e\u{301}", "e\u{301}"),
    ])
    func whateverIsInItIsALine(given: String, shown: String) { #expect(OneLine.shown(given).unicodeScalars.elementsEqual(shown.unicodeScalars)) }

    @Test func aLongOneIsCut() {
        #expect(OneLine.shown(String(repeating: "x", count: 300)) == String(repeating: "x", count: 300))
        #expect(OneLine.shown(String(repeating: "x", count: 1_000_000)) == String(repeating: "x", count: 300) + "…")
    }
}
