import FuseBridge
import Glibc
import LinuxFiles
import Shell

/// A drive that can be served by a process of its own.
protocol DriveService {
    var container: String { get }
    var mountpoint: String { get }
    var options: MountOptions { get }
    var debug: Bool { get }

    /// Serves until the drive is unmounted. `telling`: what whoever mounts is to know.
    func serve(telling: (String) -> Void, ready: (DriveHelper) -> Bool) throws(Stop) -> Int32
}

// What all drives have in common, whatever they show.
extension DriveService {
    /// How it is mounted, as far as its options say that.
    var mounting: SessionOptions {
        var session = SessionOptions(source: options.source ?? container)
        session.readOnly = options.readOnly
        session.kernelOptions = options.kernelOptions + (options.allowsOthers ? ["allow_other"] : [])
        session.debug = debug
        session.isWithoutLinks = true
        if let threads = options.threads { session.threads = threads }
        return session
    }

    func unsealed(_ fault: Sandbox.Fault) -> Stop {
        Stop(32, "the process that serves the drive cannot give up its rights: \(fault.reason); to serve it with all of them: add -o nosandbox")
    }

    /// The exit code, once the session has ended.
    func ended(_ code: Int32, answered: Bool) throws(Stop) -> Int32 {
        guard answered else { throw Stop(32, "the drive of \(quoted(container)) ended before it answered") }
        return code == 0 ? 0 : 2
    }

    /// The file that somebody wants the drive's messages in. Opened before the drive is there, so that who calls hears what is wrong with it.
    func openLog() throws(Stop) -> OpenFile? {
        guard let path = options.log else { return nil }
        let log = geteuid() == 0 ? try MountLinks.openLog(path) : try Self.openOwnLog(path)
        SystemLog.useFileLater(log)
        return log
    }

    private static func openOwnLog(_ path: String) throws(Stop) -> OpenFile {
        // SAFETY: reads the path.
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw cannotOpenLog(path, .current) }
        return OpenFile(Descriptor(adopting: file))
    }

    /// With what else is said on standard error, which nobody sees in the background.
    func useLog(_ file: OpenFile?) {
        guard let file else { return }
        dup2(file.descriptor.rawValue, STDERR_FILENO)
        SystemLog.useFile(file)
    }

    /// What the drive has to say has a place of its own in systemd's journal, if there is one.
    func logToJournal(by helper: DriveHelper) {
        helper.logToJournal([SystemLog.Field("VALISE_CONTAINER", container), SystemLog.Field("VALISE_MOUNTPOINT", mountpoint)])
    }
}

extension Service: DriveService {
    func serve(telling: (String) -> Void, ready: (DriveHelper) -> Bool) throws(Stop) -> Int32 { try run(telling: telling, ready: ready) }
}

/// Serves in a process of its own, and returns once the drive answers or cannot.
///
/// The process is forked before any thread exists. It tells through a pipe how it went: a zero byte
/// when the drive answers, or else its exit code and the sentence.
func runInBackground(_ service: some DriveService, lock: MountpointLock?) throws(Stop) -> Int32 {
    let log = try service.openLog(), pipe: Pipe
    do throws(Errno) { pipe = try Pipe() } catch { throw Stop(2, "cannot make a pipe: \(error)") }
    let process = fork()
    guard process >= 0 else { throw Stop(2, "cannot start a process for the drive: \(Errno.current)") }
    if process == 0 {
        pipe.closeReader()
        serveDetached(service, log: log, lock: lock, news: pipe.writer)
    }
    pipe.closeWriter()
    defer { pipe.closeReader() }
    guard let news = pipe.readToEnd() else { throw Stop(4, "the process that serves the drive said more than was asked") }
    guard let code = news.first else { throw silentEnd(of: process) }
    guard code == 0 else { throw Stop(Int32(code), String(decoding: news.dropFirst(), as: UTF8.self)) }
    switch DriveHealth.of(service.mountpoint) {
    case .answers: return 0
    case .dead: throw Stop(32, "the drive on \(quoted(service.mountpoint)) ended as soon as it was mounted; to see why: valise mount -d \(shellWord(service.container)) \(shellWord(service.mountpoint))")
    case .silent: throw Stop(32, "the drive on \(quoted(service.mountpoint)) is mounted and does not answer; to see why: valise status \(shellWord(service.mountpoint))")
    }
}

/// The process that serves. Never returns.
private func serveDetached(_ service: some DriveService, log: OpenFile?, lock: MountpointLock?, news: Int32) -> Never {
    // SAFETY: reads the path.
    _ = unsafe chdir("/")
    do throws(Stop) {
        // Where the system mounts it, nobody sees what is said here: it is in the log as well, once there is one.
        var told: [String] = []
        let code = try service.serve(
            telling: { sentence in
                printError(sentence)
                told.append(sentence)
            }
        ) { helper in
            guard writeAll([0], to: news) else { return false }
            // Not before the drive is mounted: under an automount only systemd's own process group may look at the mountpoint.
            setsid()
            Sandbox.silenceStandardStreams()
            service.useLog(log)
            service.logToJournal(by: helper)
            for sentence in told { SystemLog.write(sentence, .warning) }
            lock?.release()
            // The caller goes on from here.
            close(news)
            return true
        }
        exit(code)
    } catch {
        // After the drive answered nobody reads this any more.
        writeAll([UInt8(truncatingIfNeeded: error.code)] + Array(error.sentence.utf8), to: news)
        exit(error.code)
    }
}

private func silentEnd(of process: pid_t) -> Stop {
    let code = Child.exitCode(of: process, until: Clock.now + 2000) ?? 0
    let how = code > 128 ? "was ended by signal \(code - 128)" : "ended with exit code \(code)"
    return Stop(4, "the process that serves the drive \(how) before the drive answered; to see more: add -d")
}
