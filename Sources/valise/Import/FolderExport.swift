import Backups
import Containers
import Imports
import LinuxFiles
import Shell

/// `valise export --folder` of containers: all documents as plain files. False where something could not be exported; it throws where it was stopped.
func exportFiles(
    _ exported: ExportedPlaces, to folder: String, of named: String, _ arguments: Arguments, _ fault: (String, String) -> Void
) throws(Stop) -> Bool {
    let again = "valise export --folder \(shellWord(folder)) \(shellWord(named))"
    let export: FolderExport, progress = Progress("files exported")
    do throws(Failure) { export = try FolderExport(folder, of: exported.source) } catch { throw Stop(1, error.sentence) }
    func report(_ path: String, _ reason: String) {
        progress.end()
        export.hasFailed()
        fault(path, reason)
    }
    StopWish.listen()
    do throws(Failure) {
        try exported.walk({ (found, app) throws(Failure) in
            try export.add(found, below: app, fault: report)
            if export.count % 64 == 0 { progress.show(export.count) }
        }, fault: report)
        progress.end()
        try export.end()
    } catch {
        progress.end()
        guard StopWish.isThere else { throw Stop(1, "\(error.sentence); what is written so far stays, and the same command goes on from there") }
        throw Stop(1, "stopped after \(counted(export.written, "file"))\(export.there); to go on: \(again)")
    }
    printUnlessQuiet("\(counted(export.written, "file")) in \(quoted(folder))\(export.there).\n", arguments)
    return !export.failed
}

/// Documents as plain files in a folder.
private final class FolderExport {
    private let folder: ExportFolder
    private(set) var failed = false

    var written: Int { folder.written }
    var count: Int { folder.written + folder.present }
    /// What is said of those that an export before this one wrote.
    var there: String { folder.present > 0 ? ", and \(counted(folder.present, "file")) were there already" : "" }

    private static let step: Int64 = 16 << 20

    init(_ path: String, of source: String) throws(Failure) {
        let top: OpenFile
        do throws(Errno) { top = try openedExportFolder(path) } catch {
            throw Failure(error, "nothing can be written in “\(path)”: \(error)", cause: error)
        }
        folder = try ExportFolder(top, of: source, called: path, mode: 0o666)
    }

    func hasFailed() { failed = true }

    func end() throws(Failure) { try folder.end(isWhole: !failed) }

    /// `app`: the folder of the app that it is of, where there are several. Throws where nothing more can be written, and where it was stopped.
    func add(_ found: ContainerWalk.Found, below app: Name?, fault: (String, String) -> Void) throws(Failure) {
        guard !StopWish.isThere else { throw Failure(.interrupted, "stopped") }
        let folders = (app.map { ["\($0)"] } ?? []) + found.folders
        do throws(Errno) {
            var place = folder.top
            for text in folders {
                guard let name = Name(text) else { throw .invalid }
                place = try folder.folder(name, in: place, mode: 0o777)
            }
            guard try folder.file(found.shown, in: place, length: length(of: found), modified: found.status.modified, { (file) throws(Errno) in try fill(file, found) })
            else { throw .interrupted }
        } catch {
            if error == .interrupted || error.isFull || error == .readOnly { throw Failure(error, "“\(found.name)” cannot be written: \(error)", cause: error) }
            fault((folders + ["\(found.shown)"]).joined(separator: "/"), error == .exists ? ExportFolder.taken : "\(error)")
        }
    }

    private func length(of found: ContainerWalk.Found) -> Int64 {
        guard let opened = found.opened else { return found.status.size }
        return switch opened.reading.content {
        case .bytes(let bytes): Int64(bytes.count)
        case .range(_, _, let length): length
        case .elsewhere: 0
        case .flat: opened.shownContent.byteCount
        }
    }

    /// False where it was stopped.
    private func fill(_ file: OpenFile, _ found: ContainerWalk.Found) throws(Errno) -> Bool {
        guard let opened = found.opened else {
            if let source = found.file { return try copy(source, 0, found.status.size, to: file) }
            return true
        }
        switch opened.reading.content {
        case .bytes(let bytes): try file.descriptor.write(bytes, at: 0)
        case .range(let part, let offset, let length):
            guard opened.parts.indices.contains(part), let content = opened.parts[part] else { throw .inputOutput }
            return try copy(content, offset, length, to: file)
        case .elsewhere: throw .unreachable
        case .flat: try opened.shownContent.copyAll(to: file.descriptor, at: 0)
        }
        return true
    }

    /// Piece by piece, so that what is large is stopped, too.
    private func copy(_ source: OpenFile, _ offset: Int64, _ length: Int64, to file: OpenFile) throws(Errno) -> Bool {
        var done: Int64 = 0
        while done < length {
            guard !StopWish.isThere else { return false }
            let count = min(Self.step, length - done)
            try source.descriptor.copyAll(from: offset + done, count: count, to: file.descriptor, at: done)
            done += count
        }
        return true
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
