import CalendarDays

/// Moments and lists of words, as other programs write them.
public enum MomentText {
    /// Seconds since 1970, of a number that counts these, or thousandths or millionths: which, its size tells.
    static func seconds(_ number: Int64) -> Int64? {
        switch number {
        case 1..<100_000_000_000: number
        case 100_000_000_000..<100_000_000_000_000: number / 1000
        case 100_000_000_000_000..<100_000_000_000_000_000: number / 1_000_000
        default: nil
        }
    }

    /// Chromium counts millionths since 1601.
    static func secondsSince1601(_ number: Int64) -> Int64? {
        let seconds = number / 1_000_000 - 11_644_473_600
        return seconds > 0 && seconds < 100_000_000_000 ? seconds : nil
    }

    /// “2024-03-01T09:30:15.000Z”, with or without what comes behind the day; a distance from UTC counts.
    public static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        func number(_ start: Int, _ count: Int) -> Int64? {
            guard bytes.count >= start + count, bytes[start..<start + count].allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return Int64(String(decoding: bytes[start..<start + count], as: UTF8.self))
        }
        guard let year = number(0, 4), bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), let month = number(5, 2), bytes[7] == UInt8(ascii: "-"), let day = number(8, 2) else { return nil }
        let date = CalendarDay(year: year, month: month, day: day)
        guard date.isReal else { return nil }
        var seconds = date.daysSince1970 * 86_400
        guard let hour = number(11, 2), let minute = number(14, 2), hour < 25, minute < 60 else { return seconds }
        seconds += hour * 3600 + minute * 60
        var next = 16
        if bytes.count > 16, bytes[16] == UInt8(ascii: ":"), let second = number(17, 2) {
            seconds += second
            next = 19
        }
        while next < bytes.count, bytes[next] == UInt8(ascii: ".") || (0x30...0x39).contains(bytes[next]) { next += 1 }
        guard next < bytes.count, bytes[next] == UInt8(ascii: "+") || bytes[next] == UInt8(ascii: "-"), let hours = number(next + 1, 2) else { return seconds }
        let minutes = number(next + 3, 2) ?? number(next + 4, 2) ?? 0
        let distance = hours * 3600 + minutes * 60
        return bytes[next] == UInt8(ascii: "+") ? seconds - distance : seconds + distance
    }

    /// “2024-03-01T09:30:15Z”.
    static func text(_ seconds: Int64) -> String { CalendarDay.moment(seconds) + "Z" }

    /// The words of a list, without spaces around them.
    static func words(_ text: String, between separator: Character) -> [String] {
        text.isEmpty ? [] : text.split(separator: separator).map { ListedLink.name(String($0), for: "") }.filter { !$0.isEmpty }
    }
}
