import Containers
import Imports
import LinuxFiles
import Shell

/// `valise import`: bookmarks of a browser, and photos and texts of a folder, become documents; or the last import is taken back.
func importVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let isTrial = arguments.has(.dryRun)
    if arguments.has(.undoImport) {
        guard arguments.operands.count == 1 else { throw Stop(2, "name the drive or the container whose last import is to be taken back, and nothing else: valise import --undo WHERE") }
        return try undo(arguments, isTrial: isTrial)
    }
    guard arguments.operands.count == 2 else { throw Stop(2, "say where it is to go, a drive or a container: valise import \(shellWord(arguments.operands[0])) WHERE") }
    let source = try ImportSource(arguments.operands[0]), place = try ImportPlace(arguments.operands[1])
    if !isTrial { _ = try ContainerWriting(place.container.path, by: place.named) }
    StopWish.listen()
    let progress = Progress("bookmarks and files")
    let importing = Importing(into: place.container, at: place.path, isTrial: isTrial, isStopped: { StopWish.isThere }, progress: { progress.show($0) })
    var fault: Failure?
    do throws(Stop) { try source.read(into: importing) } catch {
        progress.end()
        throw error
    }
    do throws(Failure) { try importing.end() } catch { fault = error }
    progress.end()
    let summary = importing.summary
    // What has no bookmark has touched nothing.
    if source.isList, summary.links == 0, !summary.isStopped {
        let first = summary.faults.first.map { "\($0.place): \($0.reason)" } ?? "it has no bookmarks"
        throw Stop(1, "nothing in \(quoted(arguments.operands[0])) can be imported: \(first)")
    }
    tell(summary, isTrial: isTrial, place, arguments, fault)
    if let fault, !arguments.has(.json) { throw Stop(1, fault.sentence + (summary.added > 0 ? "; what was imported before is whole, and the same import goes on with the rest" : "")) }
    return fault != nil || summary.isStopped ? 1 : 0
}

private func tell(_ summary: ImportSummary, isTrial: Bool, _ place: ImportPlace, _ arguments: Arguments, _ fault: Failure?) {
    if arguments.has(.json) {
        let faults = summary.faults.map { JSON.object([JSON.Member("place", .string($0.place)), JSON.Member("reason", .string($0.reason))]) }
        say(JSONAnswer.line([
            JSON.Member("container", .string(place.container.path)), JSON.Member("dryRun", .bool(isTrial)), JSON.Member("added", .integer(Int64(summary.added))),
            JSON.Member("known", .integer(Int64(summary.known))), JSON.Member("newFolders", .integer(Int64(summary.newFolders))), JSON.Member("other", .integer(Int64(summary.other))),
            JSON.Member("faultCount", .integer(Int64(summary.faultCount))), JSON.Member("faults", .array(faults)), JSON.Member("stopped", .bool(summary.isStopped)),
        ] + (fault.map { JSONAnswer.fault($0.sentence) } ?? [])))
        return
    }
    let most = arguments.has(.verbose) ? summary.faults.count : 20
    for fault in summary.faults.prefix(most) { complain("\(printable(fault.place)): \(printable(fault.reason))") }
    if summary.faultCount > most { complain("and \(summary.faultCount - most) more; with -v, more of them are listed") }
    var words = ["\(summary.added) \(isTrial ? "would be" : summary.added == 1 ? "is" : "are") new in \(quoted(place.named))"]
    if summary.newFolders > 0 { words[0] += " (\(counted(summary.newFolders, "new folder")))" }
    if summary.known > 0 { words.append("\(summary.known) \(summary.known == 1 ? "was" : "were") there already") }
    if summary.faultCount > 0 { words.append("of \(summary.faultCount) something could not be imported") }
    if fault == nil || summary.added > 0 { mention(words.joined(separator: ", ") + ".\n", arguments) }
    if summary.isStopped { complain("ended early: what is there is whole, and the same import goes on with the rest") }
    if summary.added > 0, !isTrial { mention("To take that back: valise import --undo \(shellWord(place.named))\n", arguments) }
}

private func undo(_ arguments: Arguments, isTrial: Bool) throws(Stop) -> Int32 {
    let place = try ImportPlace(arguments.operands[0])
    if !isTrial { _ = try ContainerWriting(place.container.path, by: place.named) }
    let progress = Progress("taken back"), held = HeldBackSignals()
    defer { held.release() }
    let undo: ImportUndo?
    do throws(Failure) { undo = try ImportUndo.ofLast(in: place.container, isTrial: isTrial, progress: { progress.show($0) }) } catch {
        progress.end()
        throw Stop(1, error.sentence)
    }
    progress.end()
    guard let undo else { throw Stop(1, "no import into \(quoted(place.container.path)) is there to be taken back") }
    let changed = undo.changed.map { $0.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "/") }
    if arguments.has(.json) {
        say(JSONAnswer.line([
            JSON.Member("container", .string(place.container.path)), JSON.Member("dryRun", .bool(isTrial)), JSON.Member("removed", .integer(Int64(undo.taken))),
            JSON.Member("missing", .integer(Int64(undo.missing))), JSON.Member("changed", .array(changed.map(JSON.string))),
        ]))
        return 0
    }
    for path in changed.prefix(20) { complain("\(quoted(path)) was changed since, and stays") }
    if changed.count > 20 { complain("and \(changed.count - 20) more were changed since, and stay") }
    mention("\(counted(undo.taken, "document")) \(isTrial ? "would be" : undo.taken == 1 ? "is" : "are") among the deleted" + (undo.missing > 0 ? "; \(undo.missing) had gone or moved before" : "") + ".\n", arguments)
    return 0
}
