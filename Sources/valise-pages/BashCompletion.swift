import Shell

enum BashCompletion {
    static let script = """
        # Completion of valise for bash, made from the table of its verbs.

        _valise_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2"); }

        # Words with commas between them, if there are several. What stands before the last "=" is there already.
        _valise_list() {
            local before=
            [[ $2 != *,* ]] || before=${2%,*},
            mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${2##*,}")
            [[ $2 != *=* ]] || COMPREPLY=("${COMPREPLY[@]#"${2%"${2##*=}"}"}")
            compopt -o nospace
        }

        _valise_paths() { compopt -o filenames; mapfile -t COMPREPLY < <(compgen "$1" -- "$2"); }

        # The word that is meant by what was typed.
        _valise_meant() {
            case $1 in
                [\\'\\\"]*) meant=${1:1} meant=${meant%"${1:0:1}"} ;;
                *) IFS= read meant <<<"$1"; meant=${meant/#"~/"/"$HOME/"} ;;
            esac
        }

        # Words from outside, which compgen -W would expand. They are quoted; behind a quote only those that mean the same there. And
        # of one with "=" or ":", which part words here, what is behind the last of these.
        _valise_offer() {
            local typed=$1 meant before word
            _valise_meant "$typed"
            before=${meant%"${meant##*[=:]}"}
            [[ -z $before ]] || printf -v before %q "$before"
            COMPREPLY=()
            for word in "${@:2}"; do
                [[ -n $word && $word == "$meant"* ]] || continue
                case $typed in
                    \\'*) [[ $word != *\\'* ]] || continue ;;
                    \\\"*) [[ $word != *[\\\"\\\\$\\`]* ]] || continue ;;
                    *) printf -v word %q "$word"; word=${word#"$before"} ;;
                esac
                COMPREPLY+=("$word")
            done
        }

        _valise_drives() {
            local drives
            mapfile -t drives < <(findmnt --noheadings --list --types fuse.valise,fuse.valise.apps --output TARGET 2>/dev/null)
            _valise_offer "$1" "${drives[@]}"
        }

        _valise_versions() {
            local names meant
            _valise_meant "$1"
            mapfile -t names < <(valise versions -q -- "$meant" 2>/dev/null)
            _valise_offer "$2" "${names[@]}"
        }

        # What follows "kvs": the keys of the settings that the word behind names, or of those that are meant without one.
        _valise_keys() {
            local deed=$1 typed=$2 where=${COMP_WORDS[COMP_CWORD + 1]} keys meant
            [[ $deed != set ]] || where=${COMP_WORDS[COMP_CWORD + 2]}
            _valise_meant "$where"
            case $deed in
                get | set | delete)
                    mapfile -t keys < <(valise kvs -q list ${meant:+"$meant"} 2>/dev/null)
                    _valise_offer "$typed" "${keys[@]}" ;;
                *) _valise_paths -f "${COMP_WORDS[COMP_CWORD]}" ;;
            esac
        }

        _valise_value() { [[ $1 == set ]] || _valise_paths -f "$2"; }

        # What was deleted, by number, or a drive or folder.
        _valise_deleted() {
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -W "$(valise deleted -q 2>/dev/null)" -- "$1"; compgen -d -- "$1")
        }

        _valise() {
            local first=
            local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} place=0 index begin last typed
            COMPREPLY=()
            if ((COMP_CWORD == 1)); then
                _valise_words "\(Verb.all.map(\.word).joined(separator: " ")) --help --version" "$word"
                return
            fi
            # "=" and ":" part words here.
            typed=$word
            for ((index = COMP_CWORD; index > 2; index--)); do
                [[ $typed == [:=]* || ${COMP_WORDS[index - 1]} == [:=] ]] || break
                typed=${COMP_WORDS[index - 1]}$typed
            done
            last=${COMP_WORDS[index - 1]} begin=$index
            [[ $typed != --*=* ]] || { last=${typed%%=*}; typed=${typed#*=}; }
            case "$verb $last" in
        \(values.joined(separator: "\n"))
            esac
            if [[ $word == -* ]]; then
                case $verb in
        \(options.joined(separator: "\n"))
                esac
                return
            fi
            for ((index = 2; index < begin; index++)); do
                case "$verb ${COMP_WORDS[index]}" in
        \(skipped)
                    *" "[:=]) ((++index)) ;;
                    *" -"*) ;;
                    *) ((place++)) || first=${COMP_WORDS[index]} ;;
                esac
            done
            case "$verb $place" in
        \(operands.joined(separator: "\n"))
            esac
        }

        complete -F _valise valise

        """

    private static let valued = Verb.all.flatMap { verb in verb.options.filter { $0.value != nil }.map { (verb, $0) } }

    private static let values = valued.map { verb, option in
        let patterns = option.spellings.map { "\"\(verb.word) \($0)\"" }.joined(separator: " | ")
        guard case .words(let words) = Completion.value(of: option) else { return "        \(patterns)) return ;;" }
        return "        \(patterns)) _valise_list \"\(words.joined(separator: " "))\" \"$typed\"; return ;;"
    }

    private static let skipped: String = {
        let patterns = valued.flatMap { verb, option in option.spellings.map { "\"\(verb.word) \($0)\"" } }
        return "            \(patterns.joined(separator: " | "))) ((++index)) ;;"
    }()

    private static let options = Verb.all.map { verb in
        "            \(verb.word)) _valise_words \"\((verb.options.flatMap(\.spellings) + ["--help"]).joined(separator: " "))\" \"$word\" ;;"
    }

    private static let operands = Verb.all.flatMap { verb in
        Completion.operands(of: verb).enumerated().compactMap { place, completion -> String? in
            let isLast = place == Completion.operands(of: verb).count - 1
            let pattern = isLast && Completion.isRepeated(verb) ? "\"\(verb.word) \"*" : "\"\(verb.word) \(place)\""
            return call(completion).map { "        \(pattern)) \($0) ;;" }
        }
    }

    private static func call(_ completion: Completion) -> String? {
        switch completion {
        case .files: "_valise_paths -f \"$word\""
        case .folders: "_valise_paths -d \"$word\""
        case .drives: "_valise_drives \"$typed\""
        case .versions: "_valise_versions \"$first\" \"$typed\""
        case .key: "_valise_keys \"$first\" \"$typed\""
        case .value: "_valise_value \"$first\" \"$word\""
        case .deleted: "_valise_deleted \"$word\""
        case .words(let words): "_valise_words \"\(words.joined(separator: " "))\" \"$word\""
        case .nothing: nil
        }
    }
}
