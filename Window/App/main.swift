import Foundation
import Widgets
import WindowModel

// valise-window: the window for drives. `valise show FILE` starts it at a document.

let usage = """
    usage: valise-window [FILE]

    Opens a window at a document on a drive, at a drive, or at your drives: versions, what was deleted, conflicts, search.
    “valise show FILE” starts it as well; “valise help show” says more.
    """
let operands = CommandLine.arguments.dropFirst().filter { $0 != "--" }
if let word = operands.first(where: { $0.hasPrefix("-") }) {
    print(usage)
    exit(["-h", "--help"].contains(word) ? 0 : 2)
}
guard operands.count <= 1 else {
    print(usage)
    exit(2)
}
let path = operands.first.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
WindowApp.run("org.valise.Window", name: "valise-window", commands: "“valise list”, “valise versions” and the other commands need none.") {
    MainWindow.open(at: path)
}
