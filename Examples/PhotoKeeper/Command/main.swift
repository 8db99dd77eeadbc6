import AppSupport
import Foundation
import PhotoKeeperModel
import PhotoKeeperThumbnail

// photokeeper: every action of the app as a command.

let usage = """
    usage: photokeeper COMMAND [--folders] [--json]

      window                      all of this in a window, where “Examples/run build-windows” has built it
      list                        the photos, the newest first
      watch                       the list, and then what comes, changes and goes
      add FILE...                 a photo of each picture: “Photo”, “Photo 1”, or the first name that is free
      picture PHOTO FILE          its picture, into a new file
      thumbnail PHOTO FILE        what a list shows of it, as a PNG
      rename PHOTO NAME           another name
      replace PHOTO FILE          another picture; what it was is a version
      delete PHOTO                takes one away; it is kept for a month, for “undo”
      undo                        brings back what was deleted last, here; what was deleted on a drive, “valise undelete” does
      versions PHOTO              what it is, with the number 0, and what it was
      restore PHOTO NUMBER        makes it what it was
      conflicts                   those that two sides changed at once, side by side
      resolve PHOTO NUMBER        keeps that side; 0 is what the photo is now

    A PHOTO is its name as the list shows it, or its path, with “./” before it, where several have one name. With --folders, also those in
    folders, which the app on a phone does not show.
    The app's container is that of $VALISE_CONTAINER, or the first line of ~/.config/valise/containers.
    """

let command = AppCommand("photokeeper")
command.explainWhereAsked(usage)
if command.words == ["window"] { command.startWindow() }
let withFolders = command.words.contains("--folders")
let words = command.words.filter { $0 != "--folders" }

func text(_ date: Date?) -> String { date.map { ISO8601DateFormatter().string(from: $0) } ?? "" }

@MainActor func show(_ entry: Entry, _ change: (sign: String, word: String)? = nil) {
    let file = list.container.path(of: entry.fileURL)
    guard command.isJSON else {
        let notes = (entry.fault ?? (entry.thumbnail == nil ? "without a thumbnail" : "")) + (entry.isInConflict ? " (in conflict: photokeeper conflicts)" : "")
        return command.say((change.map { $0.sign + " " } ?? "") + "\(ListedName.shown(entry.title))  \(text(entry.changed))" + (notes.isEmpty ? "" : "  \(notes)"))
    }
    var answer: [String: Any] = ["file": file, "name": entry.title, "changed": text(entry.changed), "thumbnail": entry.thumbnail?.count ?? 0, "conflict": entry.isInConflict]
    if let fault = entry.fault { answer["fault"] = fault }
    if let change { answer["change"] = change.word }
    command.say(command.json(answer))
}

@MainActor func show(_ sides: [PhotoList.Side], of url: URL) {
    let file = list.container.path(of: url)
    for side in sides {
        if command.isJSON { command.say(command.json([
            "file": file, "number": side.number, "bytes": side.picture.count, "thumbnail": side.thumbnail?.count ?? 0, "date": text(side.date), "computer": side.computer ?? "",
        ] as [String: Any])) } else {
            if side.number == 0 { command.say(ListedName.shown(file)) }
            command.say("  \(side.number)  \(side.picture.count) bytes  \(text(side.date))  \(side.computer ?? "")")
        }
    }
}

@MainActor func chosen(_ word: String) async throws -> Entry {
    try ListedName.chosen(word, of: try await list.live.gather(), "photo", app: "photokeeper", path: { list.container.path(of: $0.fileURL) }, title: \.title)
}

/// What became of a photo.
@MainActor func answer(_ url: URL, _ sentence: (String) -> String = { $0 }) {
    let path = list.container.path(of: url)
    command.say(command.isJSON ? command.json(["file": path]) : sentence(ListedName.shown(path)))
}

func number(_ word: String, _ where: String) -> Int {
    guard let number = Int(word) else { command.fail("“\(word)” is no number. “photokeeper \(`where`)” has the numbers.", code: 2) }
    return number
}

/// A file that is there stays as it is.
func write(_ data: Data, to path: String) throws { try data.write(to: URL(fileURLWithPath: path), options: .withoutOverwriting) }

let list: PhotoList
do { list = try PhotoList(withFolders: withFolders, thumbnail: { Thumbnail.make($0) }) } catch { command.fail(AppFault.sentence(of: error)) }
do {
    switch (words.first, words.count) {
    case ("list", 1): for entry in try await list.live.gather() { show(entry) }
    case ("watch", 1):
        list.live.changed = { old in
            let now = list.live.rows
            for entry in old where !now.contains(where: { $0.fileURL == entry.fileURL }) { show(entry, ("-", "gone")) }
            for entry in now where !old.contains(entry) { show(entry, old.contains { $0.fileURL == entry.fileURL } ? ("*", "changed") : ("+", "there")) }
        }
        try list.live.start()
        while true { try await Task.sleep(for: .seconds(3_600)) }
    case ("add", 2...): for file in words.dropFirst() { answer(try await list.add(URL(fileURLWithPath: file))) }
    case ("picture", 3): try write(try await list.picture(of: try await chosen(words[1]).fileURL), to: words[2])
    case ("thumbnail", 3):
        guard let thumbnail = try await chosen(words[1]).thumbnail else { throw AppFault("“\(words[1])” has no thumbnail.") }
        try write(thumbnail, to: words[2])
    case ("rename", 3): answer(try await list.rename(try await chosen(words[1]).fileURL, to: words[2]))
    case ("replace", 3): try await list.replace(try await chosen(words[1]).fileURL, with: URL(fileURLWithPath: words[2]))
    case ("delete", 2):
        let url = try await chosen(words[1]).fileURL
        try await list.delete(url)
        answer(url) { RecentlyDeleted.sentence($0, "photokeeper") }
    case ("undo", 1): answer(try await list.undoDeleting()) { "\($0) is back." }
    case ("versions", 2):
        let url = try await chosen(words[1]).fileURL
        show(try list.versions(of: url), of: url)
    case ("restore", 3): try await list.restore(try await chosen(words[1]).fileURL, version: number(words[2], "versions"))
    case ("conflicts", 1): for entry in try await list.live.gather() where entry.isInConflict { show(try list.conflict(of: entry.fileURL), of: entry.fileURL) }
    case ("resolve", 3): try await list.resolve(try await chosen(words[1]).fileURL, with: number(words[2], "conflicts"))
    default: command.explain(usage)
    }
    // Where all is done, nothing is to be waited for.
    exit(0)
} catch { command.fail(AppFault.sentence(of: error)) }
