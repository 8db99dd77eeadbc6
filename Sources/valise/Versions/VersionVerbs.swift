import Containers
import Coordination
import LinuxFiles
import Shell

/// `valise versions`: earlier versions of documents.
func versionsVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    if arguments.has(.purgeVersions) { return try purgeVersions(arguments) }
    for option in [Option.allVersions, .older] where arguments.has(option) { throw Stop(2, "“\(option.spelling)” is for “valise versions --purge”") }
    guard !arguments.operands.isEmpty else { throw Stop(2, "missing DOCUMENT: valise versions DOCUMENT…") }
    var code: Int32 = 0
    var answers: [JSON] = []
    let isForProgram = arguments.has(.json)
    for path in arguments.operands {
        do throws(Stop) {
            let listed = try ListedVersions(try NamedDocument(path))
            if listed.versions.isEmpty, let owner = StateOwner(of: listed.container.path) {
                printError(owner.sentence("earlier versions", on: StateOwner.drive(of: path), in: "versions"))
            }
            if isForProgram { answers.append(listed.json) } else { printOut(arguments.has(.quiet) ? listed.words : printable(path) + "\n" + listed.text) }
        } catch {
            code = 1
            if isForProgram { answers.append(JSONAnswer.fault(error.sentence, path: writtenPath(path))) } else { printError(error.sentence) }
        }
    }
    if isForProgram { printOut(JSONAnswer.line("documents", answers)) }
    return code
}

/// `valise restore`: a document gets back the content that it had.
func restoreVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    guard (arguments.operands.count == 2) != arguments.has(.saved) else {
        throw Stop(2, "say what the document is to be: a VERSION, or --saved for what was saved last")
    }
    if arguments.has(.saved) { return try giveUpDraft(arguments) }
    let document = try NamedDocument(arguments.operands[0]), listed = try ListedVersions(document)
    let number = try listed.number(arguments.operands[1])
    guard let version = listed.version(number) else {
        throw Stop(1, "\(quoted(document.path)) has that content already; its versions: valise versions \(shellWord(document.path))")
    }
    try document.change { (item) throws(Failure) in try item.replaceCurrent(with: version) }
    printIfVerbose("\(quoted(document.path)) is what it was at \(listed.clock.shown(version.modified.seconds)) again", arguments)
    return 0
}

/// What was written and is not saved is given up.
private func giveUpDraft(_ arguments: Arguments) throws(Stop) -> Int32 {
    let document = try NamedDocument(arguments.operands[0])
    try document.change { (item) throws(Failure) in try item.dropDraft() }
    printIfVerbose("\(quoted(document.path)) is what was saved last", arguments)
    return 0
}
