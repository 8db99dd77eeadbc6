import Foundation

/// The trial program: one process, and one or more containers after each other.
final class TrialRun {
    enum Deed: Int32 { case none, exitBefore, exitAfter, exitWithin, fail }

    struct Outcome {
        /// 0: done.
        var errno: Int32
        var leaked: Int
        /// The number of the call with which the content was in the draft.
        var written: Int
        var calls: [String]
    }

    static let program: URL = {
        // The test runner and the package's programs are built into one folder.
        let here = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        var folder = here
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent("ContainerTrial")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
            folder.deleteLastPathComponent()
        }
        return URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../.build/debug/ContainerTrial")
    }()

    private typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
    private static let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map { unsafeBitCast($0, to: CloseFrom.self) }

    private var pid: pid_t = 0
    private let socket: Int32
    private var unread = ""

    static func arguments(_ operation: String, _ kind: CrashKind, _ container: URL, _ content: URL, _ deed: Deed, _ point: Int, _ number: Int32) -> [String] {
        [program.path, container.path, operation, kind.name, content.path, "\(deed.rawValue)", "\(point)", "\(number)", "\(kind.refusing.rawValue)"]
    }

    init(_ operation: String, _ kind: CrashKind, _ container: URL, content: URL, _ deed: Deed = .none, at point: Int = 0, errno number: Int32 = 0) throws {
        // Closed in all programs that other tests start meanwhile, from the first moment: pipe2 is not to be had here.
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { throw POSIXError(.EMFILE) }
        socket = ends[0]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        // Another test may have something open on its drive, which would keep that drive busy.
        _ = Self.closeFrom?(&actions, 3)
        let words = Self.arguments(operation, kind, container, content, deed, point, number).map { strdup($0) }
        let failure = posix_spawn(&pid, words[0]!, &actions, nil, words + [nil], environ)
        posix_spawn_file_actions_destroy(&actions)
        for word in words { free(word) }
        Foundation.close(ends[1])
        guard failure == 0 else { throw POSIXError(.init(rawValue: failure) ?? .EIO) }
    }

    deinit {
        Foundation.close(socket)
        if pid != 0 { waitpid(pid, nil, 0) }
    }

    /// What it says next; nil when it ended without a word.
    func outcome() -> Outcome? {
        while !unread.contains("\n") {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(socket, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            unread += String(decoding: buffer[..<count], as: UTF8.self)
        }
        let line = unread.prefix { $0 != "\n" }
        unread = String(unread.dropFirst(line.count + 1))
        var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count >= 3 else { return nil }
        let error: Int32 = words.removeFirst() == "done" ? 0 : Int32(words.removeFirst()) ?? -1
        guard words.count == 3 else { return Outcome(errno: error, leaked: 0, written: 0, calls: []) }
        return Outcome(errno: error, leaked: Int(words[0]) ?? 0, written: Int(words[1]) ?? 0, calls: words[2].split(separator: ",").map(String.init))
    }

    func again() { say("again") }

    /// Lets go of the container, and says what is left open.
    func close() -> Outcome? {
        say("close")
        return outcome()
    }

    /// A run in which one call fails: the earlier one goes on with this container, if there is one.
    static func failing(
        _ operation: String, _ kind: CrashKind, _ container: URL, content: URL, at point: Int, errno number: Int32, after earlier: TrialRun?
    ) throws -> TrialRun {
        guard let earlier else { return try TrialRun(operation, kind, container, content: content, .fail, at: point, errno: number) }
        earlier.next(container, failingAt: point, errno: number)
        return earlier
    }

    /// The same with another container.
    private func next(_ container: URL, failingAt point: Int, errno number: Int32) { say("\(point) \(number) \(container.path)") }

    private func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Its exit status, when it has ended.
    func end() -> Int32 {
        shutdown(socket, Int32(SHUT_WR))
        var status: Int32 = 0
        while waitpid(pid, &status, 0) == -1, errno == EINTR {}
        pid = 0
        return status >> 8 & 0xFF
    }
}
