import Testing
@testable import Shell

@Suite struct WordTests {
    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (999_999, "999.9 kB"), (1_000_000, "1.0 MB"),
        (6_291_456, "6.2 MB"), (5_000_000_000, "5.0 GB"), (Int64.max, "9223372.0 TB"), (-1, "0 bytes"),
    ])
    func sizes(bytes: Int64, text: String) { #expect(size(bytes) == text) }

    @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-5000, "-5,000")])
    func counts(number: Int, text: String) { #expect(count(number) == text) }

    @Test(arguments: [(0, "0 s"), (59, "59 s"), (60, "1 min"), (3600, "1 h 0 min"), (86_400, "1 day"), (200_000, "2 days"), (-5, "0 s")])
    func spans(seconds: Int64, text: String) { #expect(span(seconds) == text) }

    @Test(arguments: [
        (0, "1970-01-01 00:00"), (951_782_399, "2000-02-28 23:59"), (951_782_400, "2000-02-29 00:00"),
        (951_868_800, "2000-03-01 00:00"), (1_735_689_599, "2024-12-31 23:59"), (4_107_542_400, "2100-03-01 00:00"), (-1, "-1"),
    ])
    func moments(seconds: Int64, text: String) { #expect(moment(seconds, LocalClock(now: 0) { _ in 0 }) == text) }

    @Test(arguments: [("a/b-c_1.url", "a/b-c_1.url"), ("a b", "'a b'"), ("", "''"), ("it's", #"'it'\''s'"#), ("$(x)", "'$(x)'"), ("ä", "'ä'")])
    func shellWords(text: String, word: String) { #expect(shellWord(text) == word) }

    @Test(arguments: [("ä😀", "ä😀"), ("a\tb", "a\\tb"), ("\u{202E}x", "\\u{202e}x"), ("\u{9B}", "\\u{9b}"), ("e\u{301}", "e\u{301}")])
    func printableText(text: String, shown: String) { #expect(Array(printable(text).unicodeScalars) == Array(shown.unicodeScalars)) }

    @Test(arguments: [
        ("The file holds no link.", "the file holds no link"), ("it is a folder", "it is a folder"), ("It is long. So it ends.", "it is long. So it ends."), ("XML…", "XML…"), ("A b.", "A b"), ("", ""),
    ])
    func clauses(sentence: String, text: String) { #expect(clause(sentence) == text) }

    @Test(arguments: [("mount", "mount"), ("muont", "mount"), ("umount", "unmount"), ("doc", "doctor"), ("xyzzy", nil), ("", nil)])
    func nearest(word: String, found: String?) { #expect(nearestWord(to: word, in: VerbName.allCases.map(\.rawValue)) == found) }
}
