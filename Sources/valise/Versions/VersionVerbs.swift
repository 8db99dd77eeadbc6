import Containers
import Coordination
import LinuxFiles
import Shell

/// `valise versions`: what documents were.
func versionsVerb(_ arguments: Arguments) -> Int32 {
    var code: Int32 = 0
    for path in arguments.operands {
        do throws(Stop) {
            let versions = try NamedDocument(path).versions()
            if arguments.has(.json) {
                say(JSON.object([JSON.Member("path", .string(path)), JSON.Member("versions", .array(versions.map(json)))]).line + "\n")
            } else {
                say(printable(path) + "\n" + (versions.isEmpty ? "  no versions\n" : versions.map(line).joined()))
            }
        } catch {
            complain(error.sentence)
            code = 1
        }
    }
    return code
}

/// `valise restore`: a document gets back the content that it had.
func restoreVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let document = try NamedDocument(arguments.operands[0])
    let version = try document.version(arguments.operands[1])
    try document.change { (item) throws(Failure) in try item.replaceCurrent(with: version) }
    return 0
}

func line(_ version: DocumentVersion) -> String {
    let state = version.isConflict ? version.isResolved ? "  resolved" : "  conflict" : ""
    return "  \(version.id)  \(printable(version.computer))\(state)\n"
}

func json(_ version: DocumentVersion) -> JSON {
    .object([
        JSON.Member("version", .string(version.id.text)), JSON.Member("modified", .integer(version.modified.seconds)),
        JSON.Member("computer", .string(version.computer)), JSON.Member("conflict", .bool(version.isConflict)),
        JSON.Member("resolved", .bool(version.isResolved)), JSON.Member("discardable", .bool(version.isDiscardable)),
    ])
}
