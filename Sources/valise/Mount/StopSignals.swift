import Glibc
import LinuxFiles

/// SIGTERM, SIGINT and SIGHUP end a drive in order: it saves and unmounts. The second one ends it at once.
enum StopSignals {
    private static func set() -> sigset_t {
        var signals = sigset_t()
        // SAFETY: these fill the set that they are given.
        unsafe sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] { _ = unsafe sigaddset(&signals, number) }
        return signals
    }

    /// From now on they wait until somebody asks for them.
    static func block() {
        var signals = set()
        // SAFETY: reads the set.
        _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Starts the thread that waits for them.
    /// `lastly` is called when the second one comes.
    static func serve(lastly: @escaping @Sendable () -> Void, _ stop: @escaping @Sendable () -> Void) {
        BackgroundThread.start {
            wait()
            stop()
            let second = wait()
            // What the kernel still has of the drive must not stay behind as a dead mount.
            lastly()
            _exit(128 + second)
        }
    }

    @discardableResult
    private static func wait() -> Int32 {
        var signals = set()
        var number: Int32 = 0
        // SAFETY: reads the set and writes the number.
        while unsafe sigwait(&signals, &number) != 0 {}
        return number
    }
}
