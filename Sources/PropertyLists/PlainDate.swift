import CalendarDays

/// The dates of the XML form, `2001-01-01T00:00:00Z`, and seconds since then.
public enum PlainDate {
    public static func seconds(_ text: String) -> Double? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"),
              bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"), bytes[19] == UInt8(ascii: "Z"),
              let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
              let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
              (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61 else { return nil }
        let days = CalendarDay(year: year, month: month, day: day).daysSince1970 - firstDay
        return Double(days * 86_400 + hour * 3_600 + minute * 60 + second)
    }

    public static func text(_ seconds: Double) -> String? {
        // Years 0000 to 9999, and no NaN.
        guard seconds >= -63_145_526_400, seconds < 252_423_993_600 else { return nil }
        return CalendarDay.moment(Int64(seconds.rounded(.down)) + firstDay * 86_400) + "Z"
    }

    /// 2001-01-01, from 1970 on.
    private static let firstDay: Int64 = 11_323

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        digits.allSatisfy { (0x30...0x39).contains($0) } ? digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) } : nil
    }
}
