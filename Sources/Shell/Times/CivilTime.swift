import CalendarDays

/// A day of the calendar and a time of that day, without saying where.
struct CivilTime: Equatable {
    var year: Int64, month: Int64 = 1, day: Int64 = 1
    var hour: Int64 = 0, minute: Int64 = 0, second: Int64 = 0

    static let years: ClosedRange<Int64> = 1...9999

    init(year: Int64, month: Int64 = 1, day: Int64 = 1, hour: Int64 = 0, minute: Int64 = 0, second: Int64 = 0) {
        (self.year, self.month, self.day, self.hour, self.minute, self.second) = (year, month, day, hour, minute, second)
    }

    /// From the seconds since 1970, as a clock that shows UTC.
    init(count: Int64) {
        let bounded = min(max(count, -62_135_596_800), 253_402_300_799)
        let days = CalendarDay.floored(bounded, 86_400), date = CalendarDay(daysSince1970: days), rest = bounded - days * 86_400
        (year, month, day) = (date.year, date.month, date.day)
        (hour, minute, second) = (rest / 3600, rest % 3600 / 60, rest % 60)
    }

    private var calendarDay: CalendarDay { CalendarDay(year: year, month: month, day: day) }

    /// Days since 1970-01-01.
    var dayCount: Int64 { calendarDay.daysSince1970 }

    var count: Int64 { dayCount * 86_400 + hour * 3600 + minute * 60 + second }

    /// nil where there is no such day or time.
    var checked: CivilTime? {
        guard Self.years.contains(year), calendarDay.isReal, (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second)
        else { return nil }
        return self
    }

    /// The same time some months later, on the last day where that month is shorter.
    func adding(months: Int64) -> CivilTime {
        let all = year * 12 + month - 1 + min(max(months, -120_000), 120_000)
        var moved = self
        (moved.year, moved.month) = (min(max(all / 12, 1), 9999), max(all, 0) % 12 + 1)
        while moved.day > 28, moved.checked == nil { moved.day -= 1 }
        return moved
    }

    var date: String { calendarDay.text }
    var time: String { CalendarDay.clock(hour * 3600 + minute * 60 + second) }
}
