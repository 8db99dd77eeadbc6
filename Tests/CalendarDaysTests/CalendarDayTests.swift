import CalendarDays
import Testing

@Suite struct CalendarDayTests {
    @Test(arguments: [
        (0, "1970-01-01"), (-1, "1969-12-31"), (11_323, "2001-01-01"), (19_782, "2024-02-29"), (-719_162, "0001-01-01"), (-719_528, "0000-01-01"), (-719_469, "0000-02-29"),
        (2_932_896, "9999-12-31"), (-25_509, "1900-02-28"), (-25_508, "1900-03-01"),
    ] as [(Int64, String)])
    func daysAreCounted(days: Int64, text: String) {
        let day = CalendarDay(daysSince1970: days)
        #expect(day.text == text && day.daysSince1970 == days && day.isReal)
    }

    /// Each follows the one before it, through leap years and centuries.
    @Test func noneIsLeftOut() {
        var last = CalendarDay(daysSince1970: -800_001)
        for days in Int64(-800_000)...200_000 {
            let day = CalendarDay(daysSince1970: days)
            let isNext = day.month == last.month ? day.year == last.year && day.day == last.day + 1
                : day.day == 1 && last.day >= 28 && (day.month == last.month + 1 ? day.year == last.year : day.month == 1 && last.month == 12 && day.year == last.year + 1)
            guard isNext, day.daysSince1970 == days else {
                Issue.record("\(last.text) is followed by \(day.text)")
                return
            }
            last = day
        }
    }

    @Test(arguments: [(2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 0, 1), (2024, 13, 1), (2024, 1, 0), (2024, 1, 32), (2024, 1, .max), (2024, .min, 1)] as [(Int64, Int64, Int64)])
    func thereIsNoSuchDay(year: Int64, month: Int64, day: Int64) { #expect(!CalendarDay(year: year, month: month, day: day).isReal) }

    @Test func clocksAndDigits() {
        #expect(CalendarDay.clock(0) == "00:00:00" && CalendarDay.clock(86_399) == "23:59:59")
        #expect(CalendarDay.digits(7, 3) == "007" && CalendarDay.digits(12_345, 3) == "12345")
        #expect([-7, -6, -1, 0, 6, 7].map { CalendarDay.floored($0, 7) } == [-1, -1, -1, 0, 0, 1])
    }
}
