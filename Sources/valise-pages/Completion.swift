import Documents
import Shell

/// What can stand at a place of a call.
enum Completion: Equatable {
    case files, folders
    /// The mountpoints of drives that are mounted.
    case drives
    /// The versions of the document that stands before it.
    case versions
    /// The numbers of what was deleted.
    case deleted
    /// The keys of an app's settings, for what “kvs” does with one; for what it does with all of them, what stands in this place then.
    case key
    /// What a setting is to be; for what “kvs” does without one, what stands in this place then.
    case value
    case words([String])
    case nothing

    /// By the name that the usage line gives the place. A word in small letters is to be typed as it is.
    init(_ placeholder: Substring, of verb: Verb) {
        let name = placeholder.filter { !"[]()…".contains($0) }
        switch name {
        case "CONTAINER", "FOLDER": self = .folders
        case "MOUNTPOINT": self = .folders
        case "DRIVE": self = .drives
        case "WHERE", "DOCUMENT", "SOURCE", "FILE", "ITEM": self = .files
        case "VERSION": self = .versions
        case "PATH|NUMBER": self = .deleted
        case "KEY": self = .key
        case "VALUE": self = .value
        case "VERB": self = .words(Verb.all.map(\.word))
        default:
            let words = name.split(separator: "|").map(String.init)
            self = words.allSatisfy { $0.allSatisfy(\.isLowercase) } && !words.isEmpty ? .words(words) : .nothing
        }
    }

    /// What can stand at the places of a verb's operands, in order. The last one may be repeated.
    static func operands(of verb: Verb) -> [Completion] {
        verb.operands.shown.split(separator: " ").filter { !$0.contains("--") && $0 != "|" }.map { Completion($0, of: verb) }
    }

    static func isRepeated(_ verb: Verb) -> Bool { verb.operands.count.upperBound == Operands.many }

    /// What can follow an option.
    static func value(of option: Option) -> Completion {
        switch option.value {
        case "OPTIONS": .words(MountOption.completed)
        case "KINDS": .words(DocumentKindWords.all + ["none"])
        case "TYPE": .words(["string", "integer", "real", "boolean", "date", "data", "array", "dictionary"])
        case let value?: value.contains("|") ? .words(value.split(separator: "|").map(String.init)) : .nothing
        case nil: .nothing
        }
    }
}

extension Option {
    var spellings: [String] { [letter.map { "-\($0)" }, word.map { "--\($0)" }].compactMap { $0 } }
    /// A list with commas between the words.
    var takesList: Bool { value == "OPTIONS" || value == "KINDS" }
}

extension MountOption {
    static let completed = listed.flatMap { option -> [String] in
        switch option.name {
        case "link": LinkForm.allCases.map { "link=\($0.rawValue)" }
        case "packages": ShownPackages.allCases.map { "packages=\($0.rawValue)" }
        case "as": ["as=owner"]
        case _ where option.value == nil: [option.name]
        default: ["\(option.name)="]
        }
    } + kernelNames
}

/// A word between apostrophes, for any of the shells.
func apostrophes(_ text: String, _ inside: String = "'\\''") -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: inside) + "'"
}
