import Dispatch
import Glibc
import LinuxFiles
import Synchronization
import Testing

@Suite struct OrderedThreadTests {
    /// What a thread without the process's files asks for is done by one that has them.
    @Test func servesWhoHasNoFiles() {
        let thread = OrderedThread(), done = DispatchSemaphore(value: 0), flags = Mutex<(here: Int32, there: Int32)>((0, 0))
        let file = open("/", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        thread.start()
        BackgroundThread.startWithoutFiles { _ in
            thread.sync { flags.withLock { $0.here = fcntl(file, F_GETFD) } }
            thread.async {
                flags.withLock { $0.there = fcntl(file, F_GETFD) }
                done.signal()
            }
        }
        done.wait()
        #expect(flags.withLock { $0 == (-1, FD_CLOEXEC) })
    }

    /// One thing after another, in the order in which they were asked for, and what was asked for before it began too.
    @Test func keepsTheOrder() {
        let thread = OrderedThread(), said = Mutex<[Int]>([])
        thread.finish()
        for number in 0..<10 { thread.async { said.withLock { $0.append(number) } } }
        thread.start()
        thread.sync { said.withLock { $0.append(10) } }
        thread.async { said.withLock { $0.append(11) } }
        thread.finish()
        #expect(said.withLock { $0 } == Array(0..<12))
    }
}
