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
        let day = bounded >= 0 ? bounded / 86_400 : (bounded - 86_399) / 86_400
        let rest = bounded - day * 86_400
        // Days since 1 March of year 0: leap days come last in a year, so each term is a plain division.
        let days = day + 719_468
        let era = days / 146_097, dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        self.day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        (hour, minute, second) = (rest / 3600, rest % 3600 / 60, rest % 60)
    }

    /// Days since 1970-01-01.
    var dayCount: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400, yearOfEra = shiftedYear % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    var count: Int64 { dayCount * 86_400 + hour * 3600 + minute * 60 + second }

    /// nil where there is no such day or time.
    var checked: CivilTime? {
        guard Self.years.contains(year), (1...12).contains(month), day >= 1, (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second),
            CivilTime(count: count).day == day
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

    var date: String { "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))" }
    var time: String { "\(Self.digits(hour, 2)):\(Self.digits(minute, 2)):\(Self.digits(second, 2))" }

    static func digits(_ number: Int64, _ count: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
