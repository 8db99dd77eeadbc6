// Dates as ISO 8601 writes them: 2026-03-01, 2026-03-01T09:30, 2026-03-01 09:30:15.5Z, 2026-03-01T09:30:15+01:00. Without a zone
// they are of UTC.
extension Moment {
    /// A whole text that is a date.
    public init?(_ text: [UInt8]) {
        guard let (moment, end) = Self.read(text[...]), end == text.endIndex else { return nil }
        self = moment
    }

    /// A date at the beginning of a text, and where it ends.
    static func read(_ text: ArraySlice<UInt8>) -> (Moment, end: Int)? {
        var reader = DateReader(rest: text)
        guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2), reader.take("-"), let day = reader.digits(2),
            (1...12).contains(month), (1...lastDay(of: month, year)).contains(day)
        else { return nil }
        let days = Self.days(year, month, day)
        guard let time = reader.time() else { return (Moment(seconds: days * 86_400), reader.rest.startIndex) }
        return (Moment(seconds: days * 86_400 + time.seconds, nanoseconds: time.nanoseconds), reader.rest.startIndex)
    }

    private static func lastDay(of month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970. Years begin in March here: leap days come last, so each term is a plain division.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}

private struct DateReader {
    var rest: ArraySlice<UInt8>

    mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: sign) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func digits(_ count: Int) -> Int64? {
        let taken = rest.prefix(count)
        guard taken.count == count, taken.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(count)
        return taken.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// The time behind a date, with its zone taken off; nil, and nothing is read, where there is none.
    mutating func time() -> (seconds: Int64, nanoseconds: Int64)? {
        let before = rest
        guard take("T") || take("t") || take(" "), let hour = digits(2), take(":"), let minute = digits(2), hour < 24, minute < 60 else {
            rest = before
            return nil
        }
        var seconds = hour * 3600 + minute * 60, nanoseconds: Int64 = 0
        let beforeSeconds = rest
        if take(":"), let second = digits(2), second < 61 {
            seconds += second
            let beforeFraction = rest
            if take(".") || take(",") {
                var place: Int64 = 100_000_000, isRead = false
                while let digit = digits(1) {
                    nanoseconds += digit * place
                    place /= 10
                    isRead = true
                }
                if !isRead { rest = beforeFraction }
            }
        } else {
            rest = beforeSeconds
        }
        return (seconds - zone(), nanoseconds)
    }

    /// How many seconds a zone is before UTC.
    private mutating func zone() -> Int64 {
        if take("Z") || take("z") { return 0 }
        let before = rest
        let isEast = rest.first == UInt8(ascii: "+")
        if take("+") || take("-"), let hour = digits(2), hour < 24 {
            let isParted = take(":")
            let minute = digits(2)
            if minute != nil || !isParted { return (isEast ? 1 : -1) * (hour * 3600 + (minute ?? 0) * 60) }
        }
        rest = before
        return 0
    }
}

extension Moment {
    /// 2026-03-01T09:30:00Z; with as much of a second as there is.
    public var text: String {
        let seconds = Self.floored(nanoseconds, 1_000_000_000), remainder = nanoseconds % 1_000_000_000
        let rest = remainder < 0 ? remainder + 1_000_000_000 : remainder
        let days = Self.floored(seconds, 86_400), time = seconds - days * 86_400
        // Years begin in March here, and days are counted from the year 0: all terms are plain divisions then.
        let shifted = days + 719_468, era = Self.floored(shifted, 146_097), dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100), month = (5 * dayOfYear + 2) / 153
        let number = month < 10 ? month + 3 : month - 9, year = era * 400 + yearOfEra + (number <= 2 ? 1 : 0)
        let date = "\(Self.digits(year, 4))-\(Self.digits(number, 2))-\(Self.digits(dayOfYear - (153 * month + 2) / 5 + 1, 2))"
        let clock = "\(Self.digits(time / 3600, 2)):\(Self.digits(time % 3600 / 60, 2)):\(Self.digits(time % 60, 2))"
        var fraction = rest == 0 ? "" : "." + Self.digits(rest, 9)
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(date)T\(clock)\(fraction)Z"
    }

    private static func floored(_ number: Int64, _ divisor: Int64) -> Int64 { number / divisor - (number % divisor < 0 ? 1 : 0) }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
