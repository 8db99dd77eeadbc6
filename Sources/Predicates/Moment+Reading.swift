import CalendarDays

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
        guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2), reader.take("-"), let number = reader.digits(2)
        else { return nil }
        let day = CalendarDay(year: year, month: month, day: number), days = day.daysSince1970
        guard day.isReal else { return nil }
        guard let time = reader.time() else { return (Moment(seconds: days * 86_400), reader.rest.startIndex) }
        return (Moment(seconds: days * 86_400 + time.seconds, nanoseconds: time.nanoseconds), reader.rest.startIndex)
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
        let seconds = CalendarDay.floored(nanoseconds, 1_000_000_000), remainder = nanoseconds % 1_000_000_000
        let rest = remainder < 0 ? remainder + 1_000_000_000 : remainder
        var fraction = rest == 0 ? "" : "." + CalendarDay.digits(rest, 9)
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(CalendarDay.moment(seconds))\(fraction)Z"
    }
}
