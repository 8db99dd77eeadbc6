import CloudyKeyValueModel
import Foundation

// cloudy-keyvalue: every action of the app as a command.

let usage = """
    usage: cloudy-keyvalue COMMAND [--json]

      list              the bookmarks, numbered
      add NAME URL      one more
      delete NUMBER     takes one away
      room              what the bookmarks take, and what there is
      watch             the list, and again whenever somebody changes it, with the reason

    The app's container is that of $VALISE_CONTAINER, or the first line of ~/.config/valise/containers. Without one, this
    computer's own copy is used.
    """

var words = Array(CommandLine.arguments.dropFirst())
let isJSON = words.contains("--json")
words.removeAll { $0 == "--json" }

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

func fail(_ sentence: String, code: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data("cloudy-keyvalue: \(sentence)\n".utf8))
    exit(code)
}

func json(_ value: Any) -> String {
    (try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])).map { String(decoding: $0, as: UTF8.self) } ?? "null"
}

@MainActor func show(_ list: Bookmarks, _ reason: String? = nil) {
    if isJSON {
        var answer: [String: Any] = ["bookmarks": list.bookmarks, "hasStore": list.hasStore, "bytes": list.bytesTaken]
        if let reason { answer["reason"] = reason }
        return say(json(answer))
    }
    if let reason { say("— \(reason)") }
    for (index, bookmark) in list.bookmarks.enumerated() { say("\(index + 1)  \(bookmark["name"] ?? "")  \(bookmark["url"] ?? "")") }
}

let list = Bookmarks()
if !list.hasStore { FileHandle.standardError.write(Data("cloudy-keyvalue: There is no container: this is the copy on this computer, and nobody else sees it. “export VALISE_CONTAINER=FOLDER” names one.\n".utf8)) }
do {
    switch (words.first, words.count) {
    case ("list", 1): show(list)
    case ("add", 3):
        try list.saveBookmark(withName: words[1], andURL: words[2])
        if isJSON { show(list) }
    case ("delete", 2):
        guard let number = Int(words[1]) else { fail("“\(words[1])” is no number. “cloudy-keyvalue list” has the numbers.", code: 2) }
        try list.deleteBookmark(at: number - 1)
        if isJSON { show(list) }
    case ("room", 1): isJSON ? show(list) : say("\(list.bytesTaken) of \(Bookmarks.mostBytes) bytes")
    case ("watch", 1):
        show(list, "now")
        list.changed = { show(list, $0.rawValue) }
        dispatchMain()
    case ("help", _), ("--help", _), ("-h", _): say(usage)
    default:
        FileHandle.standardError.write(Data((usage + "\n").utf8))
        exit(2)
    }
    if let warning = list.warning { FileHandle.standardError.write(Data("cloudy-keyvalue: \(warning)\n".utf8)) }
} catch { fail("\(error)") }
