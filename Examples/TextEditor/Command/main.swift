import AppSupport
import Foundation
import TextEditorModel

// texteditor: every action of the app as a command.

let usage = """
    usage: texteditor COMMAND [--json]

      window                      all of this in a window, where “Examples/run build-windows” has built it
      list                        the notes
      watch                       the list, and then what comes, changes and goes
      new [TEXT]                  one more: “Note 1”, or the lowest number that is free
      show NOTE                   its text
      edit NOTE TEXT              another text
      append NOTE TEXT            a line more
      type NOTE                   opens it, and types what standard input says, line by line, until its end. It is saved by itself.
                                  /undo and /redo what was typed, /show the text, /back to what it was before somebody else
                                  changed it; a line that begins with “/” has another one before it
      rename NOTE NAME            another name
      delete NOTE                 takes one away; it is kept for a month, for “undo”
      undo                        brings back what was deleted last, here; what was deleted on a drive, “valise undelete” does
      conflicts                   those that two sides changed at once: what each is now, and the other sides with what differs
                                  marked, “-” for a line that they lack and “+” for one of their own
      resolve NOTE NUMBER         keeps that side; 0 is what the note is now

    A NOTE is its name as the list shows it, or its path, with “./” before it, where several have one name. The app's container is that of $VALISE_CONTAINER, or the first line of
    ~/.config/valise/containers.
    """

let command = AppCommand("texteditor")
command.explainWhereAsked(usage)
if command.words == ["window"] { command.startWindow() }
let words = command.words

@MainActor func show(_ row: NoteList.Row, _ change: (sign: String, word: String)? = nil) {
    let file = list.container.path(of: row.file), date = row.changed.map { ISO8601DateFormatter().string(from: $0) } ?? ""
    guard command.isJSON else { return command.say((change.map { $0.sign + " " } ?? "") + "\(ListedName.shown(row.title))  \(row.size) bytes  \(date)" + (row.isInConflict ? "  (in conflict: texteditor conflicts)" : "")) }
    var answer: [String: Any] = ["file": file, "name": row.title, "size": row.size, "changed": date, "conflict": row.isInConflict]
    if let change { answer["change"] = change.word }
    command.say(command.json(answer))
}

@MainActor func chosen(_ word: String) async throws -> URL {
    try ListedName.chosen(word, of: try await list.live.gather(), "note", app: "texteditor", path: { list.container.path(of: $0.file) }, title: \.title).file
}

/// What became of a note.
@MainActor func answer(_ file: URL, _ sentence: (String) -> String) {
    let path = list.container.path(of: file)
    command.say(command.isJSON ? command.json(["file": path]) : sentence(ListedName.shown(path)))
}

@MainActor func tell(_ event: String, _ editor: NoteEditor) {
    command.say(command.isJSON ? command.json(["event": event, "file": list.container.path(of: editor.file), "text": editor.text]) : "— \(event): \(ListedName.shown(list.container.path(of: editor.file)))\n" + editor.text)
}

@MainActor func type(_ file: URL) async throws {
    let editor = NoteEditor(file)
    editor.happened = { event in
        switch event {
        case .otherText: tell("changed by somebody else (/back)", editor)
        case .otherName: tell("renamed", editor)
        case .inConflict: tell("in conflict (texteditor conflicts)", editor)
        case .notSaved: tell("not saved yet", editor)
        case .saved: tell("saved after all", editor)
        case .gone: tell("deleted", editor)
        }
    }
    try await editor.open()
    tell("open", editor)
    let input = AsyncStream<String> { lines in
        Thread.detachNewThread {
            while let line = readLine() { lines.yield(line) }
            lines.finish()
        }
    }
    for await line in input {
        switch line {
        case "/undo": editor.undo()
        case "/redo": editor.redo()
        case "/show": tell("now", editor)
        case "/back":
            do { try editor.bringBack() } catch { command.warn(AppFault.sentence(of: error)) }
        case _ where line.hasPrefix("/") && !line.hasPrefix("//"): command.warn("“\(line)” is none of /undo, /redo, /show and /back.")
        default: editor.type((line.hasPrefix("//") ? String(line.dropFirst()) : line) + "\n")
        }
    }
    try await editor.close()
}

let list: NoteList
do { list = try NoteList() } catch { command.fail(AppFault.sentence(of: error)) }
do {
    switch (words.first, words.count) {
    case ("list", 1): for row in try await list.live.gather() { show(row) }
    case ("watch", 1):
        list.live.changed = { old in
            for row in old where !list.live.rows.contains(where: { $0.file == row.file }) { show(row, ("-", "gone")) }
            for row in list.live.rows where !old.contains(row) { show(row, old.contains { $0.file == row.file } ? ("*", "changed") : ("+", "there")) }
        }
        try list.live.start()
        while true { try await Task.sleep(for: .seconds(3_600)) }
    case ("new", 1...2):
        _ = try await list.live.gather()
        answer(try await list.create(words.count > 1 ? words[1] + "\n" : "")) { $0 }
    case ("show", 2):
        let file = try await chosen(words[1]), text = try await list.text(of: file)
        if command.isJSON { command.say(command.json(["file": list.container.path(of: file), "text": text])) } else { FileHandle.standardOutput.write(Data(text.utf8)) }
    case ("edit", 3): try await list.edit(try await chosen(words[1])) { _ in words[2] + "\n" }
    case ("append", 3): try await list.edit(try await chosen(words[1])) { $0 + ($0.isEmpty || $0.hasSuffix("\n") ? "" : "\n") + words[2] + "\n" }
    case ("type", 2): try await type(try await chosen(words[1]))
    case ("rename", 3): answer(try await list.rename(try await chosen(words[1]), to: words[2])) { $0 }
    case ("delete", 2):
        let file = try await chosen(words[1])
        try await list.delete(file)
        answer(file) { RecentlyDeleted.sentence($0, "texteditor") }
    case ("undo", 1): answer(try await list.undoDeleting()) { "\($0) is back." }
    case ("conflicts", 1):
        for row in try await list.live.gather() where row.isInConflict {
            for side in try list.conflict(of: row.file) {
                let file = list.container.path(of: row.file), date = side.date.map { ISO8601DateFormatter().string(from: $0) } ?? "", lines = side.difference.lines
                if command.isJSON { command.say(command.json([
                    "file": file, "number": side.number, "text": side.text, "date": date, "computer": side.computer ?? "",
                    "lines": lines.map { ["mark": $0.mark.rawValue, "text": $0.text] }] as [String: Any])) } else {
                    if side.number == 0 { command.say(ListedName.shown(file)) }
                    command.say("  \(side.number)  \(date)  \(side.computer ?? "")")
                    for line in lines { command.say("     \(line.mark.rawValue) \(line.text)") }
                }
            }
        }
    case ("resolve", 3):
        guard let number = Int(words[2]) else { command.fail("“\(words[2])” is no number. “texteditor conflicts” has the numbers.", code: 2) }
        try await list.resolve(try await chosen(words[1]), with: number)
    default: command.explain(usage)
    }
    // Where all is done, nothing is to be waited for.
    exit(0)
} catch { command.fail(AppFault.sentence(of: error)) }
