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
    do throws(Failure) {
        if let folder = arguments.values(of: .exportFolder).last {
            if exported.contain(folder) { throw Failure(.invalid, "\(quoted(folder)) lies in what is exported, and would be filled with itself; name a folder outside of it") }
            let export = try FolderExport(folder)
            try exported.walk({ (found, app) throws(Failure) in try export.add(found, below: app) }, fault: fault)
            printUnlessQuiet("\(counted(export.count, "file")) in \(quoted(folder)).\n", arguments)
        } else if arguments.has(.json) {
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

/// Documents as plain files in a folder that was empty.
private final class FolderExport {
    private let top: OpenFile
    private(set) var count = 0

    init(_ path: String) throws(Failure) {
        do throws(Errno) {
            top = try openedExportFolder(path)
            var entries = try FolderReader(top.descriptor)
            if try entries.next() != nil { throw .notEmpty }
        } catch {
            throw Failure(error, error == .notEmpty ? "“\(path)” has files in it: name a new or an empty folder" : "nothing can be written in “\(path)”: \(error)", cause: error)
        }
    }

    /// `app`: the folder of the app that it is of, where there are several.
    func add(_ found: ContainerWalk.Found, below app: Name?) throws(Failure) {
        do throws(Errno) {
            var folder = top
            for text in (app.map { ["\($0)"] } ?? []) + found.folders {
                guard let name = Name(text) else { throw .invalid }
                do throws(Errno) { try folder.descriptor.makeFolder(name) } catch { if error != .exists { throw error } }
                folder = OpenFile(try folder.descriptor.open(name, [.path, .folder]))
            }
            let file = try folder.descriptor.open(found.shown, [.write, .create, .exclusive], mode: 0o666)
            if let opened = found.opened {
                switch opened.reading.content {
                case .bytes(let bytes): try file.write(bytes, at: 0)
                case .range(let part, let offset, let length):
                    guard opened.parts.indices.contains(part), let content = opened.parts[part] else { throw .inputOutput }
                    try content.descriptor.copyAll(from: offset, count: length, to: file, at: 0)
                case .elsewhere: throw .unreachable
                case .flat: try opened.shownContent.copyAll(to: file, at: 0)
                }
            } else if let source = found.file { try source.descriptor.copyAll(from: 0, count: found.status.size, to: file, at: 0) }
            try file.setTimes(accessed: nil, modified: .at(found.status.modified))
            count += 1
        } catch { throw Failure(error, "“\(found.name)” cannot be written: \(error)", cause: error) }
    }
}

/// The folder that is exported into, made where it is not there.
func openedExportFolder(_ path: String, mode: UInt32 = 0o777) throws(Errno) -> OpenFile {
    if !isThere(path) {
        let parts = writtenPath(path).split(separator: "/")
        guard let name = parts.last.flatMap({ Name(String($0)) }) else { throw .invalid }
        try Descriptor.atPath("/" + parts.dropLast().joined(separator: "/"), [.path, .folder]).makeFolder(name, mode: mode)
    }
    return OpenFile(try Descriptor.atPath(path, [.path, .folder]))
}
