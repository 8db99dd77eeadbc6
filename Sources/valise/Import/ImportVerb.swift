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
    if let from = try? foundPath(arguments.operands[0]), from == (try? foundPath(arguments.operands[1])) {
        throw Stop(1, "\(quoted(arguments.operands[0])) cannot be imported into itself: name what is to be imported, and then where it is to go")
    }
    let source = try ImportSource(arguments.operands[0]), place = try ImportPlace(arguments.operands[1])
    guard !place.container.kinds.isPackage(at: place.path) else {
        throw Stop(1, "\(quoted(place.named)) lies in a package of an app, where nothing is a document; name another folder")
    }
    if !isTrial { _ = try ContainerWriting(place.container.path, by: place.named) }
    StopWish.listen()
    let progress = Progress("bookmarks and files", asLines: arguments.has(.json) && arguments.has(.progress))
    let importing = Importing(into: place.container, at: place.path, isTrial: isTrial, isStopped: { StopWish.isThere }, progress: { progress.show($0) })
    var fault: Failure?
    do throws(Stop) { try source.read(into: importing, at: place) } catch {
        progress.end()
        throw error
    }
    do throws(Failure) { try importing.end() } catch { fault = error }
    progress.end()
    let summary = importing.summary
    // What has no bookmark has touched nothing.
    if source.isList, summary.links == 0, summary.searches == 0 || summary.faults.count > 0, !summary.isStopped {
        if let advice = source.advice(named: arguments.operands[0], into: place) { throw Stop(1, advice) }
        let first = summary.faults.first.first.map { "\($0.place): \($0.reason)" } ?? "it has no bookmarks"
        throw Stop(1, "nothing in \(quoted(arguments.operands[0])) can be imported: \(first)")
    }
    printSummary(summary, isTrial: isTrial, place, arguments, fault)
    if let fault, !arguments.has(.json) { throw Stop(1, fault.sentence + (summary.added > 0 ? "; what was imported before is whole, and the same import goes on with the rest" : "")) }
    return fault != nil || summary.isStopped || summary.faults.count > 0 ? 1 : 0
}

/// What came of it, a line each.
private func sentences(_ summary: ImportSummary, isTrial: Bool, _ place: ImportPlace) -> [String] {
    func be(_ count: Int) -> String { isTrial ? "would be" : count == 1 ? "is" : "are" }
    var words = [summary.added == 0 ? "Nothing \(be(1)) new in \(quoted(place.named))" : "\(count(summary.added)) \(be(summary.added)) new in \(quoted(place.named))"]
    if summary.newFolders > 0 { words[0] += " (\(counted(summary.newFolders, "new folder")))" }
    if summary.known > 0 { words.append("\(count(summary.known)) \(summary.known == 1 ? "was" : "were") there already") }
    if summary.doubled > 0 { words.append("\(count(summary.doubled)) \(summary.doubled == 1 ? "has" : "have") the address of another one in the same folder of the source") }
    var sentences = [words.joined(separator: ", ") + "."], left: [String] = []
    if summary.shortened > 0 { sentences.append("\(counted(summary.shortened, "title")) too long for a name \(be(summary.shortened)) shortened.") }
    if summary.cut > 0 { sentences.append("\(counted(summary.cut, "bookmark")) \(isTrial ? "would have" : summary.cut == 1 ? "has" : "have") no more of a note than 4,096 characters, and no icon of more than 32 KiB.") }
    if summary.searches > 0 { left.append("\(summary.searches) of Firefox's own searches (“place:”), which are no addresses") }
    if summary.leftOut.count > 0 { left.append(summary.leftOut.count == 1 ? "1 thing that is no document" : "\(count(summary.leftOut.count)) things that are no documents") }
    if !left.isEmpty { sentences.append("Left out: " + left.joined(separator: "; ") + ".") }
    if summary.furtherUp.count > 0 { sentences.append("\(count(summary.furtherUp.count)) \(be(summary.furtherUp.count)) further up, because folders lie too deep.") }
    if summary.faults.count > 0 {
        sentences.append("\(count(summary.faults.count)) could not be imported, for the \(summary.faults.count == 1 ? "reason" : "reasons") above.")
    }
    return sentences
}

private func printSummary(_ summary: ImportSummary, isTrial: Bool, _ place: ImportPlace, _ arguments: Arguments, _ fault: Failure?) {
    if arguments.has(.json) {
        func list(_ remarks: ImportSummary.Remarks) -> JSON {
            .array(remarks.first.map { JSON.object([JSON.Member("place", .string($0.place)), JSON.Member("reason", .string($0.reason))]) })
        }
        printOut(JSONAnswer.line([
            JSON.Member("container", .string(place.container.path)), JSON.Member("dryRun", .bool(isTrial)), JSON.Member("added", .integer(Int64(summary.added))),
            JSON.Member("known", .integer(Int64(summary.known))), JSON.Member("doubled", .integer(Int64(summary.doubled))),
            JSON.Member("newFolders", .integer(Int64(summary.newFolders))),
            JSON.Member("shortened", .integer(Int64(summary.shortened))), JSON.Member("cut", .integer(Int64(summary.cut))), JSON.Member("other", .integer(Int64(summary.other))),
            JSON.Member("searches", .integer(Int64(summary.searches))), JSON.Member("leftOutCount", .integer(Int64(summary.leftOut.count))),
            JSON.Member("leftOut", list(summary.leftOut)), JSON.Member("furtherUpCount", .integer(Int64(summary.furtherUp.count))),
            JSON.Member("furtherUp", list(summary.furtherUp)), JSON.Member("faultCount", .integer(Int64(summary.faults.count))),
            JSON.Member("faults", list(summary.faults)), JSON.Member("stopped", .bool(summary.isStopped)),
        ] + (fault.map { JSONAnswer.fault($0.sentence) } ?? [])))
        return
    }
    let remarks = summary.faults.first + summary.leftOut.first + summary.furtherUp.first, most = arguments.has(.verbose) ? remarks.count : 20
    for remark in remarks.prefix(most) { printError("\(printable(remark.place)): \(printable(remark.reason))") }
    let more = summary.faults.count + summary.leftOut.count + summary.furtherUp.count - most
    if more > 0, remarks.count >= most { printError("and \(count(more)) more" + (arguments.has(.verbose) ? "" : "; with -v, more of them are listed")) }
    if fault == nil || summary.added > 0 { for sentence in sentences(summary, isTrial: isTrial, place) { printUnlessQuiet(sentence + "\n", arguments) } }
    if summary.isStopped { printError("ended early: what is there is whole, and the same import goes on with the rest") }
    if summary.added > 0, !isTrial { printUnlessQuiet("To take that back: valise import --undo \(shellWord(place.named))\n", arguments) }
}

private func undo(_ arguments: Arguments, isTrial: Bool) throws(Stop) -> Int32 {
    let place = try ImportPlace(arguments.operands[0])
    if !isTrial { _ = try ContainerWriting(place.container.path, by: place.named) }
    let progress = Progress("taken back"), held = HeldBackSignals()
    defer { held.release() }
    let undo: ImportUndo?
    do throws(Failure) { undo = try ImportUndo.ofLast(in: place.container, at: place.path, isTrial: isTrial, progress: { progress.show($0) }) } catch {
        progress.end()
        throw Stop(1, error.sentence)
    }
    progress.end()
    guard let undo else { throw Stop(1, "no import into \(quoted(place.named)) is there to be taken back") }
    let changed = undo.changed.map { $0.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "/") }
    if arguments.has(.json) {
        printOut(JSONAnswer.line([
            JSON.Member("container", .string(place.container.path)), JSON.Member("dryRun", .bool(isTrial)), JSON.Member("removed", .integer(Int64(undo.taken))),
            JSON.Member("missing", .integer(Int64(undo.missing))), JSON.Member("changed", .array(changed.map(JSON.string))),
        ]))
        return 0
    }
    for path in changed.prefix(20) { printError("\(quoted(path)) was changed since, and stays") }
    if changed.count > 20 { printError("and \(changed.count - 20) more were changed since, and stay") }
    printUnlessQuiet("\(counted(undo.taken, "document")) \(isTrial ? "would be" : undo.taken == 1 ? "is" : "are") among the deleted" + (undo.missing > 0 ? "; \(undo.missing) had gone or moved before" : "") + ".\n", arguments)
    return 0
}
