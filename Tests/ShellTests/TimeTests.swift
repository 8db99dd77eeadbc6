import Testing
@testable import Shell

/// Times as people name them, where clocks are an hour ahead of UTC, and two in summer.
@Suite struct TimeTests {
    /// Saturday, 2026-11-21 15:00:00 in Berlin.
    private static let clock = LocalClock(now: 1_795_269_600, offset: { offset($0) })
    /// Clocks were turned on 2026-03-29 and on 2026-10-25, at 01:00 UTC.
    private static func offset(_ moment: Int64) -> Int64 { (1_774_746_000..<1_792_890_000).contains(moment) ? 7200 : 3600 }

    private func shown(_ moment: Int64) -> String { Self.clock.shown(moment) }

    @Test(arguments: [
        ("now", "2026-11-21 15:00:00"), ("2 hours ago", "2026-11-21 13:00:00"), ("an hour ago", "2026-11-21 14:00:00"), ("10 min ago", "2026-11-21 14:50:00"),
        ("10min ago", "2026-11-21 14:50:00"), ("10min", "2026-11-21 14:50:00"), ("2 h", "2026-11-21 13:00:00"), ("3 days ago", "2026-11-18 15:00:00"), ("1 week ago", "2026-11-14 15:00:00"), ("90 s ago", "2026-11-21 14:58:30"),
        ("a month ago", "2026-10-21 15:00:00"), ("9 months ago", "2026-02-21 15:00:00"), ("2 years ago", "2024-11-21 15:00:00"),
        ("2026-11-21 14:30:05", "2026-11-21 14:30:05"), ("2026-11-21T14:30:05", "2026-11-21 14:30:05"), ("2026-11-21T13:30:05Z", "2026-11-21 14:30:05"),
        ("2026-11-21T13:30:05.123456Z", "2026-11-21 14:30:05"), ("2026-11-21T09:30:05-04:00", "2026-11-21 14:30:05"), ("2026-07-01 12:00:00", "2026-07-01 12:00:00"),
        ("yesterday 23:59:59", "2026-11-20 23:59:59"),
    ])
    func moments(text: String, moment: String) {
        guard case .moment(let found)? = NamedTime(text, Self.clock) else {
            Issue.record("“\(text)” is understood as \(String(describing: NamedTime(text, Self.clock)))")
            return
        }
        #expect(shown(found) == moment)
    }

    @Test(arguments: [
        ("today", "2026-11-21 00:00:00", "2026-11-22 00:00:00"), ("yesterday", "2026-11-20 00:00:00", "2026-11-21 00:00:00"),
        ("Yesterday 14:30", "2026-11-20 14:30:00", "2026-11-20 14:31:00"), ("14:30", "2026-11-21 14:30:00", "2026-11-21 14:31:00"),
        ("16:30", "2026-11-20 16:30:00", "2026-11-20 16:31:00"), ("friday", "2026-11-20 00:00:00", "2026-11-21 00:00:00"),
        ("Saturday", "2026-11-14 00:00:00", "2026-11-15 00:00:00"), ("sun 9:00", "2026-11-15 09:00:00", "2026-11-15 09:01:00"),
        ("2026-11-21", "2026-11-21 00:00:00", "2026-11-22 00:00:00"), ("2026-11", "2026-11-01 00:00:00", "2026-12-01 00:00:00"),
        ("2026", "2026-01-01 00:00:00", "2027-01-01 00:00:00"), ("2026-11-21 14", "2026-11-21 14:00:00", "2026-11-21 15:00:00"),
        ("2026-11-21T14:30", "2026-11-21 14:30:00", "2026-11-21 14:31:00"), ("2024-02", "2024-02-01 00:00:00", "2024-03-01 00:00:00"),
        // 25 hours long, and 23.
        ("2026-10-25", "2026-10-25 00:00:00", "2026-10-26 00:00:00"), ("2026-03-29", "2026-03-29 00:00:00", "2026-03-30 00:00:00"),
    ])
    func periods(text: String, first: String, end: String) {
        guard case .period(let found)? = NamedTime(text, Self.clock) else {
            Issue.record("“\(text)” is understood as \(String(describing: NamedTime(text, Self.clock)))")
            return
        }
        #expect(shown(found.lowerBound) == first && shown(found.upperBound) == end)
        #expect(NamedTime(text, Self.clock)?.beginning == found.lowerBound)
    }

    @Test(arguments: [
        "", " ", "soon", "2026-13", "2026-02-30", "2026-11-21 25:00", "2026-11-21 14:60", "ago", "hours ago", "99999999999 hours ago", "-2 hours ago", "2 fortnights ago",
        "14", "14:3x", "2026-11-", "2026-11-21 ", "20-11-21", "0000", "yesterday noon", "٢ hours ago", "2026-11-21 14:30:00+99:00", "2026-11-21T23-27-33.123456Z",
    ])
    func noTimes(text: String) {
        // A blank behind a date is a date.
        if text == "2026-11-21 " { #expect(NamedTime(text, Self.clock) == NamedTime("2026-11-21", Self.clock)) } else { #expect(NamedTime(text, Self.clock) == nil) }
    }

    @Test(arguments: [(0, "0 s ago"), (59, "59 s ago"), (60, "1 min ago"), (7300, "2 h ago"), (86_400, "yesterday"), (259_200, "3 days ago"), (17_280_000, "6 months ago"), (77_760_000, "2 years ago"), (-5, "in the future")])
    func ages(passed: Int64, text: String) { #expect(Self.clock.age(Self.clock.now - passed) == text) }

    @Test func everyDayIsItself() {
        for day: Int64 in stride(from: -719_162, to: 2_932_896, by: 97) {
            let civil = CivilTime(count: day * 86_400 + 5)
            #expect(civil.dayCount == day && civil.count == day * 86_400 + 5 && civil.checked != nil)
        }
        for count in [Int64.min, Int64.max] { #expect(CivilTime(count: count).checked != nil) }
        #expect(zonedTime(1_795_269_600, nanoseconds: 5000) == "2026-11-21T14:00:00.000005Z" && zonedTime(0) == "1970-01-01T00:00:00Z")
    }
}

/// Versions as people name them.
@Suite struct VersionListTests {
    private static let clock = LocalClock(now: 1_795_269_600, offset: { _ in 3600 })

    private func row(_ passed: Int64, _ id: String, conflict: Bool = false) -> VersionList.Row {
        VersionList.Row(id: id, modified: Self.clock.now - passed, size: 12, computer: "elm", isConflict: conflict)
    }

    /// Now, twice today, once yesterday, and a long time ago.
    private var list: VersionList {
        VersionList(
            [row(60, "now"), row(3600, "2026-11-21T13-00-00.000000Z", conflict: true), row(7200, "2026-11-21T12-00-00.000000Z"),
             row(90_000, "2026-11-20T13-00-00.000000Z"), row(40_000_000, "2025-08-15T15-00-00.000000Z")], clock: Self.clock)
    }

    @Test(arguments: [
        ("now", 0), ("0", 0), ("3", 3), ("2026-11-21T12-00-00.000000Z", 2), ("2026-11-21T12-", 2), ("yesterday", 3), ("2026-11-21 13", 2),
        ("2026-11-21 14:00", 1), ("2026-11-21T14:00:00", 1), ("20 s ago", 0), ("1 week ago", 4), ("2026-11-01", 4), ("2025", 4), ("2025-08", 4),
        // Somebody else's work was never what the document was.
        ("30 min ago", 2),
    ])
    func oneIsMeant(word: String, number: Int) { #expect(list.choose(word) == .one(number)) }

    @Test(arguments: ["2026-11-21T1", "today"]) func severalAreMeant(word: String) { #expect(list.choose(word) == .several([1, 2])) }
    @Test(arguments: ["2 years ago", "1999"]) func noneIsThatOld(word: String) { #expect(list.choose(word) == .tooOld) }
    @Test(arguments: ["9", "bla", "", "20", "99999999999999999999"]) func noneIsMeant(word: String) { #expect(list.choose(word) == .unknown) }

    @Test func theTableIsAligned() {
        #expect(list.text == """
              #  when                                    size  from
            now  2026-11-21 14:59:00  1 min ago      12 bytes  elm
              1  2026-11-21 14:00:00  1 h ago        12 bytes  elm   conflict
              2  2026-11-21 13:00:00  2 h ago        12 bytes  elm
              3  2026-11-20 14:00:00  yesterday      12 bytes  elm
              4  2025-08-15 15:53:20  15 months ago  12 bytes  elm

            """.split(separator: "\n").map { "  \($0)\n" }.joined())
        for (number, word) in list.words.enumerated() { #expect(list.choose(word) == .one(number + 1)) }
    }

    /// Two of one second are named by their numbers.
    @Test func wordsAreUnambiguous() {
        let list = VersionList([row(0, "now"), row(5, "a"), row(5, "b")], clock: Self.clock)
        #expect(list.words == ["1", "2"])
        #expect(list.choose(Self.clock.word(Self.clock.now - 5)) == .several([1, 2]))
    }

    @Test func coloursAreForTerminals() {
        #expect(Paint(isTerminal: true, noColor: nil, terminal: "xterm").warning("conflict") == "\u{1B}[33mconflict\u{1B}[m")
        for paint in [Paint(isTerminal: false, noColor: nil, terminal: nil), Paint(isTerminal: true, noColor: "1", terminal: nil), Paint(isTerminal: true, noColor: nil, terminal: "dumb")] {
            #expect(paint.fault("x") == "x")
        }
    }
}
