import Containers
import Coordination
import Glibc
import LinuxFiles

/// Ends this process as if somebody had killed it, at a step that its environment names.
enum Dying {
    static func prepare() {
        guard let word = getenv("DIE"), let step = HandOverStep(rawValue: String(cString: word)) else { return }
        wait(for: step, times: getenv("TIME").flatMap { Int(String(cString: $0)) } ?? 1)
    }

    private static func wait(for step: HandOverStep, times: Int) {
        #if DEBUG
        HandOverStep.interludes.set(at: step) { if times > 1 { wait(for: step, times: times - 1) } else { kill(getpid(), SIGKILL) } }
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

    var isAlone: Bool { flock(file, LOCK_EX | LOCK_NB) == 0 }
    func letGo() { flock(file, LOCK_UN) }
    func isToldToEnd(_ word: String) -> Bool { access("\(folder)/\(word)", F_OK) == 0 }
}

/// Asks for the lock as a mount does, serves, and ends as a drive does.
func serveAsDrive(_ path: String) throws {
    let container = try Container.open(path, access: .readWrite, creating: []), guarding = try Guarding(path, "drive")
    var lock: ContainerLock?
    do {
        let request = LockRequest(for: container)
        while lock == nil {
            do { lock = try ContainerLock.take(in: container, purpose: "mounted") } catch {
                guard error.errno == .tryAgain else { throw error }
                request.ask()
                usleep(1000)
            }
        }
        let server = try CoordinationServer(container, lock: lock)
        lock = nil
        print("mounted")
        fflush(nil)
        while !guarding.isToldToEnd("unmount") { usleep(2000) }
        server.stop(waiting: 0)
    }
    print("unmounted")
}
