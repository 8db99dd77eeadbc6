import Foundation

/// A program that was started, with what it says in files: whoever inherits its output cannot keep a test waiting.
///
/// It inherits no descriptor, because one that another test has on its drive would keep that drive busy.
public final class Program: Sendable {
    public let process: pid_t
    private let words: [String]
    private let folder: TemporaryFolder

    /// Starts `words`, the program first. Without `environment` it gets what the tests were started with, with a language and a time zone
    /// that are the same everywhere.
    public init(_ words: [String], in directory: String? = nil, input: Data = Data(), environment: [String: String] = [:]) throws {
        self.words = words
        folder = try TemporaryFolder()
        try input.write(to: URL(fileURLWithPath: folder.path + "/input"))
        process = try Self.spawn(words, in: directory, .files(in: folder.path), environment)
    }

    /// Starts a program that answers as long as the tests run, and ends with them: its input and output are the other end of what is answered here, a
    /// socket of this type.
    public static func serving(_ words: [String], _ type: __socket_type = SOCK_STREAM) throws -> Int32 {
        // Closed in all programs that other tests start meanwhile, from the first moment: pipe2 is not to be had here.
        var ends: [Int32] = [0, 0]
        _ = try checked("socketpair", socketpair(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends))
        defer { Foundation.close(ends[1]) }
        _ = try spawn(words, in: nil, .socket(ends[1]), [:])
        return ends[0]
    }

    /// Runs a tool that has nothing to say.
    static func runQuietly(_ words: [String]) throws {
        let process = try spawn(words, in: nil, .nothing, [:])
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// The words for a program of a user whose limit of that name (`/proc/sys/user`) is reached; without one, the words themselves.
    public static func limited(by limit: String?, _ words: [String]) -> [String] {
        guard let limit else { return words }
        return ["unshare", "--user", "--map-root-user", "sh", "-c", "echo 0 >/proc/sys/user/\(limit) && exec \"$@\"", ""] + words
    }

    private static let starting = SharedLock()

    /// The variables that the tests were started with, and not what one of them sets for its own process meanwhile (which container is an app's). No
    /// program gets that one from outside either.
    private static let given: [String: String] = {
        let lines = ((try? Data(contentsOf: URL(fileURLWithPath: "/proc/self/environ"))) ?? Data()).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        let pairs = lines.compactMap { line in line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) } }
        return Dictionary(pairs) { first, _ in first }.filter { $0.key != "VALISE_CONTAINER" }
    }()

    /// Runs what starts no program while no other test starts one: that would close a copy of each file that is open here, and a drive
    /// saves what is closed.
    public static func whileNoneStarts<Value>(_ body: () throws -> Value) rethrows -> Value { try starting.alone(body) }

    /// What a program reads and writes.
    private enum Streams {
        case nothing, socket(Int32)
        /// “input”, “output” and “errors”.
        case files(in: String)

        func open(in actions: inout posix_spawn_file_actions_t) {
            switch self {
            case .socket(let socket):
                for number: Int32 in [0, 1] { posix_spawn_file_actions_adddup2(&actions, socket, number) }
            case .nothing:
                posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
                for number: Int32 in [1, 2] { posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0) }
            case .files(let folder):
                posix_spawn_file_actions_addopen(&actions, 0, folder + "/input", O_RDONLY, 0)
                for (number, name) in [(Int32(1), "output"), (2, "errors")] {
                    posix_spawn_file_actions_addopen(&actions, number, "\(folder)/\(name)", O_WRONLY | O_CREAT | O_APPEND, 0o600)
                }
            }
        }
    }

    private static func spawn(_ words: [String], in directory: String?, _ streams: Streams, _ added: [String: String]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t(), attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        streams.open(in: &actions)
        _ = GNUSpawn.closeFrom?(&actions, 3)
        if let directory { _ = GNUSpawn.changeFolder?(&actions, directory) }
        // A group of its own, so that all it started ends with it; and signals as a shell gives them.
        var none = sigset_t(), all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var environment = given
        environment.merge(["LC_ALL": "C.UTF-8", "TZ": "UTC0"].merging(added) { $1 }) { $1 }
        // Nothing but its own library: Python looks through all that is installed for it each time that it starts.
        let words = words[0] == "python3" ? ["python3", "-S"] + words.dropFirst() : words
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var process = pid_t()
        let error = starting.whileItIsShared { posix_spawnp(&process, words[0], &actions, &attributes, &arguments, &variables) }
        guard error == 0 else { throw Failed("cannot start \(words.joined(separator: " ")): \(String(cString: strerror(error)))") }
        return process
    }

    public var output: String { String(decoding: outputBytes, as: UTF8.self) }
    public var outputBytes: Data { said("output") }
    public var errors: String { String(decoding: said("errors"), as: UTF8.self) }
    private func said(_ name: String) -> Data { (try? Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))) ?? Data() }

    /// Whether it has ended, without taking its exit code.
    public var hasEnded: Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) != 0 || information._sifields._sigchld.si_pid != 0
    }

    /// Waits until it ends, and answers its exit code, or 128 and the signal. Ends it when it does not by itself.
    /// Only once.
    public func wait(seconds: TimeInterval = patience) throws -> Ended {
        guard eventually(within: seconds, { hasEnded }) else {
            end()
            throw Failed("“\(words.joined(separator: " "))” did not end in \(Int(seconds)) seconds; it said: \(output)\(errors)")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return Ended(words: words, code: signal == 0 ? status >> 8 & 0xFF : 128 + signal, output: output, errors: errors)
    }

    /// Ends it and all that it started, at once.
    public func end() {
        kill(-process, SIGKILL)
        kill(process, SIGKILL)
        var status: Int32 = 0
        // One that waits for a drive that does not answer is not waited for.
        eventually(within: 5) { waitpid(process, &status, WNOHANG) != 0 }
    }
}

extension Program {
    /// One that has written to a file and keeps it open until it is ended.
    public static func writing(_ text: String, to path: String) throws -> Program {
        let script = "import os, sys, time; os.write(os.open(sys.argv[1], os.O_WRONLY), sys.argv[2].encode()); print('written'); time.sleep(1000)"
        let program = try Program(["python3", "-uc", script, path, text])
        guard eventually({ program.hasEnded || program.output == "written\n" }), !program.hasEnded else {
            program.end()
            throw Failed("nothing was written to \(path): \(program.errors)")
        }
        return program
    }
}

/// What a program said, and how it ended.
public struct Ended: Sendable {
    public let words: [String]
    public let code: Int32
    public let output: String
    public let errors: String

    public var lines: [String] {
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return output.isEmpty || output.hasSuffix("\n") ? lines.dropLast() : lines
    }

    /// Itself, if the program did what it was to do.
    @discardableResult
    public func good() throws -> Ended {
        guard code == 0 else { throw Failed("“\(words.joined(separator: " "))” ended with \(code); it said: \(output)\(errors)") }
        return self
    }
}

/// Runs a program to its end, which is enforced after a minute.
@discardableResult
public func run(_ words: String..., in directory: String? = nil, input: String = "", environment: [String: String] = [:]) throws -> Ended {
    try Program(words, in: directory, input: Data(input.utf8), environment: environment).wait()
}

/// Runs a line of bash; "$@" are the arguments.
@discardableResult
public func shell(_ line: String, _ arguments: String..., in directory: String? = nil, environment: [String: String] = [:]) throws -> Ended {
    try Program(["bash", "-c", line, "bash"] + arguments, in: directory, environment: environment).wait()
}

/// What glibc has beyond POSIX, and its headers show to GNU sources only.
private enum GNUSpawn {
    typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>
    static let closeFrom = find("posix_spawn_file_actions_addclosefrom_np", (@convention(c) (Actions, Int32) -> Int32).self)
    static let changeFolder = find("posix_spawn_file_actions_addchdir_np", (@convention(c) (Actions, UnsafePointer<CChar>) -> Int32).self)

    private static func find<Call>(_ name: String, _: Call.Type) -> Call? {
        dlsym(nil, name).map { unsafeBitCast($0, to: Call.self) }
    }
}

/// A library that changes what a program's calls do, from its source in Tests/Support.
public func preloaded(_ source: String, beside container: TemporaryContainer) throws -> String {
    let library = container.beside(source + ".so")
    try run("clang", "-shared", "-fPIC", "-o", library, Places.support(source)).good()
    return library
}

/// Many have it at once, or one alone.
private final class SharedLock: @unchecked Sendable {
    // SAFETY: made once, and given to no other than the calls for it.
    private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    init() { pthread_rwlock_init(lock, nil) }

    func whileItIsShared<Value>(_ body: () throws -> Value) rethrows -> Value {
        pthread_rwlock_rdlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return try body()
    }

    func alone<Value>(_ body: () throws -> Value) rethrows -> Value {
        pthread_rwlock_wrlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return try body()
    }
}
