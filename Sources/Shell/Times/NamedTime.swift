/// A time as people name it: “yesterday”, “2 hours ago”, “2026-11-21”, “14:30”.
public enum NamedTime: Equatable, Sendable {
    /// This second.
    case moment(Int64)
    /// Somewhen in a day, an hour or a year.
    case period(Range<Int64>)

    /// nil where the words name no time.
    public init?(_ text: String, _ clock: LocalClock) {
        let words = text.lowercased().split { $0 == " " || $0 == "\t" }.map(String.init)
        guard let found = Self.ago(words, clock) ?? Self.day(words, clock) ?? Self.date(text, clock) else { return nil }
        self = found
    }

    /// The first moment that is meant: for “since” such a time.
    public var beginning: Int64 {
        switch self {
        case .moment(let moment): moment
        case .period(let range): range.lowerBound
        }
    }
}

// MARK: “2 hours ago”

extension NamedTime {
    private enum Unit {
        case seconds(Int64), months(Int64)

        init?(_ word: String) {
            switch word {
            case "s", "sec", "secs", "second", "seconds": self = .seconds(1)
            case "m", "min", "mins", "minute", "minutes": self = .seconds(60)
            case "h", "hour", "hours": self = .seconds(3600)
            case "d", "day", "days": self = .seconds(86_400)
            case "w", "week", "weeks": self = .seconds(7 * 86_400)
            case "month", "months": self = .months(1)
            case "y", "year", "years": self = .months(12)
            default: return nil
            }
        }
    }

    private static func ago(_ words: [String], _ clock: LocalClock) -> NamedTime? {
        // “10min” is as good: there is no other time that it could be.
        let named = words.last == "ago" ? words.dropLast() : words[...]
        guard let (number, unit) = amount(named.joined(separator: " ")) else { return nil }
        switch unit {
        case .seconds(let length): return .moment(clock.now &- number &* length)
        case .months(let count): return .moment(clock.moment(clock.civil(clock.now).adding(months: -number &* count)))
        }
    }

    /// "2 hours", "2hours", "an hour".
    private static func amount(_ text: String) -> (Int64, Unit)? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let rest = text.dropFirst(digits.count).drop { $0 == " " }
        if digits.isEmpty {
            let parts = rest.split(separator: " ")
            guard parts.count == 2, ["a", "an", "one"].contains(parts[0]), let unit = Unit(String(parts[1])) else { return nil }
            return (1, unit)
        }
        // So many that nothing overflows.
        guard digits.count <= 9, let number = Int64(digits), let unit = Unit(String(rest)) else { return nil }
        return (number, unit)
    }
}

// MARK: “yesterday 14:30”

extension NamedTime {
    private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    private static func day(_ words: [String], _ clock: LocalClock) -> NamedTime? {
        guard let first = words.first, words.count <= 2 else { return nil }
        if first == "now", words.count == 1 { return .moment(clock.now) }
        var today = clock.civil(clock.now)
        (today.hour, today.minute, today.second) = (0, 0, 0)
        func before(_ days: Int64) -> CivilTime { CivilTime(count: today.count - days * 86_400) }
        let day: CivilTime
        switch first {
        case "today": day = today
        case "yesterday": day = before(1)
        default:
            if words.count == 1, let time = clockTime(first, on: today) {
                // An hour that has not come yet was yesterday's.
                let found = period(time.civil, time.length, clock)
                return found.beginning <= clock.now ? found : period(CivilTime(count: time.civil.count - 86_400), time.length, clock)
            }
            guard let weekday = weekdays.firstIndex(where: { $0 == first || $0.prefix(3) == first }) else { return nil }
            // 1970-01-01 was a Thursday.
            let passed = ((today.dayCount + 3) - Int64(weekday)) % 7
            day = before(passed == 0 ? 7 : (passed + 7) % 7)
        }
        guard words.count == 2 else { return period(day, .day, clock) }
        guard let time = clockTime(words[1], on: day) else { return nil }
        return period(time.civil, time.length, clock)
    }

    private enum Length { case year, month, day, hour, minute, second }

    private static func period(_ begin: CivilTime, _ length: Length, _ clock: LocalClock) -> NamedTime {
        let end: CivilTime
        switch length {
        case .second: return .moment(clock.moment(begin))
        case .year: end = begin.adding(months: 12)
        case .month: end = begin.adding(months: 1)
        case .day: end = CivilTime(count: begin.count + 86_400)
        case .hour: end = CivilTime(count: begin.count + 3600)
        case .minute: end = CivilTime(count: begin.count + 60)
        }
        let first = clock.moment(begin)
        return .period(first..<max(first, clock.moment(end)))
    }

    /// "14:30" or "14:30:05".
    private static func clockTime(_ word: String, on day: CivilTime) -> (civil: CivilTime, length: Length)? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        let numbers = parts.compactMap { (1...2).contains($0.count) ? number($0) : nil }
        guard numbers.count == parts.count else { return nil }
        var time = day
        (time.hour, time.minute, time.second) = (numbers[0], numbers[1], numbers.count > 2 ? numbers[2] : 0)
        return time.checked.map { ($0, numbers.count > 2 ? .second : .minute) }
    }

    private static func number(_ text: Substring) -> Int64? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int64(text) : nil
    }

    // MARK: “2026-11-21 23:27”

    /// A date, or the beginning of one: "2026", "2026-11", "2026-11-21T23", and with a zone: "2026-11-21T23:27:33+01:00".
    private static func date(_ text: String, _ clock: LocalClock) -> NamedTime? {
        guard text.utf8.count <= 40 else { return nil }
        let halves = text.split(maxSplits: 1, whereSeparator: { $0 == " " || $0 == "T" || $0 == "t" })
        guard let days = halves.first?.split(separator: "-", omittingEmptySubsequences: false), (1...3).contains(days.count), days[0].count == 4 else { return nil }
        let numbers = days.enumerated().compactMap { $0.offset == 0 || (1...2).contains($0.element.count) ? number($0.element) : nil }
        guard numbers.count == days.count else { return nil }
        let day = CivilTime(year: numbers[0], month: numbers.count > 1 ? numbers[1] : 1, day: numbers.count > 2 ? numbers[2] : 1)
        guard let day = day.checked else { return nil }
        guard halves.count == 2 else { return period(day, [.year, .month, .day][numbers.count - 1], clock) }
        guard numbers.count == 3 else { return nil }
        let (time, zone) = zoned(halves[1])
        let found: (civil: CivilTime, length: Length)?
        if let hour = number(Substring(time)), time.count <= 2 {
            var begin = day
            begin.hour = hour
            found = begin.checked.map { ($0, .hour) }
        } else {
            // What is less than a second tells nobody anything.
            found = clockTime(time.split(separator: ".").first.map(String.init) ?? "", on: day)
        }
        guard let found else { return nil }
        guard let zone else { return period(found.civil, found.length, clock) }
        return period(found.civil, found.length, LocalClock(now: clock.now) { _ in zone })
    }

    /// The time without its zone, and how far that is ahead of UTC.
    private static func zoned(_ text: Substring) -> (time: String, zone: Int64?) {
        if text.hasSuffix("Z") || text.hasSuffix("z") { return (String(text.dropLast()), 0) }
        guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return (String(text), nil) }
        let parts = text[text.index(after: sign)...].split(separator: ":").compactMap { number($0) }
        guard let hours = parts.first, parts.count <= 2, hours < 24, parts.count < 2 || parts[1] < 60 else { return (String(text), nil) }
        let length = hours * 3600 + (parts.count > 1 ? parts[1] * 60 : 0)
        return (String(text[..<sign]), text[sign] == "-" ? -length : length)
    }
}
