import Drive
import Glibc
import LinuxFiles
import Shell

/// Does what the verb says, and answers the exit code.
func perform(_ verb: Verb, _ arguments: Arguments) throws(Stop) -> Int32 {
    switch verb.name {
    case .mount: return try mountVerb(arguments)
    case .unmount: return unmountVerb(arguments)
    case .status: return try statusVerb(arguments)
    case .info: return infoVerb(arguments)
    case .open: return try openVerb(arguments)
    case .`init`: return try initVerb(arguments)
    case .doctor: return try doctorVerb(arguments)
    case .help: return 0
    }
}

do throws(UsageFault) {
    switch try Invocation.parse(Array(CommandLine.arguments.dropFirst())) {
    case .help(let verb): say(verb.map(Help.page) ?? Help.overview)
    case .version: say("valise \(Drive.version)\n")
    case .run(let verb, let arguments):
        do throws(Stop) { exit(try perform(verb, arguments)) }
        catch {
            complain(error.sentence)
            exit(error.code)
        }
    }
} catch {
    complain(error.sentence)
    exit(error.exitCode)
}
