import Backups
import LinuxFiles
import Shell

/// `valise check BACKUP`: what is in it, by app, and what its list names and it does not have.
func checkBackup(_ name: String, _ arguments: Arguments) throws(Stop) -> Int32 {
    guard !arguments.has(.repair), !arguments.has(.undo) else {
        throw Stop(16, "a backup is only read, and nothing in it is repaired; leave that out")
    }
    let named = try NamedBackup(
        name, try GivenPassword(arguments, code: CheckCode.operational), code: CheckCode.operational)
    let tree = try named.tree(code: CheckCode.operational), progress = Progress("of \(tree.fileCount) files")
    let check = BackupCheck(named.backup, tree, named.keys) { progress.show($0) }
    progress.end()
    let page = BackupPage(named: named, check: check, refused: tree.refused)
    if arguments.has(.json) { printOut(page.json) } else { printUnlessQuiet(page.text, arguments) }
    return page.isDamaged ? CheckCode.uncorrected : 0
}

/// What is said of a backup, for people and for programs.
private struct BackupPage {
    let named: NamedBackup
    let check: BackupCheck
    let refused: BackupTree.Refused
    private let paint = Paint.on(1)
    private static let mostListed = 20

    init(named: NamedBackup, check: BackupCheck, refused: BackupTree.Refused) {
        (self.named, self.check, self.refused) = (named, check, refused)
    }

    var isDamaged: Bool { check.faultCount > 0 || refused.notUnderstood > 0 || refused.badPaths > 0 }

    var text: String {
        var text =
            "\(named.title): \(counted(check.files, "file")), \(counted(check.folders, "folder")), \(counted(check.links, "link")), \(Shell.size(check.size))"
        text += named.keys == nil ? "; not encrypted\n" : "; encrypted\n"
        if named.backup.info.isUnfinished { text += line(.problem, "it was not made to its end") }
        for part in check.parts.sorted(by: { $0.size > $1.size }) where part.files > 0 {
            let documents =
                part.isApp ? part.documents == 0 ? ", no document" : ", \(counted(part.documents, "document"))" : ""
            text += "  \(printable(part.path)): \(counted(part.files, "file")), \(Shell.size(part.size))\(documents)"
            text += part.faulty > 0 ? ", \(count(part.faulty)) of them not in it\n" : "\n"
        }
        for fault in check.faults.prefix(Self.mostListed) {
            text += line(.problem, "\(quoted(fault.path)): \(fault.fault.sentence)")
        }
        if check.faultCount > Self.mostListed {
            text += line(
                .problem,
                "\(count(check.faultCount - Self.mostListed)) more like these; all of them: valise check --json")
        }
        if refused.notUnderstood > 0 {
            text += line(.problem, "\(count(refused.notUnderstood)) entries of its list cannot be understood")
        }
        if refused.badPaths > 0 {
            text += line(
                .problem,
                "\(count(refused.badPaths)) entries of its list have a path that leads nowhere, and are not shown")
        }
        if check.otherLengths > 0 {
            text += line(
                .note,
                "\(count(check.otherLengths)) files are not as long as its list says, which is usual for databases; they are shown as they are"
            )
        }
        if !check.absentApps.isEmpty {
            let names = check.absentApps.prefix(Self.mostListed).map { quoted($0) }.joined(separator: ", ")
            text += line(
                .note,
                "of \(counted(check.absentApps.count, "app")) nothing is in it: \(names)\(check.absentApps.count > Self.mostListed ? ", …" : "")"
            )
        }
        text += line(.note, "what apps keep in iCloud is in no backup: iCloud Drive, iCloud Photos, messages in iCloud")
        return text + (isDamaged ? "Something is missing.\n" : "Nothing is missing of what its list names.\n")
    }

    private func line(_ grade: Finding.Grade, _ sentence: String) -> String { Finding(grade, sentence).text(paint) }

    var json: String {
        let info = named.backup.info
        func text(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }
        let parts = check.parts.filter { $0.files > 0 }.map { part in
            JSON.object([
                JSON.Member("path", .string(part.path)), JSON.Member("app", .bool(part.isApp)),
                JSON.Member("files", .integer(Int64(part.files))),
                JSON.Member("size", .integer(part.size)), JSON.Member("documents", .integer(Int64(part.documents))),
                JSON.Member("missing", .integer(Int64(part.faulty))),
            ])
        }
        let faults = check.faults.map {
            JSON.object([JSON.Member("path", .string($0.path)), JSON.Member("reason", .string($0.fault.sentence))])
        }
        return JSONAnswer.line([
            JSON.Member("backup", .string(named.path)), JSON.Member("device", text(info.deviceName)),
            JSON.Member("version", text(info.productVersion)),
            JSON.Member("date", info.date.map { JSONAnswer.time($0) } ?? .null),
            JSON.Member("encrypted", .bool(named.keys != nil)),
            JSON.Member("finished", .bool(!info.isUnfinished)), JSON.Member("files", .integer(Int64(check.files))),
            JSON.Member("folders", .integer(Int64(check.folders))), JSON.Member("links", .integer(Int64(check.links))),
            JSON.Member("size", .integer(check.size)), JSON.Member("otherLengths", .integer(Int64(check.otherLengths))),
            JSON.Member("parts", .array(parts)), JSON.Member("absentApps", .array(check.absentApps.map(JSON.string))),
            JSON.Member("findings", .array(faults)), JSON.Member("omitted", .integer(Int64(check.unlistedFaults))),
            JSON.Member("notUnderstood", .integer(Int64(refused.notUnderstood))),
            JSON.Member("badPaths", .integer(Int64(refused.badPaths))),
        ])
    }
}
