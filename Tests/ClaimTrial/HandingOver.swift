import Containers
import Coordination
import Glibc
import LinuxFiles

/// Ends this process as if somebody had killed it, when something happens that its environment names.
enum Dying {
    static func prepare() {
        guard let word = getenv("DIE"), let moment = HandOverMoment.allCases.first(where: { $0.description == String(cString: word) }) else { return }
        wait(for: moment, times: getenv("TIME").flatMap { Int(String(cString: $0)) } ?? 1)
    }

    private static func wait(for moment: HandOverMoment, times: Int) {
        #if DEBUG
        HandOverMoment.testPoints.set(at: moment) { if times > 1 { wait(for: moment, times: times - 1) } else { kill(getpid(), SIGKILL) } }
        #endif
    }
}

/// Whether somebody is alone with an item, said by the kernel: what two have locked at once, both believed to have claimed.
struct Guarding {
    private let folder: String
    private let file: Int32

    init(_ container: String, _ item: String) throws {
        folder = container
        file = open("\(container)/guard-\(item)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Errno.current }
    }

    /// The kernel takes a process that was killed apart bit by bit: its claims may be gone before this lock, and it does nothing with
    /// either any more.
    var isAlone: Bool {
        while flock(file, LOCK_EX | LOCK_NB) != 0 { guard isHoldersEnd else { return false } }
        var process = getpid()
        return pwrite(file, &process, MemoryLayout<pid_t>.size, 0) == MemoryLayout<pid_t>.size
    }

    private var isHoldersEnd: Bool {
        var process: pid_t = 0
        guard pread(file, &process, MemoryLayout<pid_t>.size, 0) == MemoryLayout<pid_t>.size, let page = fopen("/proc/\(process)/stat", "r") else { return true }
        defer { fclose(page) }
        var line = [UInt8](repeating: 0, count: 1024)
        let count = fread(&line, 1, line.count, page)
        // What follows the name: the state, five numbers, and flags, of which PF_EXITING is one.
        let text = String(decoding: line.prefix(count), as: UTF8.self), words = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard words.count > 7, let flags = UInt32(words[7]) else { return true }
        return flags & 4 != 0
    }

    func letGo() { flock(file, LOCK_UN) }
    func isToldToEnd(_ word: String) -> Bool { access("\(folder)/\(word)", F_OK) == 0 }
}

/// Serves, once whoever has the container's lock lets go of it.
func askedForServer(of container: Container, purpose: String) throws -> CoordinationServer {
    let request = LockRequest(for: container)
    var lock: ContainerLock?
    while lock == nil {
        do { lock = try ContainerLock.take(in: container, purpose: purpose) } catch {
            guard error.errno == .tryAgain else { throw error }
            request.ask()
            usleep(1000)
        }
    }
    return try CoordinationServer(container, lock: lock)
}

/// Asks for the lock as a mount does, serves, and ends as a drive does.
func serveAsDrive(_ path: String) throws {
    let container = try Container.open(path, access: .readWrite, creating: [], kinds: .shipped), guarding = try Guarding(path, "drive")
    do {
        let server = try askedForServer(of: container, purpose: "mounted")
        print("mounted")
        fflush(nil)
        while !guarding.isToldToEnd("unmount") { usleep(2000) }
        server.stop(waiting: 0)
    }
    print("unmounted")
}
