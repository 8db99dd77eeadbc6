import Glibc
import Shell

// Prints what is installed beside `valise` and must not disagree with it: manual pages and completions, all from the
// table of verbs. Used when Valise is installed or packaged; not installed itself.

func content(of path: String) -> String? {
    guard let file = unsafe fopen(path, "re") else { return nil }
    defer { _ = unsafe fclose(file) }
    var text: [UInt8] = [], buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        // SAFETY: fread writes at most as many bytes as there are.
        let count = unsafe fread(&buffer, 1, buffer.count, file)
        guard count > 0 else { return String(decoding: text, as: UTF8.self) }
        text += buffer.prefix(count)
    }
}

func beside(_ path: String, _ name: String) -> String { path.lastIndex(of: "/").map { "\(path[...$0])\(name)" } ?? name }

func page(_ words: [String]) -> String? {
    switch words.first {
    case "bash" where words.count == 1: BashCompletion.script
    case "zsh" where words.count == 1: ZshCompletion.script
    case "fish" where words.count == 1: FishCompletion.script
    case "manual" where words.count == 3: content(of: words[1]).map { ManualPage.filled($0, recipes: content(of: beside(words[1], "RECIPES.md")) ?? "", version: words[2]) }
    case "semantics" where words.count == 3: content(of: words[1]).map { ManualPage.semantics($0, version: words[2]) }
    default: nil
    }
}

guard let text = page(Array(CommandLine.arguments.dropFirst())) else {
    print("usage: valise-pages bash | zsh | fish | manual PAGE VERSION | semantics SEMANTICS.md VERSION")
    exit(2)
}
print(text, terminator: "")
