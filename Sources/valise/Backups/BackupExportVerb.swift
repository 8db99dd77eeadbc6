import Backups
import LinuxFiles
import Shell

/// `valise export --folder FOLDER BACKUP`.
func exportBackup(_ name: String, _ arguments: Arguments) throws(Stop) -> Int32 {
    guard let folder = arguments.values(of: .exportFolder).last else {
        throw Stop(
            2, "a backup is exported as plain files; say where to: valise export --folder FOLDER \(shellWord(name))")
    }
    let named = try NamedBackup(name, try GivenPassword(arguments, code: 1), code: 1), tree = try named.tree(code: 1)
    let export: BackupExport
    do throws(Failure) {
        let top = try openedFolder(folder)
        guard !isInside(try foldedPath(folder), named.path) else {
            throw Failure(.invalid, "\(quoted(folder)) lies in the backup; name a folder outside of it")
        }
        export = try BackupExport(named.backup, tree, named.keys, to: top, called: folder)
    } catch { throw Stop(1, error.sentence) }
    StopWish.listen()
    let progress = Progress("of \(tree.fileCount) files")
    let isDone: Bool
    do throws(Failure) {
        isDone = try export.run(progress: { progress.show($0) }, isStopped: { StopWish.isThere }) { path, reason in
            progress.end()
            printError("\(quoted(path)) is not exported: \(reason)")
        }
    } catch {
        progress.end()
        throw Stop(1, "\(error.sentence); what is written so far stays, and the same command goes on from there")
    }
    progress.end()
    let there = export.present > 0 ? ", and \(counted(export.present, "file")) were there already" : ""
    guard isDone else {
        throw Stop(
            1,
            "stopped after \(counted(export.written, "file"))\(there); to go on: valise export --folder \(shellWord(folder)) \(shellWord(name))"
        )
    }
    printUnlessQuiet("\(counted(export.written, "file")) in \(quoted(folder))\(there).\n", arguments)
    return export.failed > 0 ? 1 : 0
}

/// What was encrypted is not for everybody.
private func openedFolder(_ path: String) throws(Failure) -> OpenFile {
    do throws(Errno) { return try openedExportFolder(path, mode: 0o700) } catch {
        throw Failure(error, "nothing can be written in \(quoted(path)): \(error)", cause: error)
    }
}

private func foldedPath(_ path: String) throws(Failure) -> String {
    do throws(Errno) { return try realPath(path) } catch {
        throw Failure(error, "cannot look at \(quoted(path)): \(error)", cause: error)
    }
}
