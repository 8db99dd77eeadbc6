import Glibc
import LinuxFiles
import Shell

/// Standard error: a sentence that names the file, the cause and the mend.
func printError(_ sentence: String) {
    writeAll(Array("\(Paint.on(2).fault("valise:")) \(sentence)\n".utf8), to: 2)
}

/// Standard output. A reader that has gone away ends the process, as with any other tool.
func printOut(_ text: String) { printOut(Array(text.utf8)) }

func printOut(_ bytes: [UInt8]) {
    if !writeAll(bytes, to: 1) {
        printError("cannot write the answer: \(Errno.current)")
        exit(1)
    }
}

/// What was done, for those who want to hear of that, too: -v.
func printIfVerbose(_ sentence: String, _ arguments: Arguments) {
    if arguments.has(.verbose) { printOut("\(sentence)\n") }
}

/// What nobody asked for and most like to hear: not with -q.
func printUnlessQuiet(_ sentence: String, _ arguments: Arguments) {
    if !arguments.has(.quiet) { printOut(sentence) }
}

/// The sentence of a verb that did not do what it was asked: with `--json` as the answer itself.
func printError(_ sentence: String, isForProgram: Bool) {
    if isForProgram { printOut(JSONAnswer.line(JSONAnswer.fault(sentence))) } else { printError(sentence) }
}

/// A path in a sentence.
func quoted(_ path: String) -> String { "“\(printable(path))”" }
