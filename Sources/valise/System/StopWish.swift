import Glibc
import LinuxFiles
import Synchronization

/// Whether somebody pressed Control-C, or asked the process to end: a command that goes on for ever looks at this, and ends. A second Control-C ends the
/// process at once.
enum StopWish {
    private static let flag = Atomic(false)
    static var isThere: Bool { flag.load(ordering: .relaxed) }

    /// Who waits for this hears that it has ended.
    private static let waited = Atomic<Int32>(-1)

    static func listen(endingWaitsOf socket: LocalSocket? = nil) {
        flag.store(false, ordering: .relaxed)
        waited.store(socket?.number ?? -1, ordering: .relaxed)
        // SAFETY: each call fills or reads the set that it is given.
        var wishes = sigset_t()
        unsafe sigemptyset(&wishes)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            unsafe sigaddset(&wishes, number)
            signal(number) { signalled in
                if StopWish.flag.exchange(true, ordering: .relaxed), signalled == SIGINT {
                    signal(SIGINT, SIG_DFL)
                    raise(SIGINT)
                }
                let number = StopWish.waited.load(ordering: .relaxed)
                if number >= 0 { shutdown(number, Int32(SHUT_RDWR)) }
            }
        }
        // A thread of libdispatch's that starts this program leaves it with them blocked.
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &wishes, nil)
    }

    /// The program that reads standard output may end while there is nothing to write to it. This thread, which listens, then gets the wish as by a signal.
    static func endWithReader() {
        let listener = pthread_self()
        BackgroundThread.start {
            // Without any events, poll tells of the other end's end alone.
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            // SAFETY: poll reads and writes the one struct it is given.
            while unsafe poll(&output, 1, -1) < 0, Errno.current == .interrupted {}
            guard output.revents & Int16(POLLERR | POLLHUP) != 0 else { return }
            // Again, because a wait that begins just now misses it.
            while true {
                pthread_kill(listener, SIGHUP)
                BackgroundThread.rest(milliseconds: 1000)
            }
        }
    }
}
