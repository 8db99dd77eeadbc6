import Glibc
import LinuxFiles

/// How long is waited before whoever serves is asked once more, who has hung up: hardly at a hand-over, and longer and longer where that
/// happens each time. About a minute of it is enough.
struct ReconnectionWaits {
    /// So many times, and so many of them hardly.
    let most: Int, quick: Int
    private var tries = 0
    private var milliseconds: UInt32 = 2
    private var lastTry: Int64 = 0

    private static let longest: UInt32 = 250
    /// Whoever hangs up after so long may be asked again as if it were the first time.
    private static let lasting: Int64 = 1000

    init(most: Int = 300, quick: Int = 50) { (self.most, self.quick) = (most, quick) }

    /// What comes next, in milliseconds; nil when there were enough.
    mutating func next(at now: Int64) -> UInt32? {
        if now >= lastTry &+ Int64(milliseconds) &+ Self.lasting { self = ReconnectionWaits(most: most, quick: quick) }
        guard tries < most else { return nil }
        tries += 1
        lastTry = now
        if tries > quick { milliseconds = min(milliseconds &* 2, Self.longest) }
        return milliseconds
    }

    /// Waits a little; false when it has waited often enough.
    mutating func wait() -> Bool {
        guard let milliseconds = next(at: Monotonic.milliseconds) else { return false }
        usleep(milliseconds &* 1000)
        return true
    }

    /// The same for what goes on as long as the program.
    mutating func waitAgain() { if !wait() { usleep(Self.longest &* 1000) } }
}
