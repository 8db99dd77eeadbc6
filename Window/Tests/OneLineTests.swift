import Testing

@testable import Widgets

@Suite struct OneLineTests {
    @Test(arguments: [
        ("plain <b>text</b> & more", "plain <b>text</b> & more"), ("two\nlines\r\t", "two\u{240A}lines\u{240D}\u{2409}"), ("a\0b\u{7F}", "a\u{2400}b\u{2421}"),
        ("\u{202E}desrever\u{2066}", "\u{FFFD}desrever\u{FFFD}"), ("שלום", "שלום"), ("", ""), ("e\u{301}", "e\u{301}"),
    ])
    func whateverIsInItIsALine(given: String, shown: String) { #expect(OneLine.shown(given).unicodeScalars.elementsEqual(shown.unicodeScalars)) }

    @Test func sentencesKeepTheirLines() {
        #expect(OneLine.sentences("“a\tb” is used:\n  cat (12)\n") == "“a\u{2409}b” is used:\n  cat (12)\n")
        #expect(OneLine.sentences(String(repeating: "x", count: 10_000)) == String(repeating: "x", count: 2_000) + "…")
    }

    @Test func whatDoesNotWrapIsBrokenBetweenWords() {
        #expect(OneLine.broken("It is saved", at: 20, most: 4) == ["It is saved"])
        #expect(OneLine.broken("It is none of the files that are imported\nor so", at: 12, most: 8) == ["It is none", "of the files", "that are", "imported", "or so"])
        #expect(OneLine.broken("mmmmmmmmmm mm", at: 4, most: 9) == ["mmmm", "mmmm", "mm", "mm"])
        #expect(OneLine.broken("one two three four", at: 5, most: 2) == ["one", "two…"])
        #expect(OneLine.broken("", at: 5, most: 2) == [])
    }

    @Test func aLongNameLeavesTheSentence() {
        #expect(OneLine.name("Notes.txt") == "Notes.txt")
        #expect(OneLine.name(String(repeating: "m", count: 10_000) + ".txt") == String(repeating: "m", count: 40) + "…" + String(repeating: "m", count: 12) + ".txt")
    }

    @Test func aLongOneIsCut() {
        #expect(OneLine.shown(String(repeating: "x", count: 300)) == String(repeating: "x", count: 300))
        #expect(OneLine.shown(String(repeating: "x", count: 1_000_000)) == String(repeating: "x", count: 300) + "…")
    }
}
