import Glibc
import Synchronization

/// Whether somebody pressed Control-C, or the process is to end: what goes on for ever ends by that.
enum StopWish {
    private static let flag = Atomic(false)
    static var isThere: Bool { flag.load(ordering: .relaxed) }

    static func listen() {
        flag.store(false, ordering: .relaxed)
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { _ in StopWish.flag.store(true, ordering: .relaxed) } }
    }
}
