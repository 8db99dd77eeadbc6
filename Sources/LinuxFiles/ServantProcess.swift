import CLinux
import Glibc

/// A process that was started to serve this one: it has a channel as its standard input, and no other open file of ours.
public protocol Servant: Sendable {
    var number: Int32 { get }

    /// Ends it, whatever it does, and takes it off the system's table. To be called once.
    func end() -> ServantEnding?
}

/// Who starts servants.
public protocol ServantStarter: Sendable {
    func start(_ program: String, talkingOver channel: Channel) throws(Errno) -> any Servant
}

/// How a process ended.
public enum ServantEnding: Equatable, Sendable {
    /// SIGKILL is ours, any other one came before.
    case signal(Int32)
    case code(Int32)

    /// As waitpid tells it.
    init(status: Int32) { self = status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F) }
}

/// Starts them as children of this process.
public struct OwnServants: ServantStarter {
    public init() {}

    public func start(_ program: String, talkingOver channel: Channel) throws(Errno) -> any Servant {
        var number: pid_t = 0
        let path = Array(program.utf8CString), raw = channel.rawValue
        _ = try retrying { unsafe CLinux_spawn(path, raw, &number) }
        withExtendedLifetime(channel) {}
        return Child(number: number)
    }

    private struct Child: Servant {
        let number: Int32

        func end() -> ServantEnding? {
            kill(number, SIGKILL)
            var status: Int32 = 0
            // SAFETY: waitpid writes the status that it is given room for.
            guard let ended = try? retrying({ unsafe waitpid(number, &status, 0) }), ended == number else { return nil }
            return ServantEnding(status: status)
        }
    }
}
