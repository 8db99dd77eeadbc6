import Drive
import Glibc
import LinuxFiles
import Shell

/// Does what the verb says, and answers the exit code.
func perform(_ verb: Verb, _ arguments: Arguments) throws(Stop) -> Int32 {
    switch verb.name {
    case .mount: return try mountVerb(arguments)
    case .unmount: return try unmountVerb(arguments)
    case .status: return try statusVerb(arguments)
    case .list: return try listVerb(arguments)
    case .info: return infoVerb(arguments)
    case .find: return try findVerb(arguments)
    case .kvs: return try kvsVerb(arguments)
    case .open: return try openVerb(arguments)
    case .show: return try showVerb(arguments)
    case .versions: return try versionsVerb(arguments)
    case .diff: return try diffVerb(arguments)
    case .restore: return try restoreVerb(arguments)
    case .deleted: return try deletedVerb(arguments)
    case .undelete: return try undeleteVerb(arguments)
    case .conflicts: return try conflictsVerb(arguments)
    case .resolve: return try resolveVerb(arguments)
    case .`init`: return try initVerb(arguments)
    case .`import`: return try importVerb(arguments)
    case .export: return try exportVerb(arguments)
    case .check: return try checkVerb(arguments)
    case .coordinate: return try coordinateVerb(arguments)
    case .log: return try logVerb(arguments)
    case .doctor: return try doctorVerb(arguments)
    case .help: return 0
    }
}

/// Does it, and ends the process with what came of it.
private func end(isForProgram: Bool = false, _ deed: () throws(Stop) -> Int32) -> Never {
    do throws(Stop) { exit(try deed()) }
    catch {
        printError(error.sentence, isForProgram: isForProgram)
        exit(error.code)
    }
}

/// What is no text in UTF-8 would be taken for something else that is called so.
private func checkArguments() throws(UsageFault) {
    for index in 1..<max(1, Int(CommandLine.argc)) {
        // SAFETY: the system's own table, of as many texts that end at a NUL.
        guard let word = unsafe CommandLine.unsafeArgv[index], unsafe String(validatingCString: word) == nil else { continue }
        throw UsageFault("“\(CommandLine.arguments[index])” is not UTF-8, and no command can be given it: name the folder that it is in, or rename it")
    }
}

do throws(UsageFault) {
    try checkArguments()
    if let program = CommandLine.arguments.first, MountHelperCall.isMeant(by: program) {
        let call = try MountHelperCall(Array(CommandLine.arguments.dropFirst()))
        end { () throws(Stop) in try mountHelper(call) }
    }
    switch try Invocation.parse(Array(CommandLine.arguments.dropFirst())) {
    case .help(let verb): printOut(verb.map(Help.page) ?? Help.overview)
    case .version: printOut("valise \(Drive.version)\n")
    case .run(let verb, let arguments):
        end(isForProgram: arguments.has(.json)) { () throws(Stop) in try perform(verb, arguments) }
    }
} catch {
    printError(error.sentence, isForProgram: CommandLine.arguments.prefix { $0 != "--" }.contains("--json"))
    exit(error.exitCode)
}
