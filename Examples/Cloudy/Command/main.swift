import AppSupport
import CloudyModel
import Foundation

// cloudy: every action of the app as a command.

let usage = """
    usage: cloudy COMMAND [--json]

      window                      all of this in a window, where “Examples/run build-windows” has built it
      list                        the bookmarks
      watch                       the list, and then what comes and goes
      add NAME URL                one more
      edit BOOKMARK NAME URL      another name and address; “-” leaves one as it is
      open BOOKMARK               in the browser
      delete BOOKMARK             takes one away; it is kept for a month, for “undo”
      undo                        brings back what was deleted last, here; what was deleted on a drive, “valise undelete” does
      conflicts                   those that two sides changed at once, side by side
      resolve BOOKMARK NUMBER     keeps that side; 0 is what the bookmark is now
      migrate                     makes documents of the bookmarks in the key-value store

    A BOOKMARK is its name as the list shows it, or its file, with “./” before it, where several have one name. “add” and “edit” take “--wait SECONDS”: what cannot be saved is
    tried again as long. The app's container is that of $VALISE_CONTAINER, or the first line of ~/.config/valise/containers.
    """

let command = AppCommand("cloudy")
command.explainWhereAsked(usage)
if command.words == ["window"] { command.startWindow() }
var words = command.words
var seconds = 0.0
if let index = words.firstIndex(of: "--wait"), index + 1 < words.count {
    guard let number = Double(words[index + 1]), number >= 0 else { command.fail("“\(words[index + 1])” is no number of seconds.", code: 2) }
    seconds = number
    words.removeSubrange(index...(index + 1))
}

@MainActor func show(_ row: BookmarkList.Row, _ sign: String? = nil) {
    let file = list.container.path(of: row.file)
    if command.isJSON {
        var answer: [String: Any] = ["file": file, "name": row.name, "url": row.url, "conflict": row.isInConflict]
        if let fault = row.fault { answer["fault"] = fault }
        if let sign { answer["change"] = sign == "+" ? "there" : "gone" }
        return command.say(command.json(answer))
    }
    command.say((sign.map { $0 + " " } ?? "") + (row.fault.map { "\(ListedName.shown(file)): \($0)" } ?? "\(ListedName.shown(row.name))  \(ListedName.shown(row.url))") + (row.isInConflict ? "  (in conflict: cloudy conflicts)" : ""))
}

@MainActor func chosen(_ word: String) async throws -> BookmarkList.Row {
    try ListedName.chosen(word, of: try await list.live.gather(), "bookmark", app: "cloudy", path: { list.container.path(of: $0.file) }, title: \.name)
}

/// What cannot be saved is seen, and tried again.
@MainActor func trying(_ body: () async throws -> Void) async throws {
    let end = Date().addingTimeInterval(seconds)
    var last = ""
    while true {
        do { return try await body() } catch {
            guard Date() < end else { throw error }
            let sentence = AppFault.sentence(of: error)
            if sentence != last { command.warn("Not saved yet: \(sentence) Trying again.") }
            last = sentence
            try await Task.sleep(for: .milliseconds(500))
        }
    }
}

let list: BookmarkList
do { list = try BookmarkList() } catch { command.fail(AppFault.sentence(of: error)) }
do {
    switch (words.first, words.count) {
    case ("list", 1): for row in try await list.live.gather() { show(row) }
    case ("watch", 1):
        list.live.changed = { old in
            for row in old where !list.live.rows.contains(row) { show(row, "-") }
            for row in list.live.rows where !old.contains(row) { show(row, "+") }
        }
        try list.live.start()
        while true { try await Task.sleep(for: .seconds(3_600)) }
    case ("add", 3): try await trying { try await list.add(name: words[1], url: words[2]) }
    case ("edit", 4):
        let row = try await chosen(words[1])
        try await trying { try await list.edit(row.file, name: words[2] == "-" ? nil : words[2], url: words[3] == "-" ? nil : words[3]) }
    case ("open", 2):
        let row = try await chosen(words[1])
        let address = try BookmarkList.webAddress(row.url), browser = Process()
        browser.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        browser.arguments = ["xdg-open", address.absoluteString]
        try browser.run()
        browser.waitUntilExit()
        guard browser.terminationStatus == 0 else { throw AppFault("No browser took it: “xdg-open” (Debian: xdg-utils) says why, or is not there.") }
    case ("delete", 2):
        let row = try await chosen(words[1])
        try await list.delete(row.file)
        if !command.isJSON { command.say(RecentlyDeleted.sentence("“\(ListedName.shown(row.name))”", "cloudy")) }
    case ("undo", 1):
        let file = try await list.undoDeleting()
        command.say(command.isJSON ? command.json(["file": list.container.path(of: file)]) : "\(ListedName.shown(list.container.path(of: file))) is back.")
    case ("conflicts", 1):
        for row in try await list.live.gather() where row.isInConflict {
            for side in try await list.conflict(of: row.file) {
                let file = list.container.path(of: row.file), date = side.date.map { ISO8601DateFormatter().string(from: $0) } ?? ""
                if command.isJSON { command.say(command.json(["file": file, "number": side.number, "name": side.name, "url": side.url, "date": date, "computer": side.computer ?? ""])) } else {
                    if side.number == 0 { command.say(ListedName.shown(file)) }
                    command.say("  \(side.number)  \(ListedName.shown(side.name))  \(ListedName.shown(side.url))  \(date)  \(side.computer ?? "")")
                }
            }
        }
    case ("resolve", 3):
        guard let number = Int(words[2]) else { command.fail("“\(words[2])” is no number. “cloudy conflicts” has the numbers.", code: 2) }
        try await list.resolve(try await chosen(words[1]).file, with: number)
    case ("migrate", 1):
        let count = try await BookmarkMigration(list).run()
        command.say(command.isJSON ? command.json(["made": count.made, "there": count.there]) : "\(count.made) bookmarks are documents now, \(count.there) were already.")
    default: command.explain(usage)
    }
    // Where all is done, nothing is to be waited for.
    exit(0)
} catch { command.fail(AppFault.sentence(of: error)) }
