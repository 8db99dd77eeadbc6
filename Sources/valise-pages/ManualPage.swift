import Shell

/// Manual pages for man(1). What is in the table of verbs is put where a page says `.\" @VERBS@` or the like.
enum ManualPage {
    static func filled(_ page: String, recipes: String, version: String) -> String {
        page.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            switch line {
            case #".\" @USAGE@"#: usage
            case #".\" @VERBS@"#: verbs
            case #".\" @MOUNT OPTIONS@"#: mountOptions
            case #".\" @RECIPES@"#: Self.recipes(recipes)
            case #".\" @EXIT CODES@"#: list(Verb.named(.mount).exitCodes.map { ("\($0.code)", $0.meaning) })
            default: line.split(separator: "@VERSION@", omittingEmptySubsequences: false).joined(separator: version)
            }
        }.joined(separator: "\n")
    }

    private static let usage = Verb.all.filter { $0.name != .help }
        .map { ".B \(Roff.text(Help.usage(of: $0)))" }.joined(separator: "\n.br\n")

    private static let verbs = Verb.all.filter { $0.name != .help }.map { verb in
        var parts = [".SS \(Roff.text(Help.usage(of: verb)))", Roff.paragraph("\(verb.summary.prefix(1).uppercased())\(verb.summary.dropFirst()).")]
        parts += verb.explanation.map { ".PP\n" + Roff.paragraph($0) }
        parts += [list(verb.options.map { ($0.shown, $0.summary) })]
        if !verb.examples.isEmpty { parts += [".PP\nExamples:", list(verb.examples.map { ($0.line, $0.purpose) })] }
        parts += [".PP\nExit status:"] + [list(verb.exitCodes.map { ("\($0.code)", $0.meaning) })]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }.joined(separator: "\n")

    private static let mountOptions = list(MountOption.listed.map { ($0.shown, $0.summary) }) + "\n.PP\n" + Roff.paragraph(MountOption.others)

    private static func list(_ rows: [(name: String, meaning: String)]) -> String {
        rows.map { ".TP\n.B \(Roff.text($0.name))\n\(Roff.paragraph($0.meaning))" }.joined(separator: "\n")
    }
}

/// Text as roff takes it.
enum Roff {
    /// A backslash begins a command, and "-" is a hyphen unless it is escaped: options must be found and copied as they are.
    static func text(_ text: some StringProtocol) -> String {
        text.map { character in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case "^": "\\(ha"
            case "~": "\\(ti"
            default: "\(character)"
            }
        }.joined()
    }

    /// A line of its own: one that begins with a point would be a command.
    static func paragraph(_ line: some StringProtocol) -> String {
        let text = text(line)
        return text.hasPrefix(".") ? "\\&" + text : text
    }
}
