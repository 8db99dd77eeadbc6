import Glibc

/// Ctrl-C and the like, held back while something is changed that is better finished first. To be asked between two steps.
final class HeldBackSignals {
    private var set = sigset_t(), before = sigset_t()
    private static let held = [SIGINT, SIGTERM, SIGHUP]

    init() {
        // SAFETY: each call fills or reads the sets that it is given.
        unsafe sigemptyset(&set)
        for number in Self.held { unsafe sigaddset(&set, number) }
        _ = unsafe pthread_sigmask(SIG_BLOCK, &set, &before)
    }

    /// Whether one has come.
    var isAny: Bool {
        var pending = sigset_t()
        // SAFETY: as above.
        guard unsafe sigpending(&pending) == 0 else { return false }
        return Self.held.contains { unsafe sigismember(&pending, $0) == 1 }
    }

    /// What came takes effect now.
    func release() { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
}
