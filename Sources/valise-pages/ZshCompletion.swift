import Shell

enum ZshCompletion {
    static let script = """
        #compdef valise
        # Completion of valise for zsh, made from the table of its verbs.

        _valise_drives() {
            local -a drives=(${(f)"$(findmnt --noheadings --list --types fuse.valise,fuse.valise.apps --output TARGET 2>/dev/null)"})
            compadd -f -a drives
        }

        _valise_versions() {
            local -a versions=(${(f)"$(valise versions -q -- "$(_valise_meant "$words[2]")" 2>/dev/null)"})
            compadd -a versions
        }

        # The word that is meant by what was typed.
        _valise_meant() { print -r -- ${(Q)${1/#\\~\\//${(q)HOME}/}} }

        # The keys of the settings that the word behind names, or of those that are meant without one.
        _valise_keys() {
            [[ $line[1] == (get|set|delete) ]] || { _files; return }
            local behind=1
            [[ $line[1] != set ]] || behind=2
            local where="$(_valise_meant "$words[CURRENT + behind]")"
            local -a keys=(${(f)"$(valise kvs -q list ${where:+"$where"} 2>/dev/null)"})
            compadd -a keys
        }

        _valise_value() { [[ $line[1] == set ]] || _files }

        # What was deleted, by number, or a drive or folder.
        _valise_deleted() {
            local -a numbers=(${(f)"$(valise deleted -q 2>/dev/null)"})
            compadd -a numbers
            _files -/
        }

        _valise() {
            local -a verbs=(
        \(Verb.all.map { "        \(quoted("\($0.word):\($0.summary)"))" }.joined(separator: "\n"))
            )
            if ((CURRENT == 2)); then
                _describe -t verbs verb verbs
                return
            fi
            local verb=$words[2]
            local -a line
            shift words
            ((CURRENT--))
            case $verb in
        \(Verb.all.map { "        \($0.word)) _arguments -s \(arguments(of: $0).joined(separator: " \\\n            ")) ;;" }.joined(separator: "\n"))
            esac
        }

        _valise "$@"

        """

    private static func arguments(of verb: Verb) -> [String] {
        let options = verb.options.flatMap { option in
            let others = option.spellings.count > 1 ? "(\(option.spellings.joined(separator: " ")))" : ""
            let value = option.value.map { ":\($0):\(action(Completion.value(of: option), isList: option.takesList))" } ?? ""
            return option.spellings.map { quoted("\(others)\($0)[\(escaped(option.summary))]\(value)") }
        }
        let names = verb.operands.shown.split(separator: " ").filter { !$0.contains("--") && $0 != "|" }
        let all = Completion.operands(of: verb)
        let operands = zip(names, all).enumerated().map { place, operand in
            let number = place == all.count - 1 && Completion.isRepeated(verb) ? "*" : "\(place + 1)"
            return quoted("\(number):\(escaped(String(operand.0.filter { !"[]()…".contains($0) }))):\(action(operand.1, isList: false))")
        }
        return options + [quoted("--help[explain the verb]")] + operands
    }

    private static func action(_ completion: Completion, isList: Bool) -> String {
        switch completion {
        case .files: "_files"
        case .folders: "_files -/"
        case .drives: "_valise_drives"
        case .versions: "_valise_versions"
        case .deleted: "_valise_deleted"
        case .key: "_valise_keys"
        case .value: "_valise_value"
        case .words(let words): isList ? "_sequence compadd -S \"\" - \(words.joined(separator: " "))" : "(\(words.joined(separator: " ")))"
        case .nothing: " "
        }
    }

    /// As _arguments wants what stands between brackets and colons.
    private static func escaped(_ text: String) -> String {
        text.map { "[]:\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }

    private static func quoted(_ text: String) -> String { apostrophes(text) }
}
