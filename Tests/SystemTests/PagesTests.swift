import Foundation
import MountTesting
import Shell
import Testing

/// Manual pages and completions say what the table of verbs says, and the programs that read them take them.
@Suite(.waiting) struct PagesTests {
    private func page(_ words: String...) throws -> String {
        try Program([Places.pages] + words).wait().good().output
    }

    @Test func theManualNamesEveryVerbAndOption() throws {
        let manual = try page("manual", Places.inPackage("docs/valise.1"), "1.2.3").replacingOccurrences(of: #"\-"#, with: "-").replacingOccurrences(of: #"\e"#, with: "\\")
        for verb in Verb.all where verb.name != .help {
            #expect(manual.contains(Help.usage(of: verb)), "\(verb.word)")
            for option in verb.options { #expect(manual.contains("\n.B \(option.shown)\n\(option.summary)\n"), "\(verb.word) \(option.spelling)") }
        }
        for option in MountOption.listed { #expect(manual.contains("\n.B \(option.shown)\n"), "\(option.name)") }
        #expect(manual.contains("1.2.3") && !manual.contains("@VERSION") && !manual.contains(#".\" @"#))
        // The recipes as they are tried, without what is for the tests.
        let recipes = try String(contentsOfFile: Places.inPackage("docs/RECIPES.md"), encoding: .utf8)
        let titles = recipes.components(separatedBy: "\n").filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
        #expect(titles.count > 8)
        for title in titles { #expect(manual.contains("\n.SS \(title.replacing("'", with: "\\(aq"))\n"), "\(title)") }
        #expect(manual.contains("\nvalise undelete --since \\(aq10 min ago\\(aq \\(ti/Drive\n") && !manual.contains("<!--") && !manual.contains("RecipeTests"))
    }

    @Test(arguments: [["manual", "docs/valise.1"], ["manual", "docs/mount.valise.8"], ["semantics", "docs/SEMANTICS.md"]])
    func manReadsThePage(_ words: [String]) throws {
        let folder = try TemporaryFolder()
        try page(words[0], Places.inPackage(words[1]), "1").write(toFile: folder.path + "/page", atomically: true, encoding: .utf8)
        let shown = try run("man", "--warnings", "--encoding=UTF-8", "--local-file", folder.path + "/page", environment: ["MANWIDTH": "100"]).good()
        #expect(shown.errors.isEmpty && shown.output.contains("SEE ALSO"), "\(shown.errors)")
        // What whatis(1) finds.
        #expect(try run("lexgrog", folder.path + "/page").good().output.contains(" - "))
    }

    @Test func theSemanticsAreAllThere() throws {
        let manual = try page("semantics", Places.inPackage("docs/SEMANTICS.md"), "1")
        let source = try String(contentsOfFile: Places.inPackage("docs/SEMANTICS.md"), encoding: .utf8)
        #expect(manual.components(separatedBy: "\n.EX\n").count == source.matches(of: /\n```[a-z]+\n/).count + 1)
        #expect(!manual.contains("```") && !manual.contains("**"))
    }

    @Test(arguments: [
        ("valise ", ["mount", "unmount", "doctor", "--version"]), ("valise unm", ["unmount"]), ("valise status --", ["--json"]),
        ("valise mount -o ro,no", ["ro,nosuid", "ro,nonempty"]), ("valise mount -o ro,link=h", ["html"]), ("valise mount -o link=html,ro", ["html,ro"]),
        ("valise init --create=te", ["text"]), ("valise init --create bookmark,p", ["bookmark,photo"]), ("valise help inf", ["info"]),
        ("valise mount Fold", ["Folder of things"]), ("valise mount -o link=html Folder\\ of\\ things Oth", ["Other"]), ("valise info fi", ["file"]),
        ("valise restore file ", ["2020-05-03T19:00:00", "1"]), ("valise restore file 2020-05-03T19:0", ["00:00"]), ("valise diff file 1 2020", ["2020-05-03T19:00:00"]),
        ("valise versions fil", ["file"]), ("valise diff Folder\\ of\\ things/x ", ["7"]), ("valise status ~/Dr", [#"\~HOME/Drive"#, #"\~HOME/Dr\$\(touch\ pwned\)"#]),
        ("valise kvs get ", [#"My\ key"#, "a=b", "a:b", #"\$\(touch\ pwned\)"#, #"it\'s"#]), (#"valise kvs get My\ "#, [#"My\ key"#]), ("valise kvs get 'My", ["My key"]), ("valise kvs get '", ["My key", "$(touch pwned)"]),
        ("valise kvs delete a=", ["b"]), ("valise kvs set --type integer a:", ["b"]), ("valise kvs get name Fold", ["Folder of things"]),
        ("valise kvs list Oth", ["Other"]), ("valise kvs set name value Oth", ["Other"]), ("valise kvs get | ~/Drive", ["theirs"]), ("valise kvs set | value Other", ["others"]),
    ]) func bashCompletes(_ line: String, expected: [String]) throws {
        let folder = try TemporaryFolder()
        try page("bash").write(toFile: folder.path + "/completion", atomically: true, encoding: .utf8)
        try shell("mkdir 'Folder of things' Other; touch file", in: folder.path).good()
        // As readline parts the line: at blanks, "=" and ":". The cursor is at the bar, or behind all.
        let offered = try shell(#"""
            compopt() { :; }
            . ./completion
            HOME=\~HOME
            findmnt() { printf '%s\n' '~HOME/Drive' '~HOME/Dr$(touch pwned)'; }
            valise() {
                case $* in
                    "versions -q -- file") printf '2020-05-03T19:00:00\n1\n' ;;
                    "versions -q -- Folder of things/x") echo 7 ;;
                    "kvs -q list") printf '%s\n' 'My key' a=b a:b '$(touch pwned)' "it's" ;;
                    "kvs -q list ~HOME/Drive") echo theirs ;;
                    "kvs -q list Other") echo others ;;
                esac
            }
            line=${1//=/ = }; line=${line//:/ : } open=
            [[ $line != *"'"* ]] || { open=\'${line##*\'}; line=${line%\'*}; }
            # Words as they are typed, with their backslashes.
            typed=${line%%|*}; typed=${typed//\\ /\\_}
            read -ra COMP_WORDS <<<"$typed"
            [[ $typed$open != *" " ]] || COMP_WORDS+=("")
            [[ -z $open ]] || COMP_WORDS+=("$open")
            COMP_WORDS=("${COMP_WORDS[@]//\\_/\\ }")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            [[ $line != *"|"* ]] || COMP_WORDS+=(${line##*|})
            _valise; printf '%s\n' "${COMPREPLY[@]}"
            """#, line, in: folder.path).good().lines
        for word in expected { #expect(offered.contains(word), "\(line): \(offered)") }
        #expect(!offered.contains("it's"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/pwned"))
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func everyShellKnowsEveryVerb(_ shell: String) throws {
        let folder = try TemporaryFolder()
        let script = try page(shell)
        try script.write(toFile: folder.path + "/script", atomically: true, encoding: .utf8)
        try run(shell, "-n", folder.path + "/script").good()
        for verb in Verb.all {
            #expect(script.contains(verb.word))
            for word in verb.options.compactMap(\.word) { #expect(script.contains(word), "\(verb.word) --\(word)") }
        }
    }

    @Test func fishCompletes() throws {
        let folder = try TemporaryFolder()
        try page("fish").write(toFile: folder.path + "/script", atomically: true, encoding: .utf8)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        func offered(_ line: String) throws -> [String] {
            try run("fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", folder.path + "/script", line, environment: ["HOME": folder.path, "PATH": folder.path + "/bin:" + path]).good()
                .lines.map { String($0.prefix { $0 != "\t" }) }
        }
        #expect(try offered("valise unm") == ["unmount"])
        #expect(try offered("valise mount -o ro,link=h") == ["ro,link=html"])
        #expect(try offered("valise status --j") == ["--json"])
        // What stands at a place, and nothing of another one's; an option's value is at none.
        #expect(try offered("valise kvs ").sorted() == ["delete", "get", "list", "set", "watch"])
        let bin = folder.path + "/bin"
        try shell("mkdir -p \"$1\"; printf '%s\\n' '#!/bin/sh' 'case $* in \"kvs -q list\") printf \"%s\\n\" \"My key\" other;; esac' >\"$1/valise\"; chmod +x \"$1/valise\"", bin).good()
        #expect(try offered("valise kvs get ") == ["My key", "other"])
        #expect(try offered("valise kvs set --type string o") == ["other"])
        #expect(try offered("valise kvs list \(folder.path)/scr") == [folder.path + "/script"])
        #expect(try offered("valise kvs get name \(folder.path)/scr") == [folder.path + "/script"])
        #expect(try offered("valise kvs set name \(folder.path)/scr") == [])
        #expect(try offered("valise diff --tool meld \(folder.path)/scr") == [folder.path + "/script"])
        #expect(try offered("valise diff script \(folder.path)/scr") == [])
    }

    /// zsh completes in a terminal only; python's pty is one.
    @Test func zshCompletes() throws {
        let folder = try TemporaryFolder()
        try page("zsh").write(toFile: folder.path + "/_valise", atomically: true, encoding: .utf8)
        try "valise() { [[ $* != 'kvs -q list' ]] || print -l 'My key' other }".write(toFile: folder.path + "/begin", atomically: true, encoding: .utf8)
        for (line, expected) in [("valise unm", "unmount"), ("valise mount -o ro,link=h", "ro,link=html"), ("valise status --j", "--json"), ("valise init --create te", "text"), ("valise kvs get My", "My\\ key"), ("valise kvs set --type string o", "other"), ("valise kvs list _va", "_valise"), ("valise kvs get name _va", "_valise")] {
            #expect(try run("python3", Places.support("complete_in_zsh.py"), folder.path, line, in: folder.path).good().output.contains(expected), "\(line)")
        }
    }
}
