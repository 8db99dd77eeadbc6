import Glibc
import Shell

/// Asked before something goes for good. Who cannot be asked says it with the command.
enum PurgeQuestion {
    /// `command`: what does it without a question. False where the answer is no.
    static func isMeant(_ what: String, _ command: String, _ arguments: Arguments) throws(Stop) -> Bool {
        if arguments.has(.yes) { return true }
        guard isatty(0) == 1 else { throw Stop(1, "\(what) would go for good; to have that: \(command)") }
        say("Remove \(what) for good? [y/N] ")
        return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
    }
}
