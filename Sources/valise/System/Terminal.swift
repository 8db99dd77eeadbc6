import Glibc
import Shell

extension Paint {
    /// For standard output, or for standard error.
    static func on(_ descriptor: Int32) -> Paint {
        Paint(isTerminal: isatty(descriptor) == 1, noColor: environment("NO_COLOR"), terminal: environment("TERM"))
    }
}

/// How far long work has come: a line on a terminal that is written over, lines for a program that asks for them, and nothing anywhere else.
final class Progress {
    private let what: String
    private let isShown = isatty(2) == 1, areLines: Bool
    private var last: Int64 = 0
    private var isLineBegun = false

    init(_ what: String, asLines: Bool = false) { (self.what, areLines) = (what, asLines) }

    func show(_ count: Int) {
        guard isShown || areLines, Clock.now - last > 100 else { return }
        last = Clock.now
        if areLines { return printOut(JSONAnswer.line([JSON.Member("event", .string("progress")), JSON.Member("count", .integer(Int64(count)))])) }
        isLineBegun = true
        writeAll(Array("\r\u{1B}[K\(count) \(what)".utf8), to: 2)
    }

    func end() {
        if isLineBegun { writeAll(Array("\r\u{1B}[K".utf8), to: 2) }
    }
}

/// Asked before something goes for good. Who cannot be asked says it with the command.
enum PurgeQuestion {
    /// `command`: what does it without a question. False where the answer is no.
    static func isMeant(_ what: String, _ command: String, _ arguments: Arguments) throws(Stop) -> Bool {
        if arguments.has(.yes) { return true }
        guard isatty(0) == 1 else { throw Stop(1, "\(what) would go for good; to have that: \(command)") }
        printOut("Remove \(what) for good? [y/N] ")
        return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
    }
}
