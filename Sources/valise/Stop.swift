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
