import Foundation

/// What a list shows of a name, in one line, and who is meant by it. A name may have line ends and other characters in it that no line can show.
public enum ListedName {
    /// Each name is shown in its own way: a backslash is two, so that no other name is taken for one with a line end.
    public static func shown(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\\": text += "\\\\"
            default:
                if isUnseen(scalar) { text += "\\u{\(String(scalar.value, radix: 16))}" } else { text.unicodeScalars.append(scalar) }
            }
        }
        return text
    }

    /// Control characters, and those that turn the direction of what follows.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The one that a word means: what a list shows comes first, then the name itself, and last a title as it was given, whose file has another sign for “/”.
    /// With “./” before it, it is a path. `noun`: “note”; `app`: whose list has them.
    public static func chosen<Row>(_ word: String, of rows: [Row], _ noun: String, app: String, path: @escaping (Row) -> String, title: @escaping (Row) -> String) throws -> Row {
        func names(_ row: Row) -> [String] { [title(row), URL(fileURLWithPath: path(row)).lastPathComponent, path(row)] }
        func isSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }
        let isPath = word.hasPrefix("./"), named = isPath ? String(word.dropFirst(2)) : word
        let ways: [(Row) -> Bool] = isPath
            ? [{ isSame(shown(path($0)), named) }, { isSame(path($0), named) }]
            : [
                { names($0).contains { isSame(shown($0), word) } }, { names($0).contains { isSame($0, word) } }, { names($0).contains(word) },
                { isSame(title($0), FileTitle.inFileName(word)) },
            ]
        let found = ways.lazy.map { rows.filter($0) }.first { !$0.isEmpty } ?? []
        guard let first = found.first else { throw AppFault("There is no \(noun) “\(shown(word))”. “\(app) list” has them.") }
        guard found.count == 1 else {
            throw AppFault("\(found.count) \(noun)s are called “\(shown(word))”: say which by its path, \(found.map { "./" + shown(path($0)) }.joined(separator: " or ")).")
        }
        return first
    }
}
