import CalendarDays

/// What the time is where somebody sits, and what it was there at another moment. Moments are in seconds since 1970.
public struct LocalClock: Sendable {
    public let now: Int64
    /// Seconds that clocks there are ahead of UTC at a moment.
    private let offset: @Sendable (Int64) -> Int64

    public init(now: Int64, offset: @escaping @Sendable (Int64) -> Int64) {
        self.now = now
        self.offset = offset
    }

    func civil(_ moment: Int64) -> CivilTime { CivilTime(count: moment &+ offset(moment)) }

    /// When a clock there shows this. Where clocks are turned, the hour that is there twice is one of both.
    func moment(_ civil: CivilTime) -> Int64 {
        let count = civil.count
        return count &- offset(count &- offset(count))
    }

    /// "2026-11-21 23:27:33", as clocks there showed.
    public func shown(_ moment: Int64) -> String {
        let civil = civil(moment)
        return "\(civil.date) \(civil.time)"
    }

    /// The same as one word, which is understood as a VERSION.
    public func word(_ moment: Int64) -> String {
        let civil = civil(moment)
        return "\(civil.date)T\(civil.time)"
    }

    /// "5 min ago": how long ago that is, in words that are understood as a VERSION.
    public func age(_ moment: Int64) -> String {
        guard moment <= now else { return "in the future" }
        let passed = now &- moment
        switch passed {
        case ..<60: return "\(passed) s ago"
        case ..<3600: return "\(passed / 60) min ago"
        case ..<86_400: return "\(passed / 3600) h ago"
        default: break
        }
        let days = civil(now).dayCount - civil(moment).dayCount
        switch days {
        case ...1: return "yesterday"
        case ..<60: return "\(days) days ago"
        case ..<730: return "\(days / 30) months ago"
        default: return "\(days / 365) years ago"
        }
    }
}

/// "2026-11-21T23:27:33Z", as JSON has times: with the zone.
public func zonedTime(_ moment: Int64, nanoseconds: Int32 = 0) -> String {
    let civil = CivilTime(count: moment)
    let fraction = nanoseconds > 0 ? "." + CalendarDay.digits(Int64(nanoseconds) / 1000, 6) : ""
    return "\(civil.date)T\(civil.time)\(fraction)Z"
}
