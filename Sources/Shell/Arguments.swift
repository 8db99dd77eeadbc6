/// What `valise` was called with, understood.
public enum Invocation: Sendable {
    /// Explain this verb, or all.
    case help(Verb?)
    case version
    case run(Verb, Arguments)
}

/// The options and operands that a verb was given.
public struct Arguments: Sendable {
    public private(set) var operands: [String] = []
    private var given: [String: [String]] = [:]

    public func has(_ option: Option) -> Bool { given[option.spelling] != nil }

    /// The values an option was given, in order: an option may be repeated.
    public func values(of option: Option) -> [String] { given[option.spelling] ?? [] }

    mutating func add(_ option: Option, _ value: String?) {
        given[option.spelling, default: []] += value.map { [$0] } ?? []
    }

    mutating func add(operand: String) { operands.append(operand) }
}

/// A call that cannot be understood: a sentence that says what is wrong and how it is right.
public struct UsageFault: Error, Equatable, Sendable {
    public let sentence: String
    public let exitCode: Int32

    public init(_ sentence: String, exitCode: Int32 = 2) {
        self.sentence = sentence
        self.exitCode = exitCode
    }
}

extension Invocation {
    /// Understands the words after the program's name.
    public static func parse(_ words: [String]) throws(UsageFault) -> Invocation {
        guard let first = words.first else {
            throw UsageFault("say what to do: “valise --help” lists the verbs")
        }
        switch first {
        case "--help", "-h": return .help(nil)
        case "--version", "-V": return .version
        default: break
        }
        guard let name = VerbName(typed: first) else {
            if first.hasPrefix("-") { throw UsageFault("“\(printable(first))” is not an option of valise: a verb comes first, and “valise --help” lists them") }
            throw UsageFault("“\(printable(first))” is not a verb" + mend(first, VerbName.allCases.map(\.rawValue), list: "valise --help"))
        }
        let verb = Verb.named(name)
        var reader = ArgumentReader(verb: verb, words: words.dropFirst())
        guard let arguments = try reader.read() else { return .help(verb) }
        guard name == .help else { return .run(verb, arguments) }
        guard let topic = arguments.operands.first else { return .help(nil) }
        guard let explained = VerbName(typed: topic) else {
            throw UsageFault("“\(printable(topic))” is not a verb" + mend(topic, VerbName.allCases.map(\.rawValue), list: "valise --help"))
        }
        return .help(Verb.named(explained))
    }
}

/// Reads one verb's words, from left to right. Options may stand anywhere; `--` ends them.
private struct ArgumentReader {
    let verb: Verb
    var words: ArraySlice<String>
    var arguments = Arguments()

    init(verb: Verb, words: ArraySlice<String>) {
        self.verb = verb
        self.words = words
    }

    /// The arguments, or nil where help was asked for.
    mutating func read() throws(UsageFault) -> Arguments? {
        while let word = words.popFirst() {
            if word == "--" {
                for rest in words { arguments.add(operand: rest) }
                break
            } else if word.hasPrefix("--") {
                try readWord(word.dropFirst(2))
            } else if word.hasPrefix("-"), word != "-", !isNegativeNumber(word) {
                try readLetters(word.dropFirst())
            } else {
                arguments.add(operand: word)
            }
            if arguments.has(.help) { return nil }
        }
        try checkCount()
        return arguments
    }

    /// “-1” is a value, unless the verb has such a letter.
    private func isNegativeNumber(_ word: String) -> Bool {
        guard Double(word) != nil, let digit = word.dropFirst().first, digit.isNumber || digit == "." else { return false }
        return !verb.options.contains { $0.letter?.isNumber == true }
    }

    private mutating func readWord(_ text: Substring) throws(UsageFault) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let word = String(parts.first ?? "")
        guard let option = (verb.options + Option.everywhere).first(where: { $0.word == word }) else {
            try checkCommand()
            let known = verb.options.compactMap(\.word)
            throw fault("“--\(printable(word))” is not an option of “\(verb.word)”"
                + mend(word, known, prefix: "--", list: "valise help \(verb.word)") + valueHint)
        }
        if parts.count == 2, option.value == nil { throw fault("“--\(word)” takes no value") }
        try add(option, parts.count == 2 ? String(parts[1]) : nil)
    }

    private mutating func readLetters(_ text: Substring) throws(UsageFault) {
        var letters = text
        while let letter = letters.popFirst() {
            guard let option = (verb.options + Option.everywhere).first(where: { $0.letter == letter }) else {
                try checkCommand()
                throw fault("“-\(printable(String(letter)))” is not an option of “\(verb.word)”: “valise help \(verb.word)” lists them\(valueHint)")
            }
            guard option.value != nil, !letters.isEmpty else {
                try add(option, nil)
                continue
            }
            try add(option, String(letters))
            return
        }
    }

    /// A value may begin as options do.
    private var valueHint: String { verb.name == .kvs && arguments.operands.first == "set" ? "; a VALUE that begins with “-” stands behind “--”" : "" }

    /// An option of a command that is to be run stands behind “--”.
    private func checkCommand() throws(UsageFault) {
        guard verb.operands.shown.contains(" -- "), arguments.operands.count > 1 else { return }
        throw fault("missing -- before “\(printable(arguments.operands[1]))”: valise \(verb.word) \(verb.operands.shown)")
    }

    private mutating func add(_ option: Option, _ value: String?) throws(UsageFault) {
        guard let placeholder = option.value else { return arguments.add(option, nil) }
        guard let value = value ?? words.popFirst() else {
            throw fault("“\(option.spelling)” needs a value: \(option.spelling) \(placeholder)")
        }
        arguments.add(option, value)
    }

    private func checkCount() throws(UsageFault) {
        let count = arguments.operands.count
        if count < verb.operands.count.lowerBound {
            if verb.name == .import, arguments.has(.undoImport) {
                throw fault("name the drive or the container whose last import is to be taken back: valise import --undo WHERE")
            }
            let missing = verb.operands.shown.split(separator: " ").filter { $0 != "--" }.dropFirst(count).first ?? "operand"
            throw fault("missing \(missing): valise \(verb.word) \(verb.operands.shown)")
        }
        if count > verb.operands.count.upperBound {
            let extra = arguments.operands[verb.operands.count.upperBound]
            throw fault("unexpected operand “\(printable(extra))”: \(Help.usage(of: verb))")
        }
    }

    private func fault(_ sentence: String) -> UsageFault { UsageFault(sentence, exitCode: verb.usageExitCode) }
}
