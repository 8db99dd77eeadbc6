// How numbers, times and names are put for people.

/// Text that is safe on a terminal: control characters, which a file's name may hold, are escaped.
public func printable(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\n": shown += "\\n"
        case "\r": shown += "\\r"
        case "\t": shown += "\\t"
        default:
            if isUnsafe(scalar) { shown += "\\u{\(String(scalar.value, radix: 16))}" } else { shown.unicodeScalars.append(scalar) }
        }
    }
    return shown
}

/// Control characters, and those that turn the direction of what follows.
private func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
}

func padded(_ text: String, _ column: Int) -> String {
    text + String(repeating: " ", count: max(0, column - text.count))
}

/// "1 document", "2 documents".
public func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// "640 bytes", "6.3 MB".
func size(_ bytes: Int64) -> String {
    guard bytes >= 1000 else { return counted(Int(max(bytes, 0)), "byte") }
    var tenths = bytes / 100
    for unit in ["kB", "MB", "GB"] {
        if tenths < 10_000 { return "\(tenths / 10).\(tenths % 10) \(unit)" }
        tenths /= 1000
    }
    return "\(tenths / 10).\(tenths % 10) TB"
}

/// "12 s", "2 h 3 min", "5 days".
func span(_ seconds: Int64) -> String {
    switch seconds {
    case ..<60: "\(max(seconds, 0)) s"
    case ..<3600: "\(seconds / 60) min"
    case ..<86_400: "\(seconds / 3600) h \(seconds % 3600 / 60) min"
    default: counted(Int(seconds / 86_400), "day")
    }
}

/// "2026-03-01 09:05 UTC".
func moment(_ seconds: Int64) -> String {
    // Years past 9999 and times before 1970 are not times of a drive.
    guard (0..<253_402_300_800).contains(seconds) else { return "\(seconds)" }
    // Days since 1 March of year 0: leap days come last in a year, so each term is a plain division.
    let days = seconds / 86_400 + 719_468
    let era = days / 146_097, dayOfEra = days % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2)) \(digits(seconds % 86_400 / 3600, 2)):\(digits(seconds % 3600 / 60, 2)) UTC"
}

private func digits(_ number: Int64, _ count: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, count - text.count)) + text
}
