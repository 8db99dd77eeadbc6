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

/// A sentence as a part of another one: "The file holds no link." is "the file holds no link".
public func clause(_ sentence: String) -> String {
    var text = printable(sentence)[...]
    // Of several sentences the last one ends as it does.
    if text.hasSuffix("."), !text.hasSuffix(".."), text.firstRange(of: ". ") == nil { text.removeLast() }
    // A word, and no abbreviation or name of a type.
    guard let first = text.first, first.isUppercase, let second = text.dropFirst().first, second.isLowercase else { return String(text) }
    return first.lowercased() + text.dropFirst()
}

public func padded(_ text: String, _ column: Int) -> String {
    text + String(repeating: " ", count: max(0, column - text.count))
}

/// "1 document", "2 documents".
public func counted(_ count: Int, _ noun: String) -> String { "\(count) \(count == 1 ? noun : plural(noun))" }

/// Kinds of documents may be called by a word that is a plural already: “pages”.
public func plural(_ noun: String) -> String { noun.hasSuffix("s") ? noun : noun + "s" }

/// "15,000".
public func count(_ number: Int) -> String {
    var digits = String(number.magnitude), groups: [Substring] = []
    while digits.count > 3 {
        groups.insert(digits.suffix(3), at: 0)
        digits.removeLast(3)
    }
    return (number < 0 ? "-" : "") + ([Substring(digits)] + groups).joined(separator: ",")
}

/// "640 bytes", "6.3 MB".
public func size(_ bytes: Int64) -> String {
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

/// "2026-03-01 09:05", as clocks there showed.
func moment(_ seconds: Int64, _ clock: LocalClock) -> String {
    // Years past 9999 and times before 1970 are not times of a drive.
    (0..<253_402_300_800).contains(seconds) ? String(clock.shown(seconds).dropLast(3)) : "\(seconds)"
}
