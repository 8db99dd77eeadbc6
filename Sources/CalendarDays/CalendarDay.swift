/// A day of the calendar, before 1582 too as if that had always been so.
public struct CalendarDay: Hashable, Sendable {
    public let year: Int64
    public let month: Int64
    public let day: Int64

    public init(year: Int64, month: Int64, day: Int64) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    // Years begin in March here, and come in eras of 400: leap days come last, so each term is a plain division.

    public init(daysSince1970 days: Int64) {
        let shifted = days + 719_468
        let era = Self.floored(shifted, 146_097), dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }

    public var daysSince1970: Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = Self.floored(shifted, 400), yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Whether there is such a day.
    public var isReal: Bool { (1...12).contains(month) && (1...31).contains(day) && CalendarDay(daysSince1970: daysSince1970) == self }

    /// "2026-03-01".
    public var text: String { "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))" }

    /// "09:30:15", of a second of a day.
    public static func clock(_ second: Int64) -> String { "\(digits(second / 3600, 2)):\(digits(second % 3600 / 60, 2)):\(digits(second % 60, 2))" }

    /// "2026-03-01T09:30:15", of a second since 1970.
    public static func moment(_ seconds: Int64) -> String {
        let days = floored(seconds, 86_400)
        return "\(CalendarDay(daysSince1970: days).text)T\(clock(seconds - days * 86_400))"
    }

    /// A number with zeros before it.
    public static func digits(_ number: Int64, _ count: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    /// A division that rounds down.
    public static func floored(_ number: Int64, _ divisor: Int64) -> Int64 { number / divisor - (number % divisor < 0 ? 1 : 0) }
}
