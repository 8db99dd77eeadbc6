import JSONValues

public typealias JSON = JSONValues.JSON

/// What the verbs print with `--json`: one object on one line, always.
///
/// The keys are words in camel case, times are in UTC and say so, paths are absolute, and what there may be several of is a list.
/// What could not be done is `error`, and what helps then `mend`: for one of several operands in that one's object, or else in
/// the answer itself.
public enum JSONAnswer {
    /// Goes up when a key changes its meaning or goes away, and not when one comes.
    public static let format: Int64 = 1

    public static func line(_ members: [JSON.Member]) -> String {
        JSON.object([JSON.Member("format", .integer(format))] + members).line + "\n"
    }

    public static func line(_ key: String, _ elements: [JSON]) -> String { line([JSON.Member(key, .array(elements))]) }

    /// A sentence of cause and mend, as the verbs say it, in its two parts.
    public static func fault(_ sentence: String) -> [JSON.Member] {
        let (error, mend) = parts(of: sentence)
        return [JSON.Member("error", .string(error)), JSON.Member("mend", mend.map(JSON.string) ?? .null)]
    }

    public static func fault(_ sentence: String, path: String) -> JSON { .object([JSON.Member("path", .string(path))] + fault(sentence)) }

    public static func time(_ moment: Int64, nanoseconds: Int32 = 0) -> JSON { .string(zonedTime(moment, nanoseconds: nanoseconds)) }

    /// At the first semicolon that does not belong to a quoted name.
    private static func parts(of sentence: String) -> (error: String, mend: String?) {
        var depth = 0
        var last: Character = " "
        for index in sentence.indices {
            let character = sentence[index]
            if character == "“" { depth += 1 }
            if character == "”" { depth -= 1 }
            if character == " ", last == ";", depth <= 0 {
                return (String(sentence[..<sentence.index(before: index)]), String(sentence[sentence.index(after: index)...]))
            }
            last = character
        }
        return (sentence, nil)
    }
}
