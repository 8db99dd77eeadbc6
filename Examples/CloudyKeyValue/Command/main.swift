import AppSupport
import CloudyKeyValueModel
import Foundation

// cloudy-keyvalue: every action of the app as a command.

let usage = """
    usage: cloudy-keyvalue COMMAND [--json]

      window            all of this in a window, where “Examples/run build-windows” has built it
      list              the bookmarks, numbered
      add NAME URL      one more
      delete NUMBER     takes one away
      room              what the bookmarks take, and what there is
      watch             the list, and again whenever somebody changes it, with the reason

    The app's container is that of $VALISE_CONTAINER, or the first line of ~/.config/valise/containers. Without one, this
    computer's own copy is used.
    """

let command = AppCommand("cloudy-keyvalue")
let words = command.words
command.explainWhereAsked(usage)
if command.words == ["window"] { command.startWindow() }

@MainActor func show(_ list: Bookmarks, _ reason: String? = nil) {
    if command.isJSON {
        var answer: [String: Any] = ["bookmarks": list.bookmarks, "hasStore": list.hasStore, "bytes": list.bytesTaken]
        if let reason { answer["reason"] = reason }
        return command.say(command.json(answer))
    }
    if let reason { command.say("— \(reason)") }
    for (index, bookmark) in list.bookmarks.enumerated() { command.say("\(index + 1)  \(ListedName.shown(bookmark["name"] ?? ""))  \(ListedName.shown(bookmark["url"] ?? ""))") }
}

// What is named and is not there has another list, perhaps: the copy is for who has named none.
if let fault = AppContainer.fault { command.fail(fault) }
let list = Bookmarks()
if !list.hasStore { command.warn("There is no container: this is the copy on this computer, and nobody else sees it. “export VALISE_CONTAINER=FOLDER” names one.") }
do {
    switch (words.first, words.count) {
    case ("list", 1): show(list)
    case ("add", 3):
        try list.saveBookmark(withName: words[1], andURL: words[2])
        if command.isJSON { show(list) }
    case ("delete", 2):
        guard let number = Int(words[1]) else { command.fail("“\(words[1])” is no number. “cloudy-keyvalue list” has the numbers.", code: 2) }
        try list.deleteBookmark(at: number - 1)
        if command.isJSON { show(list) }
    case ("room", 1): command.isJSON ? show(list) : command.say("\(list.bytesTaken) of \(Bookmarks.mostBytes) bytes")
    case ("watch", 1):
        show(list, "now")
        list.changed = { show(list, $0.rawValue) }
        dispatchMain()
    default: command.explain(usage)
    }
    if let warning = list.warning { command.warn(warning) }
} catch { command.fail("\(error)") }
