import Glibc
import LinuxFiles

/// A question that may never be answered, asked in a process of its own.
///
/// A thread that asks a stopped drive cannot always be given up: the kernel may keep it until the
/// drive answers, and with it the whole process. A child can be left behind.
/// Only to be used while this process has one thread.
enum Child {
    enum Outcome {
        /// The bytes that it sent, and its exit code.
        case ended([UInt8], code: Int32)
        /// It did not end in time.
        case silent
    }

    /// Runs `body` in a child, with the descriptor that its answer goes to. The child has no other
    /// output: one that is left behind must not keep a pipe open that somebody reads to its end.
    static func run(seconds: Int, _ body: @escaping (Int32) -> Int32) throws(Errno) -> Outcome { try run(seconds: seconds, atOnce: 1, [body])[0].get() }

    /// The same of several, so many at once, each with its own time: one that is silent keeps nobody waiting for the others.
    static func run(seconds: Int, atOnce: Int, _ bodies: [(Int32) -> Int32]) -> [Result<Outcome, Errno>] {
        var outcomes = [Result<Outcome, Errno>?](repeating: nil, count: bodies.count)
        var asked: [(index: Int, child: AskedChild)] = [], next = 0
        while next < bodies.count || !asked.isEmpty {
            while next < bodies.count, asked.count < atOnce {
                do throws(Errno) { asked.append((next, try AskedChild(seconds: seconds, bodies[next]))) } catch { outcomes[next] = .failure(error) }
                next += 1
            }
            AskedChild.wait(for: asked.map(\.child))
            for (index, child) in asked {
                if let outcome = child.outcomeNow() { outcomes[index] = .success(outcome) }
            }
            asked.removeAll { outcomes[$0.index] != nil }
        }
        return outcomes.map { $0 ?? .success(.silent) }
    }

    /// The exit code, 128 and more for a signal; nil where the process still runs at the deadline.
    static func exitCode(of process: pid_t, until deadline: Int64) -> Int32? {
        var pause: UInt32 = 200
        while true {
            var status: Int32 = 0
            // SAFETY: waitpid writes the status that it is given room for.
            let ended = unsafe waitpid(process, &status, WNOHANG)
            if ended == process { return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F) }
            if ended < 0, Errno.current != .interrupted { return nil }
            guard Clock.now < deadline else { return nil }
            usleep(pause)
            pause = min(pause * 2, 20_000)
        }
    }
}

/// One that was asked, and what it has answered so far.
private final class AskedChild {
    private let process: pid_t
    private let pipe: Pipe
    private let deadline: Int64
    private var received: [UInt8] = []

    init(seconds: Int, _ body: (Int32) -> Int32) throws(Errno) {
        pipe = try Pipe()
        process = fork()
        guard process >= 0 else {
            let error = Errno.current
            pipe.closeWriter()
            pipe.closeReader()
            throw error
        }
        if process == 0 {
            pipe.closeReader()
            Sandbox.silenceStandardStreams()
            _exit(body(pipe.writer))
        }
        pipe.closeWriter()
        deadline = Clock.now + Int64(seconds) * 1000
    }

    deinit { pipe.closeReader() }

    /// Until one of them has something to say, or one's time is over.
    static func wait(for children: [AskedChild]) {
        guard let first = children.map(\.deadline).min() else { return }
        Pipe.wait(for: children.map(\.pipe), until: first)
    }

    /// What became of it; nil while it may still answer.
    func outcomeNow() -> Child.Outcome? {
        while pipe.hasBytes {
            guard pipe.read(to: &received) else {
                guard let code = Child.exitCode(of: process, until: deadline) else { return given() }
                return .ended(received, code: code)
            }
            if received.count >= Pipe.largest { return given() }
        }
        return Clock.now < deadline ? nil : given()
    }

    private func given() -> Child.Outcome {
        kill(process, SIGKILL)
        // Collects it if the signal reached it; one that the kernel holds goes to init later.
        _ = Child.exitCode(of: process, until: Clock.now + 100)
        return .silent
    }
}

/// Milliseconds that only go forward.
enum Clock {
    static var now: Int64 {
        var time = timespec()
        // SAFETY: clock_gettime fills the struct it is given.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
