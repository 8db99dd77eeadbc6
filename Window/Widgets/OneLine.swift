/// A name as one line shows it: whatever is in it, it stays a line, has its own direction only, and can be drawn at once.
/// It is never markup: where GTK would read some, what is called from here takes it as it is.
public enum OneLine {
    /// No line on a screen has more.
    private static let mostLetters = 300
    private static let mostLettersOfSentences = 2_000

    public static func shown(_ text: String) -> String {
        var line = "", count = 0
        for scalar in text.unicodeScalars {
            guard count < mostLetters else { return line + "…" }
            line.unicodeScalars.append(visible(scalar))
            count += 1
        }
        return line
    }

    /// What a program had to say, in a part that wraps: its lines stay lines, and as much is shown as somebody reads.
    public static func sentences(_ text: String) -> String {
        var said = "", count = 0
        for scalar in text.unicodeScalars {
            guard count < mostLettersOfSentences else { return said + "…" }
            said.unicodeScalars.append(scalar == "\n" ? scalar : visible(scalar))
            count += 1
        }
        return said
    }

    /// A name in a sentence, of which something is to be left: its beginning and its end.
    public static func name(_ text: String) -> String { text.count > 60 ? text.prefix(40) + "…" + text.suffix(16) : text }

    /// In lines of so many letters, for what does not wrap: between words, and in a word that is longer. `most`: so many lines, the last one with a sign that there is more.
    public static func broken(_ text: String, at letters: Int, most: Int) -> [String] {
        var lines: [String] = []
        for line in sentences(text).split(separator: "\n") {
            var rest = line
            while rest.count > letters {
                let end = rest.index(rest.startIndex, offsetBy: letters)
                let blank = rest[...end].lastIndex(of: " ").flatMap { $0 > rest.startIndex ? $0 : nil }
                lines.append(String(rest[..<(blank ?? end)]))
                rest = rest[(blank ?? end)...].drop { $0 == " " }
            }
            if !rest.isEmpty { lines.append(String(rest)) }
        }
        return lines.count > most ? lines.prefix(most - 1) + [lines[most - 1] + "…"] : lines
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
