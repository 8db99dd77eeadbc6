import BookmarkFiles
import Containers
import Imports
import LinuxFiles
import Shell

/// `valise export`: bookmarks as the HTML that browsers import, or as JSON, on standard output; or all documents as plain files in a new folder.
func exportVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let named = arguments.operands[0]
    try checkThere(named)
    if NamedBackup.isMeant(named) { return try exportBackup(named, arguments) }
    guard (try? status(of: named))?.type == .folder else {
        throw Stop(1, "\(quoted(named)) is a file, and a drive, a container or a folder in one is exported; a document on a drive is a plain file already: copy it")
    }
    let exported: ExportedPlaces
    if let apps = NamedApps(named) { exported = try ExportedPlaces(apps) } else { exported = ExportedPlaces(try ImportPlace(named)) }
    var faults = 0
    func fault(_ path: String, _ reason: String) {
        faults += 1
        printError("\(quoted(path)) is not exported: \(reason)")
    }
    if let folder = arguments.values(of: .exportFolder).last {
        if exported.contain(folder) { throw Stop(1, "\(quoted(folder)) lies in what is exported, and would be filled with itself; name a folder outside of it") }
        return try exportFiles(exported, to: folder, of: named, arguments, fault) ? 0 : 1
    }
    do throws(Failure) {
        if arguments.has(.json) {
            var isFirst = true
            printOut("{\"format\":\(JSONAnswer.format),\"bookmarks\":[")
            try exported.walk({ (found, _) throws(Failure) in
                guard let link = found.link else { return }
                printOut((isFirst ? "\n" : ",\n") + json(link).line)
                isFirst = false
            }, fault: fault)
            printOut("\n]}\n")
        } else {
            var page = LinkPageWriting(), text = LinkPageWriting.beginning
            try exported.walk({ (found, _) throws(Failure) in
                guard let link = found.link else { return }
                text += page.text(of: link)
                if text.utf8.count > 1 << 16 {
                    printOut(text)
                    text = ""
                }
            }, fault: fault)
            printOut(text + page.end())
        }
    } catch { throw Stop(1, error.sentence) }
    return faults > 0 ? 1 : 0
}

private func json(_ link: ListedLink) -> JSON {
    var members = [JSON.Member("name", .string(link.name)), JSON.Member("url", .string(link.url)), JSON.Member("folders", .array(link.folders.map(JSON.string)))]
    if let added = link.added { members.append(JSON.Member("added", JSONAnswer.time(added))) }
    if let changed = link.changed { members.append(JSON.Member("changed", JSONAnswer.time(changed))) }
    members.append(JSON.Member("tags", .array(link.tags.map(JSON.string))))
    if let note = link.note { members.append(JSON.Member("note", .string(note))) }
    if let icon = link.icon { members.append(JSON.Member("icon", .string(icon))) }
    return .object(members)
}
