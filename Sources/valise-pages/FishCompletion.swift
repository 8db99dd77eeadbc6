import Shell

enum FishCompletion {
    static let script = """
        # Completion of valise for fish, made from the table of its verbs.

        function __valise_drives
            findmnt --noheadings --list --types fuse.valise,fuse.valise.apps --output TARGET 2>/dev/null
        end

        function __valise_versions
            set -l words (commandline -opc)
            test (count $words) -gt 2; and valise versions -q -- $words[3] 2>/dev/null
        end

        # The operands that stand before; the value of an option is none.
        function __valise_operands
            set -l value no
            for word in (commandline -opc)[3..]
                if test $value = yes
                    set value no
                else if contains -- $word \(valued)
                    set value yes
                else if not string match -q -- '-*' $word
                    echo -- $word
                end
            end
        end

        function __valise_place
            count (__valise_operands)
        end

        # The keys of the settings that are meant where none are named: fish tells nothing of what stands behind the cursor.
        function __valise_keys
            if not contains -- (__valise_operands)[1] get set delete
                __fish_complete_path (commandline -ct)
                return
            end
            valise kvs -q list 2>/dev/null
        end

        function __valise_value
            test (__valise_operands)[1] = set; or __fish_complete_path (commandline -ct)
        end

        # Words in a list with commas between them.
        function __valise_list
            set -l before (string replace -r '[^,]*$' '' -- (commandline -ct))
            printf '%s\\n' $before$argv
        end

        complete -c valise -f
        complete -c valise -n __fish_use_subcommand -l help -d 'list the verbs'
        complete -c valise -n __fish_use_subcommand -l version -d 'name the version'
        \(Verb.all.flatMap(lines).joined(separator: "\n"))

        """

    private static let valued = Set(Verb.all.flatMap { $0.options.filter { $0.value != nil }.flatMap(\.spellings) }).sorted().joined(separator: " ")

    private static func lines(for verb: Verb) -> [String] {
        let begin = "complete -c valise -n '__fish_seen_subcommand_from \(verb.word)'"
        let options = verb.options.map { option in
            let value = option.value == nil ? "" : " -x" + argument(Completion.value(of: option), isList: option.takesList)
            return begin + (option.letter.map { " -s \($0)" } ?? "") + (option.word.map { " -l \($0)" } ?? "") + value + " -d " + quoted(option.takesList ? "words, separated by commas" : option.summary)
        }
        let completions = Completion.operands(of: verb)
        let operands = completions.enumerated().filter { $0.element != .nothing }.map { place, completion in
            let isRepeated = place == completions.count - 1 && Completion.isRepeated(verb)
            return "complete -c valise -n '__fish_seen_subcommand_from \(verb.word); and test (__valise_place) -\(isRepeated ? "ge" : "eq") \(place)'"
                + argument(completion, isList: false)
        }
        return ["complete -c valise -n __fish_use_subcommand -a \(verb.word) -d \(quoted(verb.summary))"] + options + operands
    }

    private static func argument(_ completion: Completion, isList: Bool) -> String {
        switch completion {
        case .files: " -F"
        case .folders: " -a '(__fish_complete_directories)'"
        case .drives: " -a '(__valise_drives)'"
        case .versions: " -a '(__valise_versions)'"
        case .deleted: " -a '(valise deleted -q 2>/dev/null; __fish_complete_directories)'"
        case .key: " -a '(__valise_keys)'"
        case .value: " -a '(__valise_value)'"
        case .words(let words): isList ? " -a '(__valise_list \(words.joined(separator: " ")))'" : " -a '\(words.joined(separator: " "))'"
        case .nothing: ""
        }
    }

    private static func quoted(_ text: String) -> String { apostrophes(text, "\\'") }
}
