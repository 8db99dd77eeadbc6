import CLinux
import Glibc

/// A process that does one thing when this one has ended, however that came about: it writes "1" to a file.
///
/// Whoever is killed can do nothing more itself. It is told of the end of the thread that makes the guardian.
public struct Guardian: ~Copyable {
    /// Its number, as long as it is.
    public let process: Int32

    /// Nil where no process can be started. The guardian has nothing else open than this file.
    public init?(writingTo file: borrowing Descriptor) {
        let started = CLinux_write_when_ended(file.rawValue)
        // Before it is a guardian's: one that is not made ends like any other, and −1 stands for all processes.
        guard started > 0 else { return nil }
        process = started
    }

    deinit {
        kill(process, SIGKILL)
        // How it ended is of no use.
        _ = waitpid(process, nil, 0)
    }
}
