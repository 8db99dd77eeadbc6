import Glibc
import Shell

extension Paint {
    /// For standard output, or for standard error.
    static func on(_ descriptor: Int32) -> Paint {
        Paint(isTerminal: isatty(descriptor) == 1, noColor: environment("NO_COLOR"), terminal: environment("TERM"))
    }
}
