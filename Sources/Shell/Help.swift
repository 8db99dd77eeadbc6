/// The pages that `--help` prints, made from the table of verbs.
public enum Help {
    static let width = 80

    public static let overview: String = {
        let verbs = Verb.all.filter { $0.name != .help }
        let column = verbs.map(\.word.count).max() ?? 0
        return """
            Valise mounts a folder of documents, as Apple's document apps keep them, as an
            ordinary drive: each document is one plain file.

            usage: valise VERB …

            \(verbs.map { "  \(padded($0.word, column))  \($0.summary)" }.joined(separator: "\n"))

            “valise help VERB” explains a verb, with examples. With every verb, “-q” says
            nothing but what was asked for, and “-v” also what was done. “valise --version”
            names the version.

            """
    }()

    public static func page(for verb: Verb) -> String {
        var sections = [wrapped("usage: \(usage(of: verb))", indent: 7)]
        sections += ["\(verb.summary.prefix(1).uppercased())\(verb.summary.dropFirst())."]
        sections += verb.explanation.map { wrapped($0) }
        if !verb.options.isEmpty { sections += ["Options:\n" + table(verb.options.map { ($0.shown, $0.summary) })] }
        if verb.name == .mount { sections += ["Mount options:\n" + table(MountOption.listed.map { ($0.shown, $0.summary) }), wrapped(MountOption.others)] }
        if !verb.examples.isEmpty { sections += ["Examples:\n" + examples(verb.examples)] }
        if verb.name != .help { sections += ["Exit status:\n" + table(verb.exitCodes.map { ("\($0.code)", $0.meaning) })] }
        return sections.joined(separator: "\n\n") + "\n"
    }

    private static func examples(_ examples: [VerbExample]) -> String {
        let column = examples.map(\.line.count).max() ?? 0
        return examples.map { example in
            // What is long has its purpose on a line of its own.
            column + 4 + example.purpose.count <= width ? "  \(padded(example.line, column))  \(example.purpose)" : "  \(example.line)\n      \(example.purpose)"
        }.joined(separator: "\n")
    }

    public static func usage(of verb: Verb) -> String {
        let options = verb.options.map { option in
            "[\(option.letter.map { "-\($0)" } ?? option.spelling)\(option.value.map { " \($0)" } ?? "")]"
        }
        return (["valise", verb.word] + options + [verb.operands.shown]).filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func table(_ rows: [(left: String, right: String)]) -> String {
        let column = rows.map(\.left.count).max() ?? 0
        return rows.map { row in
            let right = wrapped(row.right, indent: column + 4)
            return "  \(padded(row.left, column))  \(right)"
        }.joined(separator: "\n")
    }
}

/// Text in lines of at most `Help.width` columns; all but the first are indented.
func wrapped(_ text: String, indent: Int = 0) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
        if !line.isEmpty, indent + line.count + 1 + word.count > Help.width {
            lines.append(line)
            line = ""
        }
        line += (line.isEmpty ? "" : " ") + word
    }
    return (lines + [line]).joined(separator: "\n" + String(repeating: " ", count: indent))
}
