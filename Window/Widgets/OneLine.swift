/// A name as one line shows it: whatever is in it, it stays a line, has its own direction only, and can be drawn at once.
/// It is never markup: where GTK would read some, what is called from here takes it as it is.
public enum OneLine {
    /// No line on a screen has more.
    private static let mostLetters = 300

    public static func shown(_ text: String) -> String {
        var line = "", count = 0
        for scalar in text.unicodeScalars {
            guard count < mostLetters else { return line + "…" }
            line.unicodeScalars.append(visible(scalar))
            count += 1
        }
        return line
    }

    /// As it is put into an entry or a view: what ends a text in C would cut it off there.
    public static func withoutNul(_ text: String) -> String { text.replacing("\0", with: "\u{2400}") }

    /// Control characters have a picture each, and what turns the direction of others is a sign that something is there.
    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        case 0x80..<0xA0, 0x200E, 0x200F, 0x061C, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
        default: scalar
        }
    }
}
