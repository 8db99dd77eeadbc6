import Dispatch
import Glibc
import LinuxFiles
import Synchronization

/// Lets those hear of changes in the container who watch the drive (inotify), as file managers do.
///
/// The kernel tells them what is done on the drive, and nothing of what a drive tells the kernel. So a thread of its own does on the drive
/// what another program did in the container: it makes the file that came, removes the one that went, opens for writing the one
/// that changed. The drive knows that thread by its number, and changes nothing for it (`WatcherEcho.swift`).
///
/// The thread waits for the drive's answers like any program, and nobody waits for it. A process that is killed while one
/// of its threads waits for another would never end; this thread has none of the process's files, so they are closed all
/// the same, and the kernel ends the requests of a drive whose device is closed.
final class EchoThread: Sendable {
    /// Those who came first wait so long for others: of a move, both ends are to be there. And so often, while something was noticed that is not looked at yet.
    static let gathering: UInt32 = 50_000, mostOften = 20
    /// Between two looks at who watches: so many microseconds, and so many times the look's own time.
    static let pause: UInt32 = 250_000, share: Int64 = 20
    /// As many as the kernel keeps for one who watches, unless it was told otherwise.
    private static let most = 16_384
    /// The handle of whatever that thread opens on the drive.
    static let handle = HandleID(rawValue: .max)
    /// FALLOC_FL_KEEP_SIZE: room for a byte within the file, which it has.
    static let changingNothing: Int32 = 1

    private struct Table {
        var waiting: [Echo] = []
        var isEnding = false
        /// What is being announced.
        var current: Echo?
        /// A name that only that thread has, to see whether the drive knows it.
        var greeting: Name?
        var phantoms: UInt64 = 0
    }

    private let table = Locked(Table())
    private let bell = DispatchSemaphore(value: 0)
    private let thread = Atomic<UInt32>(0)

    func isThread(_ number: UInt32) -> Bool {
        let own = thread.load(ordering: .acquiring)
        return own != 0 && own == number
    }

    /// Runs the thread until `stop`. `isBehind`: whether more may come of what was noticed already.
    func start(isBehind: @escaping @Sendable () -> Bool, _ work: @escaping @Sendable ([Echo]) -> Void) {
        BackgroundThread.startWithoutFiles { [self] number in
            thread.store(number, ordering: .releasing)
            while true {
                bell.wait()
                var count = 0
                repeat {
                    usleep(Self.gathering)
                    count += 1
                } while count < Self.mostOften && goesOn && isBehind()
                let (waiting, isEnding) = table.withLock { table in
                    defer { table.waiting = [] }
                    return (table.waiting, table.isEnding)
                }
                if isEnding { break }
                work(Echo.paired(waiting))
            }
            thread.store(0, ordering: .releasing)
        }
    }

    func add(_ echoes: [Echo]) {
        let isFirst = table.withLock { table in
            guard !echoes.isEmpty, !table.isEnding else { return false }
            defer { table.waiting += echoes.prefix(Self.most - table.waiting.count) }
            return table.waiting.isEmpty
        }
        if isFirst { bell.signal() }
    }

    /// Nobody waits for the end: it may come after that of the drive, whose answer it waits for.
    func stop() {
        table.withLock { $0.isEnding = true }
        bell.signal()
    }

    var goesOn: Bool { table.withLock { !$0.isEnding } }

    // MARK: What is being done

    var current: Echo? { table.withLock { $0.current } }

    func setCurrent(_ echo: Echo?) { table.withLock { $0.current = echo } }

    /// Whether an open folder is the drive's top and the drive knows who asks: else nothing may be done there.
    func isKnown(in top: borrowing Descriptor) -> Bool {
        guard let name = Name((0..<16).map { _ in UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "z")) }) else { return false }
        table.withLock { $0.greeting = name }
        defer { table.withLock { $0.greeting = nil } }
        return (try? top.status(of: name)) != nil
    }

    func isGreeting(_ name: Name) -> Bool { table.withLock { $0.greeting == name } }

    /// A node that stands for something that is gone. It has a number of its own, which no other node has.
    func phantom() -> NodeID {
        table.withLock { table in
            table.phantoms += 1
            return NodeID(rawValue: 1 << 63 | table.phantoms)
        }
    }
}
