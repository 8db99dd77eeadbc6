import CalendarDays
import JSONValues
import PropertyLists

/// Values as people and programs write them: text and data as they are, numbers and dates as text, arrays and dictionaries as JSON.
/// What is written so is read back as the same value.
public enum KeyValueText {
    /// The bytes of a value. All but text and data end with a line end.
    public static func bytes(of value: PropertyList) -> [UInt8] {
        switch value {
        case .string(let text): Array(text.utf8)
        case .data(let bytes): bytes
        case .array, .dictionary: Array((KeyValueJSON.json(value).line + "\n").utf8)
        default: Array((word(of: value) + "\n").utf8)
        }
    }

    /// Reads a value of a type; nil where the bytes are none.
    public static func value(_ bytes: [UInt8], as type: KeyValueType) -> PropertyList? {
        if type == .data { return .data(bytes) }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        switch type {
        case .string, .data: return .string(text)
        case .array, .dictionary:
            guard let value = JSON(bytes).flatMap(KeyValueJSON.value), KeyValueType(of: value) == type else { return nil }
            return value
        default: return value(ofWord: trimmed(text), as: type)
        }
    }

    /// False where it is no value of this type whatever follows: for who is to be told before all is written.
    public static func mayBegin(_ bytes: [UInt8], as type: KeyValueType) -> Bool {
        let spaces = Array(" \t\r\n".utf8), word = bytes.drop { spaces.contains($0) }
        guard let first = word.first else { return true }
        switch type {
        case .string, .data: return true
        case .array: return first == UInt8(ascii: "[")
        case .dictionary: return first == UInt8(ascii: "{")
        case .boolean: return ["true", "false"].contains { $0.utf8.starts(with: word) || word.starts(with: $0.utf8) }
        case .integer: return word.allSatisfy { "0123456789+-".utf8.contains($0) || spaces.contains($0) }
        // Also what is hexadecimal, infinite, and a day with an hour.
        case .real, .date: return word.allSatisfy { "0123456789+-.:abcdefxpintyTZABCDEFXPINY".utf8.contains($0) || spaces.contains($0) }
        }
    }

    /// What a new key is, where nobody says it: text, or data where it is none.
    public static func type(ofNew bytes: [UInt8]) -> KeyValueType { String(validating: bytes, as: UTF8.self) == nil ? .data : .string }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while let last = text.unicodeScalars.last, [" ", "\t", "\r", "\n"].contains(last) { text.unicodeScalars.removeLast() }
        while let first = text.unicodeScalars.first, [" ", "\t", "\r", "\n"].contains(first) { text.unicodeScalars.removeFirst() }
        return String(text)
    }

    // MARK: Numbers and dates

    static func word(of value: PropertyList) -> String {
        switch value {
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .boolean(let flag): flag ? "true" : "false"
        case .date(let seconds): date(seconds)
        default: ""
        }
    }

    static func value(ofWord word: String, as type: KeyValueType) -> PropertyList? {
        switch type {
        case .integer:
            guard let number = Int128(word), number >= Int128(Int64.min), number <= Int128(UInt64.max) else { return nil }
            return .integer(number)
        case .real: return Double(word).map { .real($0) }
        case .boolean: return word == "true" ? .boolean(true) : word == "false" ? .boolean(false) : nil
        case .date: return seconds(word).map { .date($0) }
        default: return nil
        }
    }

    /// 2026-03-01T09:30:00Z, with as much of a second as there is; what cannot be said so, as seconds since 2001.
    private static func date(_ moment: Double) -> String {
        guard let text = calendarDate(moment), seconds(text) == moment else { return "\(moment)" }
        return text
    }

    private static func calendarDate(_ moment: Double) -> String? {
        let whole = moment.rounded(.down), rest = ((moment - whole) * 1e9).rounded()
        guard let text = PlainDate.text(rest >= 1e9 ? whole + 1 : whole) else { return nil }
        guard rest > 0, rest < 1e9 else { return text }
        var fraction = CalendarDay.digits(Int64(rest), 9)
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(text.dropLast()).\(fraction)Z"
    }

    /// What is no number is no moment.
    private static func number(_ word: String) -> Double? { Double(word).flatMap { $0.isNaN ? nil : $0 } }

    /// There is no 30th of February.
    private static func calendarSeconds(_ word: String) -> Double? { PlainDate.seconds(word).flatMap { PlainDate.text($0) == word ? $0 : nil } }

    private static func seconds(_ word: String) -> Double? {
        if let whole = calendarSeconds(word) { return whole }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 2, parts[1].last == "Z", let whole = calendarSeconds("\(parts[0])Z") {
            let digits = parts[1].dropLast()
            guard (1...9).contains(digits.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return Double("0.\(digits)").map { whole + $0 }
        }
        if let day = calendarSeconds("\(word)T00:00:00Z") { return day }
        // A year is no number of seconds; those are written with a point or an exponent.
        return word.allSatisfy { "0123456789+-".contains($0) } ? nil : number(word)
    }
}
