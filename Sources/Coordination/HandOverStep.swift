import LinuxFiles

/// What one after another happens while the container's lock goes from one process to the next. For trials that end one of them there.
package enum HandOverStep: String, CaseIterable, Sendable {
    // Whoever serves.
    case asked, silent, ended, kept, letGo, hungUp
    // Whoever serves next.
    case seen, listening, serving, heard, whole
    // Whoever has a claim.
    case left, resuming, resumed

    package static let interludes = Interludes<HandOverStep>()

    func pass() { Self.interludes.pass(self) }
}
