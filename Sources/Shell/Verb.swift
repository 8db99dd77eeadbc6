/// One thing that `valise` can be told to do. The table is in `Verb+Table.swift`;
/// parsing, help and completions all come from it.
public struct Verb: Sendable {
    public let name: VerbName
    /// A few words, for the list of verbs.
    public let summary: String
    /// Paragraphs, for `valise help VERB`.
    public let explanation: [String]
    public let operands: Operands
    public let options: [Option]
    public let exitCodes: [ExitCode]
    /// For the help page and the manual.
    public var examples: [VerbExample] { VerbExample.all[word] ?? [] }

    public var word: String { name.rawValue }

    /// What the verb answers when there is a usage error: mount follows mount(8), check fsck(8).
    public var usageExitCode: Int32 {
        switch name {
        case .mount: 1
        case .check: 16
        default: 2
        }
    }
}

public enum VerbName: String, CaseIterable, Sendable {
    case mount, unmount, status, list, info, find, kvs, open, show, versions, diff, restore, deleted, undelete, conflicts, resolve, `init`, `import`, export, check, coordinate, log, doctor, help
}

extension VerbName {
    /// The verb that somebody means who types this: umount(8) has no “n”.
    init?(typed word: String) { self.init(rawValue: word == "umount" ? "unmount" : word) }
}

/// What a verb is done to.
public struct Operands: Sendable {
    /// As the usage line shows them: "CONTAINER MOUNTPOINT".
    public let shown: String
    public let count: ClosedRange<Int>

    public init(_ shown: String, _ count: ClosedRange<Int>) {
        self.shown = shown
        self.count = count
    }

    public static let none = Operands("", 0...0)
    public static let many = Int.max
}

/// An option of a verb: a letter, a word or both; `value` names what follows it.
public struct Option: Sendable {
    public let letter: Character?
    public let word: String?
    public let value: String?
    public let summary: String

    init(_ letter: Character? = nil, _ word: String? = nil, value: String? = nil, _ summary: String) {
        self.letter = letter
        self.word = word
        self.value = value
        self.summary = summary
    }

    /// The spelling that stands for it: "--json", or "-o" where there is no word.
    public var spelling: String {
        word.map { "--\($0)" } ?? letter.map { "-\($0)" } ?? ""
    }

    /// All of it, as help shows it: "-o OPTIONS", "-f, --foreground".
    public var shown: String {
        let spellings = [letter.map { "-\($0)" }, word.map { "--\($0)" }].compactMap { $0 }
        return spellings.joined(separator: ", ") + (value.map { " \($0)" } ?? "")
    }
}

public struct ExitCode: Sendable {
    public let code: Int32
    public let meaning: String
}
