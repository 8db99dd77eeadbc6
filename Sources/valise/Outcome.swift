import Glibc
import LinuxFiles
import Shell

/// The end of a verb that did not do what it was asked: a sentence, and the exit code.
struct Stop: Error {
    let code: Int32
    let sentence: String

    init(_ code: Int32, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}

extension Stop {
    init(_ fault: UsageFault) { self.init(fault.exitCode, fault.sentence) }
}

/// Standard error: a sentence that names the file, the cause and the mend.
func complain(_ sentence: String) {
    writeAll(Array("\(Paint.on(2).fault("valise:")) \(sentence)\n".utf8), to: 2)
}

/// Standard output. A reader that has gone away ends the process, as with any other tool.
func say(_ text: String) { say(Array(text.utf8)) }

func say(_ bytes: [UInt8]) {
    if !writeAll(bytes, to: 1) {
        complain("cannot write the answer: \(Errno.current)")
        exit(1)
    }
}

/// What was done, for those who want to hear of that, too: -v.
func tell(_ sentence: String, _ arguments: Arguments) {
    if arguments.has(.verbose) { say("\(sentence)\n") }
}

/// What nobody asked for and most like to hear: not with -q.
func mention(_ sentence: String, _ arguments: Arguments) {
    if !arguments.has(.quiet) { say(sentence) }
}

/// The sentence of a verb that did not do what it was asked: with `--json` as the answer itself.
func complain(_ sentence: String, isForProgram: Bool) {
    if isForProgram { say(JSONAnswer.line(JSONAnswer.fault(sentence))) } else { complain(sentence) }
}

/// A path in a sentence.
func quoted(_ path: String) -> String { "“\(printable(path))”" }
