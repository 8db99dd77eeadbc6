import Containers
import LinuxFiles

/// Whoever is about to mount a container for writing asks the program that coordinates there, and has no drive, for the lock. That
/// one grants nothing new, waits until the claims that it granted have ended, and lets go of the lock. Those who wait for claims, and those who
/// present items, come to whoever has it then.
///
/// As long as this is kept, nobody who only coordinates takes the lock. If it goes before, the other goes on as if nothing had been asked.
public final class LockRequest {
    private let container: Container
    private var awaited: AwaitedLock?
    private var socket: LocalSocket?
    private var course = HandOver(Wanting.idle)

    public init(for container: Container) { self.container = container }

    deinit { socket?.shutDown() }

    /// Asks whoever has the lock now, unless that one has been asked. It may be another one each time.
    public func ask() {
        if awaited == nil { awaited = AwaitedLock(of: container) }
        if let socket, Self.isAtEnd(socket) {
            self.socket = nil
            course.handle(.hungUp)
        }
        guard course.handle(.lockIsTaken) == .ask else { return }
        socket = said()
        course.handle(socket == nil ? .notSaid : .said)
    }

    private func said() -> LocalSocket? {
        let words = CoordinationRequest.hello(version: CoordinationProtocol.version).bytes + CoordinationRequest.yieldLock.bytes
        guard let new = try? container.connectionToWriter(), (try? new.send(words[...])) == words.count else { return nil }
        return new
    }

    private static func isAtEnd(_ socket: LocalSocket) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 256)
        do throws(Errno) {
            while let count = try socket.receive(into: &buffer) { if count == 0 { return true } }
            return false
        } catch { return true }
    }
}
