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
    static func run(seconds: Int, _ body: (Int32) -> Int32) throws(Errno) -> Outcome {
        let pipe = try Pipe()
        let process = fork()
        guard process >= 0 else { throw .current }
        if process == 0 {
            pipe.closeReader()
            silenceStandardStreams()
            _exit(body(pipe.writer))
        }
        pipe.closeWriter()
        defer { pipe.closeReader() }
        let deadline = Clock.now + Int64(seconds) * 1000
        guard let bytes = pipe.readToEnd(until: deadline), let code = exitCode(of: process, until: deadline) else {
            kill(process, SIGKILL)
            // Collects it if the signal reached it; one that the kernel holds goes to init later.
            _ = exitCode(of: process, until: Clock.now + 100)
            return .silent
        }
        return .ended(bytes, code: code)
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

/// Milliseconds that only go forward.
enum Clock {
    static var now: Int64 {
        var time = timespec()
        // SAFETY: clock_gettime fills the struct it is given.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// Puts /dev/null in the place of the three standard streams.
func silenceStandardStreams() {
    guard let null = try? Descriptor.atPath("/dev/null", .readWrite) else { return }
    for stream: Int32 in 0...2 { dup2(null.rawValue, stream) }
}
